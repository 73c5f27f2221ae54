/* SPDX-License-Identifier: MIT
 *
 * two_hash_fill_enhanced.c: which distances between cells enhanced double hashing produces, and how
 * often (two_hash_fill.h).
 *
 * Positions i > h of a key are e b + c apart, e = i - h, c = (i^3 - i - h^3 + h)/6. If all k
 * positions of every key were distinct, N(delta) would be
 *
 *     N0(delta) = sum over i > h of |{b : e b + c = delta}| + |{b : e b + c = -delta}|
 *
 * where the number of solutions is gcd(e, m) if that divides delta - c, else 0 (odd steps: if it
 * divides delta - c with an odd quotient). So N0 depends on delta modulo a number M made of the
 * gcd(e, m). Keys with meeting positions have O(k^2) steps; those are found and D and the sum of N
 * over all distances set right exactly, but what they change in N is spread evenly over the
 * distances, as are divisors beyond M <= 2^16. That leaves the mean exact, and the variance exact
 * up to terms of second order in N - mean N.
 */
#include "filters/theory/two_hash_fill.h"

#include <stdlib.h>
#include <string.h>

enum { FILL_MODULUS_MAX = 1 << 16, FILL_ALL_MAX = 1 << 24 };

/* Counts the values both[0 .. length), each standing for `each` distances. Sorts them. */
static bool two_hash_fill_count(struct two_hash_fill *fill, uint64_t *both, uint64_t length,
                                uint64_t each)
{
    qsort(both, length, sizeof *both, two_hash_compare);
    for (uint64_t i = 0, same; i < length; i += same) {
        for (same = 1; i + same < length && both[i + same] == both[i];)
            same++;
        if (!two_hash_fill_add(fill, both[i], same * each))
            return false;
    }
    return true;
}

bool two_hash_fill_all(struct two_hash_fill *fill)
{
    const struct two_hash *scheme = fill->scheme;
    uint64_t m = scheme->m, cell[TWO_HASH_K_MAX], *both = calloc(m, sizeof *both);
    if (!both)
        return false;
    fill->hits = 0;
    for (uint64_t step = 0; step < m; step++) {
        if (!two_hash_step_allowed(scheme, step))
            continue;
        unsigned cells = two_hash_cells(scheme, step, cell);
        fill->hits += cells;
        for (unsigned i = 1; i < cells; i++)
            for (unsigned h = 0; h < i; h++) {
                uint64_t delta = cell[i] < cell[h] ? cell[h] - cell[i] : cell[i] - cell[h];
                both[delta]++;
                both[m - delta]++;
            }
    }
    bool enough = two_hash_fill_count(fill, both + 1, m - 1, 1);
    free(both);
    return enough;
}

/* ---- without looking at every step ---------------------------------------------------------- */

/* How many cells, and ordered pairs of different cells, the keys of steps with meetings lack. */
static bool two_hash_fill_lack(const struct two_hash *scheme, uint64_t *cells, uint64_t *pairs)
{
    size_t count;
    uint64_t k = scheme->k, cell[TWO_HASH_K_MAX];
    uint64_t *meeting = two_hash_meetings(&count, scheme);
    *cells = *pairs = 0;
    for (size_t i = 0, next; meeting && i < count; i = next) {
        for (next = i + 1; next < count && meeting[next] == meeting[i];)
            next++;
        uint64_t left = next == i + 1 ? k - 1 : two_hash_cells(scheme, meeting[i], cell);
        *cells += k - left;
        *pairs += k * (k - 1) - left * (left - 1);
    }
    free(meeting);
    return meeting != NULL;
}

/* Adds to both[0 .. modulus) what position pairs with this divisor = gcd(e, m) contribute. */
static void two_hash_fill_divisor(uint64_t *both, uint64_t modulus, const struct two_hash *scheme,
                                  uint64_t divisor)
{
    bool odd = two_hash_steps(scheme) == STEPS_ODD;
    uint64_t period = odd ? 2 * divisor : divisor, times[2 * TWO_HASH_K_MAX] = {0};
    for (unsigned e = 1; e < scheme->k; e++) {
        if (two_hash_gcd(e, scheme->m) != divisor)
            continue;
        for (unsigned h = 0; h + e < scheme->k; h++) {
            uint64_t apart = two_hash_cubic(scheme, h + e, h) + (odd ? divisor : 0);
            times[apart % period]++;
            times[(period - apart % period) % period]++;
        }
    }
    for (uint64_t delta = 0; delta < modulus; delta++)
        both[delta] += divisor * times[delta % period];
}

/* N0 by residue, on top of `everywhere`, the share of divisors that do not fit the modulus. */
static bool two_hash_fill_by_residue(struct two_hash_fill *fill, uint64_t modulus,
                                     uint64_t everywhere, const uint64_t *divisor,
                                     unsigned divisors)
{
    uint64_t m = fill->scheme->m, *both = calloc(modulus, sizeof *both);
    if (!both)
        return false;
    for (unsigned i = 0; i < divisors; i++)
        two_hash_fill_divisor(both, modulus, fill->scheme, divisor[i]);
    for (uint64_t delta = 0; delta < modulus; delta++)
        both[delta] += everywhere;
    uint64_t none = both[0]; /* N0(0), which is no distance */
    bool enough = two_hash_fill_count(fill, both, modulus, m / modulus) &&
                  two_hash_fill_add(fill, none, UINT64_MAX);
    free(both);
    fill->spread = (double)none;
    return enough;
}

bool two_hash_fill_residues(struct two_hash_fill *fill)
{
    const struct two_hash *scheme = fill->scheme;
    uint64_t divisor[TWO_HASH_K_MAX], lack_cells, lack_pairs, everywhere = 0;
    uint64_t modulus = two_hash_steps(scheme) == STEPS_ODD ? 2 : 1;
    unsigned divisors = 0;
    for (unsigned g = 1; g < scheme->k; g++) {
        uint64_t pairs = 0;
        for (unsigned e = g; e < scheme->k; e += g)
            if (two_hash_gcd(e, scheme->m) == g)
                pairs += scheme->k - e;
        uint64_t period = two_hash_steps(scheme) == STEPS_ODD ? 2 * (uint64_t)g : g;
        uint64_t larger = modulus / two_hash_gcd(modulus, period) * period;
        if (pairs && larger <= FILL_MODULUS_MAX) {
            modulus = larger;
            divisor[divisors++] = g;
        } else {
            everywhere += 2 * pairs;
        }
    }
    if (!two_hash_fill_by_residue(fill, modulus, everywhere, divisor, divisors) ||
        !two_hash_fill_lack(scheme, &lack_cells, &lack_pairs))
        return false;
    fill->hits = scheme->k * two_hash_step_count(scheme) - lack_cells;
    if (two_hash_steps(scheme) == STEPS_NONZERO) /* N0 counts the step 0 */
        fill->spread -= (double)(scheme->k * (scheme->k - 1));
    fill->spread = (fill->spread - (double)lack_pairs) / (double)(scheme->m - 1);
    return true;
}

bool two_hash_fill_enhanced(struct two_hash_fill *fill)
{
    uint64_t m = fill->scheme->m, cells = fill->scheme->k < m ? fill->scheme->k : m;
    if (m <= 8 * cells || m * cells * cells <= FILL_ALL_MAX)
        return two_hash_fill_all(fill);
    return two_hash_fill_residues(fill);
}
