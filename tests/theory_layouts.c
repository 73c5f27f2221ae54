/* SPDX-License-Identifier: MIT
 *
 * theory_layouts.c: distinct, partitioned, blocked and split-block filters: every row of the
 * oracles, worlds small enough to enumerate all filters, and known values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/blocked.h"
#include "filters/theory/classic.h"
#include "filters/theory/distinct.h"
#include "filters/theory/partitioned.h"
#include "tests/near.h"
#include "tests/occupancy.h"

Test(theory_layouts, distinct_every_row)
{
    struct csv *t = csv_read("tests/data/exact_distinct.csv");
    cr_assert_eq(csv_rows(t), 77);
    for (size_t row = 0; row < csv_rows(t); row++) {
        uint64_t m = csv_integer(t, row, "m"), n = csv_integer(t, row, "n");
        unsigned k = (unsigned)csv_integer(t, row, "k");
        NEAR(theory_fpr_distinct(m, n, k), csv_number(t, row, "p_distinct_exact"), 1e-15);
        NEAR(theory_fill_distinct(m, n, k).mean, csv_number(t, row, "EX"), 1e-15);
        NEAR(theory_fill_distinct(m, n, k).variance, csv_number(t, row, "VarX"), 1e-15);
        NEAR(theory_fpr_exact(m, n, k), csv_number(t, row, "p_exact_independent"), 1e-15);
    }
    csv_free(t);
}

Test(theory_layouts, distinct_edges)
{
    cr_assert_eq(theory_fpr_distinct(8, 0, 8), 0);
    cr_assert_eq(theory_fpr_distinct(8, 1, 8), 1);
    cr_assert_eq(theory_fill_distinct(8, 3, 8).mean, 8);
    cr_assert_eq(theory_fill_distinct(8, 3, 8).variance, 0);
    cr_assert_eq(theory_fill_distinct(1, 1, 1).mean, 1);
    cr_assert_eq(theory_fill_distinct(100, 1, 7).variance, 0, "one key sets 7 bits, surely");
    NEAR(theory_fpr_distinct(100, 1, 2), 1. / 4950, 1e-15);
    NEAR(theory_fill_distinct(1024, 100, 7).variance, 77.284, 1e-5);
}

Test(theory_layouts, partitioned_every_row)
{
    struct csv *t = csv_read("tests/data/partitioned.csv");
    cr_assert_eq(csv_rows(t), 28);
    for (size_t row = 0; row < csv_rows(t); row++) {
        uint64_t m = csv_integer(t, row, "m"), n = csv_integer(t, row, "n");
        unsigned k = (unsigned)csv_integer(t, row, "k");
        unsigned large = (unsigned)csv_integer(t, row, "r_large_slices");
        uint64_t slice = csv_integer(t, row, "slice_bits");
        cr_assert_eq(slice, m / k);
        NEAR(theory_fpr_partitioned(slice, n, k), csv_number(t, row, "p_floor"), 1e-14);
        NEAR(theory_fpr_partitioned(slice, n, k - large) *
                 theory_fpr_partitioned(slice + 1, n, large),
             csv_number(t, row, "p_uneven"), 1e-14);
        NEAR(theory_fpr_standard(m, n, k), csv_number(t, row, "p_standard"), 1e-13);
        NEAR(theory_fpr_exact(m, n, k), csv_number(t, row, "p_exact_unpartitioned"), 1e-15);
    }
    csv_free(t);
}

Test(theory_layouts, partitioned_variance_is_that_of_a_product)
{
    /* From the law of one slice: Var[prod] = E[(X/s)^2]^k - E[X/s]^2k. */
    double *law = occupancy_law(37, 20);
    double mean = occupancy_mean(law, 37, 20, 1), square = occupancy_mean(law, 37, 20, 2);
    for (unsigned k = 1; k <= 20; k++)
        NEAR(theory_fpr_partitioned_variance(37, 20, k), pow(square, k) - pow(mean, 2 * k), 1e-11);
    NEAR(theory_fill_partitioned(37, 20, 5).mean, 5 * 37 * mean, 1e-13);
    NEAR(theory_fill_partitioned(37, 20, 5).variance,
         5 * occupancy_variance(law, 37, 20, 1) * 37 * 37, 1e-11);
    free(law);
    NEAR(theory_fpr_partitioned_variance(UINT64_C(1) << 40, 1 << 20, 1),
         theory_fill(UINT64_C(1) << 40, 1 << 20).variance * ldexp(1, -80), 1e-14);
    cr_assert_eq(theory_fpr_partitioned(1, 3, 8), 1);
    cr_assert_eq(theory_fpr_partitioned(1, 0, 8), 0);
    cr_assert_eq(theory_fpr_partitioned_variance(1, 3, 8), 0);
    cr_assert_eq(theory_fpr_partitioned_variance(9, 0, 8), 0);
}

