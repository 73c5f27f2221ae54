/* SPDX-License-Identifier: MIT
 *
 * murmur64a.c: MurmurHash64A, 64 bits: MurmurHash2 for 64-bit machines.
 *
 * Source: A. Appleby, MurmurHash64A, 2008 (public domain). The tail is xored in unmixed.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR64A_M UINT64_C(0xc6a4a7935bd1e995)

HASH_INLINE struct hash_value murmur64a_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint64_t h = seed ^ (length * MURMUR64A_M);
    size_t rest = length;
    for (; rest >= 8; rest -= 8, p += 8) {
        uint64_t k = read64(p) * MURMUR64A_M;
        k ^= k >> 47;
        h = (h ^ (k * MURMUR64A_M)) * MURMUR64A_M;
    }
    if (rest > 0)
        h = (h ^ read_partial(p, rest)) * MURMUR64A_M;

    h = (h ^ (h >> 47)) * MURMUR64A_M;
    return (struct hash_value){{h ^ (h >> 47), 0}};
}

#define HASH_ONE murmur64a_one
#define HASH_BATCH murmur64a_batch
#include "hashes/batch_template.h"

const struct hash hash_murmur64a = {
    .name = "murmur64a",
    .summary = "MurmurHash64A: MurmurHash2 over 64-bit words",
    .source = "Appleby, MurmurHash64A, 2008",
    .bits = 64,
    .word_bits = 64,
    .seed_bits = 64,
    .smhasher_code = 0x1f0d3804,
    .one = murmur64a_one,
    .batch = murmur64a_batch,
};
