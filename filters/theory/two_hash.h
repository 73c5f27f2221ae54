/* SPDX-License-Identifier: MIT
 *
 * two_hash.h: what the files two_hash_*.c share; outside of them double_hashing.h is the interface.
 *
 * The positions of a key (a, b) are a + offset_i(b) mod m. "Step" is b; the steps of a scheme are
 * the values b can take, each with the same probability. Two keys with the same step are translates
 * of each other, so everything is said for a = 0.
 */
#ifndef BLOOMLAB_THEORY_TWO_HASH_H
#define BLOOMLAB_THEORY_TWO_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/double_hashing.h"

__extension__ typedef unsigned __int128 two_hash_wide;

enum { TWO_HASH_EXACT_K_MAX = 20, TWO_HASH_K_MAX = 256 };

enum two_hash_steps { STEPS_ANY, STEPS_ODD, STEPS_NONZERO };

/* Which steps a scheme really has: `odd` counts only when m is a power of two (as in the filter),
 * and m = 1 leaves the step 0 alone. */
enum two_hash_steps two_hash_steps(const struct two_hash *scheme);

/* How many steps there are: m, m/2 or m - 1. */
uint64_t two_hash_step_count(const struct two_hash *scheme);
bool two_hash_step_allowed(const struct two_hash *scheme, uint64_t step);

/* offset_i(step) mod m; i < TWO_HASH_K_MAX, step < m <= 2^48. */
static inline uint64_t two_hash_offset(const struct two_hash *scheme, uint64_t step, unsigned i)
{
    uint64_t wide = (uint64_t)i * i * i - i, cubic = scheme->law == LAW_ENHANCED ? wide / 6 : 0;
    return (i * step + cubic) % scheme->m;
}

/* The distinct positions of (0, step) in order of their first appearance: at most k. */
unsigned two_hash_cells(const struct two_hash *scheme, uint64_t step, uint64_t *cell);

/* offset_i(0) - offset_h(0) mod m: what the cubic term puts between positions i and h. */
static inline uint64_t two_hash_cubic(const struct two_hash *scheme, unsigned i, unsigned h)
{
    uint64_t m = scheme->m;
    return (two_hash_offset(scheme, 0, i) + m - two_hash_offset(scheme, 0, h)) % m;
}

/* The steps at which two positions of a key meet, sorted, one entry for each pair that does: all
 * others give k cells. In memory from malloc, NULL when there is none. */
uint64_t *two_hash_meetings(size_t *count, const struct two_hash *scheme);

/* For qsort: uint64_t in increasing order. */
int two_hash_compare(const void *a, const void *b);

/* ---- random numbers ------------------------------------------------------------------------- */

/* Uniform on [0, range), range <= 2^48, with a bias below 2^-16: SplitMix64 (Steele, Lea, Flood,
 * OOPSLA 2014), so the t-th number is a function of the first state and t. */
static inline uint64_t two_hash_draw(uint64_t *state, uint64_t range)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint64_t)(((two_hash_wide)(x ^ (x >> 31)) * range) >> 64);
}

/* Each use has a stream of its own: were filters filled from the stream that the sample of steps
 * comes from, the sample would hit upon the steps of the members. */
enum two_hash_use { USE_FILTERS = 1, USE_STEPS, USE_QUERIES, USE_ARRANGEMENT };

static inline uint64_t two_hash_stream(const struct two_hash *scheme, enum two_hash_use use)
{
    uint64_t state = (uint64_t)use << 56 | (scheme->m ^ (uint64_t)scheme->k << 47);
    return two_hash_draw(&state, UINT64_C(1) << 48) << 16;
}

/* A uniform step of the scheme. */
uint64_t two_hash_draw_step(uint64_t *state, const struct two_hash *scheme);

/* ---- arithmetic mod m ---------------------------------------------------------------------- */

uint64_t two_hash_gcd(uint64_t a, uint64_t b);

/* x with x a = 1 mod m; gcd(a, m) = 1, m < 2^63. 0 when m = 1. */
uint64_t two_hash_inverse(uint64_t a, uint64_t m);
uint64_t two_hash_totient(uint64_t x);

/* The divisors of m in increasing order, in memory from malloc; NULL when there is none. O(sqrt m).
 */
uint64_t *two_hash_divisors(size_t *count, uint64_t m);

/* The totients of all divisors of a number, given in increasing order: no factoring. */
void two_hash_totients(uint64_t *totient, const uint64_t *divisor, size_t count);

/* The congruence d x = c mod m, prepared for one d: the solutions are first + t * spacing,
 * t = 0 .. divisor - 1, with spacing = m / divisor, when divisor = gcd(d, m) divides c. */
struct two_hash_congruence {
    uint64_t divisor, spacing, inverse;
};

struct two_hash_congruence two_hash_congruence(uint64_t d, uint64_t m);

/* Is there a solution for c < m, and which is the first? */
static inline bool two_hash_solve(const struct two_hash_congruence *congruence, uint64_t c,
                                  uint64_t *first)
{
    if (c % congruence->divisor != 0)
        return false;
    two_hash_wide product = (two_hash_wide)(c / congruence->divisor) * congruence->inverse;
    *first = (uint64_t)(product % congruence->spacing);
    return true;
}

#endif
