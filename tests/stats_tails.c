/* SPDX-License-Identifier: MIT
 *
 * stats_tails.c: tails and normal scores against values computed with 60 digits (mpmath: tail sums
 * of binomial terms from loggamma, incomplete gamma and beta functions, roots of erfc).
 */
#include <math.h>
#include <stdlib.h>

#include "harness/stats/law.h"
#include "harness/stats/saddlepoint.h"
#include "harness/stats/stats.h"
#include "tests/near.h"

Test(stats, normal_scores_do_not_saturate, .init = stats_init)
{
    NEAR(stats_signed_z(1e-3, 1), 3.2905267314918948, 1e-12);
    NEAR(stats_signed_z(1e-10, -1), -6.4669510872405162, 1e-12);
    NEAR(stats_signed_z(1e-30, 1), 11.52388357738025, 1e-12);
    NEAR(stats_signed_z(1e-300, 1), 37.06578788077213, 1e-12);
    NEAR(stats_normal_from_log_tail(-50000 - M_LN2), 316.2088480600742, 1e-12);
    for (double z = 0.5; z < 1e5; z *= 1.7)
        NEAR(stats_normal_from_log_tail(stats_normal_log_tail(z)), z, 1e-9);
    cr_assert(stats_signed_z(1, -1) == 0 && stats_signed_z(0, -1) == -STATS_Z_IMPOSSIBLE);
    cr_assert(isnan(stats_signed_z(NAN, 1)) && isnan(stats_score_normal(NAN).p));
}

Test(stats, chi_squared_tails_at_any_depth, .init = stats_init)
{
    const struct {
        double x, freedom, below, above;
    } cases[] = {
        {3000, 29, 0, -1425.1252559724973},
        {1e-6, 29, -236.91245216745873, 0},
        {1e-30, 29, NAN, 0},
        {60, 29, -0.0006178468013383088, -7.389578933007087},
        {5, 29, -15.576947288192736, -1.7179787400575643e-7},
        {100000, 10.5, 0, -49957.577233199731},
        {30, 1, -4.3204631511595052e-8, -16.95731815812879},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mid_tails t = stats_chi2_tails(cases[i].x, cases[i].freedom);
        NEAR(t.log_above, cases[i].above, 1e-8);
        if (!isnan(cases[i].below))
            NEAR(t.log_below, cases[i].below, 1e-8);
    }
    /* Far below, the lower tail is (x/2)^a / Gamma(a + 1). */
    NEAR(stats_chi2_tails(1e-30, 29).log_below,
         stats_chi2_tails(1e-6, 29).log_below + 14.5 * log(1e-24), 1e-7);
    cr_assert(stats_chi2_tails(0, 5).log_below == -INFINITY && isnan(stats_chi2_two_sided(1, 0)));
    NEAR(stats_chi2_two_sided(60, 29), 2 * exp(-7.389578933007087), 1e-9);
}

Test(stats, student_quantiles, .init = stats_init)
{
    NEAR(stats_t_quantile(0.975, 4), 2.7764451051977944, 1e-12);
    NEAR(stats_t_quantile(0.975, 29.37), 2.0441110520952019, 1e-12);
    NEAR(stats_t_quantile(0.9995, 1), 636.61924876871962, 1e-10);
    NEAR(stats_t_quantile(0.975, 90000), 1.9599903434577399, 1e-9);
    NEAR(stats_t_quantile(0.975, 200000), 1.9599758459667685, 1e-12);
    NEAR(stats_t_quantile(0.975, 1e15), 1.9599639845400545, 1e-12);
    NEAR(stats_t_two_sided(-2.7764451051977944, 4), 0.05, 1e-10);
}

Test(stats, binomial_tails_tiny_and_huge, .init = stats_init)
{
    const struct {
        uint64_t hits, queries;
        double rate;
        int up;
        double log_tail;
    } cases[] = {
        {20, 1000000, 1e-5, 1, -5.98303192386360981},
        {3, 1000000000000, 1e-12, 1, -3.00286209092892139},
        {0, 1000000, 2e-5, 0, -20.6933471832266536},
        {5, 1000000, 4e-5, 0, -26.7923693808617388},
        {40, 1000000, 2e-5, 1, -10.1441303938032677},
        {9000, 9000, 0.0278263, 1, -32236.6561082124626},
        {130000, 1000000000000, 1e-7, 1, -4112.81780567988556},
        {100060000, 1000000000000, 1e-4, 1, -20.7350252606704638},
        {5200, 10000, 0.5, 1, -10.3613699526810829},
        {462, 9000, 0.0151, 1, -249.370587976633298},
        {5000, 1000000, 1e-3, 1, -4060.6727789893405},
        {17, 1000, 1e-36, 1, -1326.08521202732933},
        {17, 1000000000, 1e-12, 1, -151.63094939859173},
        {30, 1000, 0.018, 1, -5.45212868208065534},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mid_tails t = stats_binomial_tails(cases[i].hits, cases[i].queries, cases[i].rate);
        NEAR(cases[i].up ? t.log_above : t.log_below, cases[i].log_tail, 1e-9);
        NEAR(exp(t.log_above) + exp(t.log_below), 1, 1e-13);
    }
}

Test(stats, binomial_edges, .init = stats_init)
{
    cr_assert(stats_binomial_mid_p(0, 10, 0) == 1 && stats_binomial_mid_p(10, 10, 1) == 1);
    cr_assert(stats_binomial_mid_p(1, 10, 0) == 0 && stats_binomial_mid_p(9, 10, 1) == 0);
    cr_assert(stats_binomial_mid_p(0, 0, 0.3) == 1);
    cr_assert(stats_binomial_tails(1, 10, 0).log_above == -INFINITY);
    cr_assert(stats_binomial_tails(9, 10, 1).log_below == -INFINITY);
    NEAR(stats_binomial_mid_p(0, 4, 0.1), 0.6561, 1e-14); /* 2 * P(0)/2 */
    NEAR(stats_binomial_mid_p(2, 3, 0.5), 2 * (0.125 + 0.375 / 2), 1e-14);
    NEAR(exp(stats_binomial_log(2, 3, 0.5)), 0.375, 1e-15);
}

