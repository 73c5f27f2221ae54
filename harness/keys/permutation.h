/* SPDX-License-Identifier: MIT
 *
 * permutation.h: seeded bijections: a counter becomes a number that looks random and never repeats.
 *
 *   bijection64  on all 64-bit numbers: ten rounds of Philox-2x32 (Salmon, Moraes, Dror, Shaw,
 *                "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011). One round multiplies one
 *                half by an odd constant: the low half of the product is a bijection of that half,
 *                the high half is added to the other, a Feistel step. The published key schedule
 *                takes 32 bits and counts on by a Weyl sequence; two of some 10^5 trials would then
 *                share all their keys. Here the ten round keys are drawn from a 64-bit seed by
 *                SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
 *
 *   shuffle      on [0, size): an alternating Feistel network on ceil(log2 size) bits (Luby &
 * Rackoff, SIAM J. Comput. 17(2), 1988) whose round function is SplitMix64's mixer; a result of
 *                size or more is sent through again (cycle walking: Black & Rogaway, CT-RSA 2002),
 * at most once more on average. Eight rounds; 32 up to 256 things, where halves of so few bits mix
 * slowly: over 720000 seeds the orders of 5 things differ from uniform by 3800 standard errors of
 * chi-squared after 8 rounds, by 45 after 16, by 1 after 24.
 *
 * Neither is a hash function that bloomlab puts to the test.
 */
#ifndef BLOOMLAB_PERMUTATION_H
#define BLOOMLAB_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

enum { BIJECTION64_ROUNDS = 10, SHUFFLE_ROUNDS = 8, SHUFFLE_ROUNDS_SMALL = 32 };

#define BIJECTION64_MULTIPLIER UINT32_C(0xd256d193) /* Salmon et al. 2011, Philox-2x32 */

struct bijection64 {
    uint32_t round_key[BIJECTION64_ROUNDS];
};

struct shuffle {
    uint64_t size;                  /* of the domain, >= 1 */
    unsigned left_bits, right_bits; /* 0..32 each, at most one apart */
    unsigned rounds;
    uint64_t round_key[SHUFFLE_ROUNDS_SMALL];
};

/* The output of SplitMix64 in state *state, which moves on: how seeds are drawn from seeds. */
uint64_t splitmix64(uint64_t *state);

void bijection64_init(struct bijection64 *bijection, uint64_t seed);

static inline uint64_t bijection64(const struct bijection64 *bijection, uint64_t counter)
{
    uint32_t left = (uint32_t)(counter >> 32), right = (uint32_t)counter;
    for (unsigned round = 0; round < BIJECTION64_ROUNDS; round++) {
        uint64_t product = (uint64_t)right * BIJECTION64_MULTIPLIER;
        right = left ^ (uint32_t)(product >> 32) ^ bijection->round_key[round];
        left = (uint32_t)product;
    }
    return (uint64_t)left << 32 | right;
}

/* out[i] = the image of first + i, for i in [0, count). */
void bijection64_fill(const struct bijection64 *bijection, uint64_t *out, uint64_t first,
                      size_t count);

/* size >= 1 */
void shuffle_init(struct shuffle *shuffle, uint64_t size, uint64_t seed);

/* Replaces index[0 .. count), each below size, by their images. count <= SHUFFLE_BLOCK */
enum { SHUFFLE_BLOCK = 256 };
void shuffle_apply(const struct shuffle *shuffle, uint64_t *index, size_t count);

#endif
