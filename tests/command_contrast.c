/* SPDX-License-Identifier: MIT
 *
 * command_contrast.c: size and power of the test that two runs are compared with.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "harness/judge/contrast.h"
#include "harness/keys/permutation.h"
#include "harness/stats/stats.h"
#include "tests/near.h"

TestSuite(command_contrast, .init = stats_init);

/* Exact values: 2 min(P(X <= a), P(X >= a)) of the hypergeometric law, summed as fractions. */
Test(command_contrast, fisher)
{
    /* 3 of 10 against 0 of 10: 2 C(10,3)/C(20,3) = 240/1140 = 4/19. */
    cr_expect_lt(fabs(contrast_fisher(3, 10, 0, 10) - 4.0 / 19), 1e-15);
    /* 1 of 2 against 0 of 6: P(X >= 1) = 1/4. */
    cr_expect_lt(fabs(contrast_fisher(1, 2, 0, 6) - 0.5), 1e-15);
    cr_expect_eq(contrast_fisher(5, 1000, 5, 1000), 1);
    cr_expect_eq(contrast_fisher(0, 7, 0, 9), 1);
    /* Huge numbers of queries: Binomial(20, 1/2), 2 (1 + 20 + 190 + 1140)/2^20. */
    cr_expect_lt(fabs(contrast_fisher(3, 1e15, 17, 1e15) - 2 * 1351.0 / 1048576), 1e-9);
}

/* ---- null runs ------------------------------------------------------------------------------- */

