/* SPDX-License-Identifier: MIT
 *
 * set_ops.c: unions and intersections: theory against tests/data/set_ops.csv and a small world
 * written out; trials against theory.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "filters/theory/cardinality.h"
#include "filters/theory/classic.h"
#include "filters/theory/set_ops.h"
#include "harness/workload/workload.h"
#include "tests/csv.h"
#include "tests/harness_lab.h"
#include "tests/near.h"

/* ---- theory ---------------------------------------------------------------------------------- */

/* Bits of the AND: means exact; variances against 300 simulated pairs, whose sample variance has a
 * relative standard deviation of sqrt(2/299): 6 of them. */
Test(set_ops, every_row_of_expected_counts)
{
    struct csv *t = csv_read("tests/data/set_ops.csv");
    size_t rows = 0;
    for (size_t row = 0; row < csv_rows(t); row++) {
        if (!csv_is(t, row, "kind", "expected_popcounts"))
            continue;
        uint64_t m = csv_integer(t, row, "m");
        unsigned k = (unsigned)csv_integer(t, row, "k");
        const struct set_sizes sizes = {csv_integer(t, row, "a"), csv_integer(t, row, "b"),
                                        csv_integer(t, row, "c")};
        struct moments bits = theory_set_and_bits(m, k, sizes);
        double se = csv_number(t, row, "mc_and_se"), mean = csv_number(t, row, "mc_and");
        NEAR(bits.mean, csv_number(t, row, "t_and"), 1e-12);
        cr_expect(fabs(bits.mean - mean) < 5.5 * se, "row %zu: %g, not %g", row, bits.mean, mean);
        cr_expect(fabs(bits.variance / (300 * se * se) - 1) < 6 * sqrt(2. / 299),
                  "row %zu: variance %g, not %g", row, bits.variance, 300 * se * se);
        NEAR(theory_cardinality_at(m, k, bits.mean), csv_number(t, row, "est_and_naive"), 1e-12);
        struct moments naive = theory_set_naive(m, k, sizes);
        cr_expect(fabs(naive.mean - csv_number(t, row, "est_and_naive")) <
                  0.2 * sqrt(naive.variance));
        struct moments both = theory_set_intersection(m, k, sizes);
        cr_expect(fabs(both.mean - (double)sizes.common) < 0.2 * sqrt(both.variance) + 1e-6);
        rows++;
    }
    cr_assert_eq(rows, 8);
    csv_free(t);
}

/* Four cells, one probe a key, A = {x, y}, B = {y, z}: all 64 placings. */
Test(set_ops, a_small_world_written_out)
{
    double sum = 0, squares = 0;
    for (unsigned placing = 0; placing < 64; placing++) {
        unsigned x = 1u << (placing & 3), y = 1u << (placing >> 2 & 3), z = 1u << (placing >> 4);
        double bits = __builtin_popcount((x | y) & (y | z));
        sum += bits / 64;
        squares += bits * bits / 64;
    }
    struct moments bits = theory_set_and_bits(4, 1, (struct set_sizes){2, 2, 1});
    NEAR(bits.mean, sum, 1e-13);
    NEAR(bits.variance, squares - sum * sum, 1e-12);
    NEAR(theory_set_and_fpr(4, 1, (struct set_sizes){2, 2, 1}), sum / 4, 1e-13);
}

