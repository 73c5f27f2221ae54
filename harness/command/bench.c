/* SPDX-License-Identifier: MIT
 *
 * bench.c: `bloomlab bench`: times of filters, in DIR/NAME/timings.csv.
 *
 * The filters are the cells of an experiment, or of one made up from the options.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/bench.h"
#include "harness/bench/grid.h"
#include "harness/command/bench_write.h"
#include "harness/command/command.h"
#include "harness/command/run.h"
#include "harness/experiment/values.h"
#include "harness/trial/trial.h"

static const char *const bench_part_names[BENCH_PARTS] = {
    [BENCH_FILTERS] = "filters",
    [BENCH_LINEAR_COST] = "linear-cost",
};

enum { BENCH_LIST_MAX = 64, BENCH_SIZES_MAX = 32, BENCH_ROUNDS = 7, BENCH_ROUNDS_QUICK = 3 };
#define BENCH_TURN_NS 1e6
#define BENCH_TURN_NS_QUICK 2e5
#define BENCH_MAX_BYTES (UINT64_C(64) << 20)
#define BENCH_MAX_BYTES_QUICK (UINT64_C(1) << 20)
#define BENCH_BITS_PER_KEY 10

struct request {
    struct bench_options bench;
    const char *file, *out;
    const char *filters[BENCH_LIST_MAX];
    size_t filter_count;
    double *bits;
    size_t bits_count;
    uint64_t max_bytes; /* 0: not given */
    unsigned rounds;    /* 0: not given */
    bool quick, plots, path_given;
    bool part[BENCH_PARTS]; /* none: all that suit */
};

enum {
    OUT,
    MAX_SIZE,
    FILTER,
    ROUNDS,
    QUICK,
    BITS_PER_KEY,
    PATH,
    MEMORY,
    PART,
    NO_PLOTS,
    QUIET,
    OPTION_COUNT
};

static enum status take_path(struct request *request, const char *name, struct error *err)
{
    enum filter_path path;
    if (!path_find(name, &path))
        return fail(err, E_INPUT, "there is no path %s; there are portable, avx2, avx512", name);
    if (path > path_machine())
        return fail(err, E_INPUT, "this machine has no path %s; its widest is %s", name,
                    path_name(path_machine()));
    if (!request->path_given)
        memset(request->bench.turns.paths, 0, sizeof request->bench.turns.paths);
    request->path_given = true;
    request->bench.turns.paths[path] = true;
    return OK;
}

static enum status take_part(struct request *request, const char *name, struct error *err)
{
    for (int part = 0; part < BENCH_PARTS; part++)
        if (strcmp(name, bench_part_names[part]) == 0)
            return request->part[part] = true, OK;
    return fail(err, E_INPUT, "bench has no part %s; there are %s, %s", name, bench_part_names[0],
                bench_part_names[1]);
}

static enum status take_option(struct request *request, int option, const char *value,
                               struct error *err)
{
    uint64_t number;
    enum status status;
    switch (option) {
    case OUT:
        request->out = value;
        return *value ? OK : fail(err, E_INPUT, "--out is empty");
    case MAX_SIZE:
        status = value_bytes(&request->max_bytes, value, "--max-size", err);
        if (!status && request->max_bytes == 0)
            status = fail(err, E_INPUT, "--max-size is 0; it must be at least 1");
        return status;
    case FILTER:
        if (request->filter_count == BENCH_LIST_MAX)
            return fail(err, E_INPUT, "at most %d --filter", BENCH_LIST_MAX);
        request->filters[request->filter_count++] = value;
        return OK;
    case ROUNDS:
        status = value_integer(&number, value, "--rounds", 1, TURNS_ROUNDS_MAX, err);
        request->rounds = status ? 0 : (unsigned)number;
        return status;
    case QUICK:
        request->quick = true;
        return OK;
    case BITS_PER_KEY:
        return value_real_range(&request->bits, &request->bits_count, value, "--bits-per-key",
                                EXPERIMENT_BITS_PER_KEY_MIN, EXPERIMENT_BITS_PER_KEY_MAX,
                                BENCH_LIST_MAX, err);
    case PATH:
        return take_path(request, value, err);
    case MEMORY:
        return value_bytes(&request->bench.turns.memory_bytes, value, "--memory", err);
    case PART:
        return take_part(request, value, err);
    case NO_PLOTS:
        request->plots = false;
        return OK;
    case QUIET:
        request->bench.quiet = true;
        return OK;
    default:
        if (request->file)
            return fail(err, E_INPUT, "bench takes one experiment, not also %s", value);
        request->file = value;
        return OK;
    }
}