/* ---- blocked ------------------------------------------------------------------------------- */

static void blocked_row(const struct csv *t, size_t row, unsigned b, unsigned k)
{
    uint64_t blocks = csv_integer(t, row, "nb"), n = csv_integer(t, row, "n");
    double load = csv_number(t, row, "lambda");
    const struct {
        enum inner_formula inner;
        const char *poisson, *binomial;
    } columns[] = {{INNER_STANDARD, "pois_std", NULL},
                   {INNER_BLOOM, "pois_bloom", "binom_bloom"},
                   {INNER_EXACT, "pois_exact", "binom_exact"},
                   {INNER_DISTINCT, "pois_distinct", "binom_distinct"}};
    for (size_t i = 0; i < 4; i++) {
        NEAR(theory_fpr_blocked_poisson(b, load, k, columns[i].inner),
             csv_number(t, row, columns[i].poisson), 1e-15);
        if (columns[i].binomial)
            NEAR(theory_fpr_blocked(b, blocks, n, k, columns[i].inner),
                 csv_number(t, row, columns[i].binomial), 1e-15);
    }
}

static void split_row(const struct csv *t, size_t row, unsigned block, unsigned words)
{
    uint64_t blocks = csv_integer(t, row, "nb"), n = csv_integer(t, row, "n");
    double load = csv_number(t, row, "lambda");
    NEAR(theory_fpr_split(words, block / words, blocks, n), csv_number(t, row, "binom_exact"),
         1e-15);
    NEAR(theory_fpr_split_poisson(words, block / words, load), csv_number(t, row, "pois_exact"),
         1e-15);
    cr_assert(csv_is(t, row, "binom_distinct", csv_text(t, row, "binom_exact")));
    cr_assert(csv_is(t, row, "pois_distinct", csv_text(t, row, "pois_exact")));
}

Test(theory_layouts, blocked_every_row)
{
    struct csv *t = csv_read("tests/data/blocked.csv");
    size_t split = 0;
    for (size_t row = 0; row < csv_rows(t); row++) {
        unsigned block = (unsigned)csv_integer(t, row, "B");
        unsigned k = (unsigned)csv_integer(t, row, "k");
        uint64_t blocks = csv_integer(t, row, "nb");
        bool is_split = strncmp(csv_text(t, row, "scheme"), "split", 5) == 0;
        split += is_split;
        NEAR(csv_number(t, row, "lambda"), csv_number(t, row, "n") / (double)blocks, 0);
        NEAR(theory_fpr_standard(blocks * block, csv_integer(t, row, "n"), k),
             csv_number(t, row, "p_classic_std"), 1e-13);
        if (is_split)
            split_row(t, row, block, k);
        else
            blocked_row(t, row, block, k);
    }
    cr_assert_eq(csv_rows(t), 494);
    cr_assert_eq(split, 72);
    csv_free(t);
}

Test(theory_layouts, blocked_known_values)
{
    const double cases[][2] = {{8, .033212}, {11.54, .006524}, {12, .005420}, {16, .0013156}};
    for (size_t i = 0; i < 4; i++)
        NEAR(theory_fpr_split_poisson(8, 32, 256 / cases[i][0]), cases[i][1], 1e-4);
    NEAR(theory_fpr_blocked_poisson(512, 51.2, 6, INNER_BLOOM), .009576, 6e-5);
    NEAR(theory_fpr_blocked_poisson(512, 51.2, 6, INNER_EXACT), .009665, 6e-5);
    NEAR(theory_fpr_blocked_poisson(64, 8, 4, INNER_BLOOM), .03259, 2e-4);
    NEAR(theory_fpr_blocked_poisson(64, 8, 4, INNER_EXACT), .03354, 2e-4);
    NEAR(theory_fpr_blocked(512, 10, 512, 6, INNER_EXACT), .0095528, 6e-6);
    NEAR(theory_fpr_blocked(512, 10, 512, 6, INNER_BLOOM), .009465, 6e-5);
    NEAR(theory_fill_blocked(64, 64, 512, 6).variance, 442.8, 2e-4);
    NEAR(theory_fill(4096, 512 * 6).variance, 335.4, 2e-4);
}

