/* SPDX-License-Identifier: MIT
 *
 * theory_estimates.c: cardinality from bits and from registers, set operations, narrow digests.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>

#include "filters/theory/cardinality.h"
#include "filters/theory/classic.h"
#include "filters/theory/hyperloglog.h"
#include "filters/theory/width.h"
#include "hashes/mix.h"
#include "tests/near.h"
#include "tests/occupancy.h"

/* ---- cardinality --------------------------------------------------------------------------- */

Test(theory_estimates, cardinality_every_row)
{
    struct csv *t = csv_read("tests/data/cardinality.csv");
    cr_assert_eq(csv_rows(t), 59);
    for (size_t row = 0; row < csv_rows(t); row++) {
        uint64_t m = csv_integer(t, row, "m"), bits = csv_integer(t, row, "X");
        unsigned k = (unsigned)csv_integer(t, row, "k");
        double estimate = theory_cardinality(m, k, bits);
        NEAR(estimate, csv_number(t, row, "n_hat_sb"), 1e-14);
        NEAR(theory_cardinality_papapetrou(m, k, bits), csv_number(t, row, "n_hat_pap"), 1e-14);
        NEAR(ceil(estimate), csv_number(t, row, "seed_ceil"), 0);
        NEAR(pow((double)bits / (double)m, k), csv_number(t, row, "fill_fpr"), 1e-13);
    }
    csv_free(t);
}

Test(theory_estimates, cardinality_edges)
{
    cr_assert_eq(theory_cardinality(8, 1, 8), INFINITY);
    cr_assert_eq(theory_cardinality_papapetrou(8, 1, 8), INFINITY);
    cr_assert_eq(theory_cardinality(1, 3, 1), INFINITY);
    cr_assert_eq(theory_cardinality(1, 3, 0), 0);
    cr_assert_eq(theory_cardinality_papapetrou(1, 3, 0), 0);
    NEAR(theory_cardinality(10000, 5, 1), .20001, 2e-7);
    NEAR(theory_cardinality(10000, 5, 9999), 18420.68, 1e-7);
    NEAR(theory_cardinality(UINT64_C(1) << 48, 1, 1), 1, 1e-14);
    NEAR(theory_cardinality_moments(UINT64_C(1) << 48, 1, 1).variance, ldexp(.5, -48), 1e-13);
    cr_assert_eq(theory_cardinality_moments(64, 0, 3).variance, 0);
    cr_assert_eq(theory_cardinality_moments(1, 1000000, 3).variance, INFINITY);
}

/* The exact moments of the estimate, given X < m. */
static struct moments exact_moments(unsigned m, unsigned n, unsigned k)
{
    double *law = occupancy_law(m, n * k), mean = 0, square = 0, weight = 0;
    for (unsigned x = 0; x < m && x <= n * k; x++) {
        double estimate = theory_cardinality(m, k, x);
        weight += law[x];
        mean += law[x] * estimate;
        square += law[x] * estimate * estimate;
    }
    free(law);
    mean /= weight;
    return (struct moments){mean, square / weight - mean * mean};
}

Test(theory_estimates, cardinality_moments_every_row)
{
    struct csv *t = csv_read("tests/data/cardinality_moments.csv");
    size_t exact = 0;
    cr_assert_eq(csv_rows(t), 12);
    for (size_t row = 0; row < csv_rows(t); row++) {
        uint64_t m = csv_integer(t, row, "m"), n = csv_integer(t, row, "n");
        unsigned k = (unsigned)csv_integer(t, row, "k");
        struct moments moments = theory_cardinality_moments(m, n, k), fill = theory_fill(m, n * k);
        NEAR(moments.mean, csv_number(t, row, "approx_mean"), 1e-14);
        NEAR(sqrt(moments.variance), csv_number(t, row, "approx_sd"), 1e-14);
        NEAR(fill.mean, csv_number(t, row, "EX"), 1e-15);
        NEAR(fill.variance, csv_number(t, row, "VarX"), 1e-15);
        NEAR((double)m / k * sqrt(fill.variance) / ((double)m - fill.mean),
             csv_number(t, row, "delta_sd"), 1e-13);
        if (m <= 10000) {
            struct moments law = exact_moments((unsigned)m, (unsigned)n, k);
            NEAR(law.mean, csv_number(t, row, "exact_mean"), 1e-10);
            NEAR(sqrt(law.variance), csv_number(t, row, "exact_sd"), 1e-6);
            exact++;
        }
    }
    cr_assert_eq(exact, 10);
    csv_free(t);
}

