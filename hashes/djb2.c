/* SPDX-License-Identifier: MIT
 *
 * djb2.c: djb2 as it is quoted most: h = 33 h + c. See djb2.h for what a seed does to it.
 *
 * Source: D. J. Bernstein, comp.lang.c, about 1991.
 */
#include "hashes/djb2.h"
#include "hashes/hash.h"

HASH_INLINE struct hash_value djb2_one(const void *key, size_t length, uint64_t seed)
{
    return (struct hash_value){{djb2_add(key, length, seed), 0}};
}

#define HASH_ONE djb2_one
#define HASH_BATCH djb2_batch
#include "hashes/batch_template.h"

const struct hash hash_djb2 = {
    .name = "djb2",
    .summary = "djb2: 33 h + c; keys that differ little stay close",
    .source = "Bernstein, about 1991",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0x07b1631f,
    .one = djb2_one,
    .batch = djb2_batch,
};
