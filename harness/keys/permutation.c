/* SPDX-License-Identifier: MIT
 *
 * permutation.c: the seeded bijections behind generated and shuffled keys.
 */
#include "harness/keys/permutation.h"

#include "hashes/mix.h"

#define SPLITMIX64_STEP UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio, made odd */

/* Counters worked on side by side: their halves fill four or more vector registers each and stay in
 * L1. One counter at a time does not vectorise well: 32 x 32 -> 64 bit products change lanes. */
enum { PERMUTATION_BLOCK = 64, SHUFFLE_BITS_SMALL = 8 };

uint64_t splitmix64(uint64_t *state)
{
    *state += SPLITMIX64_STEP;
    return mix64(*state);
}

void bijection64_init(struct bijection64 *bijection, uint64_t seed)
{
    for (unsigned round = 0; round < BIJECTION64_ROUNDS; round++)
        bijection->round_key[round] = (uint32_t)(splitmix64(&seed) >> 32);
}

static void permutation_block(const struct bijection64 *bijection, uint64_t *out, uint64_t first)
{
    uint32_t left[PERMUTATION_BLOCK], right[PERMUTATION_BLOCK];
    for (unsigned i = 0; i < PERMUTATION_BLOCK; i++) {
        left[i] = (uint32_t)((first + i) >> 32);
        right[i] = (uint32_t)(first + i);
    }
    for (unsigned round = 0; round < BIJECTION64_ROUNDS; round++) {
        uint32_t key = bijection->round_key[round];
        for (unsigned i = 0; i < PERMUTATION_BLOCK; i++) {
            uint64_t product = (uint64_t)right[i] * BIJECTION64_MULTIPLIER;
            right[i] = left[i] ^ (uint32_t)(product >> 32) ^ key;
            left[i] = (uint32_t)product;
        }
    }
    for (unsigned i = 0; i < PERMUTATION_BLOCK; i++)
        out[i] = (uint64_t)left[i] << 32 | right[i];
}

void bijection64_fill(const struct bijection64 *bijection, uint64_t *out, uint64_t first,
                      size_t count)
{
    size_t i = 0;
    for (; i + PERMUTATION_BLOCK <= count; i += PERMUTATION_BLOCK)
        permutation_block(bijection, out + i, first + i);
    for (; i < count; i++)
        out[i] = bijection64(bijection, first + i);
}

void shuffle_init(struct shuffle *shuffle, uint64_t size, uint64_t seed)
{
    unsigned bits = size > 1 ? 64 - (unsigned)__builtin_clzll(size - 1) : 0;
    shuffle->size = size;
    shuffle->left_bits = bits / 2;
    shuffle->right_bits = bits - bits / 2;
    shuffle->rounds = bits <= SHUFFLE_BITS_SMALL ? SHUFFLE_ROUNDS_SMALL : SHUFFLE_ROUNDS;
    for (unsigned round = 0; round < shuffle->rounds; round++)
        shuffle->round_key[round] = splitmix64(&seed);
}

static inline uint64_t permutation_pass(const struct shuffle *shuffle, unsigned rounds,
                                        uint64_t index)
{
    const uint64_t left_mask = (UINT64_C(1) << shuffle->left_bits) - 1;
    const uint64_t right_mask = (UINT64_C(1) << shuffle->right_bits) - 1;
    uint64_t left = index >> shuffle->right_bits, right = index & right_mask;
    for (unsigned round = 0; round < rounds; round += 2) {
        left ^= mix64(right ^ shuffle->round_key[round]) & left_mask;
        right ^= mix64(left ^ shuffle->round_key[round + 1]) & right_mask;
    }
    return left << shuffle->right_bits | right;
}

/* One pass for all, then further ones for those still outside: a branch for each index would be
 * mispredicted about as often as an index goes round again. The number of rounds is a constant of
 * the instance, so that the first pass vectorises. */
static inline __attribute__((always_inline)) void
permutation_shuffle(const struct shuffle *shuffle, uint64_t *index, size_t count, unsigned rounds)
{
    unsigned which[SHUFFLE_BLOCK];
    size_t outside = 0;
    for (size_t i = 0; i < count; i++)
        index[i] = permutation_pass(shuffle, rounds, index[i]);
    for (size_t i = 0; i < count; i++) {
        which[outside] = (unsigned)i;
        outside += index[i] >= shuffle->size;
    }
    while (outside > 0) {
        size_t left = 0;
        for (size_t j = 0; j < outside; j++) {
            unsigned i = which[j];
            index[i] = permutation_pass(shuffle, rounds, index[i]);
            which[left] = i;
            left += index[i] >= shuffle->size;
        }
        outside = left;
    }
}

void shuffle_apply(const struct shuffle *shuffle, uint64_t *index, size_t count)
{
    if (shuffle->rounds == SHUFFLE_ROUNDS)
        permutation_shuffle(shuffle, index, count, SHUFFLE_ROUNDS);
    else
        permutation_shuffle(shuffle, index, count, shuffle->rounds);
}
