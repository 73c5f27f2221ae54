/* SPDX-License-Identifier: MIT
 *
 * theory_classic.c: the classic filter's formulas against high-precision oracles, against an
 * independent route (the occupancy law in doubles), and against twice the precision.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filters/theory/cardinality.h"
#include "filters/theory/classic.h"
#include "filters/theory/precise.h"
#include "tests/csv.h"
#include "tests/near.h"
#include "tests/occupancy.h"

static void oracle_row(const struct csv *t, size_t row, double *worst)
{
    uint64_t m = csv_integer(t, row, "m"), n = csv_integer(t, row, "n");
    unsigned k = (unsigned)csv_integer(t, row, "k");
    struct moments fill = theory_fill(m, n * k);
    const struct {
        const char *column;
        double value, bound;
    } checks[] = {
        {"p_standard", theory_fpr_standard(m, n, k), 1e-13},
        {"p_bloom", theory_fpr_bloom(m, n, k), 1e-13},
        {"p_exact", theory_fpr_exact(m, n, k), 1e-15},
        {"p_second_order", theory_fpr_second_order(m, n, k), 1e-13},
        {"EX", fill.mean, 1e-15},
        {"VarX", fill.variance, 1e-15},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        double error = csv_error(checks[i].value, csv_number(t, row, checks[i].column));
        cr_assert(error <= checks[i].bound, "m %lu n %lu k %u: %s = %.17g, off by %.2g", m, n, k,
                  checks[i].column, checks[i].value, error);
        worst[i] = fmax(worst[i], error);
    }
}

Test(theory_classic, every_row_of_the_oracle)
{
    struct csv *t = csv_read("tests/data/standard.csv");
    double worst[6] = {0};
    cr_assert_eq(csv_rows(t), 54);
    for (size_t row = 0; row < csv_rows(t); row++)
        oracle_row(t, row, worst);
    csv_free(t);
}

Test(theory_classic, rates_known_as_fractions)
{
    NEAR(theory_fpr_exact(2, 1, 2), 5. / 8, 0);
    NEAR(theory_fpr_exact(8, 2, 2), 5825. / 32768, 0);
    NEAR(theory_fpr_exact(32, 4, 3), 0.03287857, 2e-7);
    NEAR(theory_fpr_exact(100, 10, 7), 0.00893631, 5e-7);
    NEAR(theory_fpr_exact(1000, 100, 7), 0.00826625, 5e-7);
    NEAR(theory_fpr_standard(1000, 100, 7), 0.00819372, 5e-7);
    NEAR(theory_fpr_exact(1024, 100, 7), 0.0073663, 6e-6);
    NEAR(sqrt(theory_fpr_variance(1024, 100, 7)), 8.96e-4, 5e-4);
    NEAR(theory_fpr_standard(UINT64_C(2875517514), 150000000, 13), 1.0013e-4, 5e-5);
    NEAR(theory_fpr_exact(UINT64_C(2875517514), 75000000, 13), 9.196e-8, 5e-5);
}

Test(theory_classic, edges)
{
    double (*const formulas[])(uint64_t, uint64_t, unsigned) = {
        theory_fpr_standard, theory_fpr_bloom, theory_fpr_exact, theory_fpr_second_order};
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(formulas[i](64, 0, 3), 0);
        cr_assert_eq(formulas[i](1, 0, 1), 0);
        cr_assert_eq(formulas[i](64, 8, 0), 1);
        cr_assert_eq(formulas[i](64, 0, 0), 1);
        cr_assert_eq(formulas[i](64, 10000, 4), 1, "saturated: 1, not more and not less");
        cr_assert_leq(formulas[i](64, 700, 4), 1);
        if (i)
            cr_assert_eq(formulas[i](1, 5, 3), 1);
    }
    cr_assert_eq(theory_fpr_variance(1, 5, 3), 0);
    cr_assert_eq(theory_fpr_variance(64, 0, 3), 0);
    cr_assert_eq(theory_fpr_variance(64, 1, 1), 0);
    cr_assert_eq(theory_fill(1, 7).mean, 1);
    cr_assert_eq(theory_fill(1, 7).variance, 0);
    cr_assert_eq(theory_fill(9, 0).mean, 0);
    cr_assert_eq(theory_fill(9, 1).variance, 0);
    cr_assert_eq(theory_fill(9, 1).mean, 1);
}

/* kn throws need 64 bits, and more than a double's 53 for (1 - i/m)^(kn). */
Test(theory_classic, tiny_rates_and_large_filters_keep_their_digits)
{
    const uint64_t m = UINT64_C(4000000000000); /* n = 1, k = 4: kn/m = 1e-12 */
    char text[32];
    snprintf(text, sizeof text, "%.9e", theory_fpr_standard(m, 1, 4));
    cr_assert_str_eq(text, "1.000000000e-48");
    NEAR(theory_fpr_bloom(m, 1, 4), 1e-48 * (1 - 7.5e-13 * 2), 1e-15);
    /* One key, one query, k = 2: (X/m)^2 with X = 2 (1 - 1/m) + 1 (1/m). */
    NEAR(theory_fpr_exact(m, 1, 2), (4 - 3 / (double)m) / ((double)m * (double)m), 1e-15);
    cr_assert_eq(theory_fpr_standard(UINT64_C(1) << 48, 1, 256), 0, "underflow is 0, not NaN");
    cr_assert_eq(theory_fpr_exact(UINT64_C(1) << 48, 1, 256), 0);
    /* kn = 2^56 throws into 2^48 cells: t = 256, P(a cell is empty) = e^-256 (1 - 2^-42 ..). */
    const uint64_t big = UINT64_C(1) << 48;
    struct moments fill = theory_fill(big, big * 256);
    NEAR(fill.mean, (double)big, 0);
    NEAR(fill.variance, (double)big * exp(-256) * (1 - ldexp(1, -41)), 1e-11);
    NEAR(theory_power_moment(big, big / 2, 1), -expm1(ldexp(1, 47) * log1p(-ldexp(1, -48))), 1e-15);
}

