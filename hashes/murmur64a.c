/* SPDX-License-Identifier: MIT
 *
 * murmur64a.c: MurmurHash64A, 64 bits: MurmurHash2 for 64-bit machines.
 *
 * Source: A. Appleby, MurmurHash64A, 2008 (public domain). The tail is xored in unmixed.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR64A_M UINT64_C(0xc6a4a7935bd1e995)

HASH_INLINE void murmur64a_start(uint64_t *h, uint64_t length, uint64_t seed)
{
    *h = seed ^ (length * MURMUR64A_M);
}

HASH_INLINE void murmur64a_block(uint64_t *h, const uint64_t *word)
{
    uint64_t k = *word * MURMUR64A_M;
    k ^= k >> 47;
    *h = (*h ^ (k * MURMUR64A_M)) * MURMUR64A_M;
}

HASH_INLINE void murmur64a_tail(uint64_t *h, const uint64_t *word, uint64_t length)
{
    if (length % 8)
        *h = (*h ^ *word) * MURMUR64A_M;
}

HASH_INLINE struct hash_value murmur64a_finish(const uint64_t *h, uint64_t length)
{
    (void)length;
    uint64_t x = (*h ^ (*h >> 47)) * MURMUR64A_M;
    return (struct hash_value){{x ^ (x >> 47), 0}};
}

#define HASH_NAME(x) murmur64a_##x
#define HASH_BITS 64
#define HASH_WORD uint64_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

const struct hash hash_murmur64a = {
    .name = "murmur64a",
    .summary = "MurmurHash64A: MurmurHash2 over 64-bit words",
    .source = "Appleby, MurmurHash64A, 2008",
    .bits = 64,
    .word_bits = 64,
    .seed_bits = 64,
    .smhasher_code = 0x1f0d3804,
    .one = murmur64a_one,
    .batch = murmur64a_batch,
};
