/* SPDX-License-Identifier: MIT
 *
 * murmur2a.c: MurmurHash2A, 32 bits.
 *
 * Source: A. Appleby, MurmurHash2A, 2008 (public domain). MurmurHash2 in Merkle-Damgard form: the
 * tail, even an empty one, and the length go through the same step as a word.
 */
#include "hashes/hash.h"
#include "hashes/mix.h"

#define MURMUR2A_M UINT32_C(0x5bd1e995)

HASH_INLINE uint32_t murmur2a_step(uint32_t h, uint32_t k)
{
    k *= MURMUR2A_M;
    k ^= k >> 24;
    return (h * MURMUR2A_M) ^ (k * MURMUR2A_M);
}

HASH_INLINE struct hash_value murmur2a_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint32_t h = hash_seed32(seed);
    size_t rest = length;
    for (; rest >= 4; rest -= 4, p += 4)
        h = murmur2a_step(h, read32(p));
    h = murmur2a_step(h, (uint32_t)read_partial(p, rest));
    h = murmur2a_step(h, (uint32_t)length);

    h = (h ^ (h >> 13)) * MURMUR2A_M;
    return (struct hash_value){{h ^ (h >> 15), 0}};
}

#define HASH_ONE murmur2a_one
#define HASH_BATCH murmur2a_batch
#include "hashes/batch_template.h"

const struct hash hash_murmur2a = {
    .name = "murmur2a",
    .summary = "MurmurHash2A, 32 bits: the length is mixed in last",
    .source = "Appleby, MurmurHash2A, 2008",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0x7fbd4396,
    .one = murmur2a_one,
    .batch = murmur2a_batch,
};
