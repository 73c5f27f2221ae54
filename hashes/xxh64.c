/* SPDX-License-Identifier: MIT
 *
 * xxh64.c: XXH64, 64 bits, from libxxhash; inlined, so that short keys are not calls.
 *
 * Source: Y. Collet, XXH64, 2014 (xxHash specification, XXH64).
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hashes/hash.h"
#include "hashes/mix.h"

HASH_INLINE struct hash_value xxh64_one(const void *key, size_t length, uint64_t seed)
{
    return (struct hash_value){{XXH64(key, length, seed), 0}};
}

#define HASH_NAME(x) xxh64_##x
#include "hashes/batch_template.h"

const struct hash hash_xxh64 = {
    .name = "xxh64",
    .summary = "XXH64 (libxxhash)",
    .source = "Collet, XXH64, 2014",
    .bits = 64,
    .word_bits = 64,
    .seed_bits = 64,
    .smhasher_code = 0x024b7cf4,
    .one = xxh64_one,
    .batch = xxh64_batch,
};
