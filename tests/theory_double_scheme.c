/* SPDX-License-Identifier: MIT
 *
 * theory_double_scheme.c: the rate of one bit array under double hashing, against all keys.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "filters/bits.h"
#include "filters/theory/two_hash_scheme.h"
#include "machine/path.h"

/* An array in which each bit is set with probability share/256. */
static unsigned char *array_random(uint64_t m, unsigned share, uint64_t seed)
{
    unsigned char *array = calloc(bits_bytes(m), 1);
    cr_assert_not_null(array);
    for (uint64_t i = 0; i < m; i++)
        if (two_hash_draw(&seed, 256) < share)
            bits_set(array, i);
    return array;
}

/* An array with the cells of n keys of the scheme. */
static unsigned char *array_filled(const struct two_hash *scheme, uint64_t n, uint64_t seed)
{
    unsigned char *array = calloc(bits_bytes(scheme->m), 1);
    cr_assert_not_null(array);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t a = two_hash_draw(&seed, scheme->m), b = two_hash_draw_step(&seed, scheme);
        for (unsigned j = 0; j < scheme->k; j++)
            bits_set(array, (a + two_hash_offset(scheme, b, j)) % scheme->m);
    }
    return array;
}

static uint64_t hits_of_step(const struct two_hash *scheme, const unsigned char *array,
                             uint64_t step)
{
    uint64_t hits = 0, offset[TWO_HASH_K_MAX], m = scheme->m;
    for (unsigned i = 0; i < scheme->k; i++)
        offset[i] = two_hash_offset(scheme, step, i);
    for (uint64_t a = 0; a < m; a++) {
        unsigned i = 0;
        while (i < scheme->k &&
               bits_test(array, a + offset[i] < m ? a + offset[i] : a + offset[i] - m))
            i++;
        hits += i == scheme->k;
    }
    return hits;
}

static double rate_of_all_keys(const struct two_hash *scheme, const unsigned char *array)
{
    uint64_t hits = 0;
    for (uint64_t step = 0; step < scheme->m; step++)
        if (two_hash_step_allowed(scheme, step))
            hits += hits_of_step(scheme, array, step);
    return (double)hits / ((double)scheme->m * (double)two_hash_step_count(scheme));
}

static void compare_all(uint64_t m, unsigned k, unsigned share)
{
    for (unsigned variant = 0; variant < 6; variant++) {
        struct two_hash scheme = {.m = m, .k = k};
        scheme.law = variant % 2 ? LAW_ENHANCED : LAW_DOUBLE;
        scheme.odd = variant / 2 == 1;
        scheme.nonzero = variant / 2 == 2;
        unsigned char *array = array_random(m, share, m * k + share);
        struct estimate rate = theory_two_hash_scheme(&scheme, array);
        cr_expect_float_eq(rate.value, rate_of_all_keys(&scheme, array), 1e-15,
                           "m %zu k %u share %u variant %u", (size_t)m, k, share, variant);
        cr_expect_eq(rate.se, 0);
        free(array);
    }
}

/* Sizes around whole words, primes, powers of two, m below k; fills from sparse to full. */
Test(theory_double_scheme, all_keys)
{
    for (uint64_t m = 1; m <= 131; m += m < 70 ? 1 : 6)
        for (unsigned k = 1 + m % 2; k <= 9; k += 2)
            compare_all(m, k, m % 3 == 0 ? 240 : 180);
    for (unsigned k = 1; k <= 20; k += 3) {
        compare_all(256, k, 220);
        compare_all(193, k, 256);
        compare_all(320, k, 60);
    }
}

/* More than one block of words, on every path; one step against a count of its keys. */
static void compare_steps(enum filter_path path)
{
    static const uint64_t modulus[] = {512, 1536, 2048, 2049, 2111, 8192, 12345};
    path_limit(path);
    for (int i = 0; i < 7; i++)
        for (unsigned k = 2; k <= 14; k += 3)
            for (int law = 0; law < 2; law++) {
                struct two_hash scheme = {.m = modulus[i], .k = k};
                scheme.law = law ? LAW_ENHANCED : LAW_DOUBLE;
                unsigned char *array = array_random(scheme.m, 190, k);
                struct two_hash_rotor rotor;
                cr_assert(two_hash_rotor_init(&rotor, &scheme));
                two_hash_rotor_load(&rotor, array);
                for (uint64_t step = 0; step < scheme.m; step += 411)
                    cr_expect_eq(two_hash_rotor_count(&rotor, step),
                                 hits_of_step(&scheme, array, step));
                two_hash_rotor_release(&rotor);
                free(array);
            }
}

Test(theory_double_scheme, blocks)
{
    for (int path = 0; path < PATH_COUNT; path++)
        compare_steps((enum filter_path)path);
    path_limit(PATH_AVX512);
}

