/* SPDX-License-Identifier: MIT
 *
 * murmur3_x86_128.c: MurmurHash3 for 32-bit machines, 128 bits.
 *
 * Source: A. Appleby, MurmurHash3, 2011 (public domain). Four 32-bit lanes over blocks of 16 bytes;
 * its values are not those of the 64-bit variant. Keys of up to 4 bytes leave h2, h3 and h4 equal:
 * such a value carries 64 bits, not 128.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR3_C1 UINT32_C(0x239b961b)
#define MURMUR3_C2 UINT32_C(0xab0e9789)
#define MURMUR3_C3 UINT32_C(0x38b34ae5)
#define MURMUR3_C4 UINT32_C(0xa1e38b93)

HASH_INLINE uint32_t murmur3_x86_128_k1(uint32_t k)
{
    return rotate_left32(k * MURMUR3_C1, 15) * MURMUR3_C2;
}

HASH_INLINE uint32_t murmur3_x86_128_k2(uint32_t k)
{
    return rotate_left32(k * MURMUR3_C2, 16) * MURMUR3_C3;
}

HASH_INLINE uint32_t murmur3_x86_128_k3(uint32_t k)
{
    return rotate_left32(k * MURMUR3_C3, 17) * MURMUR3_C4;
}

HASH_INLINE uint32_t murmur3_x86_128_k4(uint32_t k)
{
    return rotate_left32(k * MURMUR3_C4, 18) * MURMUR3_C1;
}

HASH_INLINE void murmur3_x86_128_start(uint32_t *h, uint32_t length, uint64_t seed)
{
    (void)length;
    h[0] = h[1] = h[2] = h[3] = hash_seed32(seed);
}

HASH_INLINE void murmur3_x86_128_block(uint32_t *h, const uint32_t *word)
{
    h[0] = rotate_left32(h[0] ^ murmur3_x86_128_k1(word[0]), 19) + h[1];
    h[0] = h[0] * 5 + UINT32_C(0x561ccd1b);
    h[1] = rotate_left32(h[1] ^ murmur3_x86_128_k2(word[1]), 17) + h[2];
    h[1] = h[1] * 5 + UINT32_C(0x0bcaa747);
    h[2] = rotate_left32(h[2] ^ murmur3_x86_128_k3(word[2]), 15) + h[3];
    h[2] = h[2] * 5 + UINT32_C(0x96cd1c35);
    h[3] = rotate_left32(h[3] ^ murmur3_x86_128_k4(word[3]), 13) + h[0];
    h[3] = h[3] * 5 + UINT32_C(0x32ac3b17);
}

/* A missing word is 0, which its step leaves 0. */
HASH_INLINE void murmur3_x86_128_tail(uint32_t *h, const uint32_t *word, uint32_t length)
{
    (void)length;
    h[0] ^= murmur3_x86_128_k1(word[0]);
    h[1] ^= murmur3_x86_128_k2(word[1]);
    h[2] ^= murmur3_x86_128_k3(word[2]);
    h[3] ^= murmur3_x86_128_k4(word[3]);
}

/* Four variables: what stands in an array gcc puts into one vector, which costs a key alone 13 ns.
 */
HASH_INLINE struct hash_value murmur3_x86_128_finish(const uint32_t *h, uint32_t length)
{
    uint32_t h1 = h[0] ^ length, h2 = h[1] ^ length, h3 = h[2] ^ length, h4 = h[3] ^ length;
    h1 += h2 + h3 + h4;
    h2 = fmix32(h2 + h1);
    h3 = fmix32(h3 + h1);
    h4 = fmix32(h4 + h1);
    h1 = fmix32(h1) + h2 + h3 + h4;
    return (struct hash_value){
        {h1 | (uint64_t)(h2 + h1) << 32, (h3 + h1) | (uint64_t)(h4 + h1) << 32}};
}

#define HASH_NAME(x) murmur3_x86_128_##x
#define HASH_BITS 128
#define HASH_WORD uint32_t
#define HASH_STATE 4
#define HASH_BLOCK 4
#include "hashes/parts_template.h"

const struct hash hash_murmur3_x86_128 = {
    .name = "murmur3_x86_128",
    .summary = "MurmurHash3 for 32-bit machines, four lanes",
    .source = "Appleby, MurmurHash3, 2011",
    .bits = 128,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0xb3ece62a,
    .one = murmur3_x86_128_one,
    .batch = murmur3_x86_128_batch,
};
