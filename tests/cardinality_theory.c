/* SPDX-License-Identifier: MIT
 *
 * cardinality_theory.c: the functions behind estimates of cardinality, and what every variant says
 * its estimate will be.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "filters/theory/cardinality.h"
#include "filters/theory/classic.h"
#include "filters/theory/hyperloglog.h"
#include "tests/near.h"
#include "tests/rig.h"

TestSuite(cardinality_theory, .timeout = 120);

/* sigma(x) = 2 sigma(x^2) + x - x^2 and tau(x) = (tau(sqrt x) + sqrt x - x)/2 follow from the
 * series; with their values at the ends they leave no other function. */
Test(cardinality_theory, sigma_and_tau)
{
    cr_assert_eq(theory_hll_sigma(0), 0);
    cr_assert_eq(theory_hll_sigma(1), INFINITY);
    cr_assert_eq(theory_hll_tau(0), 0);
    cr_assert_eq(theory_hll_tau(1), 0);
    NEAR(theory_hll_sigma(1e-200), 1e-200, 1e-15);
    NEAR(theory_hll_sigma(0.5),
         0.5 + 0.25 + 2 * 0.0625 + 4 / 256.0 + 8 / 65536.0 + 16 / 4294967296.0 + 32 * ldexp(1, -64),
         1e-15);
    for (int i = 1; i < 1000; i++) {
        double x = i / 1000.0, root = sqrt(x);
        NEAR(theory_hll_sigma(x), 2 * theory_hll_sigma(x * x) + x - x * x, 1e-13);
        cr_assert_float_eq(theory_hll_tau(x), (theory_hll_tau(root) + root - x) / 2, 1e-15);
    }
    /* One key in 2^18 registers: sigma(1 - h) h -> 1/(2 ln 2), but for ripples of 1e-5. */
    NEAR(theory_hll_sigma(1 - ldexp(1, -18)) * ldexp(1, -18), 1 / (2 * M_LN2), 2e-5);
    NEAR(theory_hll_tau(1 - ldexp(1, -18)), ldexp(1, -18) / 3, 1e-5);
}

/* From no register in use to all of them full. */
Test(cardinality_theory, ertl_from_end_to_end)
{
    for (unsigned p = HLL_PRECISION_MIN; p <= HLL_PRECISION_MAX; p++) {
        uint64_t histogram[64] = {UINT64_C(1) << p};
        cr_assert_eq(theory_hll_ertl(histogram, p, 64 - p), 0);
        cr_assert_eq(theory_hll_centred(histogram, p, 64 - p), 0);
        histogram[0]--;
        histogram[1]++;
        NEAR(theory_hll_centred(histogram, p, 64 - p), 1, 1e-2);
        histogram[1] = 0;
        histogram[0] = 0;
        histogram[65 - p] = UINT64_C(1) << p;
        cr_assert_eq(theory_hll_ertl(histogram, p, 64 - p), INFINITY);
        cr_assert_eq(theory_hll_centred(histogram, p, 64 - p), INFINITY);
        /* All registers at 20: no empty ones, no full ones; alpha m^2/(m 2^-20), 0.7213.. at m. */
        histogram[65 - p] = 0;
        histogram[20] = UINT64_C(1) << p;
        NEAR(theory_hll_ertl(histogram, p, 64 - p), ldexp(1 / (2 * M_LN2), 20 + (int)p), 1e-14);
        NEAR(theory_hll_centred(histogram, p, 64 - p) / theory_hll_estimate(histogram, p), 1, 5e-3);
    }
}

Test(cardinality_theory, moments_have_no_gaps)
{
    for (unsigned p = HLL_PRECISION_MIN; p <= HLL_PRECISION_MAX; p++)
        for (double n = 1; n < 1e12; n *= 1.7) {
            struct moments ertl = theory_hll_ertl_moments(p, 64 - p, (uint64_t)n);
            struct moments old = theory_hll_moments(p, (uint64_t)n);
            struct moments centred = theory_hll_centred_moments(p, 64 - p, (uint64_t)n);
            double keys = (double)(uint64_t)n, unit = theory_hll_standard_error(p);
            cr_assert_float_eq(centred.mean, keys, 0);
            cr_assert_lt(fabs(ertl.mean / keys - 1), 1.1 * unit * unit + 2e-5 + 5e-4 / keys,
                         "p %u n %g", p, n);
            cr_assert_lt(fabs(old.mean / keys - 1), fmax(0.4 * unit, 0.026), "p %u n %g", p, n);
            double skewed = 1 + 2.5 * unit * unit; /* 1/D is; more by the bias of Ertl's */
            cr_assert_leq(sqrt(ertl.variance) / keys, unit * skewed, "p %u n %g", p, n);
            cr_assert_leq(sqrt(centred.variance) / keys, unit * skewed);
            /* between its two formulas it jumps by 2 % */
            cr_assert_leq(sqrt(old.variance) / keys, 1.25 * unit * skewed + 0.011, "p %u n %g", p,
                          n);
            cr_assert(n < 2 || ertl.variance > 0);
        }
    cr_assert_eq(theory_hll_moments(14, 0).mean, 0);
    cr_assert_eq(theory_hll_ertl_moments(14, 50, 0).variance, 0);
    cr_assert_eq(theory_hll_centred_moments(14, 50, 1).variance, 0);
}

