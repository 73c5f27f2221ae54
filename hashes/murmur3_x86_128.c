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

HASH_INLINE void murmur3_x86_128_block(uint32_t h[4], const unsigned char *p)
{
    h[0] = rotate_left32(h[0] ^ murmur3_x86_128_k1(read32(p)), 19) + h[1];
    h[0] = h[0] * 5 + UINT32_C(0x561ccd1b);
    h[1] = rotate_left32(h[1] ^ murmur3_x86_128_k2(read32(p + 4)), 17) + h[2];
    h[1] = h[1] * 5 + UINT32_C(0x0bcaa747);
    h[2] = rotate_left32(h[2] ^ murmur3_x86_128_k3(read32(p + 8)), 15) + h[3];
    h[2] = h[2] * 5 + UINT32_C(0x96cd1c35);
    h[3] = rotate_left32(h[3] ^ murmur3_x86_128_k4(read32(p + 12)), 13) + h[0];
    h[3] = h[3] * 5 + UINT32_C(0x32ac3b17);
}

/* The last 0 .. 15 bytes. A missing lane is 0, which its step leaves 0. */
HASH_INLINE void murmur3_x86_128_tail(uint32_t h[4], const unsigned char *p, size_t rest)
{
    uint64_t low = read_partial(p, rest < 8 ? rest : 8);
    uint64_t high = rest > 8 ? read_partial(p + 8, rest - 8) : 0;
    h[0] ^= murmur3_x86_128_k1((uint32_t)low);
    h[1] ^= murmur3_x86_128_k2((uint32_t)(low >> 32));
    h[2] ^= murmur3_x86_128_k3((uint32_t)high);
    h[3] ^= murmur3_x86_128_k4((uint32_t)(high >> 32));
}

HASH_INLINE void murmur3_x86_128_spread(uint32_t h[4])
{
    h[0] += h[1] + h[2] + h[3];
    h[1] += h[0];
    h[2] += h[0];
    h[3] += h[0];
}

HASH_INLINE struct hash_value murmur3_x86_128_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    const uint32_t start = hash_seed32(seed);
    uint32_t h[4] = {start, start, start, start};
    size_t rest = length;
    for (; rest >= 16; rest -= 16, p += 16)
        murmur3_x86_128_block(h, p);
    murmur3_x86_128_tail(h, p, rest);

    for (int i = 0; i < 4; i++)
        h[i] ^= (uint32_t)length;
    murmur3_x86_128_spread(h);
    for (int i = 0; i < 4; i++)
        h[i] = fmix32(h[i]);
    murmur3_x86_128_spread(h);
    return (struct hash_value){{h[0] | (uint64_t)h[1] << 32, h[2] | (uint64_t)h[3] << 32}};
}

#define HASH_ONE murmur3_x86_128_one
#define HASH_BATCH murmur3_x86_128_batch
#include "hashes/batch_template.h"

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
