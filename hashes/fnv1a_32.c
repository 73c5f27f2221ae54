/* SPDX-License-Identifier: MIT
 *
 * fnv1a_32.c: FNV-1a, 32 bits.
 *
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, 1991; RFC 9923, 2025. Unseeded as published: the start
 * value here is (offset basis ^ seed), so that seed 0 is the published function. Two seeds give
 * related, not independent, functions.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define FNV1A_32_BASIS UINT32_C(2166136261)
#define FNV1A_32_PRIME UINT32_C(16777619) /* 2^24 + 2^8 + 0x93 */

HASH_INLINE struct hash_value fnv1a_32_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint32_t h = FNV1A_32_BASIS ^ hash_seed32(seed);
    size_t rest = length;
    for (; rest >= 4; rest -= 4, p += 4)
        for (uint32_t word = read32(p), i = 0; i < 4; i++, word >>= 8)
            h = (h ^ (word & 255)) * FNV1A_32_PRIME;
    for (; rest > 0; rest--)
        h = (h ^ *p++) * FNV1A_32_PRIME;
    return (struct hash_value){{h, 0}};
}

#define HASH_ONE fnv1a_32_one
#define HASH_BATCH fnv1a_32_batch
#include "hashes/batch_template.h"

const struct hash hash_fnv1a_32 = {
    .name = "fnv1a_32",
    .summary = "FNV-1a, 32 bits: xor and multiply a byte at a time",
    .source = "Fowler, Noll, Vo, 1991; RFC 9923",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0xe3cbbe91,
    .one = fnv1a_32_one,
    .batch = fnv1a_32_batch,
};