/* Every outcome of T trials of Q queries, by a plain convolution of single queries. */
static void brute_law(double *law, const double *rate, size_t trials, size_t queries)
{
    law[0] = 1;
    size_t top = 0;
    for (size_t t = 0; t < trials; t++)
        for (size_t q = 0; q < queries; q++) {
            law[++top] = 0;
            for (size_t j = top; j > 0; j--)
                law[j] = law[j] * (1 - rate[t]) + law[j - 1] * rate[t];
            law[0] *= 1 - rate[t];
        }
}

static double brute_mid_p(const double *law, size_t top, size_t hits)
{
    double below = law[hits] / 2, above = law[hits] / 2;
    for (size_t j = 0; j < hits; j++)
        below += law[j];
    for (size_t j = top; j > hits; j--)
        above += law[j];
    return fmin(1, 2 * fmin(below, above));
}

Test(stats, poisson_binomial_is_exact, .init = stats_init)
{
    const double few[] = {0.3, 0.01, 0.3, 0, 0.7, 1e-5, 1};
    const double high[] = {0.99, 0.999, 0.97, 0.99};
    double law[200];
    brute_law(law, few, 7, 9);
    for (size_t h = 9; h <= 45; h++) /* 9 are sure, 9 impossible */
        NEAR(stats_poisson_binomial_mid_p(h, few, 7, 9), brute_mid_p(law, 63, h),
             law[h] > 1e-19 ? 1e-11 : 0.3);
    cr_assert(stats_poisson_binomial_mid_p(8, few, 7, 9) == 0);
    cr_assert(stats_poisson_binomial_mid_p(55, few, 7, 9) == 0);
    brute_law(law, high, 4, 40);
    for (size_t h = 140; h <= 160; h++)
        NEAR(stats_poisson_binomial_mid_p(h, high, 4, 40), brute_mid_p(law, 160, h), 1e-10);
}

/* Where equal rates make the law a plain binomial, many trials must agree with it; so must nearly
 * equal ones, and so must the saddlepoint that takes over for large counts. */
Test(stats, poisson_binomial_of_many_trials, .init = stats_init)
{
    enum { TRIALS = 20000 };
    double *rate = malloc(TRIALS * sizeof *rate);
    for (size_t t = 0; t < TRIALS; t++)
        rate[t] = 2e-5 * (1 + 1e-9 * (double)(t * 7919 % TRIALS) / TRIALS);
    NEAR(stats_poisson_binomial_mid_p(480, rate, TRIALS, 1000),
         stats_binomial_mid_p(480, (uint64_t)TRIALS * 1000, 2e-5), 1e-6);
    NEAR(stats_poisson_binomial_mid_p(4300, rate, TRIALS, 10000),
         stats_binomial_mid_p(4300, (uint64_t)TRIALS * 10000, 2e-5), 1e-5);
    struct mid_tails deep = stats_poisson_binomial_tails(40000, rate, TRIALS, 1000);
    NEAR(deep.log_above, stats_binomial_tails(40000, (uint64_t)TRIALS * 1000, 2e-5).log_above,
         1e-5);
    free(rate);
}

/* One fixed rate: the saddlepoint against the exact binomial mid-tail, from a handful of hits on.
 */
Test(stats, saddlepoint_tails_of_counts, .init = stats_init)
{
    const double mean[] = {0.5, 3, 20, 300};
    for (size_t i = 0; i < 4; i++) {
        double rate = mean[i] / 1000;
        struct rate_law law = {.rate = &rate, .nodes = 1, .trials = 10, .queries = 100};
        for (uint64_t h = 0; h < 600; h += 1 + h / 8) {
            double exact = stats_score(stats_binomial_tails(h, 1000, rate)).z;
            double z = stats_score(saddlepoint_tails(&law, (double)h)).z;
            cr_assert(fabs(z - exact) < 0.04, "mean %g hits %lu: z %g, exact %g", mean[i], h, z,
                      exact);
        }
    }
}

/* Mixed rates: a filter is good or bad by the toss of a coin; the law of hits is a sum of
 * binomials. */
Test(stats, saddlepoint_tails_of_mixtures, .init = stats_init)
{
    const double rate[] = {0.01, 0.03}, weight[] = {0.7, 0.3};
    struct law a, b, one, all;
    cr_assert(law_binomial(&a, 100, 0.01) && law_binomial(&b, 100, 0.03));
    one = (struct law){.count = a.count > b.count ? a.count : b.count};
    one.p = calloc(one.count, sizeof *one.p);
    for (size_t i = 0; i < one.count; i++)
        one.p[i] = (i < a.count ? 0.7 * a.p[i] : 0) + (i < b.count ? 0.3 * b.p[i] : 0);
    cr_assert(a.first == 0 && b.first == 0 && law_power(&all, &one, 20));
    struct rate_law law = {
        .rate = rate, .weight = weight, .nodes = 2, .trials = 20, .queries = 100};
    for (int64_t h = 5; h < 90; h += 5) {
        double exact = stats_score(law_tails(&all, h)).z;
        double z = stats_score(saddlepoint_tails(&law, (double)h)).z;
        cr_assert(fabs(z - exact) < 0.02, "hits %ld: z %g, exact %g", h, z, exact);
    }
    law_release(&a), law_release(&b), law_release(&one), law_release(&all);
}
