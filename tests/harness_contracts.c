/* SPDX-License-Identifier: MIT
 *
 * harness_contracts.c: same seed, same bytes: whatever the threads, the memory, the shard and the
 * company a cell runs in.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness_files.h"
#include "tests/harness_lab.h"
#include "tests/harness_program.h"

/* Many kinds of cell, none of which needs simulated theory. */
#define CONTRACT_GRID                                                                              \
    "grid:\n"                                                                                      \
    "  - {filter: [classic, double_hashing, partitioned, blocked, split_block, counting,"          \
    " scalable_linear, scalable_exponential, hyperloglog, \"null\"],"                              \
    " hash: [murmur3_x64_128, {name: murmur2, family: salted}], keys: random64,"                   \
    " m: 256, bits_per_key: 7, k: [1, 5], queries: 700}\n"                                         \
    "  - {filter: [classic, blocked, scalable_linear], hash: xxh3_64, keys: url, m: 3000,"         \
    " bits_per_key: 7, k: 4, queries: 1900}\n"                                                     \
    "  - {filter: [classic, counting], hash: {name: murmur3_x86_128, family: seeded},"             \
    " keys: {decimal: 0..2999, width: 0}, m: 512, n: [0, 1, 1500], k: 2,"                          \
    " reduction: [mask, multiply_shift], digest_bits: [16, native], queries: 1500}\n"

static char *contract_tables(const char *text, unsigned threads, uint64_t memory_bytes)
{
    struct lab lab;
    lab_open(&lab, text);
    lab_run(&lab, threads, memory_bytes, NULL);
    char *tables = lab_tables(&lab);
    lab_close(&lab);
    return tables;
}

static void contract_threads(const char *text)
{
    char *one = contract_tables(text, 1, UINT64_MAX);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        char *more = contract_tables(text, threads, UINT64_MAX);
        same_text(one, more, "threads");
        free(more);
    }
    free(one);
}

Test(harness_contracts, any_number_of_threads)
{
    contract_threads(CONTRACT_GRID "trials: 4\n");
    contract_threads(CONTRACT_GRID "trials: 2\nindependent: true\n");
}

Test(harness_contracts, any_memory)
{
    char *plenty = contract_tables(CONTRACT_GRID "trials: 2\n", 3, UINT64_MAX);
    /* 0: nothing is remembered and tasks run one by one. 64 KiB: some remember. */
    for (uint64_t memory = 0; memory <= 1 << 20; memory = memory ? 16 * memory : 1 << 16) {
        char *scarce = contract_tables(CONTRACT_GRID "trials: 2\n", 3, memory);
        same_text(plenty, scarce, "memory");
        free(scarce);
    }
    free(plenty);
}

static size_t contract_differing(const struct lab *a, const struct lab *b)
{
    size_t differ = 0;
    for (size_t r = 0; r < a->plan->result_count; r++)
        differ += a->results[r].bits_digest != b->results[r].bits_digest ||
                  a->results[r].keys_digest != b->results[r].keys_digest;
    return differ;
}

Test(harness_contracts, another_seed_other_keys_and_other_bits)
{
    struct lab a, b;
    lab_open(&a, CONTRACT_GRID "trials: 2\nseed: 1\n");
    lab_open(&b, CONTRACT_GRID "trials: 2\nseed: 2\n");
    lab_run(&a, 2, UINT64_MAX, NULL);
    lab_run(&b, 2, UINT64_MAX, NULL);
    size_t alike = 0;
    for (size_t c = 0; c < a.plan->cell_count; c++)
        alike += a.plan->cells[c].n + a.plan->cells[c].queries == 0 ? a.plan->cells[c].trials : 0;
    cr_assert_eq(contract_differing(&a, &b), a.plan->result_count - alike);
    lab_close(&a);
    lab_close(&b);
}

/* ---- a cell and its company ------------------------------------------------------------------ */

static void contract_same_result(const struct trial_result *a, const struct trial_result *b,
                                 const struct cell *cell)
{
    cr_assert_eq(a->seed, b->seed);
    cr_assert_eq(a->false_positives, b->false_positives, "%s", cell->ops->name);
    cr_assert_eq(a->false_negatives, b->false_negatives);
    cr_assert_eq(a->bits_set, b->bits_set);
    cr_assert_eq(a->memory_bytes, b->memory_bytes);
    cr_assert_eq(a->keys_digest, b->keys_digest, "%s", cell->ops->name);
    cr_assert_eq(a->bits_digest, b->bits_digest, "%s", cell->ops->name);
    cr_assert_eq(a->measure_count, b->measure_count);
    for (unsigned i = 0; i < a->measure_count; i++) {
        cr_assert_str_eq(a->measures[i].name, b->measures[i].name);
        cr_assert(a->measures[i].value == b->measures[i].value);
    }
}

