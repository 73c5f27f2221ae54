/* SPDX-License-Identifier: MIT
 *
 * djb2.c: djb2 as it is quoted most: h = 33 h + c. See djb2.h for what a seed does to it.
 *
 * Source: D. J. Bernstein, comp.lang.c, about 1991.
 */
#include "hashes/djb2.h"
#include "hashes/hash.h"

HASH_INLINE struct hash_value djb2_finish(const uint32_t *h, uint32_t length)
{
    (void)length;
    return (struct hash_value){{*h, 0}};
}

#define HASH_NAME(x) djb2_##x
#define HASH_BITS 32
#define HASH_WORD uint32_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

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