/* ---- set operations ------------------------------------------------------------------------ */

static void set_row(const struct csv *t, size_t row)
{
    uint64_t m = csv_integer(t, row, "m");
    unsigned k = (unsigned)csv_integer(t, row, "k");
    double t1 = csv_number(t, row, "t1"), t2 = csv_number(t, row, "t2");
    double either = csv_number(t, row, "t_or"), both = csv_number(t, row, "t_and");
    double n1 = theory_cardinality_at(m, k, t1), n2 = theory_cardinality_at(m, k, t2);
    double n_or = theory_cardinality_at(m, k, either), inter = csv_number(t, row, "inter_sb");
    NEAR(t1 + t2 - both, either, 1e-14);
    NEAR(n1, csv_number(t, row, "n1_sb"), 1e-13);
    NEAR(n2, csv_number(t, row, "n2_sb"), 1e-13);
    NEAR(n_or, csv_number(t, row, "est_or"), 1e-13);
    cr_assert_float_eq(n1 + n2 - n_or, inter, 1e-13 * n_or);
    cr_assert_float_eq(theory_cardinality_papapetrou_at(m, k, t1) +
                           theory_cardinality_papapetrou_at(m, k, t2) -
                           theory_cardinality_papapetrou_at(m, k, either),
                       csv_number(t, row, "inter_pap"), 1e-13 * n_or);
    NEAR(theory_cardinality_at(m, k, both), csv_number(t, row, "est_and_naive"), 1e-13);
    if (csv_is(t, row, "kind", "given_popcounts")) {
        double clamped =
            theory_cardinality_intersection(m, k, (uint64_t)t1, (uint64_t)t2, (uint64_t)either);
        cr_assert_float_eq(clamped, fmax(0, inter), 1e-13 * n_or);
        cr_assert_geq(clamped, 0);
    } else {
        uint64_t a = csv_integer(t, row, "a"), b = csv_integer(t, row, "b");
        uint64_t c = csv_integer(t, row, "c");
        NEAR(theory_fill(m, a * k).mean, t1, 1e-15);
        NEAR(theory_fill(m, b * k).mean, t2, 1e-15);
        NEAR(theory_fill_intersection(m, k, a, b, c), both, 1e-13);
        NEAR(theory_fill(m, c * k).mean, csv_number(t, row, "true_inter_popcount"), 1e-15);
        NEAR(csv_number(t, row, "inter_pap"), (double)c, 1e-13);
    }
}

Test(theory_estimates, set_operations_every_row)
{
    struct csv *t = csv_read("tests/data/set_ops.csv");
    size_t given = 0;
    cr_assert_eq(csv_rows(t), 16);
    for (size_t row = 0; row < csv_rows(t); row++) {
        set_row(t, row);
        given += csv_is(t, row, "kind", "given_popcounts");
    }
    cr_assert_eq(given, 8);
    csv_free(t);
}

Test(theory_estimates, the_intersection_of_filters_is_not_the_filter_of_the_intersection)
{
    double both = theory_fill_intersection(10000, 5, 1000, 1000, 500);
    NEAR(pow(both / 10000, 5), .00117, 5e-3);
    NEAR(pow(theory_fill(10000, 2500).mean / 10000, 5), .00053, 2e-2);
    NEAR(theory_cardinality_at(10000, 5, both), 600, 2e-2);
    double one = theory_fill(10000, 5000).mean;
    NEAR(2 * theory_cardinality_at(10000, 5, one) - theory_cardinality_at(10000, 5, 2 * one - both),
         500, 1e-3);
    cr_assert_eq(theory_fill_intersection(1, 2, 3, 4, 0), 1);
    cr_assert_eq(theory_fill_intersection(64, 2, 3, 0, 0), 0);
    NEAR(theory_fill_intersection(64, 2, 9, 9, 9), theory_fill(64, 18).mean, 1e-15);
    cr_assert_eq(theory_cardinality_intersection(8, 1, 8, 8, 8), INFINITY);
    cr_assert(isnan(theory_cardinality_intersection(8, 1, 5, 5, 8)));
}

/* ---- HyperLogLog --------------------------------------------------------------------------- */

/* (log2((2 + u)/(1 + u)))^m at u = v/m: falls like e^(-0.72 v). */
static double hll_integrand(double v, void *registers)
{
    double m = *(double *)registers;
    return pow(log1p(1 / (1 + v / m)) / M_LN2, m);
}

