/* SPDX-License-Identifier: MIT
 *
 * djb2_mix.c: djb2 finished by MurmurHash3's 32-bit mixer.
 *
 * Source: D. J. Bernstein, about 1991; A. Appleby, MurmurHash3, 2011. The mixer is a bijection: it
 * hides the lattice of djb2 but separates no keys that djb2 makes equal.
 */
#include "hashes/djb2.h"
#include "hashes/hash.h"

HASH_INLINE struct hash_value djb2_mix_finish(const uint32_t *h, uint32_t length)
{
    (void)length;
    return (struct hash_value){{fmix32(*h), 0}};
}

#define djb2_mix_start djb2_start
#define djb2_mix_block djb2_block
#define djb2_mix_tail djb2_tail
#define HASH_NAME(x) djb2_mix_##x
#define HASH_BITS 32
#define HASH_WORD uint32_t
#define HASH_STATE 1
#define HASH_BLOCK 1
#include "hashes/parts_template.h"

const struct hash hash_djb2_mix = {
    .name = "djb2_mix",
    .summary = "djb2 (33 h + c), then MurmurHash3's fmix32",
    .source = "Bernstein, about 1991; Appleby, 2011",
    .bits = 32,
    .word_bits = 32,
    .seed_bits = 32,
    .smhasher_code = 0x5aaeb9bc,
    .one = djb2_mix_one,
    .batch = djb2_mix_batch,
};
