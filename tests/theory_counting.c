/* SPDX-License-Identifier: MIT
 *
 * theory_counting.c: overflow of counters.
 */
#include <math.h>

#include "filters/theory/classic.h"
#include "filters/theory/counting.h"
#include "tests/near.h"

static void counting_row(const struct csv *t, size_t row)
{
    uint64_t m = csv_integer(t, row, "m"), n = csv_integer(t, row, "n");
    unsigned k = (unsigned)csv_integer(t, row, "k");
    unsigned bits = (unsigned)csv_integer(t, row, "counter_bits");
    double mm = (double)m, load = csv_number(t, row, "lambda");
    double tail = theory_counter_tail(m, n, k, bits);
    double distinct = theory_counter_tail_distinct(m, n, k, bits);
    cr_assert_eq(csv_integer(t, row, "J"), 1u << bits);
    NEAR(load, (double)(n * k) / mm, 1e-15);
    NEAR(tail, csv_number(t, row, "tail_binom"), 1e-12);
    NEAR(theory_counter_tail_poisson(load, bits), csv_number(t, row, "tail_poisson"), 1e-12);
    NEAR(distinct, csv_number(t, row, "tail_binom_distinct"), 1e-12);
    NEAR(mm * tail, csv_number(t, row, "expected_overflow"), 1e-12);
    NEAR(mm * distinct, csv_number(t, row, "expected_overflow_distinct"), 1e-12);
    NEAR(theory_counter_any_binomial(m, n, k, bits), csv_number(t, row, "p_any_indep_binom"),
         1e-12);
    NEAR(theory_counter_any_poisson(m, n, k, bits), csv_number(t, row, "p_any_indep_pois"), 1e-12);
    NEAR(theory_counter_fan_union(m, n, k, bits), csv_number(t, row, "fan_union"), 1e-12);
    NEAR(theory_counter_fan_e(m, n, k, bits), csv_number(t, row, "fan_e"), 1e-12);
    double ln2 = theory_counter_fan_ln2(m, n, k, bits);
    if ((double)k * (double)n <= mm * M_LN2)
        NEAR(ln2, csv_number(t, row, "fan_ln2"), 1e-12);
    else
        cr_assert(isnan(ln2), "the bound does not hold for k > (m/n) ln 2");
    double exact = theory_counter_any_exact(m, n, k, bits);
    if (csv_empty(t, row, "p_any_exact"))
        cr_assert(isnan(exact));
    else
        NEAR(exact, csv_number(t, row, "p_any_exact"), 1e-15);
}

Test(theory_counting, every_row)
{
    struct csv *t = csv_read("tests/data/counting.csv");
    size_t exact = 0;
    cr_assert_eq(csv_rows(t), 41);
    for (size_t row = 0; row < csv_rows(t); row++) {
        counting_row(t, row);
        exact += !csv_empty(t, row, "p_any_exact");
    }
    cr_assert_eq(exact, 19);
    csv_free(t);
}

/* P(some counter reaches `least`) by trying all m^throws ways. */
static double any_by_enumeration(unsigned m, unsigned throws, unsigned least)
{
    unsigned ways = 1, hit = 0;
    for (unsigned i = 0; i < throws; i++)
        ways *= m;
    for (unsigned way = 0; way < ways; way++) {
        unsigned count[8] = {0}, most = 0, rest = way;
        for (unsigned i = 0; i < throws; i++, rest /= m) {
            unsigned c = ++count[rest % m];
            most = c > most ? c : most;
        }
        hit += most >= least;
    }
    return (double)hit / ways;
}

Test(theory_counting, exact_overflow_equals_enumeration)
{
    for (unsigned m = 1; m <= 4; m++)
        for (unsigned throws = 1; throws <= 8; throws++)
            for (unsigned bits = 1; bits <= 2; bits++)
                NEAR(theory_counter_any_exact(m, throws, 1, bits),
                     any_by_enumeration(m, throws, 1u << bits), 1e-15);
}

Test(theory_counting, exact_lies_between_its_bounds)
{
    for (uint64_t m = 2; m < 3000; m = m * 5 / 2)
        for (uint64_t n = 4; n <= 200; n *= 7)
            for (unsigned bits = 2; bits <= 4; bits++) {
                double exact = theory_counter_any_exact(m, n, 8, bits);
                cr_assert_geq(exact * (1 + 1e-12), theory_counter_any_binomial(m, n, 8, bits));
                cr_assert_leq(exact, (double)m * theory_counter_tail(m, n, 8, bits) * (1 + 1e-12));
            }
    /* Tiny, and 8-bit counters: m P(Bin(N, 1/m) >= J) to first order. */
    NEAR(theory_counter_any_exact(1000, 400, 4, 4), 1000 * theory_counter_tail(1000, 400, 4, 4),
         1e-6);
    NEAR(theory_counter_any_exact(100000, 425, 4, 8),
         100000 * theory_counter_tail(100000, 425, 4, 8), 1e-9);
    cr_assert(isnan(theory_counter_any_exact(100000, 1701, 1, 8)));
}

Test(theory_counting, tails_at_the_edges)
{
    cr_assert_eq(theory_counter_tail(10, 0, 4, 4), 0);
    cr_assert_eq(theory_counter_tail(10, 15, 1, 4), 0);
    NEAR(theory_counter_tail(10, 16, 1, 4), 1e-16, 1e-13);
    cr_assert_eq(theory_counter_tail(1, 16, 1, 4), 1);
    cr_assert_eq(theory_counter_tail(1, 15, 1, 4), 0);
    cr_assert_eq(theory_counter_tail_distinct(8, 16, 8, 4), 1);
    cr_assert_eq(theory_counter_tail_poisson(0, 4), 0);
    cr_assert_eq(theory_counter_tail_poisson(1e6, 8), 1);
    /* k close to m: P(Bin(256, 1 - 2^-20) >= 256), where (1 - p)^n underflows. */
    NEAR(theory_counter_tail_distinct(1 << 20, 256, (1 << 20) - 1, 8),
         exp(256 * log1p(-ldexp(1, -20))), 1e-13);
    /* As large as this goes, a binomial law is a Poisson law. */
    const uint64_t m = UINT64_C(1) << 48;
    NEAR(theory_counter_tail(m, m / 8, 16, 4), theory_counter_tail_poisson(2, 4), 1e-12);
    NEAR(theory_counter_tail(m, 2 * m, 16, 4), theory_counter_tail_poisson(32, 4), 1e-12);
    cr_assert_eq(theory_counter_any_binomial(64, 1000, 16, 3), 1);
}

Test(theory_counting, both_sides_of_the_mean_meet)
{
    /* P(>= J) + P(< J) = 1 around the load at which the sum changes sides, against a sum from 0. */
    for (double load = 14; load <= 18; load += .25) {
        double below = 0, term = exp(-load);
        for (unsigned i = 0; i < 16; i++, term *= load / i)
            below += term;
        NEAR(theory_counter_tail_poisson(load, 4), 1 - below, 1e-14);
    }
}
