/* SPDX-License-Identifier: MIT
 *
 * bench_rows.c: what a benchmark measures: every operation of every filter once, answers checked
 * against what must be found; a filter that answers wrongly is caught and has no rows.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/bench.h"
#include "harness/bench/pool.h"
#include "harness/bench/subject.h"
#include "tests/broken/broken.h"
#include "tests/harness_files.h"
#include "tests/harness_lab.h"

static const char rows_text[] =
    "grid:\n  filter: [classic, blocked, split_block, {name: scalable_linear, initial_capacity: "
    "100, target_rate: 0.01}, hyperloglog, \"null\"]\n"
    "  hash: [xxh3_64]\n  keys: [random64]\n  m: [\"2^14\"]\n  bits_per_key: [10]\n  k: [7]\n"
    "trials: 1\n";

static struct bench_options rows_options(unsigned rounds)
{
    struct bench_options options = {
        .turns = {.rounds = rounds, .turn_ns = 1, .key_shift = 8, .memory_bytes = 1 << 28},
        .max_bytes = UINT64_MAX,
        .quiet = true,
    };
    for (int o = 0; o < OPERATION_COUNT; o++)
        options.turns.operations[o] = true;
    options.turns.paths[path_machine()] = true;
    return options;
}

static size_t rows_count(const struct timings *timings, const char *filter, const char *operation)
{
    size_t count = 0;
    for (size_t r = 0; r < timings->count; r++)
        count += (!filter || strcmp(timings->row[r].filter, filter) == 0) &&
                 (!operation || strcmp(timings->row[r].operation, operation) == 0);
    return count;
}

Test(bench_rows, every_operation_of_every_filter)
{
    struct lab lab;
    struct timings timings = {0};
    struct error error;
    struct bench_options options = rows_options(2);
    lab_open(&lab, rows_text);
    cr_assert_eq(bench_run(&timings, lab.plan, &options, &error), OK, "%s", error.text);
    /* classic, blocked, split_block, scalable_linear, null; hyperloglog answers no queries */
    cr_expect_eq(timings.count, 5 * (2 + 4 * 3 * 2));
    cr_expect_eq(rows_count(&timings, "hyperloglog", NULL), 0);
    for (int o = 0; o < OPERATION_COUNT; o++)
        cr_expect_eq(rows_count(&timings, "blocked", operation_name((enum operation)o)),
                     o == OPERATION_INSERT ? 2 : 6);
    for (size_t r = 0; r < timings.count; r++) {
        const struct timing *row = &timings.row[r];
        cr_expect(row->ns.q1 <= row->ns.median && row->ns.median <= row->ns.q3);
        cr_expect(row->ns.median > 0 && row->floor_ns > 0);
        cr_expect_eq(row->rounds, 2);
        cr_expect_eq(row->threads, 1);
        cr_expect_eq(row->noisy, quartiles_noisy(&row->ns));
        cr_expect(strcmp(row->filter, "classic") != 0 || (row->bytes == 2048 && row->n == 1638));
    }
    timings_release(&timings);
    lab_close(&lab);
}

/* Each path of the machine has rows of its own. */
Test(bench_rows, paths)
{
    struct lab lab;
    struct timings timings = {0};
    struct error error;
    struct bench_options options = rows_options(1);
    memset(options.turns.operations, 0, sizeof options.turns.operations);
    options.turns.operations[OPERATION_QUERY_COUNT] = true;
    for (int p = 0; p <= (int)path_machine(); p++)
        options.turns.paths[p] = true;
    lab_open(&lab, rows_text);
    cr_assert_eq(bench_run(&timings, lab.plan, &options, &error), OK, "%s", error.text);
    cr_expect_eq(timings.count, 5 * 3 * 2 * ((size_t)path_machine() + 1));
    cr_expect_str_eq(timings.row[0].path, "portable");
    cr_expect_eq(path_current(), path_machine(), "the ceiling is lifted again");
    timings_release(&timings);
    lab_close(&lab);
}

static void expect_wrong(const struct filter_ops *broken, unsigned key_shift, const char *part)
{
    struct lab lab;
    struct timings timings = {0};
    struct error error = {0};
    struct bench_options options = rows_options(1);
    options.turns.key_shift = key_shift;
    options.turns.operations[OPERATION_QUERY_DEPENDENT] = false;
    lab_open(&lab, rows_text);
    for (size_t c = 0; c < lab.plan->cell_count; c++)
        if (strcmp(lab.plan->cells[c].ops->name, "classic") == 0)
            lab.plan->cells[c].ops = broken;
    cr_expect_eq(bench_run(&timings, lab.plan, &options, &error), E_CHECK, "%s", broken->name);
    cr_expect_eq(error.status, E_CHECK);
    cr_expect(strstr(error.text, part) != NULL, "%s", error.text);
    cr_expect_eq(rows_count(&timings, broken->name, NULL), 0);
    cr_expect_gt(rows_count(&timings, "blocked", NULL), 0, "the others have their rows");
    timings_release(&timings);
    lab_close(&lab);
}

