/* SPDX-License-Identifier: MIT
 *
 * theory_double_exact.c: the exact rate of double and enhanced double hashing.
 *
 * The oracle reaches both ways to the groups of an enhanced query: by all steps (m < 7 k r), and by
 * meetings (k <= 3 at m = 64, k <= 4 at 128, k <= 6 at 256).
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/two_hash_exact.h"
#include "tests/csv.h"

static struct two_hash scheme_named(const char *name, uint64_t m, unsigned k)
{
    struct two_hash scheme = {.m = m, .k = k};
    scheme.law = strncmp(name, "enhanced", 8) == 0 ? LAW_ENHANCED : LAW_DOUBLE;
    scheme.odd = strstr(name, "_odd") != NULL;
    scheme.nonzero = strstr(name, "_nonzero") != NULL;
    return scheme;
}

Test(theory_double, oracle)
{
    struct csv *table = csv_read("tests/data/double_hashing.csv");
    cr_assert_eq(csv_rows(table), 607);
    for (size_t i = 0; i < csv_rows(table); i++) {
        uint64_t m = csv_integer(table, i, "m"), n = csv_integer(table, i, "n");
        struct two_hash scheme =
            scheme_named(csv_text(table, i, "scheme"), m, (unsigned)csv_integer(table, i, "k"));
        double rate = theory_two_hash_exact(&scheme, n);
        double fill = theory_two_hash_fill(&scheme, n).mean;
        cr_expect_lt(csv_error(rate, csv_number(table, i, "p_exact")), 1e-12, "row %zu", i);
        cr_expect_lt(csv_error(fill, csv_number(table, i, "EX")), 1e-12, "row %zu: fill", i);
    }
    csv_free(table);
}

/* The published figures are simulations with a standard error: four of them allowed. */
Test(theory_double, cases)
{
    struct two_hash odd = {.odd = true, .m = 1024, .k = 8}, any = {.m = 1024, .k = 8};
    struct two_hash enhanced = {.law = LAW_ENHANCED, .m = 1024, .k = 8};
    cr_expect_float_eq(theory_two_hash_exact(&odd, 64), 0.00110786, 5e-9);
    cr_expect_float_eq(theory_two_hash_exact(&any, 64), 0.0014698, 4 * 3e-6);
    cr_expect_float_eq(theory_two_hash_exact(&enhanced, 64), 0.0006546, 4 * 2e-6);
}

/* c(S) by looking at every key, for every query: what the groups and tallies must amount to. */
static double rate_by_enumeration(const struct two_hash *scheme, uint64_t n)
{
    uint64_t query[TWO_HASH_K_MAX], member[TWO_HASH_K_MAX], m = scheme->m;
    double sum = 0, steps = (double)two_hash_step_count(scheme);
    for (uint64_t q = 0; q < m; q++) {
        if (!two_hash_step_allowed(scheme, q))
            continue;
        unsigned cells = two_hash_cells(scheme, q, query);
        for (uint32_t subset = 0; subset < UINT32_C(1) << cells; subset++) {
            uint64_t avoid = 0;
            for (uint64_t key = 0; key < m * m; key++) {
                if (!two_hash_step_allowed(scheme, key / m))
                    continue;
                unsigned count = two_hash_cells(scheme, key / m, member), hit = 0;
                for (unsigned i = 0; i < count && !hit; i++)
                    for (unsigned j = 0; j < cells; j++)
                        hit |= subset >> j & ((member[i] + key % m) % m == query[j]);
                avoid += !hit;
            }
            double sign = __builtin_popcount(subset) % 2 ? -1 : 1;
            sum += sign * pow((double)avoid / ((double)m * steps), (double)n);
        }
    }
    return sum / steps;
}

/* Moduli the oracle does not have: composite, tiny, below k. */
Test(theory_double, small_world)
{
    static const uint64_t modulus[] = {1, 2, 3, 4, 6, 8, 9, 12, 15};
    for (size_t i = 0; i < sizeof modulus / sizeof *modulus; i++)
        for (unsigned variant = 0; variant < 6; variant++)
            for (unsigned k = 1; k <= 5; k += 2) {
                struct two_hash scheme = {.m = modulus[i], .k = k};
                scheme.law = variant % 2 ? LAW_ENHANCED : LAW_DOUBLE;
                scheme.odd = variant / 2 == 1;
                scheme.nonzero = variant / 2 == 2;
                double expected = rate_by_enumeration(&scheme, 2);
                cr_expect_float_eq(theory_two_hash_exact(&scheme, 2), expected, 1e-13,
                                   "m %zu variant %u k %u", (size_t)modulus[i], variant, k);
            }
}

