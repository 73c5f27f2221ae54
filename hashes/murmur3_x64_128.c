/* SPDX-License-Identifier: MIT
 *
 * murmur3_x64_128.c: MurmurHash3 for 64-bit machines, 128 bits.
 *
 * Source: A. Appleby, MurmurHash3, 2011 (public domain). Two 64-bit lanes over blocks of 16 bytes.
 * The published seed has 32 bits and starts both lanes.
 *
 * A surprise: with a seed equal to the length of a key of at most 8 bytes the second lane is 0 when
 * the lanes are mixed, both are then the same, and the first word is even: twice fmix64 of it.
 * Seeds counted from 0, as published schemes have them, hit that; mixed ones practically never.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR3_C1 UINT64_C(0x87c37b91114253d5)
#define MURMUR3_C2 UINT64_C(0x4cf5ad432745937f)

HASH_INLINE uint64_t murmur3_x64_128_k1(uint64_t k)
{
    return rotate_left64(k * MURMUR3_C1, 31) * MURMUR3_C2;
}

HASH_INLINE uint64_t murmur3_x64_128_k2(uint64_t k)
{
    return rotate_left64(k * MURMUR3_C2, 33) * MURMUR3_C1;
}

HASH_INLINE void murmur3_x64_128_start(uint64_t *h, uint64_t length, uint64_t seed)
{
    (void)length;
    h[0] = h[1] = hash_seed32(seed);
}

HASH_INLINE void murmur3_x64_128_block(uint64_t *h, const uint64_t *word)
{
    h[0] = rotate_left64(h[0] ^ murmur3_x64_128_k1(word[0]), 27) + h[1];
    h[0] = h[0] * 5 + 0x52dce729;
    h[1] = rotate_left64(h[1] ^ murmur3_x64_128_k2(word[1]), 31) + h[0];
    h[1] = h[1] * 5 + 0x38495ab5;
}

/* A missing word is 0, which k1 and k2 leave 0. */
HASH_INLINE void murmur3_x64_128_tail(uint64_t *h, const uint64_t *word, uint64_t length)
{
    (void)length;
    h[0] ^= murmur3_x64_128_k1(word[0]);
    h[1] ^= murmur3_x64_128_k2(word[1]);
}

HASH_INLINE struct hash_value murmur3_x64_128_finish(const uint64_t *h, uint64_t length)
{
    uint64_t h1 = h[0] ^ length, h2 = h[1] ^ length;
    h1 += h2;
    h2 += h1;
    h1 = fmix64(h1);
    h2 = fmix64(h2);
    h1 += h2;
    return (struct hash_value){{h1, h2 + h1}};
}

#define HASH_NAME(x) murmur3_x64_128_##x
#define HASH_BITS 128
#define HASH_WORD uint64_t
#define HASH_STATE 2
#define HASH_BLOCK 2
#include "hashes/parts_template.h"

const struct hash hash_murmur3_x64_128 = {
    .name = "murmur3_x64_128",
    .summary = "MurmurHash3 for 64-bit machines, two lanes; the default",
    .source = "Appleby, MurmurHash3, 2011",
    .bits = 128,
    .word_bits = 64,
    .seed_bits = 32,
    .smhasher_code = 0x6384ba69,
    .one = murmur3_x64_128_one,
    .batch = murmur3_x64_128_batch,
};
