/* SPDX-License-Identifier: MIT
 *
 * murmur2.c: MurmurHash2, 32 bits.
 *
 * Source: A. Appleby, MurmurHash2, 2008 (public domain). The length goes into the seed, so that an
 * empty key with seed 0 gives 0 and prefixes are told apart.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR2_M UINT32_C(0x5bd1e995)

HASH_INLINE struct hash_value murmur2_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint32_t h = hash_seed32(seed) ^ (uint32_t)length;
    size_t rest = length;
    for (; rest >= 4; rest -= 4, p += 4) {
        uint32_t k = read32(p) * MURMUR2_M;
        k ^= k >> 24;
        h = (h * MURMUR2_M) ^ (k * MURMUR2_M);
    }
    if (rest > 0)
        h = (h ^ (uint32_t)read_partial(p, rest)) * MURMUR2_M;

    h = (h ^ (h >> 13)) * MURMUR2_M;
    return (struct hash_value){{h ^ (h >> 15), 0}};
}

#define HASH_ONE murmur2_one
#define HASH_BATCH murmur2_batch
#include "hashes/batch_template.h"

const struct hash hash_murmur2 = {
    .name = "murmur2",
    .summary = "MurmurHash2, 32 bits: the function of the classic salted scheme",
    .source = "Appleby, MurmurHash2, 2008",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0x27864c1e,
    .one = murmur2_one,
    .batch = murmur2_batch,
};
