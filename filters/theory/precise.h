/* SPDX-License-Identifier: MIT
 *
 * precise.h: alternating sums in MPFR, with as many bits as they need. Internal to filters/theory.
 *
 * All exact rates here have one shape. Let miss[s] be the probability that s given cells stay
 * empty: the probability that j given cells are all set is the j-th difference
 *
 *     hit[j] = sum_{s <= j} (-1)^s C(j, s) miss[s],
 *
 * which differencing finds in place with subtractions only. miss[s] is in [0, 1] and right to its
 * last bit or two, so hit[j] is wrong by less than 2^(j + 3 - bits), absolutely: the cancellation
 * is known beforehand. precise_value() therefore evaluates, looks at the exponent of what came out,
 * and takes more bits when fewer than 70 of them can be trusted (Ziv's strategy). At most about
 * 1150 bits beyond the cancellation are ever needed: what is smaller is 0 in a double.
 *
 * A query whose k probes may repeat touches j distinct cells with probability weight[j] (occupancy
 * of k throws): a recursion of positive terms without cancellation, and the mean of hit[j] over it
 * loses no more.
 */
#ifndef BLOOMLAB_THEORY_PRECISE_H
#define BLOOMLAB_THEORY_PRECISE_H

#include <mpfr.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/model.h"

enum {
    PRECISE_EXTRA = 72,   /* more bits for a base that is raised to a 64-bit power */
    PRECISE_TRUSTED = 70, /* bits of a result that must be right */
};

/* Evaluates into out with `bits` bits; wrong by less than 2^(cancelled - bits), absolutely. */
typedef void precise_function(mpfr_t out, const void *arguments, mpfr_prec_t bits);

/* The value, right to 70 bits before it is rounded to a double; 0 when it is below 2^-1150 (then,
 * and only then, what came out may be noise around 0). about_log2: a first guess of log2(value); a
 * bad one costs time only. */
double precise_value(precise_function *function, const void *arguments, unsigned cancelled,
                     double about_log2);

/* Frees what MPFR remembers for the calling thread (constants, spare numbers): it would be lost
 * with a thread that ends. precise_value() and all that is public in this room do so before they
 * return. */
void precise_forget(void);

/* Memory as MPFR takes it for itself: through GMP's allocator, which never answers NULL. */
void *precise_allocate(size_t size);
void precise_release(void *memory, size_t size);

/* count numbers of `bits` bits. */
mpfr_t *precise_new(unsigned count, mpfr_prec_t bits);
void precise_free(mpfr_t *x, unsigned count);

/* x := numerator / denominator. */
void precise_ratio(mpfr_t x, uint64_t numerator, uint64_t denominator);

/* miss: P(k distinct uniform cells of m avoid s given ones), C(m - s, k)/C(m, k); becomes that for
 * s + 1 cells. s < m. */
void precise_miss_distinct_next(mpfr_t miss, uint64_t m, unsigned k, unsigned s);

/* miss[0 .. count) becomes hit[0 .. count). */
void precise_differences(mpfr_t *x, unsigned count);

/* weight[j], j = 0 .. min(throws, cells): P(throws touch exactly j of the cells). */
void precise_weights(mpfr_t *weight, unsigned throws, uint64_t cells);

/* out := sum_j weight[j] hit[j], j < count. */
void precise_dot(mpfr_t out, mpfr_t *weight, mpfr_t *hit, unsigned count);

/* out := E[(X/cells)^power], X = occupied of `cells` cells after `throws` throws; wrong by less
 * than 2^(power + 4 - bits). */
void precise_power_moment(mpfr_t out, uint64_t cells, uint64_t throws, unsigned power,
                          mpfr_prec_t bits);

/* out := (1 - (1 - miss) / blocks)^keys: each key comes to the block with probability 1/blocks.
 * miss has PRECISE_EXTRA bits more than out. */
void precise_binomial(mpfr_t out, const mpfr_t miss, uint64_t blocks, uint64_t keys);

/* ---- fill ---------------------------------------------------------------------------------- */

enum { PRECISE_CLASSES = 3 };

/* How a scheme fills: P(a key misses one cell), and P(it misses both of an ordered pair of
 * different cells), for each class of pairs: count[c][0] * count[c][1] of them. */
struct precise_fill {
    uint64_t cells, keys;
    unsigned classes;
    uint64_t count[PRECISE_CLASSES][2];
    void (*miss)(mpfr_t one, mpfr_t *two, const void *arguments);
    const void *arguments;
};

/* Mean and variance of the number of cells set. */
struct moments precise_fill(const struct precise_fill *law);

#endif
