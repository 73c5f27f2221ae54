/* SPDX-License-Identifier: MIT
 *
 * djb2_xor.c: djb2 in the form its author came to prefer: h = 33 h ^ c, from (5381 ^ seed).
 *
 * Source: D. J. Bernstein, about 1991 (also called djb2a).
 */
#include "hashes/djb2.h"
#include "hashes/hash.h"

HASH_INLINE struct hash_value djb2_xor_one(const void *key, size_t length, uint64_t seed)
{
    const unsigned char *p = key;
    uint32_t h = DJB2_START ^ hash_seed32(seed);
    size_t rest = length;
    for (; rest >= 4; rest -= 4, p += 4)
        for (uint32_t word = read32(p), i = 0; i < 4; i++, word >>= 8)
            h = h * 33 ^ (word & 255);
    for (; rest > 0; rest--)
        h = h * 33 ^ *p++;
    return (struct hash_value){{h, 0}};
}

#define HASH_ONE djb2_xor_one
#define HASH_BATCH djb2_xor_batch
#include "hashes/batch_template.h"

const struct hash hash_djb2_xor = {
    .name = "djb2_xor",
    .summary = "djb2 with xor: 33 h ^ c",
    .source = "Bernstein, about 1991",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0x6bfd0d94,
    .one = djb2_xor_one,
    .batch = djb2_xor_batch,
};
