/* SPDX-License-Identifier: MIT
 *
 * murmur3_x64_128.c: MurmurHash3 for 64-bit machines, 128 bits.
 *
 * Source: A. Appleby, MurmurHash3, 2011 (public domain). Two 64-bit lanes over blocks of 16 bytes.
 * The published seed has 32 bits and starts both lanes.
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

HASH_INLINE struct hash_value murmur3_x64_128_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint64_t h1 = hash_seed32(seed), h2 = h1;
    size_t rest = length;
    for (; rest >= 16; rest -= 16, p += 16) {
        h1 = rotate_left64(h1 ^ murmur3_x64_128_k1(read64(p)), 27) + h2;
        h1 = h1 * 5 + 0x52dce729;
        h2 = rotate_left64(h2 ^ murmur3_x64_128_k2(read64(p + 8)), 31) + h1;
        h2 = h2 * 5 + 0x38495ab5;
    }
    /* A missing lane is 0, which k1 and k2 leave 0. */
    if (rest > 8)
        h2 ^= murmur3_x64_128_k2(read_partial(p + 8, rest - 8));
    h1 ^= murmur3_x64_128_k1(read_partial(p, rest > 8 ? 8 : rest));

    h1 ^= length;
    h2 ^= length;
    h1 += h2;
    h2 += h1;
    h1 = fmix64(h1);
    h2 = fmix64(h2);
    h1 += h2;
    return (struct hash_value){{h1, h2 + h1}};
}

#define HASH_ONE murmur3_x64_128_one
#define HASH_BATCH murmur3_x64_128_batch
#include "hashes/batch_template.h"

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
