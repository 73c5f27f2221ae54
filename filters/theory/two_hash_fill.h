/* SPDX-License-Identifier: MIT
 *
 * two_hash_fill.h: what the mean and variance of the number X of set bits are made of.
 *
 * A key with step b sets the |K_b| cells of a translate of K_b. For a distance delta <> 0 let
 *
 *     N(delta) = sum over the steps b of |{(x, y) in K_b : y - x = delta mod m}|
 *
 * Then of the T = m B keys D = sum |K_b| hit a given cell and N(delta) hit two given cells delta
 * apart. N takes few values: the distances are counted by value.
 */
#ifndef BLOOMLAB_THEORY_TWO_HASH_FILL_H
#define BLOOMLAB_THEORY_TWO_HASH_FILL_H

#include "filters/theory/two_hash.h"

struct two_hash_distances {
    uint64_t both;  /* N(delta) */
    uint64_t count; /* for that many delta, 0 < delta < m */
};

struct two_hash_fill {
    const struct two_hash *scheme;
    uint64_t hits; /* D */
    struct two_hash_distances *distances;
    size_t count, room;
    double spread; /* to be added to every N; 0 where N is exact */
};

/* One more value of N; false when memory ran out. */
bool two_hash_fill_add(struct two_hash_fill *fill, uint64_t both, uint64_t count);

/* Fill in hits, distances and spread, for one law each; k >= 1. */
bool two_hash_fill_double(struct two_hash_fill *fill);
bool two_hash_fill_enhanced(struct two_hash_fill *fill);

/* By looking at every step and every pair of its cells: m min(k, m)^2 additions. */
bool two_hash_fill_all(struct two_hash_fill *fill);

/* Without looking at every step (enhanced, m >= 4 k): O(k^2 log k) for m up to 2^48. */
bool two_hash_fill_residues(struct two_hash_fill *fill);

/* The mean and variance of X after n keys, in MPFR. */
struct moments two_hash_fill_moments(const struct two_hash_fill *fill, uint64_t n);

#endif