static double uniform(uint64_t *state)
{
    return ((double)(splitmix64(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(2 * M_PI * uniform(state));
}

/* Binomial by inversion of waiting times: exact, quick for few hits. */
static double binomial(uint64_t *state, double queries, double rate)
{
    double hits = 0, log_miss = log1p(-rate);
    for (double at = floor(log(uniform(state)) / log_miss); at < queries;
         at += 1 + floor(log(uniform(state)) / log_miss))
        hits++;
    return hits;
}

/* A run's cell: filters with rates f_t = rate (1 + scatter z / 8)^8, hits that follow them, and
 * more scatter of the hits than queries make where `extra` > 0. */
static struct contrast_side null_side(uint64_t *state, size_t trials, double queries, double rate,
                                      double scatter, double extra)
{
    double f[64], r[64];
    struct contrast_side side = {.trials = (double)trials, .queries = queries};
    for (size_t t = 0; t < trials; t++) {
        f[t] = rate * pow(1 + scatter * normal(state) / 8, 8);
        double real = f[t] * exp(extra * normal(state) - extra * extra / 2);
        double hits = queries > 0 ? binomial(state, queries, fmin(real, 0.99)) : 0;
        side.hits += hits;
        r[t] = queries > 0 ? hits / queries : NAN;
    }
    struct moments m = stats_moments(f, trials);
    side.scheme = m.mean;
    side.tau2 = m.variance;
    side.scatter = stats_moments(r, trials).variance;
    return side;
}

static const struct {
    size_t trials_a, trials_b;
    double queries, rate, scatter, extra;
} nulls[] = {
    {5, 5, 2000, 0.01, 0.12, 0},    {30, 30, 200, 0.003, 0.12, 0}, {2, 2, 500, 0.02, 0.3, 0},
    {3, 20, 1000, 0.004, 0.2, 0},   {10, 10, 5000, 0.02, 0.5, 0},  {10, 10, 0, 0.01, 0.12, 0},
    {30, 30, 300, 0.0002, 0.12, 0}, {4, 4, 0, 0.01, 0.3, 0},       {10, 10, 400, 0.05, 0.05, 0.4},
    {20, 20, 1000, 0.01, 0.1, 1},   {2, 3, 100, 0.3, 0.1, 0},      {15, 15, 0, 0.01, 0.5, 0},
    {30, 2, 100, 0.0005, 0.1, 0},
};

/* 3000 comparisons of each kind where nothing differs: p below 0.01 in at most 1.6 % (30 expected
 * at most, 48 are 3.3 standard deviations), below 1e-4 in at most 3 (P(Poisson(0.3) > 3) = 3e-4).
 * The seeds are fixed. */
Test(command_contrast, size)
{
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++) {
        uint64_t state = 1000 + i;
        unsigned small = 0, tiny = 0;
        for (int repeat = 0; repeat < 3000; repeat++) {
            struct contrast out;
            struct contrast_side a = null_side(&state, nulls[i].trials_a, nulls[i].queries,
                                               nulls[i].rate, nulls[i].scatter, nulls[i].extra);
            struct contrast_side b = null_side(&state, nulls[i].trials_b, nulls[i].queries,
                                               nulls[i].rate, nulls[i].scatter, nulls[i].extra);
            contrast_independent(&out, &a, &b);
            small += out.p < 0.01;
            tiny += out.p < 1e-4;
        }
        cr_expect_leq(small, 48, "kind %zu: p < 0.01 in %u of 3000", i, small);
        cr_expect_leq(tiny, 3, "kind %zu: p < 1e-4 in %u of 3000", i, tiny);
    }
}

/* ---- differences ----------------------------------------------------------------------------- */

/* Totals that are `sigmas` standard errors apart. */
static double apart(double trials, double queries, double rate, double tau, double sigmas)
{
    struct contrast out;
    struct contrast_side a = {.trials = trials,
                              .queries = queries,
                              .hits = trials * queries * rate,
                              .scatter = NAN,
                              .scheme = rate,
                              .tau2 = tau * tau};
    struct contrast_side b = a;
    double one = (rate * (1 - rate) - tau * tau) / queries + tau * tau;
    b.hits += round(sigmas * sqrt(2 * one / trials) * trials * queries);
    contrast_independent(&out, &a, &b);
    return out.p;
}

Test(command_contrast, power)
{
    cr_expect_lt(apart(30, 1e5, 0.01, 1e-4, 5), 1e-6);
    cr_expect_lt(apart(30, 1e5, 0.01, 1e-3, 5), 1e-5); /* scatter between filters: Student's t */
    cr_expect_lt(apart(10, 1e4, 0.01, 1e-4, 5), 2e-6);
    cr_expect_lt(apart(2, 1e6, 0.3, 1e-6, 5), 1e-6);
    cr_expect_gt(apart(30, 1e5, 0.01, 1e-4, 2), 0.03);
}

/* What one filter shares with itself drops out; and a difference that is the same in every trial is
 * seen however much the trials scatter. */
Test(command_contrast, pairs)
{
    struct contrast_pair pair[12];
    struct contrast paired, apart_;
    struct contrast_side a = {.trials = 12, .queries = 1e6, .scatter = NAN}, b = a;
    double f[12];
    uint64_t state = 7;
    for (int t = 0; t < 12; t++) {
        f[t] = 0.01 * exp(0.5 * normal(&state));
        double hits = round(1e6 * f[t]);
        pair[t] = (struct contrast_pair){hits, hits + 700, f[t], f[t]};
        a.hits += hits;
        b.hits += hits + 700;
    }
    struct moments m = stats_moments(f, 12);
    a.scheme = b.scheme = m.mean;
    a.tau2 = b.tau2 = m.variance;
    contrast_paired(&paired, pair, 12, 1e6, 1e6, 0);
    contrast_independent(&apart_, &a, &b);
    cr_expect_lt(paired.p, 1e-12);
    cr_expect_lt(paired.z, 0);
    cr_expect_gt(apart_.p, 0.1);
}

Test(command_contrast, nothing_to_tell)
{
    struct contrast out;
    struct contrast_side one = {
        .trials = 1, .queries = 100, .hits = 5, .scatter = NAN, .scheme = NAN, .tau2 = NAN};
    contrast_independent(&out, &one, &one);
    cr_expect(isnan(out.p)); /* one filter each, and nothing tells how filters scatter */
    struct contrast_side bare = {
        .trials = 3, .queries = 0, .scatter = NAN, .scheme = 0.01, .tau2 = 0, .step = 0.001};
    struct contrast_side more = bare;
    more.scheme = 0.011; /* a bit more in each of three filters that happen to agree */
    contrast_independent(&out, &bare, &more);
    cr_expect_gt(out.p, 0.01);
}
