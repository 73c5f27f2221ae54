/* SPDX-License-Identifier: MIT
 *
 * djb2_xor.c: djb2 in the form its author came to prefer: h = 33 h ^ c, from (5381 ^ seed).
 *
 * Source: D. J. Bernstein, about 1991 (also called djb2a).
 */
#include "hashes/djb2.h"
#include "hashes/hash.h"

HASH_INLINE uint32_t djb2_xor_step(uint32_t h, uint32_t byte)
{
    return h * 33 ^ byte;
}

HASH_INLINE void djb2_xor_start(uint32_t *h, uint32_t length, uint64_t seed)
{
    (void)length;
    *h = DJB2_START ^ hash_seed32(seed);
}

/* The first `bytes` bytes of the word. */
HASH_INLINE uint32_t djb2_xor_bytes(uint32_t h, uint32_t word, unsigned bytes)
{
    BATCH_UNROLLED
    for (unsigned i = 0; i < 4; i++)
        if (i < bytes)
            h = djb2_xor_step(h, word >> (8 * i) & 255);
    return h;
}

HASH_INLINE void djb2_xor_block(uint32_t *h, const uint32_t *word)
{
    *h = djb2_xor_bytes(*h, *word, 4);
}

HASH_INLINE void djb2_xor_tail(uint32_t *h, const uint32_t *word, uint32_t length)
{
    *h = djb2_xor_bytes(*h, *word, length % 4);
}

HASH_INLINE struct hash_value djb2_xor_finish(const uint32_t *h, uint32_t length)
{
    (void)length;
    return (struct hash_value){{*h, 0}};
}

#define HASH_NAME(x) djb2_xor_##x
#define HASH_BITS 32
#define HASH_WORD uint32_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

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