static enum status take_options(struct request *request, int argc, char **argv, struct error *err)
{
    static const struct option_spec specs[OPTION_COUNT] = {
        [OUT] = {"out", true},       [MAX_SIZE] = {"max-size", true},
        [FILTER] = {"filter", true}, [ROUNDS] = {"rounds", true},
        [QUICK] = {"quick", false},  [BITS_PER_KEY] = {"bits-per-key", true},
        [PATH] = {"path", true},     [MEMORY] = {"memory", true},
        [PART] = {"part", true},     [NO_PLOTS] = {"no-plots", false},
        [QUIET] = {"quiet", false},
    };
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, OPTION_COUNT, &option, &value, err);
        if (status || option == OPTION_END)
            return status;
        status = take_option(request, option, value, err);
        if (status)
            return status;
    }
}

/* What options leave open. A file has its own sizes: no limit but what is asked for. */
static void settle(struct request *request)
{
    uint64_t most = request->quick ? BENCH_MAX_BYTES_QUICK : BENCH_MAX_BYTES;
    request->bench.max_bytes = request->max_bytes ? request->max_bytes : most;
    if (request->file && !request->max_bytes)
        request->bench.max_bytes = UINT64_MAX;
    request->bench.turns.rounds = request->rounds  ? request->rounds
                                  : request->quick ? BENCH_ROUNDS_QUICK
                                                   : BENCH_ROUNDS;
    request->bench.turns.turn_ns = request->quick ? BENCH_TURN_NS_QUICK : BENCH_TURN_NS;
    request->bench.turns.key_shift = request->quick ? 3 : 0;
    if (!request->part[BENCH_FILTERS] && !request->part[BENCH_LINEAR_COST]) {
        request->part[BENCH_FILTERS] = true;
        request->part[BENCH_LINEAR_COST] =
            !request->file && !request->filter_count && !request->quick;
    }
    if (!request->filter_count)
        request->filters[request->filter_count++] = "all";
}

/* ---- the filters ------------------------------------------------------------------------------
 */

/* 16 KiB, 64 KiB, ... up to most; that alone when it is less. */
static size_t bench_sizes(uint64_t sizes[BENCH_SIZES_MAX], uint64_t most)
{
    size_t count = 0;
    for (uint64_t bytes = 16384; bytes && bytes <= most && count < BENCH_SIZES_MAX; bytes *= 4)
        sizes[count++] = bytes;
    if (count == 0)
        sizes[count++] = most;
    return count;
}

/* All sizes at one number of bits per key; two sizes, in cache and beyond, at several. */
static enum status write_grids(struct text *text, const struct request *request,
                               const struct plan_limits *limits, struct error *err)
{
    static const double usual[] = {BENCH_BITS_PER_KEY}, further[] = {6, 8, 12, 16, 20, 24};
    static const uint64_t few[] = {UINT64_C(256) << 10, UINT64_C(4) << 20};
    uint64_t sizes[BENCH_SIZES_MAX];
    struct bench_grid grid = {
        .filters = request->filters,
        .filter_count = request->filter_count,
        .bytes = sizes,
        .bytes_count = bench_sizes(sizes, request->bench.max_bytes),
        .bits_per_key = request->bits_count ? request->bits : usual,
        .bits_count = request->bits_count ? request->bits_count : 1,
    };
    if (sizes[grid.bytes_count - 1] > limits->memory_bytes)
        return fail(err, E_INPUT,
                    "--max-size %" PRIu64 ": a filter of %" PRIu64
                    " bytes needs as much again, this machine has memory for one of %" PRIu64,
                    request->bench.max_bytes, sizes[grid.bytes_count - 1], limits->memory_bytes);
    enum status status = grid_write(text, &grid, err);
    if (status || request->bits_count || request->quick)
        return status;
    grid.bytes = few;
    grid.bytes_count = request->bench.max_bytes >= few[1] ? 2 : request->bench.max_bytes >= few[0];
    grid.bits_per_key = further;
    grid.bits_count = sizeof further / sizeof further[0];
    return grid.bytes_count ? grid_write(text, &grid, err) : OK;
}

static enum status open_made(struct run *run, const struct request *request,
                             const struct plan_limits *limits, struct error *err)
{
    struct text text = {0};
    grid_begin(&text, "bench", BENCH_QUESTION);
    enum status status = write_grids(&text, request, limits, err);
    if (!status && text.failed)
        status = fail(err, E_RUN, "no memory for the list of filters");
    FILE *stream = status ? NULL : fmemopen(text.data, text.size, "r");
    if (!status && !stream)
        status = fail(err, E_RUN, "no memory for the list of filters");
    if (stream) {
        status = experiment_read(&run->experiment, stream, "bench", NULL, err);
        fclose(stream);
    }
    text_release(&text);
    return status ? status : plan_make(&run->plan, run->experiment, limits, err);
}

