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

HASH_INLINE struct hash_value murmur3_x86_32_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint32_t h = hash_seed32(seed);
    size_t rest = length;
    for (; rest >= 4; rest -= 4, p += 4)
        h = rotate_left32(h ^ murmur3_x86_32_word(read32(p)), 13) * 5 + UINT32_C(0xe6546b64);
    h ^= murmur3_x86_32_word((uint32_t)read_partial(p, rest)); /* 0 when nothing is left */
    return (struct hash_value){{fmix32(h ^ (uint32_t)length), 0}};
}

#define HASH_ONE murmur3_x86_32_one
#define HASH_BATCH murmur3_x86_32_batch
#include "hashes/batch_template.h"

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
