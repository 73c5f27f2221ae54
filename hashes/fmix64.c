/* SPDX-License-Identifier: MIT
 *
 * fmix64.c: MurmurHash3's 64-bit finalizer as a hash of 8-byte keys: what filter libraries take for
 * integers.
 *
 * Source: A. Appleby, MurmurHash3, 2011 (public domain). The value is fmix64(key ^ seed), the key
 * read as a little-endian word: seed 0 is the published function. For every seed it is a bijection,
 * so no two keys share a value. Seeds permute the keys before one fixed function: a and b under
 * seed s give what a ^ s ^ t and b ^ s ^ t give under seed t.
 *
 * A key of another length is a mistake of the caller, who can read key_bytes: it aborts.
 */
#include <stdlib.h>

#include "hashes/hash.h"
#include "hashes/mix.h"

HASH_INLINE struct hash_value fmix64_one(const void *key, size_t length, uint64_t seed)
{
    if (length != 8)
        abort();
    return (struct hash_value){{fmix64(read64(key) ^ seed), 0}};
}

#define HASH_NAME(x) fmix64_##x
#include "hashes/batch_template.h"

const struct hash hash_fmix64 = {
    .name = "fmix64",
    .summary = "MurmurHash3's 64-bit finalizer of (key ^ seed): keys of 8 bytes only",
    .source = "Appleby, MurmurHash3, 2011",
    .bits = 64,
    .word_bits = 64,
    .seed_bits = 64,
    .key_bytes = 8,
    .one = fmix64_one,
    .batch = fmix64_batch,
};
