/* SPDX-License-Identifier: MIT
 *
 * deletion.h: what clearing the bits of a key costs the other keys of a plain array of bits.
 *
 * Everything follows from one probability: overlap(x), that a key shares a position with at least
 * one of x other keys. Of n keys r are removed: each of the n - r others is lost with probability
 * overlap(r); a removal alone loses some other key with probability overlap(n - 1), and n times
 * that many keys are harmful. x is a double, since it may be a product; it is whole and >= 0.
 * Schemes differ in where a key's positions are; digests are ideal. m, k >= 1, k <= 256.
 */
#ifndef BLOOMLAB_THEORY_DELETION_H
#define BLOOMLAB_THEORY_DELETION_H

#include <stdint.h>

enum {
    OVERLAP_K_MAX = 256,       /* probes: filter.h's bound */
    OVERLAP_ODD_MAX = 1 << 20, /* positions up to which all odd steps are looked at */
};

/* k independent positions, which may repeat; k distinct ones. */
double theory_overlap_independent(uint64_t m, unsigned k, double others);
double theory_overlap_distinct(uint64_t m, unsigned k, double others);

/* a, a + b, ..., a + (k - 1) b modulo m = 2^j, b odd. The maps x -> c x + d, c odd, carry every
 * such key to every other, so that overlaps with different keys are independent; the probability
 * of one is counted over all b. NaN: m is no power of two, or greater than OVERLAP_ODD_MAX. */
double theory_overlap_odd_step(uint64_t m, unsigned k, double others);

/* One position in each of k slices of `slice` positions. */
double theory_overlap_partitioned(uint64_t slice, unsigned k, double others);

/* k independent positions within one of `blocks` blocks; one position in each of `words` words of
 * one of them. */
double theory_overlap_blocked(unsigned block_bits, uint64_t blocks, unsigned k, double others);
double theory_overlap_split_block(unsigned word_bits, unsigned words, uint64_t blocks,
                                  double others);

#endif
