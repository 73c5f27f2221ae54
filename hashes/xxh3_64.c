/* SPDX-License-Identifier: MIT
 *
 * xxh3_64.c: XXH3, 64 bits, from libxxhash; inlined, so that short keys are not calls.
 *
 * Source: Y. Collet, XXH3, 2020 (xxHash 0.8). The seed alters the secret, which keys over 240 bytes
 * then have to derive anew: long keys pay for a seed other than 0.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hashes/hash.h"
#include "hashes/mix.h"

HASH_INLINE struct hash_value xxh3_64_one(const void *key, size_t length, uint64_t seed)
{
    return (struct hash_value){{XXH3_64bits_withSeed(key, length, seed), 0}};
}

#define HASH_NAME(x) xxh3_64_##x
#include "hashes/batch_template.h"

const struct hash hash_xxh3_64 = {
    .name = "xxh3_64",
    .summary = "XXH3, 64 bits (libxxhash)",
    .source = "Collet, XXH3, 2020",
    .bits = 64,
    .word_bits = 64,
    .seed_bits = 64,
    .smhasher_code = 0x9a636405,
    .one = xxh3_64_one,
    .batch = xxh3_64_batch,
};
