/* SPDX-License-Identifier: MIT
 *
 * reduce.h: a digest of w bits becomes a number in [0, range).
 *
 *   mod             digest mod range: what most libraries do; biased unless range divides 2^w
 *   mask            digest & (range - 1): range must be a power of two
 *   multiply_shift  floor(digest * range / 2^w): Lemire, "Fast Random Integer Generation in an
 *                   Interval", TOMACS 29(1), 2019; as biased as mod, but evenly over the range
 *
 * The kind is an argument of its own so that a loop instantiated for one kind carries no branch.
 */
#ifndef BLOOMLAB_REDUCE_H
#define BLOOMLAB_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"

enum reduction { REDUCE_MOD, REDUCE_MASK, REDUCE_MULTIPLY_SHIFT };
enum { REDUCTION_COUNT = REDUCE_MULTIPLY_SHIFT + 1 };

__extension__ typedef unsigned __int128 uint128;

struct reducer {
    enum reduction kind;
    unsigned shift;   /* 64 - w: moves a digest to the top of 64 bits for multiply_shift */
    uint64_t range;   /* 1 .. 2^63 */
    uint64_t inverse; /* floor((2^64 - 1) / range), for mod without a division */
};

const char *reduction_name(enum reduction kind);
bool reduction_find(const char *name, enum reduction *kind);

/* digest_bits 1 .. 64. E_IMPOSSIBLE: mask with a range that is no power of two. `what` names the
 * range in the sentence ("m", "the slice", "the number of blocks"). */
enum status reducer_init(struct reducer *reducer, enum reduction kind, uint64_t range,
                         unsigned digest_bits, const char *what, struct error *err);

static inline uint64_t multiply_high(uint64_t a, uint64_t b)
{
    return (uint64_t)(((uint128)a * b) >> 64);
}

/* Barrett's reduction: the quotient from the inverse is the true one or one too small. */
static inline uint64_t reduce_mod(const struct reducer *r, uint64_t digest)
{
    uint64_t rest = digest - multiply_high(digest, r->inverse) * r->range;
    return rest >= r->range ? rest - r->range : rest;
}

static inline __attribute__((always_inline)) uint64_t
reduce_as(enum reduction kind, const struct reducer *r, uint64_t digest)
{
    switch (kind) {
    case REDUCE_MASK:
        return digest & (r->range - 1);
    case REDUCE_MULTIPLY_SHIFT:
        return multiply_high(digest << r->shift, r->range);
    case REDUCE_MOD:
        break;
    }
    return reduce_mod(r, digest);
}

static inline uint64_t reduce(const struct reducer *r, uint64_t digest)
{
    return reduce_as(r->kind, r, digest);
}

/* out[i] = (reduce(digest[i]) << shift) + first, i < count, shift 0 .. 31; out may be digest. Takes
 * the widest path of the machine (path.h). */
void reduce_batch(const struct reducer *r, uint64_t *out, const uint64_t *digest, size_t count,
                  unsigned shift, uint64_t first);

#endif