Test(theory_classic, formulas_are_ordered)
{
    for (uint64_t m = 1; m < 5000; m = m * 3 + 1)
        for (uint64_t n = 0; n < 2000; n = n * 2 + 1)
            for (unsigned k = 1; k <= 16; k++) {
                double standard = theory_fpr_standard(m, n, k), bloom = theory_fpr_bloom(m, n, k);
                double exact = theory_fpr_exact(m, n, k);
                cr_assert_leq(standard, bloom * (1 + 1e-13));
                cr_assert_leq(bloom, exact * (1 + 1e-13));
                cr_assert_leq(exact, 1);
            }
}

/* The independent route: all moments from the law of X itself, in doubles, all terms positive. */
Test(theory_classic, moments_agree_with_the_occupancy_law)
{
    const struct {
        unsigned m, throws;
    } worlds[] = {{1, 3}, {2, 5}, {7, 7}, {64, 24}, {100, 700}, {257, 64}, {1024, 700}};
    for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++) {
        unsigned m = worlds[w].m, throws = worlds[w].throws;
        double *law = occupancy_law(m, throws);
        const unsigned powers[] = {1, 2, 3, 7, 20, 64, 256, 512};
        for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
            NEAR(theory_power_moment(m, throws, powers[i]),
                 occupancy_mean(law, m, throws, powers[i]), 1e-11);
        struct moments fill = theory_fill(m, throws);
        NEAR(fill.mean, m * occupancy_mean(law, m, throws, 1), 1e-12);
        cr_assert_float_eq(fill.variance, occupancy_variance(law, m, throws, 1) * m * m,
                           1e-10 * (1 + fill.variance));
        free(law);
    }
}