static double hll_alpha_exact(double registers)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(200);
    gsl_function f = {hll_integrand, &registers};
    double head, tail, error;
    gsl_integration_qag(&f, 0, 40, 0, 1e-12, 200, GSL_INTEG_GAUSS61, work, &head, &error);
    gsl_integration_qagiu(&f, 40, 1e-12, 1e-9, 200, work, &tail, &error);
    gsl_integration_workspace_free(work);
    gsl_set_error_handler(handler);
    return 1 / (head + tail);
}

Test(theory_estimates, hyperloglog_every_row)
{
    struct csv *t = csv_read("tests/data/hll.csv");
    cr_assert_eq(csv_rows(t), 15);
    for (size_t row = 0; row < csv_rows(t); row++) {
        unsigned p = (unsigned)csv_integer(t, row, "p");
        double registers = csv_number(t, row, "m"), alpha = theory_hll_alpha(p);
        double exact = csv_number(t, row, "alpha_exact");
        NEAR(registers, ldexp(1, (int)p), 0);
        NEAR(alpha, csv_number(t, row, "alpha_paper"), 1e-15);
        NEAR(hll_alpha_exact(registers), exact, 1e-9);
        NEAR((alpha - exact) / exact, csv_number(t, row, "alpha_paper_rel_err"), 1e-9);
        NEAR(theory_hll_standard_error(p), csv_number(t, row, "stderr_104"), 1e-15);
        NEAR(sqrt(3 * M_LN2 - 1) / sqrt(registers), csv_number(t, row, "stderr_beta"), 1e-15);
        cr_assert_eq(csv_integer(t, row, "rho_max_64"), 65 - p);
        /* One empty register, all others 1: linear counting, m ln m. */
        uint64_t histogram[64] = {1, (uint64_t)registers - 1};
        NEAR(csv_number(t, row, "small_range_limit"), 2.5 * registers, 0);
        NEAR(theory_hll_estimate(histogram, p), csv_number(t, row, "lc_at_V1"), 1e-14);
    }
    csv_free(t);
}

static double hll_simulate(unsigned p, uint64_t n)
{
    uint8_t *registers = calloc((size_t)1 << p, 1);
    uint64_t histogram[66] = {0};
    for (uint64_t i = 0; i < n; i++) {
        uint64_t digest = mix64(i + 1), rest = digest << p;
        uint8_t rho = (uint8_t)(rest ? __builtin_clzll(rest) + 1 : 65 - (int)p);
        uint8_t *at = &registers[digest >> (64 - p)];
        *at = rho > *at ? rho : *at;
    }
    for (size_t i = 0; i < (size_t)1 << p; i++)
        histogram[registers[i]]++;
    free(registers);
    return theory_hll_estimate(histogram, p);
}

Test(theory_estimates, hyperloglog_estimates)
{
    uint64_t empty[66] = {1 << 14};
    cr_assert_eq(theory_hll_estimate(empty, 14), 0);
    cr_assert_float_eq(hll_simulate(14, 1000), 1000, 22);
    cr_assert_float_eq(hll_simulate(14, 1000000), 1000000, 4 * 1e6 * 1.04 / 128);
    cr_assert_float_eq(hll_simulate(4, 100000), 100000, 4 * 1e5 * .26);
    /* All registers at r: alpha m^2 / (m 2^-r). */
    uint64_t level[66] = {[20] = 1 << 10};
    NEAR(theory_hll_estimate(level, 10), theory_hll_alpha(10) * 1024 * 1048576, 1e-15);
    uint64_t highest[66] = {[55] = 1 << 10};
    NEAR(theory_hll_estimate(highest, 10), theory_hll_alpha(10) * 1024 * ldexp(1, 55), 1e-15);
}

/* ---- narrow digests ------------------------------------------------------------------------ */

Test(theory_estimates, width_floor)
{
    NEAR(theory_width_floor(32, 1, 1000000), 2.328e-4, 5e-5);
    NEAR(theory_width_floor(64, 1, 1), ldexp(1, -64), 1e-15);
    NEAR(theory_width_floor(64, 2, 1000), 1000 * ldexp(1, -128), 1e-15);
    NEAR(theory_width_floor(32, 2, 1000000), 1e6 * ldexp(1, -64), 1e-12);
    NEAR(theory_width_floor(8, 1, 1000000), 1, 1e-15);
    cr_assert_eq(theory_width_floor(32, 1, 0), 0);
    NEAR(theory_fpr_exact(28755176, 1000000, 20), 1.0000e-6, 1e-4);
}

