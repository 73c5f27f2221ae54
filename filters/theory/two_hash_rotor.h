/* SPDX-License-Identifier: MIT
 *
 * two_hash_rotor.h: for one step b, which of the keys (a, b), a = 0 .. m - 1, a bit array answers
 * yes to.
 *
 * They are the bits of an AND of k rotations of the array: bit a of a rotation by s is bit a + s
 * mod m. The work arrays hold their m bits twice in a row, so that a rotation is a shifted read
 * without a wrap, for any m:
 *
 *     bit 0 .. m - 1, then bit 0 .. m - 1 again, then whatever up to a whole word and one more
 *
 * Double hashing needs log2 k rotations instead of k: with R_p the places from which p positions
 * are set, R_2p is R_p and R_p rotated by p b. Enhanced has no such doubling, its positions being
 * unevenly spaced; there the AND runs in small blocks, each until nothing is left of it.
 */
#ifndef BLOOMLAB_THEORY_TWO_HASH_ROTOR_H
#define BLOOMLAB_THEORY_TWO_HASH_ROTOR_H

#include "filters/theory/two_hash.h"

struct two_hash_rotor {
    const struct two_hash *scheme;
    size_t words;       /* of m bits: whole ones and a last partial one, which may be empty */
    uint64_t *array;    /* the array, twice */
    uint64_t *level[2]; /* R_p, twice */
};

/* Memory for arrays of scheme->m bits; false when there is none. k >= 1. */
bool two_hash_rotor_init(struct two_hash_rotor *rotor, const struct two_hash *scheme);
void two_hash_rotor_release(struct two_hash_rotor *rotor);

/* Takes an array in bits.h order. */
void two_hash_rotor_load(struct two_hash_rotor *rotor, const unsigned char *array);

/* How many a there are, 0 .. m. */
uint64_t two_hash_rotor_count(struct two_hash_rotor *rotor, uint64_t step);

#endif
