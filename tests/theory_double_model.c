/* SPDX-License-Identifier: MIT
 *
 * theory_double_model.c: the model of double hashing, and the honesty of its errors.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "filters/theory/two_hash_model.h"

/* Simulation knows nothing of the exact value: its z must look standard normal. For 48 cells the
 * rms of z is 1 +- 0.10; the bounds are five errors away, a false alarm below 1e-6. */
Test(theory_double_model, simulated_mean)
{
    double squares = 0, sum = 0;
    int cells = 0;
    for (uint64_t m = 64; m <= 512; m *= 2)
        for (int odd = 0; odd < 2; odd++)
            for (unsigned k = 2; k <= 10; k += 4)
                for (uint64_t per_key = 5; per_key <= 12; per_key += 7) {
                    struct two_hash scheme = {.m = odd ? m : m + 5, .k = k, .odd = odd};
                    struct model model = two_hash_simulate(&scheme, m / per_key);
                    double exact = theory_two_hash_exact(&scheme, m / per_key);
                    double z = (model.fpr - exact) / model.se;
                    sum += z;
                    squares += z * z;
                    cells++;
                }
    cr_assert_eq(cells, 48);
    cr_expect_lt(fabs(sqrt(squares / cells) - 1), 0.5, "rms %f", sqrt(squares / cells));
    cr_expect_lt(fabs(sum / cells), 5 / sqrt(cells), "mean %f", sum / cells);
}

/* Exact rates of a sample of enhanced queries against all of them. */
Test(theory_double_model, sampled_mean)
{
    for (int odd = 0; odd < 2; odd++)
        for (unsigned k = 4; k <= 6; k++) {
            struct two_hash scheme = {.law = LAW_ENHANCED, .m = 1024, .k = k, .odd = odd};
            struct estimate mean = two_hash_sampled_mean(&scheme, 90);
            double exact = theory_two_hash_exact(&scheme, 90);
            cr_expect_lt(fabs(mean.value - exact), 5 * mean.se, "k %u odd %d", k, odd);
            cr_expect_lt(mean.se, 1e-3 * exact);
            cr_expect_gt(mean.se, 0);
        }
}

/* The variance by formula against the simulated one. */
Test(theory_double_model, delta_variance)
{
    static const struct two_hash scheme[] = {
        {LAW_DOUBLE, true, 4096, 5, false},   {LAW_DOUBLE, false, 4091, 8, false},
        {LAW_ENHANCED, true, 2048, 8, false}, {LAW_DOUBLE, true, 4096, 13, false},
        {LAW_DOUBLE, true, 4096, 18, false}, /* nearly all hits come from members */
    };
    for (int i = 0; i < 5; i++) {
        uint64_t n = scheme[i].m / (i == 4 ? 24 : 10);
        struct model simulated = two_hash_simulate(&scheme[i], n);
        struct estimate delta = two_hash_delta_variance(&scheme[i], n, simulated.fpr);
        double error = hypot(simulated.variance_se, delta.se);
        cr_expect_lt(fabs(delta.value - simulated.variance), 5 * error, "scheme %d", i);
        cr_expect_lt(error, 0.6 * simulated.variance);
        cr_expect_float_eq(delta.value / simulated.variance, 1, 0.3, "scheme %d", i);
    }
}

/* sd 0.058 at (128,16,16): THEORY.md, section 5, from simulation. */
Test(theory_double_model, published)
{
    struct two_hash odd = {.m = 128, .k = 16, .odd = true};
    struct model model;
    theory_two_hash_model(&odd, 16, &model);
    cr_expect_float_eq(model.fpr, 0.1413, 5e-5);
    cr_expect_eq(model.se, 0);
    cr_expect_str_eq(model.name, "exact");
    cr_expect_float_eq(sqrt(model.variance), 0.058, 0.003);
    struct two_hash enhanced = {.law = LAW_ENHANCED, .m = 8192, .k = 11};
    theory_two_hash_model(&enhanced, 512, &model);
    cr_expect_str_eq(model.name, "simulation");
    cr_expect_gt(model.se, 0);
    cr_expect_lt(model.se, 2e-3 * model.fpr);
}

/* Many probes, and arrays too large to fill: the excess over fill^k is carried over from m' = 2^20.
 */
Test(theory_double_model, large)
{
    struct two_hash scheme = {.m = UINT64_C(1) << 40, .k = 24, .odd = true};
    struct model model;
    uint64_t n = scheme.m / 16;
    theory_two_hash_model(&scheme, n, &model);
    double classic = pow(-expm1(-1.5), 24);
    cr_expect_float_eq(model.fpr / classic, 1, 1e-4);
    cr_expect_gt(model.variance, 0);
    scheme.k = 12;
    theory_two_hash_model(&scheme, n, &model);
    cr_expect_str_eq(model.name, "exact");
    cr_expect_float_eq(model.fpr / pow(-expm1(-0.75), 12), 1, 1e-6);
}

Test(theory_double_model, same_twice)
{
    struct two_hash scheme = {.law = LAW_ENHANCED, .m = 700, .k = 12};
    struct model one, two;
    theory_two_hash_model(&scheme, 50, &one);
    theory_two_hash_model(&scheme, 50, &two);
    cr_expect_eq(one.fpr, two.fpr);
    cr_expect_eq(one.variance, two.variance);
}

Test(theory_double_model, edges)
{
    struct two_hash scheme = {.m = 1000, .k = 0};
    struct model model;
    theory_two_hash_model(&scheme, 5, &model);
    cr_expect_eq(model.fpr, 1);
    scheme.k = 7;
    theory_two_hash_model(&scheme, 0, &model);
    cr_expect_eq(model.fpr, 0);
    cr_expect_eq(model.variance, 0);
    theory_two_hash_model(&scheme, UINT64_C(1) << 48, &model);
    cr_expect_eq(model.fpr, 1);
    cr_expect_eq(model.variance, 0);
    for (uint64_t m = 1; m <= 3; m++) {
        struct two_hash tiny = {.m = m, .k = 2, .odd = true};
        theory_two_hash_model(&tiny, 3, &model);
        cr_expect(model.fpr > 0 && model.fpr <= 1);
        cr_expect(model.variance >= 0 && model.variance_se >= 0);
    }
}
