/* SPDX-License-Identifier: MIT
 *
 * keys_permutation.c: the seeded bijections are bijections, and look like random ones.
 *
 * Seeds are fixed, so these tests are deterministic; for a fresh seed each would raise a false
 * alarm with probability below 1e-6 (bounds on |z| beside each, over the number of values looked
 * at).
 */
#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/keys/permutation.h"
#include "tests/keys_support.h"

/* With the published key schedule (a Weyl sequence of step 0x9e3779b9) the rounds are those of
 * Philox-2x32-10: known answers of its authors' library Random123, counter and key words. */
Test(keys, bijection64_rounds_are_philox)
{
    static const uint32_t known[][5] = {
        {0x00000000, 0x00000000, 0x00000000, 0xff1dae59, 0x6cd10df2},
        {0xffffffff, 0xffffffff, 0xffffffff, 0x2c3f628b, 0xab4fd7ad},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0xdd7ce038, 0xf62a4c12},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct bijection64 bijection;
        for (unsigned round = 0; round < BIJECTION64_ROUNDS; round++)
            bijection.round_key[round] = known[i][2] + round * UINT32_C(0x9e3779b9);
        uint64_t image = bijection64(&bijection, (uint64_t)known[i][1] << 32 | known[i][0]);
        cr_expect_eq((uint32_t)image, known[i][3]);
        cr_expect_eq(image >> 32, known[i][4]);
    }
}

Test(keys, bijection64_fill_equals_one_by_one)
{
    struct bijection64 bijection;
    uint64_t out[300];
    bijection64_init(&bijection, 5);
    static const uint64_t firsts[] = {0, 1, UINT32_MAX - 70, UINT64_MAX - 200};
    for (unsigned f = 0; f < 4; f++)
        for (size_t count = 0; count <= 300; count += 1 + count / 8) {
            bijection64_fill(&bijection, out, firsts[f], count);
            for (size_t i = 0; i < count; i++)
                cr_assert_eq(out[i], bijection64(&bijection, firsts[f] + i));
        }
}

/* |z| of `ones` out of `count` fair coins. */
static double permutation_z(uint64_t ones, uint64_t count)
{
    return fabs((double)ones - (double)count / 2) / (sqrt((double)count) / 2);
}

/* Adds the bits of x to 64 counters. */
static void permutation_tally(uint32_t ones[64], uint64_t x)
{
    for (unsigned bit = 0; bit < 64; bit++)
        ones[bit] += (uint32_t)(x >> bit & 1);
}

static void permutation_expect_fair(const uint32_t ones[64], uint64_t count, double bound,
                                    const char *what)
{
    for (unsigned bit = 0; bit < 64; bit++)
        cr_expect_lt(permutation_z(ones[bit], count), bound, "%s: bit %u, z %.2f", what, bit,
                     permutation_z(ones[bit], count));
}

/* |z| < 6 for 4 * 64 counts: 5e-7. */
Test(keys, bijection64_bits_are_fair)
{
    enum { COUNT = 1 << 19 };
    uint32_t plain[64] = {0}, next[64] = {0}, twin[64] = {0}, seeds[64] = {0};
    struct bijection64 bijection, other;
    bijection64_init(&bijection, 1);
    bijection64_init(&other, 2);
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t image = bijection64(&bijection, i);
        permutation_tally(plain, image);
        permutation_tally(next, image ^ bijection64(&bijection, i + 1));
        permutation_tally(twin, image ^ bijection64(&bijection, i | UINT64_C(1) << 63));
        permutation_tally(seeds, image ^ bijection64(&other, i));
    }
    permutation_expect_fair(plain, COUNT, 6, "image");
    permutation_expect_fair(next, COUNT, 6, "image against the next one's");
    permutation_expect_fair(twin, COUNT, 6, "member against query");
    permutation_expect_fair(seeds, COUNT, 6, "neighbouring seeds");
}

/* Each bit of the counter and of the seed flips each bit of the image half the time: |z| < 6.5 for
 * 2 * 4096 counts of 4096 coins: 7e-7. */
Test(keys, bijection64_avalanche)
{
    enum { COUNT = 4096 };
    for (unsigned bit = 0; bit < 64; bit++) {
        uint32_t by_counter[64] = {0}, by_seed[64] = {0};
        for (uint64_t i = 0; i < COUNT; i++) {
            struct bijection64 bijection, other;
            bijection64_init(&bijection, i);
            bijection64_init(&other, i ^ UINT64_C(1) << bit);
            uint64_t image = bijection64(&bijection, i);
            permutation_tally(by_counter, image ^ bijection64(&bijection, i ^ UINT64_C(1) << bit));
            permutation_tally(by_seed, image ^ bijection64(&other, i));
        }
        permutation_expect_fair(by_counter, COUNT, 6.5, "counter bit");
        permutation_expect_fair(by_seed, COUNT, 6.5, "seed bit");
    }
}

/* |z| of chi-squared over 65536 cells; its upper tail at 6.5 is below 1e-9. */
static double permutation_pairs_z(const uint32_t *cells, uint64_t count)
{
    double expected = (double)count / 65536, chi2 = 0;
    for (unsigned cell = 0; cell < 65536; cell++)
        chi2 += (cells[cell] - expected) * (cells[cell] - expected) / expected;
    return fabs(chi2 - 65535) / sqrt(2 * 65535.0);
}