/* By the exact moments of X this is Whang's formula but for terms of order n/m. */
Test(cardinality_theory, delta_from_bits)
{
    for (unsigned k = 1; k <= 8; k++) {
        struct moments fill = theory_fill(1 << 20, 200000 * k);
        struct moments delta = theory_cardinality_delta(1 << 20, (1 << 20) / (double)k, fill);
        struct moments whang = theory_cardinality_moments(1 << 20, 200000, k);
        NEAR(delta.mean - 200000 - 200000 / ldexp(2, 20), whang.mean - 200000, 1e-2);
        NEAR(delta.variance, whang.variance, 1e-4);
    }
    cr_assert(isnan(theory_cardinality_delta(8, 8, (struct moments){8, 0}).mean));
    cr_assert_eq(theory_cardinality_delta(8, 8, (struct moments){0, 0}).mean, 0);
}

/* 600 filters of each variant: the mean within 5 standard errors and 0.2 %, the variance within 5
 * sd of a chi-squared law of 599 degrees (29 %) and 5 % for the terms beyond the first order. */
Test(cardinality_theory, variants_say_what_they_will_estimate)
{
    enum { TRIALS = 600, N = 1000 };
    unsigned variants = 0;
    for (size_t v = 0; v < filter_count; v++) {
        struct rig rig;
        struct moments fill, expected;
        double sum = 0, square = 0;
        if (!filter_table[v]->expected_cardinality)
            continue;
        rig_params(&rig, filter_table[v]->name, "", 8192, N, 4);
        rig_open(&rig);
        rig.ops->expected_fill(&rig.layout, N, &fill);
        rig.ops->expected_cardinality(&rig.layout, N, &fill, &expected);
        for (unsigned t = 0; t < TRIALS; t++) {
            rig_empty(&rig, 1000 * v + t);
            rig_add(&rig, 0, N);
            double error = rig.ops->cardinality(&rig.filter) - expected.mean;
            sum += error;
            square += error * error;
        }
        double sd = sqrt(expected.variance);
        cr_expect_lt(fabs(sum / TRIALS), 5 * sd / sqrt(TRIALS) + 0.002 * N, "%s: mean %g and %g",
                     rig.ops->name, expected.mean, sum / TRIALS);
        cr_expect_lt(fabs(square / TRIALS / expected.variance - 1), 5 * sqrt(2.0 / TRIALS) + 0.05,
                     "%s: sd %g, not %g", rig.ops->name, sqrt(square / TRIALS), sd);
        variants++;
        rig_close(&rig);
    }
    cr_assert_geq(variants, 7);
}

/* Few registers, where the skewness of 1/D shows: 4000 sketches, the standard deviation within 5 of
 * its own (5.6 %) and 6 % for what the second order leaves. */
Test(cardinality_theory, small_sketches_scatter_as_told)
{
    enum { TRIALS = 4000, N = 300 };
    static const char *const sizes[] = {"precision=4", "precision=5", "precision=6"};
    for (size_t s = 0; s < 3; s++) {
        struct rig rig;
        struct moments expected;
        double square = 0;
        rig_params(&rig, "hyperloglog", sizes[s], 0, N, 0);
        rig_open(&rig);
        rig.ops->expected_cardinality(&rig.layout, N, NULL, &expected);
        for (unsigned t = 0; t < TRIALS; t++) {
            rig_empty(&rig, 5000 * s + t);
            rig_add(&rig, 0, N);
            double error = rig.ops->cardinality(&rig.filter) - expected.mean;
            square += error * error;
        }
        cr_expect_float_eq(sqrt(square / TRIALS / expected.variance), 1, 0.12, "%s: %g", sizes[s],
                           sqrt(square / TRIALS / expected.variance));
        rig_close(&rig);
    }
}