/* The law of the occupied set itself, by throwing: all 2^m sets. */
static double biased_by_sets(unsigned m, unsigned throws, unsigned k, unsigned bits)
{
    double law[256] = {1}, share[8] = {0}, rate = 0;
    for (unsigned v = 0; v < 1u << bits; v++)
        share[v % m] += ldexp(1, -(int)bits);
    for (unsigned t = 0; t < throws; t++)
        for (unsigned set = 1u << m; set-- > 0;) {
            double inside = 0, from = 0;
            for (unsigned c = 0; c < m; c++)
                if (set >> c & 1) {
                    inside += share[c];
                    from += share[c] * law[set & ~(1u << c)];
                }
            law[set] = law[set] * inside + from;
        }
    for (unsigned set = 0; set < 1u << m; set++) {
        double inside = 0;
        for (unsigned c = 0; c < m; c++)
            inside += set >> c & 1 ? share[c] : 0;
        rate += law[set] * pow(inside, k);
    }
    return rate;
}

Test(theory_estimates, biased_rate_equals_the_law_of_all_sets)
{
    for (unsigned m = 1; m <= 8; m++)
        for (unsigned bits = 1; bits <= 6; bits++)
            for (unsigned k = 1; k <= 12; k += 1 + k / 3)
                for (uint64_t n = 1; n <= 5; n += 2)
                    NEAR(theory_fpr_mod_biased(m, n, k, bits),
                         biased_by_sets(m, (unsigned)n * k, k, bits), 1e-12);
}

Test(theory_estimates, biased_rate_known_values)
{
    NEAR(theory_fpr_mod_biased(192, 20, 4, 8), .0185237, 3e-6);
    NEAR(theory_fpr_exact(192, 20, 4), .0137550, 4e-6);
    /* m divides 2^w, or no bias to speak of: the fair rate. */
    cr_assert_eq(theory_fpr_mod_biased(4096, 400, 7, 32), theory_fpr_exact(4096, 400, 7));
    NEAR(theory_fpr_mod_biased(9586, 1000, 7, 64), theory_fpr_exact(9586, 1000, 7), 1e-13);
    NEAR(theory_fpr_mod_biased(9586, 1000, 7, 32) / theory_fpr_exact(9586, 1000, 7) - 1, 0, 1e-10);
    cr_assert_eq(theory_fpr_mod_biased(1, 3, 2, 64), 1);
    cr_assert_eq(theory_fpr_mod_biased(192, 0, 4, 8), 0);
    cr_assert_eq(theory_fpr_mod_biased(192, 3, 0, 8), 1);
    /* More positions than digests: 2^w of them are drawn. */
    NEAR(theory_fpr_mod_biased(1000, 20, 4, 8), theory_fpr_exact(256, 20, 4), 1e-14);
    cr_assert_eq(theory_fpr_mod_biased(3, 1000000, 256, 8), 1);
    /* Large, to first order: 2/3 of the probes fall on a third of the cells (q + 1 = 2, q = 1). */
    const uint64_t m = UINT64_C(3) << 30;
    double rich = -expm1(-(double)4 * 3e8 * 2 / ldexp(1, 32));
    double poor = -expm1(-(double)4 * 3e8 / ldexp(1, 32));
    NEAR(theory_fpr_mod_biased(m, 300000000, 4, 32), pow(.5 * rich + .5 * poor, 4), 1e-8);
}

Test(theory_estimates, bias_and_reach_of_a_reduction)
{
    const uint64_t range = UINT64_C(3) << 30;
    NEAR(theory_reduction_bias(range, 32), .5, 0); /* 2/2^32 instead of 1/(3 2^30) */
    cr_assert_eq(theory_reduction_bias(1 << 20, 32), 0);
    NEAR(theory_reduction_bias(192, 8), .5, 0);
    NEAR(theory_reduction_bias(1000, 8), 1000. / 256 - 1, 1e-15);
    NEAR(theory_reduction_bias(3, 64), ldexp(2, -64), 1e-15);
    cr_assert_eq(theory_reduction_bias(1, 64), 0);
    NEAR(theory_unreachable(1000, 8), .744, 1e-15);
    cr_assert_eq(theory_unreachable(256, 8), 0);
    cr_assert_eq(theory_unreachable(UINT64_C(1) << 48, 64), 0);
    NEAR(theory_unreachable(UINT64_C(1) << 33, 32), .5, 0);
}