Test(theory_double_scheme, empty_and_full)
{
    static const uint64_t modulus[] = {100, 65536, 100003, 5000000};
    for (int i = 0; i < 4; i++)
        for (int law = 0; law < 2; law++) {
            struct two_hash scheme = {.law = law ? LAW_ENHANCED : LAW_DOUBLE, .m = modulus[i]};
            scheme.k = 3;
            unsigned char *empty = array_random(scheme.m, 0, 1);
            unsigned char *full = array_random(scheme.m, 256, 1);
            struct estimate none = theory_two_hash_scheme(&scheme, empty);
            struct estimate sure = theory_two_hash_scheme(&scheme, full);
            cr_expect_eq(none.value, 0);
            cr_expect_float_eq(sure.value, 1, 1e-12);
            cr_expect_eq(none.se > 0, scheme.m > 65536, "a sample without a hit is not certain");
            free(empty);
            free(full);
        }
}

/* A sample against all steps: divisors, powers of two and a prime; the error must hold (five of
 * them: 6e-7 each, were the seeds not fixed), and be small enough to be worth having. */
Test(theory_double_scheme, sample)
{
    static const uint64_t modulus[] = {69300, 131072, 65537};
    for (int i = 0; i < 3; i++)
        for (unsigned k = 5; k <= 11; k += 6) {
            struct two_hash scheme = {.m = modulus[i], .k = k, .odd = i == 1};
            unsigned char *array = array_filled(&scheme, scheme.m / (2 * k), k);
            struct two_hash_rotor rotor;
            cr_assert(two_hash_rotor_init(&rotor, &scheme));
            two_hash_rotor_load(&rotor, array);
            double all = two_hash_scheme_all(&rotor);
            struct estimate sample = theory_two_hash_scheme(&scheme, array);
            cr_expect_lt(fabs(sample.value - all), 5 * sample.se, "m %zu k %u", (size_t)scheme.m,
                         k);
            cr_expect_gt(fabs(sample.value - all), 0);
            cr_expect_lt(sample.se, 0.03 * all);
            struct estimate again = theory_two_hash_scheme(&scheme, array);
            cr_expect_eq(sample.value, again.value);
            two_hash_rotor_release(&rotor);
            free(array);
        }
}

/* The step 0 alone gives an array that is nearly full the rate (X/m)/m at least: a sample of steps
 * must not miss it, nor take it for more than it is. */
Test(theory_double_scheme, sample_short_orders)
{
    struct two_hash scheme = {.m = 70000, .k = 20};
    unsigned char *array =
        array_random(scheme.m, 64, 5); /* 4^-20 by chance: all hits are degenerate */
    double expected = 0;
    for (uint64_t b = 0; b < scheme.m; b++)
        if (scheme.m / two_hash_gcd(b, scheme.m) < 20)
            expected += (double)hits_of_step(&scheme, array, b);
    expected /= (double)scheme.m * (double)scheme.m;
    struct estimate rate = theory_two_hash_scheme(&scheme, array);
    cr_expect_float_eq(rate.value / expected, 1, 1e-9);
    free(array);
}

/* The window over a large array, at a small one: wraps, unaligned starts, partial blocks. */
Test(theory_double_scheme, window)
{
    uint64_t m = 9001, state = 3;
    unsigned char *array = array_random(m, 200, 9);
    for (unsigned k = 1; k <= 12; k++) {
        uint64_t offset[12], length = 1 + two_hash_draw(&state, m), expected = 0;
        for (unsigned i = 0; i < k; i++)
            offset[i] = two_hash_draw(&state, m);
        for (uint64_t x = 0; x < length; x++) {
            unsigned i = 0;
            while (i < k && bits_test(array, (offset[i] + x) % m))
                i++;
            expected += i == k;
        }
        cr_expect_eq(two_hash_window_count(array, m, offset, k, length), expected, "k %u", k);
    }
    free(array);
}

/* Beyond 2^22 bits: windows. Random bits have the rate (X/m)^k, whatever the law, up to 1/sqrt(m).
 */
Test(theory_double_scheme, large)
{
    for (int law = 0; law < 2; law++) {
        struct two_hash scheme = {.law = law ? LAW_ENHANCED : LAW_DOUBLE, .m = 6000007, .k = 9};
        unsigned char *array = array_random(scheme.m, 128, 11);
        double fill = (double)bits_count(array, bits_bytes(scheme.m)) / (double)scheme.m;
        struct estimate rate = theory_two_hash_scheme(&scheme, array);
        cr_expect_lt(fabs(rate.value - pow(fill, 9)), 5 * rate.se);
        cr_expect_lt(rate.se, 0.01 * rate.value);
        free(array);
    }
}