/* One and the same set: all three counts are one, and so are the estimates. */
Test(set_ops, in_their_limits)
{
    const struct set_sizes same = {1000, 1000, 1000}, apart = {1000, 1000, 0};
    struct moments fill = theory_fill(10000, 5000), bits = theory_set_and_bits(10000, 5, same);
    struct moments one = theory_cardinality_moments(10000, 1000, 5);
    NEAR(bits.mean, fill.mean, 1e-12);
    NEAR(bits.variance, fill.variance, 1e-9);
    NEAR(theory_set_intersection(10000, 5, same).variance, one.variance, 0.01);
    NEAR(theory_set_naive(10000, 5, same).variance, one.variance, 0.01);
    NEAR(theory_set_and_fpr(10000, 5, same), theory_fpr_exact(10000, 1000, 5), 1e-6);
    cr_expect(fabs(theory_set_intersection(10000, 5, apart).mean) < 0.2);
    NEAR(theory_set_and_bits(1, 3, apart).mean, 1, 1e-15);
    cr_expect_eq(theory_set_and_bits(1, 3, apart).variance, 0);
    cr_expect_eq(theory_set_and_bits(100, 3, (struct set_sizes){0, 10, 0}).mean, 0);
    /* 2^40 positions: digits are kept. */
    struct moments large =
        theory_set_and_bits(UINT64_C(1) << 40, 7, (struct set_sizes){1u << 30, 1u << 30, 1u << 20});
    cr_expect(large.variance > 0 && large.variance < large.mean);
}

/* ---- trials ---------------------------------------------------------------------------------- */

static double formula_of(const struct cell *cell, const char *name)
{
    struct formula formula;
    const struct workload_ops *workload = workload_find(WORKLOAD_SET_OPERATIONS);
    for (unsigned i = 0; workload->formula(cell, i, &formula); i++)
        if (strcmp(formula.name, name) == 0)
            return formula.value;
    return NAN;
}

static struct moments moments_of(const struct lab *lab, const struct cell *cell, const char *name)
{
    double sum = 0, squares = 0, n = (double)cell->trials;
    for (uint64_t t = 0; t < cell->trials; t++) {
        double value = trial_measure(&lab->results[cell->first_result + t], name, NAN);
        sum += value;
        squares += value * value;
    }
    return (struct moments){sum / n, (squares / n - sum / n * sum / n) * n / (n - 1)};
}

/* 300 trials; means within 5.5 standard errors of theory, variances within 6 of theirs, and a bias
 * of 0.02 standard deviations that the second order leaves: below 1e-6 a number. */
static void estimate_agrees(const struct lab *lab, const struct cell *cell, const char *measure,
                            const char *expected, const char *sd)
{
    struct moments found = moments_of(lab, cell, measure);
    double mean = formula_of(cell, expected), scatter = formula_of(cell, sd);
    cr_expect(fabs(found.mean - mean) < (5.5 / sqrt(300) + 0.02) * scatter,
              "overlap %g: %s %g, not %g +- %g", cell->own[0].real, measure, found.mean, mean,
              scatter);
    cr_expect(fabs(found.variance / (scatter * scatter) - 1) < 6 * sqrt(2. / 299),
              "overlap %g: sd of %s %g, not %g", cell->own[0].real, measure, sqrt(found.variance),
              scatter);
}

Test(set_ops, estimates_fall_into_their_bands)
{
    struct lab lab;
    lab_open(&lab, "workload: set_operations\ngrid:\n  filter: classic\n  hash: murmur3_x64_128\n"
                   "  keys: random64\n  m: 10000\n  n: 1000\n  k: 5\n  overlap: [0, 0.5, 0.9]\n"
                   "trials: 300\nqueries: 2000\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    for (size_t c = 0; c < 3; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        estimate_agrees(&lab, cell, "intersection_unclamped", "expected_intersection",
                        "intersection_sd");
        estimate_agrees(&lab, cell, "intersection_naive", "expected_naive", "naive_sd");
    }
    const struct cell *half = &lab.plan->cells[1];
    cr_expect_eq(half->members, 1500);
    struct moments rate = moments_of(&lab, half, "fpr_and"),
                   either = moments_of(&lab, half, "fpr_or");
    cr_expect_float_eq(moments_of(&lab, half, "intersection").mean, 500, 3);
    cr_expect_float_eq(moments_of(&lab, half, "intersection_naive").mean, 600, 3);
    cr_expect_eq(moments_of(&lab, half, "true_union").mean, 1500);
    cr_expect_float_eq(formula_of(half, "expected_fpr_and"), 0.00117, 0.000005);
    cr_expect_float_eq(formula_of(half, "fpr_of_intersection"), 0.00053, 0.000005);
    cr_expect(fabs(rate.mean - 0.0011734) < 5.5 * sqrt(rate.variance / 300), "%g", rate.mean);
    cr_expect(fabs(either.mean - formula_of(half, "expected_fpr_or")) <
              5.5 * sqrt(either.variance / 300));
    lab_close(&lab);
}

