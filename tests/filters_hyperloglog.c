/* SPDX-License-Identifier: MIT
 *
 * hyperloglog: against plain registers, against the law of its estimate, at narrow digests.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/rig.h"

TestSuite(filters_hyperloglog, .timeout = 120);

static void open_sketch(struct rig *rig, const char *own, unsigned digest_bits)
{
    rig_params(rig, "hyperloglog", own, 0, 1000, 0);
    rig->params.digest_bits = digest_bits;
    rig_open(rig);
}

static double estimate(const struct rig *rig)
{
    return rig->ops->cardinality(&rig->filter);
}

/* Register i as the layout describes it: six bits from bit 6i of a little-endian row of bytes. */
static unsigned packed(const struct rig *rig, uint64_t i)
{
    unsigned value = 0;
    for (uint64_t bit = 0; bit < 6; bit++)
        value |= ((unsigned)rig->filter.memory[(6 * i + bit) / 8] >> ((6 * i + bit) % 8) & 1u)
                 << bit;
    return value;
}

/* All 2^16 joined digests, one after the other, with every precision that leaves bits. */
Test(filters_hyperloglog, small_world)
{
    for (unsigned p = 4; p <= 15; p++) {
        struct rig rig;
        char own[32];
        unsigned *plain = calloc(1u << p, sizeof *plain), rest = 16 - p;
        snprintf(own, sizeof own, "precision=%u", p);
        rig_params(&rig, "hyperloglog", own, 0, 1, 0);
        rig.params.digest_bits = 8;
        rig.digest = rig_whole_world8;
        rig_open(&rig);
        for (unsigned step = 0; step < 3000; step++) {
            unsigned digest = step * 40503u % 65536, rho = 1;
            while (rho <= rest && !(digest >> (rest - rho) & 1))
                rho++;
            rig_add(&rig, digest, 1);
            if (rho > plain[digest >> rest])
                plain[digest >> rest] = rho;
        }
        uint64_t used = 0;
        for (uint64_t i = 0; i < 1u << p; i++) {
            cr_assert_eq(packed(&rig, i), plain[i], "p %u register %u", p, (unsigned)i);
            used += plain[i] > 0;
        }
        cr_assert_eq(rig.ops->count_bits(&rig.filter), used);
        cr_assert_eq(rig_measure(&rig, "zero_registers"), (double)((1u << p) - used));
        free(plain);
        rig_close(&rig);
    }
}

Test(filters_hyperloglog, bytes)
{
    struct csv *table = csv_read("tests/data/hll.csv");
    for (size_t row = 0; row < csv_rows(table); row++) {
        struct rig rig;
        struct error err;
        char own[32];
        snprintf(own, sizeof own, "precision=%s", csv_text(table, row, "p"));
        rig_params(&rig, "hyperloglog", own, 0, 1, 0);
        cr_assert_eq(rig_plan(&rig, &err), OK, "%s", err.text);
        cr_assert_eq(rig.layout.bytes, csv_integer(table, row, "bytes_6"));
        cr_assert_eq(rig.layout.m, csv_integer(table, row, "m"));
    }
    cr_assert_eq(csv_rows(table), 15);
    csv_free(table);
}

Test(filters_hyperloglog, sizes_and_small_counts)
{
    struct rig rig;
    open_sketch(&rig, "", 64);
    cr_assert_eq(rig.layout.bytes, 12288);
    cr_assert_eq(rig.layout.columns, 1);
    cr_assert_eq(estimate(&rig), 0);
    for (uint64_t seed = 1; seed <= 20; seed++) { /* +-22 is 4 sd: 20 seeds pass with 0.9987 */
        rig_empty(&rig, seed);
        rig_add(&rig, 0, 1000);
        cr_expect_lt(fabs(estimate(&rig) - 1000), 22, "seed %u: %g", (unsigned)seed,
                     estimate(&rig));
        double once = estimate(&rig);
        rig_add(&rig, 0, 1000);
        cr_assert_eq(estimate(&rig), once, "a key counts once");
    }
    rig_close(&rig);
}

/* Mean and spread of 400 estimates at 20 keys a register: the mean within 5 standard errors and the
 * paper's bias (below 5e-5), the variance within 5 sd of a chi-squared law of 399 degrees. */