static void contract_alone(const char *text)
{
    struct lab lab;
    struct error error;
    lab_open(&lab, text);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    for (size_t c = 0; c < lab.plan->cell_count; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        for (uint64_t t = 0; t < cell->trials; t++) {
            struct trial_result alone = {0};
            cr_assert_eq(schedule_trial(&alone, lab.plan, cell, t, &error), OK, "%s", error.text);
            cr_assert(alone.done);
            cr_assert_eq(alone.seed, cell_trial_seed(lab.experiment, cell, t));
            contract_same_result(&alone, &lab.results[cell->first_result + t], cell);
            trial_result_release(&alone);
        }
    }
    lab_close(&lab);
}

Test(harness_contracts, a_row_is_replayed_alone)
{
    contract_alone(CONTRACT_GRID "trials: 3\n");
    contract_alone(CONTRACT_GRID "trials: 1\nindependent: true\n");
    contract_alone(CONTRACT_GRID "trials: 1\nhash_seed: 3\n");
}

/* Families and widths of one hash, pairs both ways round: none is served another's digests. */
Test(harness_contracts, digests_of_another_family_are_not_shared)
{
    contract_alone(
        "grid: {filter: [classic, blocked], hash: [murmur3_x64_128, xxh64,"
        " {name: murmur3_x64_128, family: seeded}, {name: murmur3_x64_128, family: salted},"
        " {pair: [xxh64, fnv1a_64]}, {pair: [fnv1a_64, xxh64]}, {pair: [xxh64, murmur64a]}],"
        " keys: [random64, uuid4], m: 512, n: 30, k: 2, digest_bits: [20, native]}\n"
        "trials: 2\nqueries: 90\n");
}

/* A batch is how a filter likes its keys, and nothing else. */
Test(harness_contracts, batches_of_any_size)
{
    static const size_t sizes[] = {1, 13, 200};
    struct lab whole;
    lab_open(&whole, CONTRACT_GRID "trials: 1\n");
    lab_run(&whole, 2, UINT64_MAX, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct lab lab;
        lab_open(&lab, CONTRACT_GRID "trials: 1\n");
        for (size_t c = 0; c < lab.plan->cell_count; c++)
            lab.plan->cells[c].layout.batch = sizes[i];
        lab_run(&lab, 2, i % 2 ? 0 : UINT64_MAX, NULL);
        for (size_t r = 0; r < lab.plan->result_count; r++)
            contract_same_result(&whole.results[r], &lab.results[r], &lab.plan->cells[r]);
        lab_close(&lab);
    }
    lab_close(&whole);
}

/* Keys and their digest do not depend on filter, m or k: those of one n, of one key set and as many
 * queries are the same, in whatever batches they came. */
