/* SPDX-License-Identifier: MIT
 *
 * djb2_mix.c: djb2 finished by MurmurHash3's 32-bit mixer.
 *
 * Source: D. J. Bernstein, about 1991; A. Appleby, MurmurHash3, 2011. The mixer is a bijection: it
 * hides the lattice of djb2 but separates no keys that djb2 makes equal.
 */
#include "hashes/djb2.h"
#include "hashes/hash.h"

HASH_INLINE struct hash_value djb2_mix_one(const void *key, size_t length, uint64_t seed)
{
    return (struct hash_value){{fmix32(djb2_add(key, length, seed)), 0}};
}

#define HASH_ONE djb2_mix_one
#define HASH_BATCH djb2_mix_batch
#include "hashes/batch_template.h"

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
