/* SPDX-License-Identifier: MIT
 *
 * stats_intervals.c: binomial intervals against 50-digit oracles, and the cases the field got
 * wrong.
 */
#include <math.h>

#include "harness/stats/stats.h"
#include "tests/near.h"

Test(stats, intervals_match_the_oracle_at_every_level, .init = stats_init)
{
    struct csv *t = csv_read("tests/data/binomial_ci.csv");
    cr_assert(csv_rows(t) >= 48);
    for (size_t row = 0; row < csv_rows(t); row++) {
        uint64_t x = csv_integer(t, row, "x"), n = csv_integer(t, row, "n");
        double level = csv_number(t, row, "level");
        struct interval w = stats_wilson(x, n, level), cp = stats_clopper_pearson(x, n, level);
        NEAR(w.lo, csv_number(t, row, "wilson_lo"), 1e-12);
        NEAR(w.hi, csv_number(t, row, "wilson_hi"), 1e-12);
        NEAR(cp.lo, csv_number(t, row, "cp_lo"), 1e-9);
        NEAR(cp.hi, csv_number(t, row, "cp_hi"), 1e-9);
        NEAR(stats_normal_quantile((1 + level) / 2), csv_number(t, row, "z"), 1e-14);
        cr_assert(x > 0 || (w.lo == 0 && cp.lo == 0));
        cr_assert(x < n || (w.hi == 1 && cp.hi == 1));
    }
    csv_free(t);
}

Test(stats, intervals_of_known_cases, .init = stats_init)
{
    NEAR(stats_wilson(0, 1000000, 0.95).hi, 3.84e-6, 1e-3);
    NEAR(stats_clopper_pearson(0, 1000000, 0.95).hi, 3.69e-6, 1e-3);
    NEAR(stats_wilson(21, 1000, 0.95).lo, 0.013776, 1e-4);
    NEAR(stats_wilson(21, 1000, 0.95).hi, 0.031890, 1e-4);
    NEAR(stats_wilson(175, 1000000, 0.95).lo, 1.5092e-4, 1e-4);
    NEAR(stats_wilson(175, 1000000, 0.95).hi, 2.0292e-4, 1e-4);
    NEAR(stats_wilson(1000, 1000, 0.95).lo, 0.99617, 1e-5);
    cr_assert(stats_wilson(1000, 1000, 0.95).hi == 1);
    cr_assert(isnan(stats_wilson(0, 0, 0.95).lo) && isnan(stats_clopper_pearson(0, 0, 0.95).hi));
}

/* The bounds are where the tails are alpha/2, told by sums that do not use GSL's beta function, at
 * the counts where its inverse aborts or hangs and where the function itself gives NaN. */
Test(stats, clopper_pearson_bounds_have_the_tails_they_claim, .init = stats_init)
{
    const uint64_t cases[][2] = {
        {175, 1000000},         {1500000, 3000000},    {2, 1000000000000}, {500000, 1000000},
        {40000000, 1000000000}, {1000000, 1000000000}, {2999990, 3000000}, {1, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t x = cases[i][0], n = cases[i][1];
        struct interval cp = stats_clopper_pearson(x, n, 0.99);
        double half_lo = exp(stats_binomial_log(x, n, cp.lo)) / 2;
        double half_hi = exp(stats_binomial_log(x, n, cp.hi)) / 2;
        NEAR(exp(stats_binomial_tails(x, n, cp.lo).log_above) + half_lo, 0.005, 1e-6);
        NEAR(exp(stats_binomial_tails(x, n, cp.hi).log_below) + half_hi, 0.005, 1e-6);
    }
}

Test(stats, clopper_pearson_of_huge_counts_is_normal, .init = stats_init)
{
    struct interval cp = stats_clopper_pearson(400000000000, 1000000000000, 0.95);
    double sd = sqrt(0.4 * 0.6 / 1e12);
    NEAR((cp.hi - 0.4) / sd, 1.959964, 1e-4);
    NEAR((0.4 - cp.lo) / sd, 1.959964, 1e-4);
}

Test(stats, moments_and_t_interval, .init = stats_init)
{
    const double value[] = {2, 4, 4, 5, 10};
    struct moments m = stats_moments(value, 5);
    cr_assert(m.mean == 5 && m.variance == 9);
    struct interval t = stats_t_interval(value, 5, 0.95);
    NEAR(t.hi - 5, 2.7764451051977944 * 3 / sqrt(5), 1e-10);
    cr_assert(isnan(stats_moments(value, 1).variance) && isnan(stats_t_interval(value, 1, 0.9).lo));
    cr_assert(isnan(stats_moments(value, 0).mean));
}

/* Worked by hand: Q = 1000, f = 0.01 with tau = 0.002: deff = 1 + 999 * 4e-6 / 0.0099, and
 * nu = 4 (1 + 0.0099 / 1000 / 4e-6)^2. */
Test(stats, wilson_cluster_follows_the_formula, .init = stats_init)
{
    double deff, deff0;
    struct moments f = {.mean = 0.01, .variance = 4e-6};
    struct interval c = stats_wilson_cluster(50, 5, 1000, f, 0.95, &deff);
    NEAR(deff, 1 + 999 * 4e-6 / 0.0099, 1e-14);
    double quantile = stats_t_quantile(0.975, 4 * pow(1 + 0.0099 / 1000 / 4e-6, 2));
    NEAR(c.hi, stats_wilson_effective(0.01, 5000 / deff, quantile).hi, 1e-14);
    struct interval none = stats_wilson_cluster(0, 5, 1000, f, 0.95, &deff0);
    cr_assert(none.lo == 0 && none.hi > stats_wilson(0, 5000, 0.95).hi && deff0 == deff);
    struct moments same = {.mean = 0.01, .variance = 0};
    NEAR(stats_wilson_cluster(50, 5, 1000, same, 0.95, &deff).hi, stats_wilson(50, 5000, 0.95).hi,
         1e-14);
    cr_assert(deff == 1);
    NEAR(stats_wilson_model(50, 1, 1000, f, 0.95, &deff).lo,
         stats_wilson_effective(0.05, 1000 / deff0, 1.9599639845400545).lo, 1e-12);
    cr_assert(isnan(stats_wilson_cluster(5, 1, 10, f, 0.95, &deff).lo) && isnan(deff));
    cr_assert(isnan(stats_wilson_model(5, 1, 0, f, 0.95, &deff).lo) && isnan(deff));
}

Test(stats, q_values_order_and_never_exceed_one, .init = stats_init)
{
    const double p[] = {0.04, 0.001, NAN, 0.03, 0.9};
    double q[5];
    cr_assert(stats_q_values(q, p, 5, NULL) == OK);
    NEAR(q[1], 0.004, 1e-14);
    NEAR(q[3], 0.04 * 4 / 3, 1e-14); /* the step-up: no greater than that of 0.04 */
    NEAR(q[0], 0.04 * 4 / 3, 1e-14);
    NEAR(q[4], 0.9, 1e-14);
    cr_assert(isnan(q[2]));
}
