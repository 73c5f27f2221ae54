/* SPDX-License-Identifier: MIT
 *
 * fnv1a_64.c: FNV-1a, 64 bits.
 *
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, 1991; RFC 9923. Unseeded as published: the start value
 * here is (offset basis ^ seed), so that seed 0 is the published function. Two seeds give related,
 * not independent, functions.
 */
#include "hashes/batch.h"
#include "hashes/hash.h"
#include "hashes/mix.h"

#define FNV1A_64_BASIS UINT64_C(14695981039346656037)
#define FNV1A_64_PRIME UINT64_C(1099511628211) /* 2^40 + 2^8 + 0xb3 */

HASH_INLINE uint64_t fnv1a_64_step(uint64_t h, uint64_t byte)
{
    return (h ^ byte) * FNV1A_64_PRIME;
}

HASH_INLINE void fnv1a_64_start(uint64_t *h, uint64_t length, uint64_t seed)
{
    (void)length;
    *h = FNV1A_64_BASIS ^ seed;
}

/* The first `bytes` bytes of the word. */
HASH_INLINE uint64_t fnv1a_64_bytes(uint64_t h, uint64_t word, unsigned bytes)
{
    BATCH_UNROLLED
    for (unsigned i = 0; i < 8; i++)
        if (i < bytes)
            h = fnv1a_64_step(h, word >> (8 * i) & 255);
    return h;
}

HASH_INLINE void fnv1a_64_block(uint64_t *h, const uint64_t *word)
{
    *h = fnv1a_64_bytes(*h, *word, 8);
}

HASH_INLINE void fnv1a_64_tail(uint64_t *h, const uint64_t *word, uint64_t length)
{
    *h = fnv1a_64_bytes(*h, *word, length % 8);
}

HASH_INLINE struct hash_value fnv1a_64_finish(const uint64_t *h, uint64_t length)
{
    (void)length;
    return (struct hash_value){{*h, 0}};
}

#define HASH_NAME(x) fnv1a_64_##x
#define HASH_BITS 64
#define HASH_WORD uint64_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

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
