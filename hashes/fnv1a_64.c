/* SPDX-License-Identifier: MIT
 *
 * fnv1a_64.c: FNV-1a, 64 bits.
 *
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, 1991; RFC 9923. Unseeded as published: the start value
 * here is (offset basis ^ seed), so that seed 0 is the published function. Two seeds give related,
 * not independent, functions.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define FNV1A_64_BASIS UINT64_C(14695981039346656037)
#define FNV1A_64_PRIME UINT64_C(1099511628211) /* 2^40 + 2^8 + 0xb3 */

HASH_INLINE struct hash_value fnv1a_64_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint64_t h = FNV1A_64_BASIS ^ seed;
    size_t rest = length;
    for (; rest >= 4; rest -= 4, p += 4)
        for (uint32_t word = read32(p), i = 0; i < 4; i++, word >>= 8)
            h = (h ^ (word & 255)) * FNV1A_64_PRIME;
    for (; rest > 0; rest--)
        h = (h ^ *p++) * FNV1A_64_PRIME;
    return (struct hash_value){{h, 0}};
}

#define HASH_ONE fnv1a_64_one
#define HASH_BATCH fnv1a_64_batch
#include "hashes/batch_template.h"

const struct hash hash_fnv1a_64 = {
    .name = "fnv1a_64",
    .summary = "FNV-1a, 64 bits: xor and multiply a byte at a time",
    .source = "Fowler, Noll, Vo, 1991; RFC 9923",
    .bits = 64,
    .word_bits = 64,
    .seed_bits = 64,
    .smhasher_code = 0x103455fc,
    .one = fnv1a_64_one,
    .batch = fnv1a_64_batch,
};
