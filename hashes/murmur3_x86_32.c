/* SPDX-License-Identifier: MIT
 *
 * murmur3_x86_32.c: MurmurHash3, 32 bits.
 *
 * Source: A. Appleby, MurmurHash3, 2011 (public domain). Pairs of keys are known that collide under
 * every seed: Aumasson & Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

HASH_INLINE uint32_t murmur3_x86_32_word(uint32_t k)
{
    return rotate_left32(k * UINT32_C(0xcc9e2d51), 15) * UINT32_C(0x1b873593);
}

HASH_INLINE void murmur3_x86_32_start(uint32_t *h, uint32_t length, uint64_t seed)
{
    (void)length;
    *h = hash_seed32(seed);
}

HASH_INLINE void murmur3_x86_32_block(uint32_t *h, const uint32_t *word)
{
    *h = rotate_left32(*h ^ murmur3_x86_32_word(*word), 13) * 5 + UINT32_C(0xe6546b64);
}

HASH_INLINE void murmur3_x86_32_tail(uint32_t *h, const uint32_t *word, uint32_t length)
{
    (void)length;
    *h ^= murmur3_x86_32_word(*word); /* 0 when nothing is left */
}

HASH_INLINE struct hash_value murmur3_x86_32_finish(const uint32_t *h, uint32_t length)
{
    return (struct hash_value){{fmix32(*h ^ length), 0}};
}

#define HASH_NAME(x) murmur3_x86_32_##x
#define HASH_BITS 32
#define HASH_WORD uint32_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

const struct hash hash_murmur3_x86_32 = {
    .name = "murmur3_x86_32",
    .summary = "MurmurHash3, 32 bits: the one most Bloom filter libraries call murmur",
    .source = "Appleby, MurmurHash3, 2011",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0xb0f57ee3,
    .one = murmur3_x86_32_one,
    .batch = murmur3_x86_32_batch,
};