Test(theory_layouts, blocked_limits)
{
    /* One block is a classic filter. */
    NEAR(theory_fpr_blocked(512, 1, 50, 7, INNER_EXACT), theory_fpr_exact(512, 50, 7), 0);
    NEAR(theory_fpr_blocked(512, 1, 50, 7, INNER_DISTINCT), theory_fpr_distinct(512, 50, 7), 0);
    NEAR(theory_fpr_blocked_variance(512, 1, 50, 7), theory_fpr_variance(512, 50, 7), 1e-15);
    NEAR(theory_fpr_blocked_variance(512, 1, 2, 100), theory_fpr_variance(512, 2, 100), 1e-15);
    NEAR(theory_fill_blocked(512, 1, 50, 7).variance, theory_fill(512, 350).variance, 1e-15);
    /* Very many blocks have Poisson loads; the difference is of order 1/blocks. */
    const uint64_t blocks = UINT64_C(1) << 40;
    NEAR(theory_fpr_blocked(256, blocks, 32 * blocks, 7, INNER_EXACT),
         theory_fpr_blocked_poisson(256, 32, 7, INNER_EXACT), 1e-10);
    NEAR(theory_fpr_split(8, 32, blocks, 20 * blocks), theory_fpr_split_poisson(8, 32, 20), 1e-10);
    /* A load beyond 745 must not underflow; a saturated filter says yes to everything. */
    cr_assert_eq(theory_fpr_blocked_poisson(64, 1e6, 4, INNER_EXACT), 1);
    cr_assert_eq(theory_fpr_blocked(64, 2, 1000000, 256, INNER_EXACT), 1);
    cr_assert_eq(theory_fpr_blocked_variance(64, 2, 1000000, 4), 0);
    NEAR(theory_fpr_blocked_poisson(4096, 1000, 1, INNER_BLOOM), -expm1(1000 * -1. / 4096), 1e-15);
    cr_assert_eq(theory_fpr_blocked(64, 8, 0, 4, INNER_EXACT), 0);
    cr_assert_eq(theory_fpr_split(8, 32, 8, 0), 0);
    cr_assert_eq(theory_fpr_blocked_poisson(64, 0, 4, INNER_EXACT), 0);
    cr_assert_eq(theory_fpr_blocked_variance(64, 8, 0, 4), 0);
    cr_assert_eq(theory_fill_blocked(64, 8, 0, 4).variance, 0);
    cr_assert_eq(theory_fpr_blocked_variance(64, 8, 1, 1), 0, "one bit, wherever it is");
}

/* The inner exact formula, load by load, from the law of X in doubles. */
Test(theory_layouts, blocked_agrees_with_a_sum_over_loads)
{
    const unsigned block = 64, blocks = 5, n = 40;
    for (unsigned k = 1; k <= 12; k += 4) {
        double rate = 0, square = 0, weight = pow(1 - 1. / blocks, n);
        for (unsigned i = 0; i <= n; i++) {
            double *law = occupancy_law(block, k * i);
            rate += weight * occupancy_mean(law, block, k * i, k);
            square += weight * occupancy_mean(law, block, k * i, 2 * k);
            weight *= (double)(n - i) / (i + 1) / (blocks - 1);
            free(law);
        }
        NEAR(theory_fpr_blocked(block, blocks, n, k, INNER_EXACT), rate, 1e-12);
        /* Without the covariance of the loads the variance is far too large. */
        double independent = (square - rate * rate) / blocks;
        cr_assert_lt(theory_fpr_blocked_variance(block, blocks, n, k), independent);
    }
}

/* ---- every filter of a small world --------------------------------------------------------- */

struct world {
    unsigned blocks, cells, probes, words; /* words > 1: split block, one probe a word */
    unsigned keys;
    unsigned set[64]; /* the bits of block b */
    double count, fill, fill_square, rate, rate_square;
};

static double world_rate(const struct world *w)
{
    double rate = 0;
    for (unsigned b = 0; b < w->blocks; b++) {
        double one = 1;
        unsigned mask = (1u << w->cells) - 1;
        for (unsigned p = 0; p < w->probes; p++)
            one *= __builtin_popcount(w->set[b] >> (w->words > 1 ? p * w->cells : 0) & mask) /
                   (double)w->cells;
        rate += one / w->blocks;
    }
    return rate;
}

