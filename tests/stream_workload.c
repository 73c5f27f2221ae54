/* SPDX-License-Identifier: MIT
 *
 * stream_workload.c: the workload `stream`: what it counts, and that theory foresees it.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "harness/workload/workload.h"
#include "tests/harness_lab.h"

/* The i-th formula, which has that name. */
static double formula_of(const struct cell *cell, unsigned i, const char *name)
{
    struct formula formula;
    cr_assert(workload_find(WORKLOAD_STREAM)->formula(cell, i, &formula));
    cr_assert_str_eq(formula.name, name);
    return formula.value;
}

/* Lost keys of all trials against theory. The counts are binomial but for the spread between
 * filters, which widens the bar: 5.5 standard errors of the sample, a false alarm in 10^7. */
static void cell_agrees(const struct lab *lab, const struct cell *cell, const char *measure,
                        double share, double keys)
{
    double sum = 0, squares = 0, trials = (double)cell->trials;
    for (uint64_t t = 0; t < cell->trials; t++) {
        double lost = trial_measure(&lab->results[cell->first_result + t], measure, NAN);
        sum += lost;
        squares += lost * lost;
    }
    double mean = sum / trials, expected = share * keys;
    double se = sqrt((squares / trials - mean * mean) / (trials - 1));
    cr_expect(fabs(mean - expected) < 5.5 * se, "%s %s, %u bits: %s %g +- %g, not %g",
              cell->ops->name, cell->params, cell->digest_bits, measure, mean, se, expected);
}

static void lab_agrees(const struct lab *lab)
{
    for (size_t c = 0; c < lab->plan->cell_count; c++) {
        const struct cell *cell = &lab->plan->cells[c];
        cell_agrees(lab, cell, "lost_keys", formula_of(cell, 0, "lost_share"), (double)cell->n);
        cell_agrees(lab, cell, "lost_last_tenth", formula_of(cell, 1, "lost_share_last_tenth"),
                    (double)(cell->n / 10));
    }
}

Test(stream_workload, every_variant_loses_what_theory_says)
{
    struct lab lab;
    lab_open(&lab, "workload: stream\ngrid:\n  filter: [classic, double_hashing, enhanced_double, "
                   "partitioned, blocked, split_block, counting]\n"
                   "  hash: murmur3_x64_128\n  keys: random64\n  m: 8192\n  n: 1024\n  k: 4\n"
                   "trials: 200\nqueries: 0\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 7);
    lab_agrees(&lab);
    lab_close(&lab);
}

Test(stream_workload, growing_filters)
{
    struct lab lab;
    lab_open(&lab, "workload: stream\ngrid:\n  filter: [{name: scalable_exponential, "
                   "initial_capacity: 200, total_rate: 0.05}]\n  hash: murmur3_x64_128\n"
                   "  keys: uuid4\n  n: 2000\ntrials: 100\nqueries: 1000\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 1);
    for (size_t t = 0; t < 100; t++)
        cr_assert_eq(lab.results[t].false_negatives, 0);
    lab_close(&lab);
}

/* The trap of the click stream, at 12 bits: n / 2^w as in a day of 864 million ids. */
Test(stream_workload, narrow_digests)
{
    struct lab lab;
    lab_open(&lab, "workload: stream\ngrid:\n"
                   "  - {filter: classic, hash: murmur2, keys: uuid4, digest_bits: 12, m: 2^12, n: "
                   "824, k: 1}\n"
                   "  - {filter: classic, hash: {name: murmur2, family: expanded}, keys: uuid4, "
                   "digest_bits: 12, m: 7898, n: 824, k: 7}\n"
                   "  - {filter: classic, hash: murmur2, keys: uuid4, digest_bits: 12, m: 7898, n: "
                   "824, k: 7}\ntrials: 200\nqueries: 1000\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 3);
    lab_agrees(&lab);
    const struct cell *bare = &lab.plan->cells[0];
    cr_assert_eq(bare->layout.m, 4096);
    for (uint64_t t = 0; t < bare->trials; t++) {
        const struct trial_result *r = &lab.results[bare->first_result + t];
        cr_assert_eq(trial_measure(r, "lost_keys", NAN), 824 - (double)r->bits_set,
                     "with one probe each new bit is a key kept");
    }
    lab_close(&lab);
}

/* The same keys leave the same bits as insertion does, and the same answers to queries. */
Test(stream_workload, the_filter_is_the_one_of_membership)
{
    static const char *const text =
        "grid: {filter: [classic, blocked, counting, double_hashing], hash: xxh3_64, keys: "
        "random64, m: 4096, n: 500, k: 5}\ntrials: 3\nqueries: 2000\n";
    char stream[512] = "workload: stream\n";
    struct lab plain, added;
    strcat(stream, text);
    lab_open(&plain, text);
    lab_open(&added, stream);
    lab_run(&plain, 1, UINT64_MAX, NULL);
    lab_run(&added, 1, UINT64_MAX, NULL);
    cr_assert_eq(plain.plan->result_count, 12);
    for (size_t i = 0; i < 12; i++) {
        cr_expect_eq(plain.results[i].bits_digest, added.results[i].bits_digest);
        cr_expect_eq(plain.results[i].keys_digest, added.results[i].keys_digest);
        cr_expect_eq(plain.results[i].false_positives, added.results[i].false_positives);
        cr_expect_eq(added.results[i].false_negatives, 0);
    }
    lab_close(&plain);
    lab_close(&added);
}

Test(stream_workload, what_does_not_answer_is_skipped)
{
    struct lab lab;
    lab_open(&lab, "workload: stream\ngrid: {filter: [hyperloglog, classic], hash: xxh3_64, keys: "
                   "random64, m: 64, n: 5, k: 2}\ntrials: 1\nqueries: 10\n");
    cr_assert_eq(lab.plan->cell_count, 1);
    cr_assert(strstr(lab_skipped(&lab, "hyperloglog")->reason, "whether it was there"));
    lab_close(&lab);
}