Test(theory_classic, variance_does_not_cancel)
{
    const unsigned m = 1024, n = 100;
    double *law = occupancy_law(m, n * 7);
    NEAR(theory_fpr_variance(m, n, 7), occupancy_variance(law, m, n * 7, 7), 1e-10);
    free(law);
    /* k = 1: Var f = Var X / m^2 exactly, at a size where E[f^2] - E[f]^2 has no digit in doubles.
     */
    const uint64_t sizes[] = {64, 4096, 1 << 20, UINT64_C(1) << 40, UINT64_C(1) << 48};
    for (size_t i = 0; i < 5; i++) {
        double mm = (double)sizes[i];
        NEAR(theory_fpr_variance(sizes[i], sizes[i] / 2, 1),
             theory_fill(sizes[i], sizes[i] / 2).variance / mm / mm, 4e-16);
        /* First order: Var X = m e^-2t (e^t - t - 1) at t = 1/2, relative error about 1/m. */
        NEAR(theory_fill(sizes[i], sizes[i] / 2).variance, mm * exp(-1) * (exp(.5) - 1.5),
             1e-13 + 3 / mm);
    }
    /* Two throws into m cells: X = 2, or 1 with probability 1/m. */
    NEAR(theory_fill(UINT64_C(1) << 48, 2).variance, ldexp(1, -48) * (1 - ldexp(1, -48)), 1e-15);
}

struct at_precision {
    uint64_t m, throws;
    unsigned power;
};

Test(theory_classic, twice_the_precision_changes_nothing)
{
    const struct at_precision cases[] = {
        {64, 24, 16},
        {1024, 700, 512},
        {1u << 16, 1u << 15, 256},
        {1u << 20, 100, 64},
        {UINT64_C(1) << 48, 1, 7},
        {UINT64_C(1) << 48, UINT64_C(1) << 56, 256},
        {3, 1000, 512},
        {UINT64_C(1) << 36, UINT64_C(1) << 36, 64},
        {1000003, 3000000, 20},
        {(UINT64_C(1) << 48) - 59, UINT64_C(1) << 49, 1},
        {10, 1, 512},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct at_precision *c = &cases[i];
        double once = theory_power_moment(c->m, c->throws, c->power);
        mpfr_t twice;
        mpfr_init2(twice, 2 * (1200 + c->power));
        precise_power_moment(twice, c->m, c->throws, c->power, mpfr_get_prec(twice));
        NEAR(once, mpfr_get_d(twice, MPFR_RNDN), 0);
        mpfr_clear(twice);
    }
    mpfr_free_cache();
}

static unsigned best_by_search(uint64_t m, uint64_t n, unsigned k_max)
{
    unsigned best = 1;
    for (unsigned k = 2; k <= k_max; k++)
        if (k * log(-expm1(-(double)n * k / (double)m)) <
            best * log(-expm1(-(double)n * best / (double)m)))
            best = k;
    return best;
}

Test(theory_classic, best_k_is_the_integer_that_minimises_the_rate)
{
    cr_assert_eq(theory_best_k(8000, 1000, 256), 6, "not 5: 0.021577 < 0.021679");
    NEAR(theory_fpr_standard(8000, 1000, 6), 0.021577, 5e-5);
    NEAR(theory_fpr_standard(8000, 1000, 5), 0.021679, 5e-5);
    cr_assert_eq(theory_best_k(1443, 1000, 256), 1);
    NEAR(theory_fpr_standard(1443, 1000, 1), 0.49993, 1e-4); /* printed 0.49993: 0.499929 */
    NEAR(theory_fpr_standard(1443, 1000, 2), 0.56239, 1e-5);
    cr_assert_eq(theory_best_k(100, 1000000, 256), 1);
    cr_assert_eq(theory_best_k(1 << 20, 1, 256), 256, "the bound");
    cr_assert_eq(theory_best_k(1 << 20, 1, 1), 1);
    for (uint64_t m = 1; m < 400; m += 7)
        for (uint64_t n = 1; n < 60; n += 3)
            cr_assert_eq(theory_best_k(m, n, 256), best_by_search(m, n, 256));
}