/* Of a file's cells those of the named variants. */
static enum status keep_named(struct plan *plan, const struct request *request, struct error *err)
{
    bool *keep = calloc(plan->cell_count + 1, sizeof *keep);
    enum status status = keep ? OK : fail(err, E_RUN, "no memory for a list of cells");
    for (size_t f = 0; !status && f < request->filter_count; f++) {
        bool all = strcmp(request->filters[f], "all") == 0;
        if (!all && !filter_find(request->filters[f]))
            status = fail(err, E_INPUT, "there is no filter %s; bloomlab list filters tells them",
                          request->filters[f]);
        for (size_t c = 0; !status && c < plan->cell_count; c++)
            keep[c] = keep[c] || all || strcmp(plan->cells[c].ops->name, request->filters[f]) == 0;
    }
    if (!status)
        status = plan_keep(plan, keep, err);
    free(keep);
    return status;
}

static enum status open_file(struct run *run, const struct request *request,
                             const struct plan_limits *limits, struct error *err)
{
    struct run_options options = {.limits = *limits};
    if (request->bits_count)
        return fail(err, E_INPUT, "--bits-per-key goes without an experiment; %s has its own",
                    request->file);
    enum status status = run_open(run, request->file, &options, err);
    return status ? status : keep_named(run->plan, request, err);
}

/* What cannot be measured is said. */
static void bench_tell_skipped(const struct plan *plan, bool quiet)
{
    if (plan->skipped_count && !quiet)
        fprintf(stderr, "%s: %zu combinations skipped, the first, of %s: %s\n",
                plan->experiment->name, plan->skipped_count, plan->skipped[0].cell.ops->name,
                plan->skipped[0].reason);
}

static enum status bench_command(int argc, char **argv, struct error *err)
{
    uint64_t physical = memory_physical();
    struct request request = {
        .out = "results",
        .plots = true,
        .bench.turns = {.memory_bytes = physical / 2, .interrupt = &command_interrupted},
    };
    /* The floors read, and inserts fill, as much memory as the largest filter beside it takes. */
    struct plan_limits limits = {physical / 20 * 9, 1, 1};
    struct run run = {0};
    request.bench.turns.paths[path_current()] = true;
    for (int o = 0; o < OPERATION_COUNT; o++)
        request.bench.turns.operations[o] = true;
    enum status status = take_options(&request, argc, argv, err);
    if (!status) {
        settle(&request);
        status = request.file ? open_file(&run, &request, &limits, err)
                              : open_made(&run, &request, &limits, err);
    }
    if (!status) {
        bench_tell_skipped(run.plan, request.bench.quiet);
        struct bench_output output = {
            .out = request.out, .plots = request.plots, .argc = argc, .argv = argv};
        memcpy(output.part, request.part, sizeof output.part);
        status = bench_write(&run, &request.bench, &output, err);
    }
    run_close(&run);
    free(request.bits);
    return status;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "times of filters: ns per key against the memory's own speed",
    .help =
        "usage: bloomlab bench [FILE] [OPTION]...\n\n"
        "Times every filter of the experiment FILE (its trials and queries do not matter), or all "
        "variants at\n"
        "16 KiB, 64 KiB, ...: insert; queries that answer a byte a key, a list of matches, a "
        "count; dependent\n"
        "queries; hit ratios 0, 0.5 and 1; digests given in memory, and computed from the keys. "
        "Beside them the\n"
        "floor: independent reads of a line, and dependent ones. Tables and plots go to "
        "DIR/NAME/.\n\n"
        "  --out DIR           where results go (default results)\n"
        "  --max-size SIZE     no filter above it (default 64MiB; of a FILE none)\n"
        "  --filter F          NAME, NAME:PARAMETER=VALUE, or all (default); may be repeated\n"
        "  --bits-per-key C    a number or range; may be repeated (default 10, and 6 to 24 at two "
        "sizes)\n"
        "  --rounds R          timed rounds (default 7)\n"
        "  --quick             3 short rounds, at most 1 MiB\n"
        "  --path P            portable, avx2, avx512: the instructions filters may use; may be "
        "repeated\n"
        "                      (default: the widest)\n"
        "  --memory SIZE       what filters of one size may take together (default: half the "
        "machine's)\n"
        "  --part P            filters, or linear-cost (how a sweep's time grows); may be repeated "
        "(default:\n"
        "                      both; with a FILE, --filter or --quick the first)\n"
        "  --no-plots          tables only\n"
        "  --quiet             no progress\n",
    .run = bench_command,
};