/* As many as there are, but all of them key 0. */
static uint64_t match_first(const struct filter *f, uint32_t *which, struct digests *batch,
                            void *scratch)
{
    uint64_t hits = f->ops->query(f, NULL, batch, scratch);
    memset(which, 0, hits * sizeof *which);
    return hits;
}

/* Right when it is asked once for each list; then the bytes of present keys are 2. */
static uint64_t query_twos(const struct filter *f, uint8_t *present, struct digests *batch,
                           void *scratch)
{
    static unsigned calls;
    uint64_t hits = filter_classic.query(f, present, batch, scratch);
    bool timed = present && ++calls > POOL_KINDS;
    for (size_t i = 0; timed && i < batch->count; i++)
        present[i] = (uint8_t)(2 * present[i]);
    return hits;
}

Test(bench_rows, wrong_forms_of_right_answers)
{
    struct filter_ops wrong = filter_classic;
    wrong.name = "wrong_list";
    wrong.match = match_first;
    expect_wrong(&wrong, 8, "query_list over");
    wrong = filter_classic;
    wrong.name = "wrong_bytes";
    wrong.query = query_twos;
    expect_wrong(&wrong, 8, "query_bytes over");
}

Test(bench_rows, wrong_filters_have_none)
{
    expect_wrong(&broken_loses_key, 8, "members are not found");
    expect_wrong(&broken_count, 8, "513 of 512 keys are found after they were inserted");
    /* 537 strangers of 65536 are expected, 800 are found: 11 standard deviations. */
    expect_wrong(&broken_rate, 0, "strangers are found where theory says");
}

Test(bench_rows, nothing_to_measure)
{
    struct lab lab;
    struct timings timings = {0};
    struct error error;
    struct bench_options options = rows_options(1);
    lab_open(&lab, "grid: {filter: [classic], hash: [xxh3_64], keys: [random64], m: [4096], "
                   "bits_per_key: [10], k: [7]}\ntrials: 1\n");
    options.max_bytes = 511;
    cr_expect_eq(bench_run(&timings, lab.plan, &options, &error), E_INPUT);
    cr_expect(strstr(error.text, "at most 511 bytes") != NULL, "%s", error.text);
    lab_close(&lab);
}

/* The lists hold what they say, and both sources give the same digests of it. */
Test(bench_rows, pool)
{
    struct lab lab;
    struct pool pool;
    struct error error;
    struct key_stream stream;
    enum { COUNT = 1000, MEMBERS = 300 };
    lab_open(&lab, "grid: {filter: [classic], hash: [xxh3_64], keys: [url], m: [4096], "
                   "bits_per_key: [10], k: [7]}\ntrials: 1\n");
    const struct cell *cell = &lab.plan->cells[0];
    struct digest_family family = cell_family(lab.experiment, cell, 5);
    key_stream_init(&stream, cell->source->source, 5);
    cr_assert_eq(pool_open(&pool, &stream, &family, MEMBERS, KEYS_UNLIMITED, COUNT, 3, 512, &error),
                 OK, "%s", error.text);
    for (int kind = 0; kind < POOL_KINDS; kind++) {
        struct pool_list *list = &pool.list[kind];
        size_t members = 0;
        uint64_t given[512], computed[512];
        for (size_t i = 0; i < COUNT; i++)
            members += list->member[i];
        cr_expect_leq(fabs((double)members - COUNT * pool_hit_ratio((enum pool_kind)kind)), 100);
        for (unsigned column = 0; column < 3; column++) {
            struct digests *a = digest_source_batch(&list->given, 488, 512);
            const uint64_t *x = digests_column(a, column, NULL, 512, given);
            struct digests *b = digest_source_batch(&list->computed, 488, 512);
            const uint64_t *y = digests_column(b, column, NULL, 512, computed);
            cr_expect_eq(memcmp(x, y, sizeof given), 0);
        }
    }
    size_t length, again;
    const unsigned char *first = key_at(&pool.list[POOL_MEMBERS].keys, 7, &length);
    const unsigned char *second = key_at(&pool.list[POOL_MEMBERS].keys, 7 + MEMBERS, &again);
    cr_expect(length == again && memcmp(first, second, length) == 0, "members are repeated");
    cr_expect_eq(pool.members, MEMBERS);
    pool_release(&pool);
    cr_expect_eq(pool_open(&pool, &stream, &family, MEMBERS, 0, COUNT, 3, 512, &error), E_INPUT);
    pool_release(&pool);
    lab_close(&lab);
}
