/* SPDX-License-Identifier: MIT
 *
 * murmur2a.c: MurmurHash2A, 32 bits.
 *
 * Source: A. Appleby, MurmurHash2A, 2008 (public domain). MurmurHash2 in Merkle-Damgard form: the
 * tail, even an empty one, and the length go through the same step as a word.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR2A_M UINT32_C(0x5bd1e995)

HASH_INLINE uint32_t murmur2a_step(uint32_t h, uint32_t k)
{
    k *= MURMUR2A_M;
    k ^= k >> 24;
    return (h * MURMUR2A_M) ^ (k * MURMUR2A_M);
}

HASH_INLINE void murmur2a_start(uint32_t *h, uint32_t length, uint64_t seed)
{
    (void)length;
    *h = hash_seed32(seed);
}

HASH_INLINE void murmur2a_block(uint32_t *h, const uint32_t *word)
{
    *h = murmur2a_step(*h, *word);
}

HASH_INLINE void murmur2a_tail(uint32_t *h, const uint32_t *word, uint32_t length)
{
    (void)length;
    *h = murmur2a_step(*h, *word);
}

HASH_INLINE struct hash_value murmur2a_finish(const uint32_t *h, uint32_t length)
{
    uint32_t x = murmur2a_step(*h, length);
    x = (x ^ (x >> 13)) * MURMUR2A_M;
    return (struct hash_value){{x ^ (x >> 15), 0}};
}

#define HASH_NAME(x) murmur2a_##x
#define HASH_BITS 32
#define HASH_WORD uint32_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

const struct hash hash_murmur2a = {
    .name = "murmur2a",
    .summary = "MurmurHash2A, 32 bits: the length is mixed in last",
    .source = "Appleby, MurmurHash2A, 2008",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0x7fbd4396,
    .one = murmur2a_one,
    .batch = murmur2a_batch,
};
