/* SPDX-License-Identifier: MIT
 *
 * fnv1a_32.c: FNV-1a, 32 bits.
 *
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, 1991; RFC 9923, 2025. Unseeded as published: the start
 * value here is (offset basis ^ seed), so that seed 0 is the published function. Two seeds give
 * related, not independent, functions.
 */
#include "hashes/batch.h"
#include "hashes/hash.h"
#include "hashes/mix.h"

#define FNV1A_32_BASIS UINT32_C(2166136261)
#define FNV1A_32_PRIME UINT32_C(16777619) /* 2^24 + 2^8 + 0x93 */

HASH_INLINE uint32_t fnv1a_32_step(uint32_t h, uint32_t byte)
{
    return (h ^ byte) * FNV1A_32_PRIME;
}

HASH_INLINE void fnv1a_32_start(uint32_t *h, uint32_t length, uint64_t seed)
{
    (void)length;
    *h = FNV1A_32_BASIS ^ hash_seed32(seed);
}

/* The first `bytes` bytes of the word. */
HASH_INLINE uint32_t fnv1a_32_bytes(uint32_t h, uint32_t word, unsigned bytes)
{
    BATCH_UNROLLED
    for (unsigned i = 0; i < 4; i++)
        if (i < bytes)
            h = fnv1a_32_step(h, word >> (8 * i) & 255);
    return h;
}

HASH_INLINE void fnv1a_32_block(uint32_t *h, const uint32_t *word)
{
    *h = fnv1a_32_bytes(*h, *word, 4);
}

HASH_INLINE void fnv1a_32_tail(uint32_t *h, const uint32_t *word, uint32_t length)
{
    *h = fnv1a_32_bytes(*h, *word, length % 4);
}

HASH_INLINE struct hash_value fnv1a_32_finish(const uint32_t *h, uint32_t length)
{
    (void)length;
    return (struct hash_value){{*h, 0}};
}

#define HASH_NAME(x) fnv1a_32_##x
#define HASH_BITS 32
#define HASH_WORD uint32_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

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
