/* SPDX-License-Identifier: MIT
 *
 * family.h: how the i-th digest of a key is made from hash functions.
 *
 *   seeded  digest i = H(key, seed_i)
 *   split   digest i = half i mod 2 of the 128-bit H(key, seed_(i div 2)), lower word first
 *   salted  digest i = H(key followed by i in decimal, hash_seed)
 *   pair    digest 0 = A(key, seed_0), digest 1 = B(key, seed_1): exactly two
 *   expanded  digest i = mix64(d + (i + 1) * 0x9e3779b97f4a7c15), d = H(key, seed_0): all from one
 *           digest, as libraries do that hash a key once (SplitMix64's stream from d)
 *
 * seed_i = mix64(hash_seed + i). With a seed fixed by the experiment (`hash_seed: S`) it is S + i,
 * as in the published schemes that count their seeds from 0, and a pair uses S for both.
 *
 * Digests of a 64- or 128-bit hash are 64 bits wide (seeded, salted and pair take word 0 of a
 * 128-bit value), those of a 32-bit hash 32 bits; `digest_bits` keeps the low bits of either.
 */
#ifndef BLOOMLAB_FAMILY_H
#define BLOOMLAB_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "hashes/hash.h"

enum family { FAMILY_SEEDED, FAMILY_SPLIT, FAMILY_SALTED, FAMILY_PAIR, FAMILY_EXPANDED };
enum { FAMILY_COUNT = FAMILY_EXPANDED + 1 };

struct digest_family {
    enum family family;
    const struct hash *hash;   /* family_suits(family, hash); A of a pair */
    const struct hash *second; /* B of a pair, else NULL */
    unsigned digest_bits;      /* 8..64: the low bits kept */
    bool seed_fixed;           /* hash_seed was given by the experiment */
    uint64_t hash_seed;
};

const char *family_name(enum family family);
bool family_find(const char *name, enum family *family);
enum family family_default(const struct hash *hash); /* split for 128 bits, else seeded */

/* Can the family be made of the hash? split needs 128 bits, salted keys of any length, the others
 * take any. */
bool family_suits(enum family family, const struct hash *hash);
const char *family_needs(enum family family); /* for sentences: "a 128-bit hash" */

/* The hash of the family that cannot take keys of that length (hash.h: key_bytes); NULL: none. Not
 * of salted, whose keys are longer. */
const struct hash *family_refuses(const struct digest_family *family, size_t length);

/* Width in bits of a digest before digest_bits narrows it: 32 or 64 (a pair: the narrower hash's).
 */
unsigned family_width(enum family family, const struct hash *hash, const struct hash *second);

/* Width of the digests a filter is given when digest_bits of the hash are kept: the same, but 64
 * for expanded, whose one narrow digest is spread over 64 bits. */
unsigned family_delivered_bits(enum family family, unsigned digest_bits);

/* How many digests the family can give: 2 for a pair, FAMILY_UNLIMITED for the others. */
enum { FAMILY_UNLIMITED = 1 << 20 };
unsigned family_columns(enum family family);

/* Bytes of scratch that family_column needs for batches of up to `count` keys of up to `longest`
 * bytes each. */
size_t family_scratch_bytes(const struct digest_family *family, size_t count, size_t longest);

/* Digest `column` of count keys of the batch: of key i, or of key which[i] when which is not NULL,
 * into out[0 .. count). scratch as above, aligned to 8; its contents do not matter. */
void family_column(const struct digest_family *family, const struct key_batch *keys,
                   unsigned column, const uint32_t *which, size_t count, uint64_t *out,
                   void *scratch);

/* For split: digests 2 * pair and 2 * pair + 1 at once, from one evaluation of the hash. */
void family_column_pair(const struct digest_family *family, const struct key_batch *keys,
                        unsigned pair, size_t count, uint64_t *even, uint64_t *odd);

#endif