static void world_visit(struct world *w, unsigned key, unsigned probe, unsigned block)
{
    if (probe < w->probes) {
        unsigned before = w->set[block];
        for (unsigned cell = 0; cell < w->cells; cell++) {
            w->set[block] |= 1u << (cell + (w->words > 1 ? probe * w->cells : 0));
            world_visit(w, key, probe + 1, block);
            w->set[block] = before;
        }
    } else if (key + 1 < w->keys) {
        for (unsigned b = 0; b < w->blocks; b++)
            world_visit(w, key + 1, 0, b);
    } else {
        double rate = world_rate(w), fill = 0;
        for (unsigned b = 0; b < w->blocks; b++)
            fill += __builtin_popcount(w->set[b]);
        w->count++, w->fill += fill, w->fill_square += fill * fill;
        w->rate += rate, w->rate_square += rate * rate;
    }
}

static void world_enumerate(struct world *w)
{
    for (unsigned b = 0; b < w->blocks; b++)
        world_visit(w, 0, 0, b);
    w->fill /= w->count, w->rate /= w->count;
    w->fill_square = w->fill_square / w->count - w->fill * w->fill;
    w->rate_square = w->rate_square / w->count - w->rate * w->rate;
}

Test(theory_layouts, blocked_equals_the_enumeration_of_all_filters)
{
    struct world worlds[] = {
        {.blocks = 2, .cells = 4, .probes = 2, .words = 1, .keys = 3},
        {.blocks = 3, .cells = 2, .probes = 2, .words = 1, .keys = 4},
        {.blocks = 3, .cells = 3, .probes = 1, .words = 1, .keys = 5},
        {.blocks = 2, .cells = 3, .probes = 3, .words = 1, .keys = 3},
        {.blocks = 5, .cells = 2, .probes = 3, .words = 1, .keys = 3},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct world *w = &worlds[i];
        world_enumerate(w);
        struct moments fill = theory_fill_blocked(w->cells, w->blocks, w->keys, w->probes);
        NEAR(theory_fpr_blocked(w->cells, w->blocks, w->keys, w->probes, INNER_EXACT), w->rate,
             1e-12);
        NEAR(theory_fpr_blocked_variance(w->cells, w->blocks, w->keys, w->probes), w->rate_square,
             1e-10);
        NEAR(fill.mean, w->fill, 1e-12);
        NEAR(fill.variance, w->fill_square, 1e-10);
    }
}

Test(theory_layouts, split_equals_the_enumeration_of_all_filters)
{
    struct world worlds[] = {
        {.blocks = 2, .cells = 2, .probes = 2, .words = 2, .keys = 4},
        {.blocks = 3, .cells = 3, .probes = 2, .words = 2, .keys = 3},
        {.blocks = 2, .cells = 2, .probes = 3, .words = 3, .keys = 3},
        {.blocks = 1, .cells = 4, .probes = 3, .words = 3, .keys = 3},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct world *w = &worlds[i];
        world_enumerate(w);
        struct moments fill = theory_fill_split(w->words, w->cells, w->blocks, w->keys);
        NEAR(theory_fpr_split(w->words, w->cells, w->blocks, w->keys), w->rate, 1e-12);
        NEAR(theory_fpr_split_variance(w->words, w->cells, w->blocks, w->keys), w->rate_square,
             1e-10);
        NEAR(fill.mean, w->fill, 1e-12);
        NEAR(fill.variance, w->fill_square, 1e-10);
    }
}

Test(theory_layouts, blocked_best_k_is_the_minimum)
{
    const struct {
        unsigned block;
        uint64_t blocks, n;
        unsigned k_max;
    } cases[] = {{512, 10, 512, 24}, {64, 2048, 16384, 24}, {256, 100, 1500, 40},
                 {64, 4, 4000, 12},  {512, 3, 20, 64},      {4096, 1, 300, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned best = 1;
        double rate = 2;
        for (unsigned k = 1; k <= cases[i].k_max; k++) {
            double at =
                theory_fpr_blocked(cases[i].block, cases[i].blocks, cases[i].n, k, INNER_EXACT);
            best = at < rate ? k : best;
            rate = fmin(at, rate);
        }
        cr_assert_eq(
            theory_blocked_best_k(cases[i].block, cases[i].blocks, cases[i].n, cases[i].k_max),
            best);
    }
    cr_assert_eq(theory_blocked_best_k(512, 8, 0, 256), 1);
}