Test(harness_contracts, cells_of_one_trial_share_their_keys)
{
    struct lab lab;
    lab_open(&lab,
             "grid: {filter: [classic, hyperloglog, blocked, split_block, counting, partitioned,"
             " scalable_linear, \"null\"], hash: [murmur3_x64_128, xxh64], m: [2^24, 2^10],"
             " keys: [url, random64, {decimal: 0..20000}], n: [3000], k: [3],"
             " queries: 5000}\ntrials: 2\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    uint64_t first[3][2] = {{0}};
    for (size_t c = 0; c < lab.plan->cell_count; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        if (cell->queries == 0) /* hyperloglog */
            continue;
        for (uint64_t t = 0; t < 2; t++) {
            uint64_t *seen = &first[cell->source - lab.plan->sources][t];
            uint64_t digest = lab.results[cell->first_result + t].keys_digest;
            *seen = *seen ? *seen : digest;
            cr_assert_eq(digest, *seen, "%s, %s", cell->ops->name, cell->source->name);
        }
    }
    cr_assert_neq(first[0][0], first[0][1]);
    cr_assert_neq(first[0][0], first[1][0]);
    lab_close(&lab);
}

Test(harness_contracts, independent_cells_have_keys_of_their_own)
{
    struct lab lab;
    lab_open(&lab,
             "grid: {filter: classic, hash: xxh64, keys: random64, m: [64, 65, 66, 67], n: 10,"
             " k: [1, 2]}\ntrials: 2\nqueries: 10\nindependent: true\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    for (size_t a = 0; a < lab.plan->result_count; a++)
        for (size_t b = 0; b < a; b++) {
            cr_assert_neq(lab.results[a].seed, lab.results[b].seed);
            cr_assert_neq(lab.results[a].keys_digest, lab.results[b].keys_digest);
        }
    lab_close(&lab);
}

/* ---- shards ---------------------------------------------------------------------------------- */

/* Every line of `part` is one of `whole`. */
static size_t contract_lines_within(const char *part, const char *whole)
{
    size_t lines = 0;
    for (const char *line = part; *line; lines++) {
        size_t length = strcspn(line, "\n") + 1;
        char *copy = strndup(line, length);
        const char *found = strstr(whole, copy);
        cr_assert(found && (found == whole || found[-1] == '\n'), "%s", copy);
        free(copy);
        line += length;
    }
    return lines;
}

static char *contract_file(const char *text, const char *begin, const char *end)
{
    const char *from = strstr(text, begin) + strlen(begin), *to = strstr(from, end);
    return strndup(from, (size_t)(to - from));
}

Test(harness_contracts, rows_of_shards_are_rows_of_the_whole)
{
    char *whole = contract_tables(CONTRACT_GRID "trials: 2\n", 2, UINT64_MAX);
    char *trials = contract_file(whole, "== trials.csv\n", "== "),
         *cells = contract_file(whole, "== cells.csv\n", "== ");
    size_t trial_lines = 0, cell_lines = 0;
    for (unsigned i = 1; i <= 3; i++) {
        struct lab lab;
        lab_open_within(&lab, CONTRACT_GRID "trials: 2\n", (struct plan_limits){UINT64_MAX, i, 3});
        lab_run(&lab, 2, UINT64_MAX, NULL);
        char *tables = lab_tables(&lab), *some;
        some = contract_file(tables, "== trials.csv\n", "== ");
        trial_lines += contract_lines_within(some, trials) - 1;
        free(some);
        some = contract_file(tables, "== cells.csv\n", "== ");
        cell_lines += contract_lines_within(some, cells) - 1;
        free(some);
        free(tables);
        lab_close(&lab);
    }
    cr_assert_eq(trial_lines + 1, contract_lines_within(trials, trials));
    cr_assert_eq(cell_lines + 1, contract_lines_within(cells, cells));
    free(trials);
    free(cells);
    free(whole);
}

/* ---- the program ----------------------------------------------------------------------------- */

static char *contract_sweep(const char *threads, const char *memory, const char *locale)
{
    struct program program;
    struct surroundings around = {.environment = {locale}};
    char *folder = folder_new();
    program_run(&program, &around, "sweep", "tests/data/small.yaml", "--out", folder, "--threads",
                threads, "--memory", memory, "--no-plots", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_str_eq(program.out, "");
    cr_assert(strstr(program.err, "small: "), "no progress: %s", program.err);
    program_release(&program);
    char *tables_folder = path_of(folder, "small");
    cr_assert(folder_has(tables_folder, "provenance.json"));
    cr_assert_not(folder_has(tables_folder, "trials.part"));
    char *tables = folder_tables(tables_folder);
    free(tables_folder);
    folder_remove(folder);
    return tables;
}

Test(harness_contracts, processes_agree_with_one_another_and_with_the_library)
{
    size_t bytes;
    struct error error;
    struct lab lab = {0};
    char *one = contract_sweep("1", "1GiB", NULL);
    char *text = file_load("tests/data", "small.yaml", &bytes);
    FILE *stream = fmemopen(text, bytes, "r");
    cr_assert_eq(experiment_read(&lab.experiment, stream, "small", NULL, &error), OK);
    fclose(stream);
    cr_assert_eq(plan_make(&lab.plan, lab.experiment, &lab_no_limits, &error), OK);
    lab.results = calloc(lab.plan->result_count, sizeof *lab.results);
    lab_run(&lab, 7, UINT64_MAX, NULL);
    char *library = lab_tables(&lab);
    same_text(one, library, "the library");
    free(library);
    lab_close(&lab);
    free(text);
    for (int i = 0; i < 2; i++) {
        char *other = contract_sweep(i ? "7" : "2", i ? "20KiB" : "1GiB",
                                     i ? "OMP_NUM_THREADS=3" : "LC_ALL=de_DE.UTF-8");
        same_text(one, other, i ? "7 threads" : "2 threads");
        free(other);
    }
    free(one);
}
