/* SPDX-License-Identifier: MIT
 *
 * two_hash_pairs.c: how often two probes of a key both find a set bit, in one bit array.
 *
 * Positions i < j of the key (a, b) are d b + c apart, d = j - i, c the difference of their cubic
 * terms. Let g = gcd(d, m), X_r the number of set bits at positions congruent r mod g, and
 *
 *     S_g(c) = sum over r of X_r X_(r+c)
 *
 * the number of pairs (x, y) of set positions with y - x = c mod g. As b runs over all m steps, d b
 * takes each multiple of g exactly g times, so g S_g(c) of the m^2 keys (a, b) hit with both. Odd
 * steps (m = 2^v, c = 0): d b runs over those multiples of g that are none of 2g, each equally
 * often, so the same with S_g - S_2g for S_g and twice the weight.
 */
#include "filters/bits.h"
#include "filters/theory/two_hash.h"

/* X_r mod g, for one g. */
struct pairs_residues {
    const struct two_hash *scheme;
    const unsigned char *array;
    uint64_t modulus;
    uint64_t set[2 * TWO_HASH_K_MAX];
};

static void pairs_count(struct pairs_residues *residues, uint64_t modulus)
{
    uint64_t r = 0;
    residues->modulus = modulus;
    for (uint64_t i = 0; i < modulus; i++)
        residues->set[i] = 0;
    for (uint64_t x = 0; x < residues->scheme->m; x++) {
        residues->set[r] += bits_test(residues->array, x);
        r = r + 1 == modulus ? 0 : r + 1;
    }
}

/* S_modulus(c). */
static double pairs_sum(const struct pairs_residues *residues, uint64_t c)
{
    double sum = 0;
    for (uint64_t r = 0; r < residues->modulus; r++)
        sum += (double)residues->set[r] * (double)residues->set[(r + c) % residues->modulus];
    return sum;
}

/* S_g(0) from the residues mod 2g. */
static double pairs_folded(const struct pairs_residues *residues)
{
    uint64_t g = residues->modulus / 2;
    double sum = 0;
    for (uint64_t r = 0; r < g; r++) {
        double set = (double)(residues->set[r] + residues->set[r + g]);
        sum += set * set;
    }
    return sum;
}

/* How many set positions have another one c after them: what the step 0 contributes. */
static double pairs_apart(const struct pairs_residues *residues, uint64_t c)
{
    uint64_t m = residues->scheme->m, count = 0;
    for (uint64_t x = 0; x < m; x++)
        count += bits_test(residues->array, x) && bits_test(residues->array, (x + c) % m);
    return (double)count;
}

static double pairs_rate(const struct pairs_residues *residues, uint64_t g, uint64_t c)
{
    double m = (double)residues->scheme->m, weight = (double)g;
    switch (two_hash_steps(residues->scheme)) {
    case STEPS_ODD:
        if (g == residues->scheme->m)
            return pairs_apart(residues, 0) / m;
        return (pairs_folded(residues) - pairs_sum(residues, 0)) * 2 * weight / (m * m);
    case STEPS_NONZERO:
        return (weight * pairs_sum(residues, c) - pairs_apart(residues, c)) / (m * (m - 1));
    case STEPS_ANY:
        break;
    }
    return weight * pairs_sum(residues, c) / (m * m);
}

/* All pairs of one g; the residues are counted once a pair needs them. */
static void pairs_of_divisor(struct pairs_residues *residues, uint64_t g, double *pair)
{
    const struct two_hash *scheme = residues->scheme;
    bool odd = two_hash_steps(scheme) == STEPS_ODD && g < scheme->m;
    residues->modulus = 0;
    for (unsigned i = 0; i < scheme->k; i++)
        for (unsigned j = i + 1; j < scheme->k; j++) {
            if (two_hash_gcd((j - i) % scheme->m, scheme->m) != g)
                continue;
            if (!residues->modulus)
                pairs_count(residues, odd ? 2 * g : g);
            pair[i * scheme->k + j] = pairs_rate(residues, g, two_hash_cubic(scheme, j, i));
        }
}

void theory_two_hash_probes(const struct two_hash *scheme, const unsigned char *array,
                            double *single, double *pair)
{
    struct pairs_residues residues = {.scheme = scheme, .array = array};
    double fill = (double)bits_count(array, bits_bytes(scheme->m)) / (double)scheme->m;
    for (unsigned i = 0; i < scheme->k; i++)
        single[i] = fill;
    for (uint64_t g = 1; pair && g < scheme->k; g++)
        if (scheme->m % g == 0)
            pairs_of_divisor(&residues, g, pair);
}
