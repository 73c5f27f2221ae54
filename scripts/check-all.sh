#!/bin/sh
# The suite under ASan and UBSan, a small sweep under TSan, and a build with clang.
set -eu
make=${MAKE:-make}

echo "== gcc, ASan and UBSan: the suite"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
$make -j2 BUILD=build/asan BINARY=build/asan/bloomlab JEMALLOC=0 WERROR=-Werror \
    OPT='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer' \
    build/asan/tests/run build/asan/bloomlab
BLOOMLAB=build/asan/bloomlab build/asan/tests/run >"$log" 2>&1 || { cat "$log"; exit 1; }
if grep -q LeakSanitizer "$log"; then cat "$log"; exit 1; fi
tail -n 1 "$log"

echo "== clang: no warnings"
$make -j2 all
$make -j2 BUILD=build/clang BINARY=build/clang/bloomlab CC=clang WERROR=-Werror OPT='-O1 -march=native' \
    build/clang/bloomlab build/clang/tests/run

echo "== clang -O1 against gcc -O3: the same bytes"
one=$(mktemp -d) two=$(mktemp -d)
build/bloomlab sweep tests/data/small.yaml --out "$one" --threads 2 --quiet --no-plots
build/clang/bloomlab sweep tests/data/small.yaml --out "$two" --threads 7 --quiet --no-plots
for table in "$one"/*/*.csv; do cmp "$table" "$two/${table#"$one"/}"; done
rm -rf "$one" "$two"

echo "== clang, TSan: a sweep with 4 threads"
$make -j2 BUILD=build/tsan BINARY=build/tsan/bloomlab CC=clang JEMALLOC=0 \
    OPT='-O1 -fsanitize=thread' build/tsan/bloomlab
out=$(mktemp -d)
TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1" \
    build/tsan/bloomlab sweep tests/data/small.yaml --out "$out" --threads 4 --quiet --no-plots
rm -rf "$out"
echo "check-all: passed"