/* No key is lost in A, B, OR and AND, whatever the variant; those that cannot are told why. */
Test(set_ops, every_variant_that_unites)
{
    struct lab lab;
    lab_open(&lab, "workload: set_operations\ngrid:\n  filter: [classic, double_hashing, "
                   "enhanced_double, partitioned, blocked, split_block, counting, hyperloglog, "
                   "{name: scalable_linear, initial_capacity: 100}]\n  hash: murmur3_x64_128\n"
                   "  keys: [random64, url]\n  m: 8192\n  n: 600\n  k: 4\n  overlap: [0.25, 1]\n"
                   "trials: 20\nqueries: 500\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 8 * 4);
    cr_expect_eq(lab.plan->skipped_count > 0, 1);
    cr_expect(strstr(lab.plan->skipped[0].reason, "no union"));
    for (size_t c = 0; c < lab.plan->cell_count; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        double common = 600 * cell->own[0].real;
        struct cell_summary summary = lab_summary(&lab, cell);
        struct moments found = moments_of(&lab, cell, "intersection_unclamped");
        cr_expect_eq(summary.false_negatives, 0, "%s", cell->ops->name);
        cr_expect_neq(summary.judgement.verdict, VERDICT_FAIL, "%s", cell->ops->name);
        /* Estimators of some variants are approximate: a tenth of n. */
        cr_expect(fabs(found.mean - common) < 60, "%s: %g, not %g", cell->ops->name, found.mean,
                  common);
        if (strcmp(cell->ops->name, "hyperloglog") && strcmp(cell->ops->name, "counting"))
            cr_expect_gt(moments_of(&lab, cell, "intersection_naive").mean,
                         common == 600 ? 540 : common);
    }
    lab_close(&lab);
}

/* Two filters that are not alike: refused, and both as they were. */
Test(set_ops, unlike_filters_do_not_merge)
{
    const struct filter_ops *ops = filter_find("classic");
    unsigned char memory[2][64];
    struct layout layout[3];
    struct error error;
    static const struct filter_params params[3] = {
        {.m = 256, .n = 10, .k = 3, .digest_bits = 64, .digest_columns = 8},
        {.m = 255, .n = 10, .k = 3, .digest_bits = 64, .digest_columns = 8},
        {.m = 256, .n = 10, .k = 4, .digest_bits = 64, .digest_columns = 8},
    };
    for (int i = 0; i < 3; i++)
        cr_assert_eq(ops->plan(&layout[i], &params[i], &error), OK);
    for (int i = 1; i < 3; i++)
        for (int op = MERGE_UNION; op <= MERGE_INTERSECTION; op++) {
            struct filter a = {.ops = ops, .layout = &layout[0], .memory = memory[0]};
            struct filter b = {.ops = ops, .layout = &layout[i], .memory = memory[1]};
            memset(memory[0], 0x35, sizeof memory[0]);
            memset(memory[1], 0x53, sizeof memory[1]);
            cr_expect_eq(ops->merge(&a, &b, (enum merge_op)op, &error), E_INPUT);
            cr_expect(strstr(error.text, i == 1 ? "m 256 and m 255" : "k 3 and k 4"));
            for (size_t byte = 0; byte < sizeof memory[0]; byte++)
                cr_assert(memory[0][byte] == 0x35 && memory[1][byte] == 0x53);
        }
}
