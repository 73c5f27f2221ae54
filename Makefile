# bloomlab: a laboratory for Bloom filters. `make help` lists the targets.

BUILD   ?= build/release
BINARY  ?= build/bloomlab
MARCH   ?= native
OPT     ?= -O3 -march=$(MARCH)
JEMALLOC ?= 1
RESULTS ?= results
EXPERIMENT ?= $(wildcard experiments/*.yaml)
THREADS ?=
SCALE   ?=
MAX_SIZE ?=
BENCH   ?= --filter all --filter split_block:block_bits=512

PACKAGES := yaml-0.1 gsl mpfr gmp libxxhash libcrypto jansson
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
CFLAGS   ?=
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE $(OPT) -ffp-contract=off -fopenmp -g $(WARNINGS) -I. -I$(BUILD) \
	-DBLOOMLAB_JEMALLOC=$(JEMALLOC) $(shell pkg-config --cflags $(PACKAGES)) $(CFLAGS)
LIBS     = $(shell pkg-config --libs $(PACKAGES)) -lm
ifeq ($(JEMALLOC),1)
LIBS    += -ljemalloc
endif
TEST_LIBS = -lcriterion

SOURCES := $(wildcard machine/*.c hashes/*.c filters/*.c filters/theory/*.c harness/*.c harness/*/*.c)
LIBRARY := $(filter-out harness/main.c,$(SOURCES))
TESTS   := $(wildcard tests/*.c tests/broken/*.c)
OBJECTS := $(LIBRARY:%.c=$(BUILD)/%.o)
TEST_OBJECTS := $(TESTS:%.c=$(BUILD)/%.o)
HEADERS := $(filter-out %_template.h %/list.h,$(wildcard machine/*.h hashes/*.h filters/*.h filters/theory/*.h harness/*/*.h tests/*.h))
FORMATTED := $(wildcard machine/*.[ch] hashes/*.[ch] filters/*.[ch] filters/theory/*.[ch] harness/*.[ch] harness/*/*.[ch] tests/*.[ch] tests/broken/*.[ch])

.DEFAULT_GOAL := all
.PHONY: all deps deps-dev deps-mpi sweep plots claims bench reference check-stats test check check-all headers lists format clean help FORCE

all: $(BINARY) ## build the program: build/bloomlab

$(BINARY): $(OBJECTS) $(BUILD)/harness/main.o
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(LIBS)

$(BUILD)/tests/run: $(OBJECTS) $(TEST_OBJECTS)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(LIBS) $(TEST_LIBS)

$(BUILD)/%.o: %.c $(BUILD)/build_info.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# What provenance says of the build; rewritten only when it changes, so nothing is rebuilt in vain.
$(BUILD)/build_info.h: FORCE
	@mkdir -p $(@D)
	@printf '#define BLOOMLAB_COMPILER "%s"\n#define BLOOMLAB_FLAGS "%s"\n' \
	  "$$($(CC) --version | head -n 1)" "-std=c17 $(OPT) -ffp-contract=off -fopenmp $(CFLAGS)" > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

# `make -j deps sweep`: nothing is compiled before the packages are in.
ifneq (,$(filter deps,$(MAKECMDGOALS)))
$(OBJECTS) $(TEST_OBJECTS) $(BUILD)/harness/main.o $(BUILD)/build_info.h: | deps
endif

-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BUILD)/harness/main.d

deps: ## install what is missing to build, test, sweep and plot (Debian packages)
	@scripts/deps.sh base

deps-dev: ## and what `make check-all` and `make format` need
	@scripts/deps.sh base dev

deps-mpi: ## and Open MPI, for runs over several machines
	@scripts/deps.sh base mpi

sweep: $(BINARY) ## run the experiments: results/NAME/ (EXPERIMENT=file THREADS=n SCALE=paper)
	$(BINARY) sweep $(EXPERIMENT) --out $(RESULTS) $(if $(THREADS),--threads $(THREADS)) $(if $(SCALE),--scale $(SCALE))

claims: $(BINARY) ## what published documents claim, found out anew: results/claims/ (SCALE=full THREADS=n)
	$(BINARY) claims --out $(RESULTS)/claims $(if $(THREADS),--threads $(THREADS)) $(if $(SCALE),--scale $(SCALE))

plots: $(BINARY) ## draw the plots again, from the tables alone
	$(BINARY) plot $(RESULTS)

bench: $(BINARY) ## times of all filters: results/bench/ (MAX_SIZE=1GiB, BENCH=options or a file)
	$(BINARY) bench $(BENCH) --part filters --part linear-cost --out $(RESULTS) $(if $(MAX_SIZE),--max-size $(MAX_SIZE))

reference: $(BINARY) ## run default sweep and claims anew and keep tables and plots in results/reference/
	rm -rf build/reference
	$(BINARY) claims --out build/reference/claims --quiet
	$(BINARY) sweep $(wildcard experiments/*.yaml) --out build/reference --quiet
	scripts/reference.sh build/reference

check-stats: $(BINARY) ## size and power of the tests of a cell: experiments/checks/ (minutes)
	$(BINARY) sweep experiments/checks/calibration.yaml experiments/checks/power.yaml --out $(RESULTS) $(if $(THREADS),--threads $(THREADS))
	@scripts/check-stats.sh $(RESULTS)

test: $(BINARY) $(BUILD)/tests/run ## run the test suite
	$(BUILD)/tests/run

check: headers lists ## format, headers alone, every plug-in in its list
	@clang-format --dry-run --Werror $(FORMATTED) && echo "format: as .clang-format has it"

headers:
	@for h in $(HEADERS); do $(CC) $(ALL_CFLAGS) -Werror -Wno-unused-function -fsyntax-only -x c $$h || exit 1; done
	@echo "headers: each compiles alone"

lists:
	@scripts/check-lists.sh

check-all: check ## and the suite under ASan+UBSan, a sweep under TSan, and clang
	@scripts/check-all.sh

format: ## lay out the sources
	clang-format -i $(FORMATTED)

clean: ## remove what was built
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