Test(filters_hyperloglog, estimates_scatter_as_published)
{
    struct rig rig;
    const unsigned trials = 400;
    const double n = 20 << 10, sd = 1.04 / 32;
    double sum = 0, squares = 0;
    open_sketch(&rig, "precision=10", 32); /* two columns joined */
    for (unsigned t = 0; t < trials; t++) {
        rig_empty(&rig, 7000 + t);
        rig_add(&rig, 0, (uint64_t)n);
        double error = estimate(&rig) / n - 1;
        sum += error;
        squares += error * error;
    }
    cr_expect_lt(fabs(sum / trials), 5 * sd / sqrt(trials) + 5e-5, "mean error %g", sum / trials);
    cr_expect_lt(fabs(squares / (sd * sd * trials) - 1), 5 * sqrt(2.0 / trials), "variance %g",
                 squares / trials);
    rig_close(&rig);
}

/* 16-bit digests, 8 bits of them for rho. At 40000 keys 46 % of the registers hold the greatest
 * value there is and the plain estimate is 7 % low; the standard deviation of one estimate is then
 * about 1.2 times the usual one, 1.5 times are granted. 5 standard errors. */
Test(filters_hyperloglog, narrow_digests)
{
    static const uint64_t counts[] = {100, 2000, 10000, 40000, 100000};
    struct rig rig;
    struct error err;
    open_sketch(&rig, "precision=8", 8);
    cr_assert_eq(rig.layout.columns, 2);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double sum = 0;
        for (unsigned t = 0; t < 100; t++) {
            rig_empty(&rig, 500 + t);
            rig_add(&rig, 0, counts[i]);
            sum += estimate(&rig) / (double)counts[i] - 1;
        }
        cr_expect_lt(fabs(sum / 100), 5 * 1.5 * 0.065 / 10, "%u keys: mean error %.4f",
                     (unsigned)counts[i], sum / 100);
    }
    rig.digest = rig_whole_world8;
    rig_add(&rig, 0, 65536);
    cr_assert_eq(estimate(&rig), INFINITY, "every digest was seen");
    rig_close(&rig);
    rig_params(&rig, "hyperloglog", "precision=16", 0, 1, 0);
    rig.params.digest_bits = 8;
    cr_assert_eq(rig_plan(&rig, &err), E_IMPOSSIBLE);
    rig.params.digest_bits = 9;
    cr_assert_eq(rig_plan(&rig, &err), OK);
    rig.params.digest_columns = 1;
    cr_assert_eq(rig_plan(&rig, &err), E_IMPOSSIBLE);
}

Test(filters_hyperloglog, merge_is_the_sketch_of_the_union)
{
    struct rig a, b, both, other;
    struct error err;
    open_sketch(&a, "precision=11", 64);
    open_sketch(&b, "precision=11", 64);
    open_sketch(&both, "precision=11", 64);
    open_sketch(&other, "precision=12", 64);
    rig_add(&a, 0, 3000);
    rig_add(&b, 2000, 3000);
    rig_add(&both, 0, 5000);
    unsigned char *before = malloc(a.layout.bytes);
    memcpy(before, a.filter.memory, a.layout.bytes);
    cr_assert_eq(a.ops->merge(&a.filter, &other.filter, MERGE_UNION, &err), E_INPUT);
    cr_assert_eq(a.ops->merge(&a.filter, &b.filter, MERGE_INTERSECTION, &err), E_INPUT);
    cr_assert_eq(memcmp(before, a.filter.memory, a.layout.bytes), 0);
    cr_assert_eq(a.filter.inserted, 3000);
    cr_assert_eq(a.ops->merge(&a.filter, &b.filter, MERGE_UNION, &err), OK);
    cr_assert_eq(memcmp(both.filter.memory, a.filter.memory, a.layout.bytes), 0);
    free(before);
    rig_close(&a);
    rig_close(&b);
    rig_close(&both);
    rig_close(&other);
}

/* Registers in use are the cells that n throws occupy: 200 sketches, 5 standard errors. */
Test(filters_hyperloglog, registers_fill_as_expected)
{
    struct rig rig;
    struct moments fill;
    double sum = 0;
    open_sketch(&rig, "precision=10", 40);
    rig.ops->expected_fill(&rig.layout, 700, &fill);
    for (unsigned t = 0; t < 200; t++) {
        rig_empty(&rig, 100 + t);
        rig_add(&rig, 0, 700);
        sum += (double)rig.ops->count_bits(&rig.filter) - fill.mean;
    }
    cr_expect_lt(fabs(sum) / sqrt(200 * fill.variance), 5);
    rig_close(&rig);
}
