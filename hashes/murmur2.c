/* SPDX-License-Identifier: MIT
 *
 * murmur2.c: MurmurHash2, 32 bits.
 *
 * Source: A. Appleby, MurmurHash2, 2008 (public domain). The length goes into the seed, so that an
 * empty key with seed 0 gives 0 and prefixes are told apart.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR2_M UINT32_C(0x5bd1e995)

HASH_INLINE void murmur2_start(uint32_t *h, uint32_t length, uint64_t seed)
{
    *h = hash_seed32(seed) ^ length;
}

HASH_INLINE void murmur2_block(uint32_t *h, const uint32_t *word)
{
    uint32_t k = *word * MURMUR2_M;
    k ^= k >> 24;
    *h = (*h * MURMUR2_M) ^ (k * MURMUR2_M);
}

HASH_INLINE void murmur2_tail(uint32_t *h, const uint32_t *word, uint32_t length)
{
    if (length % 4)
        *h = (*h ^ *word) * MURMUR2_M;
}

HASH_INLINE struct hash_value murmur2_finish(const uint32_t *h, uint32_t length)
{
    (void)length;
    uint32_t x = (*h ^ (*h >> 13)) * MURMUR2_M;
    return (struct hash_value){{x ^ (x >> 15), 0}};
}

#define HASH_NAME(x) murmur2_##x
#define HASH_BITS 32
#define HASH_WORD uint32_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

const struct hash hash_murmur2 = {
    .name = "murmur2",
    .summary = "MurmurHash2, 32 bits: the function of the classic salted scheme",
    .source = "Appleby, MurmurHash2, 2008",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0x27864c1e,
    .one = murmur2_one,
    .batch = murmur2_batch,
};