/* Serial pairs that do not overlap: one byte of an image and one of the next. */
Test(keys, bijection64_serial_pairs)
{
    enum { PAIRS = 1 << 20 };
    static uint32_t low[65536], high[65536], mixed[65536];
    struct bijection64 bijection;
    bijection64_init(&bijection, 3);
    for (uint64_t i = 0; i < PAIRS; i++) {
        uint64_t a = bijection64(&bijection, 2 * i), b = bijection64(&bijection, 2 * i + 1);
        low[(a & 0xff) << 8 | (b & 0xff)]++;
        high[a >> 56 << 8 | b >> 56]++;
        mixed[(a >> 28 & 0xff) << 8 | (b >> 56)]++;
    }
    cr_expect_lt(permutation_pairs_z(low, PAIRS), 6.5);
    cr_expect_lt(permutation_pairs_z(high, PAIRS), 6.5);
    cr_expect_lt(permutation_pairs_z(mixed, PAIRS), 6.5);
}

/* ---- shuffles -------------------------------------------------------------------------------- */

static void shuffle_range(const struct shuffle *shuffle, uint64_t *index, uint64_t first,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        index[i] = first + i;
    for (size_t i = 0; i < count; i += SHUFFLE_BLOCK)
        shuffle_apply(shuffle, index + i, count - i < SHUFFLE_BLOCK ? count - i : SHUFFLE_BLOCK);
}

Test(keys, shuffle_is_a_permutation)
{
    for (uint64_t size = 1; size <= 1000; size++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            struct shuffle shuffle;
            uint64_t index[1000];
            unsigned char seen[1000] = {0};
            shuffle_init(&shuffle, size, seed);
            shuffle_range(&shuffle, index, 0, size);
            for (uint64_t i = 0; i < size; i++) {
                cr_assert_lt(index[i], size);
                cr_assert_eq(seen[index[i]]++, 0, "size %lu: %lu twice", size, index[i]);
            }
        }
}

Test(keys, shuffle_of_large_sizes_stays_inside_and_distinct)
{
    static const uint64_t sizes[] = {UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1,
                                     (UINT64_C(1) << 63) + 5, UINT64_MAX};
    for (unsigned s = 0; s < 4; s++) {
        struct shuffle shuffle;
        uint64_t index[2000];
        shuffle_init(&shuffle, sizes[s], 7);
        shuffle_range(&shuffle, index, 0, 1000);
        shuffle_range(&shuffle, index + 1000, sizes[s] - 1000, 1000);
        for (unsigned i = 0; i < 2000; i++)
            cr_assert_lt(index[i], sizes[s]);
        cr_assert_eq(keys_repeated(index, 2000), 0);
    }
}

/* All orders of `size` things equally often over seeds: p > 1e-7 of chi-squared. */
static void shuffle_expect_uniform(uint64_t size, uint64_t seeds)
{
    unsigned orders = 1, counts[720] = {0};
    for (unsigned i = 2; i <= size; i++)
        orders *= i;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct shuffle shuffle;
        uint64_t index[6];
        unsigned rank = 0;
        shuffle_init(&shuffle, size, seed);
        shuffle_range(&shuffle, index, 0, size);
        for (unsigned i = 0; i < size; i++) {
            unsigned later_smaller = 0;
            for (unsigned j = i + 1; j < size; j++)
                later_smaller += index[j] < index[i];
            rank = rank * (unsigned)(size - i) + later_smaller;
        }
        counts[rank]++;
    }
    double expected = (double)seeds / orders, chi2 = 0;
    for (unsigned i = 0; i < orders; i++)
        chi2 += (counts[i] - expected) * (counts[i] - expected) / expected;
    double p = gsl_cdf_chisq_Q(chi2, orders - 1);
    cr_expect_gt(p, 1e-7, "size %lu: chi2 %.1f of %u orders, p %.2g", size, chi2, orders, p);
}

Test(keys, shuffle_orders_are_uniform)
{
    for (uint64_t size = 2; size <= 6; size++)
        shuffle_expect_uniform(size, 72000);
}

/* Where the first two of 100 things go, jointly: 9900 places, p > 1e-7. */
Test(keys, shuffle_of_a_hundred_is_uniform_in_pairs)
{
    enum { SIZE = 100, SEEDS = 200000 };
    static uint32_t counts[SIZE][SIZE];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct shuffle shuffle;
        uint64_t index[2];
        shuffle_init(&shuffle, SIZE, seed);
        shuffle_range(&shuffle, index, 0, 2);
        counts[index[0]][index[1]]++;
    }
    double expected = SEEDS / (SIZE * (SIZE - 1.0)), chi2 = 0;
    for (unsigned i = 0; i < SIZE; i++)
        for (unsigned j = 0; j < SIZE; j++)
            if (i != j)
                chi2 += (counts[i][j] - expected) * (counts[i][j] - expected) / expected;
    cr_expect_gt(gsl_cdf_chisq_Q(chi2, SIZE * (SIZE - 1) - 1), 1e-7);
}