/* The sum loses all the digits it was meant to lose, and no more: more bits, the same double. */
Test(theory_double, precision)
{
    for (unsigned bits = 8; bits <= 48; bits += 8)
        for (unsigned k = 3; k <= 15; k += 4)
            for (unsigned fill = 1; fill < bits; fill += 6) {
                struct two_hash scheme = {.odd = true, .m = UINT64_C(1) << bits, .k = k};
                struct two_hash_finder finder;
                struct two_hash_tally tally;
                struct two_hash_groups groups = {0};
                two_hash_finder_init(&finder, &scheme);
                cr_assert(two_hash_tally_init(&tally, k));
                cr_assert(two_hash_groups_find(&groups, &finder, 1));
                cr_assert(two_hash_tally_add(&tally, &groups, 1));
                uint64_t n = scheme.m >> fill;
                double rate = two_hash_tally_rate(&tally, &scheme, n, 0);
                double again = two_hash_tally_rate(&tally, &scheme, n, 300);
                cr_expect_lt(csv_error(rate, again), 1e-15, "m 2^%u k %u n m/2^%u", bits, k, fill);
                free(groups.group);
                two_hash_tally_release(&tally);
                two_hash_finder_release(&finder);
            }
}

/* With n = 1 and odd steps the rate is the share of keys whose cells cover the query's. For k >= 3
 * and large m only the key itself and its mirror image (a + (k-1) b, -b): 2/T. For k = 2 those two
 * as well. */
Test(theory_double, one_member)
{
    for (unsigned bits = 10; bits <= 48; bits += 19)
        for (unsigned k = 2; k <= 20; k += 6) {
            struct two_hash scheme = {.odd = true, .m = UINT64_C(1) << bits, .k = k};
            double keys = ldexp(1, (int)(2 * bits - 1));
            cr_expect_lt(csv_error(theory_two_hash_exact(&scheme, 1), 2 / keys), 1e-12);
        }
}

/* The limit of large m is the classic law (Kirsch & Mitzenmacher 2006), for any kind of m. */
Test(theory_double, limit)
{
    static const uint64_t modulus[] = {UINT64_C(1) << 48, (UINT64_C(1) << 40) - 87,
                                       UINT64_C(1000000000000)};
    for (int i = 0; i < 3; i++)
        for (int odd = 0; odd < 2; odd++) {
            struct two_hash scheme = {.odd = odd, .m = modulus[i], .k = 7};
            uint64_t n = modulus[i] / 10;
            double fill = -expm1(-7.0 * (double)n / (double)modulus[i]);
            cr_assert(theory_two_hash_affordable(&scheme));
            cr_expect_lt(csv_error(theory_two_hash_exact(&scheme, n), pow(fill, 7)), 1e-8);
        }
}

Test(theory_double, affordable)
{
    struct two_hash scheme = {.odd = true, .m = 1 << 20, .k = 20};
    cr_expect(theory_two_hash_affordable(&scheme));
    scheme.k = 21;
    cr_expect_not(theory_two_hash_affordable(&scheme));
    scheme = (struct two_hash){.m = 1 << 16, .k = 20};
    cr_expect(theory_two_hash_affordable(&scheme));
    scheme = (struct two_hash){.law = LAW_ENHANCED, .m = 512, .k = 20};
    cr_expect(theory_two_hash_affordable(&scheme));
    scheme.m = 8192;
    cr_expect_not(theory_two_hash_affordable(&scheme));
}

Test(theory_double, edges)
{
    struct two_hash scheme = {.m = 100, .k = 5};
    cr_expect_eq(theory_two_hash_exact(&scheme, 0), 0);
    cr_expect_float_eq(theory_two_hash_exact(&scheme, UINT64_C(1) << 48), 1, 1e-15);
    scheme.k = 0;
    cr_expect_eq(theory_two_hash_exact(&scheme, 7), 1);
}
