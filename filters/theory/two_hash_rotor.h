/* SPDX-License-Identifier: MIT
 *
 * two_hash_rotor.h: for one step b, which of the keys (a, b), a = 0 .. m - 1, a bit array answers
 * yes to.
 *
 * They are the bits of an AND of k rotations of the array: bit a of a rotation by s is bit a + s
 * mod m. The array is kept interleaved, in 64 rows of `words` bits: bit x is bit x / words of word
 * x mod words. A rotation by s = r words + c then begins c words later and rotates the bits of each
 * word by r: no word is put together from two. The words that follow the last one are the first
 * ones again, with their bits rotated by 1. The rows hold m bits where 64 divides m; else they hold
 * the bits twice in a row, so that a rotation of the first m needs no wrap.
 *
 * The AND runs in blocks, each until nothing is left of it: after ten positions or so, as half of
 * all bits are set. Double hashing first doubles: R_2p, the places from which 2 p positions are
 * set, is R_p and R_p rotated by p b, written out in full; the last few rotations run in blocks
 * again.
 */
#ifndef BLOOMLAB_THEORY_TWO_HASH_ROTOR_H
#define BLOOMLAB_THEORY_TWO_HASH_ROTOR_H

#include "filters/theory/two_hash.h"

enum { ROTOR_BLOCK = 32, ROTOR_SMALL = 8 }; /* words ANDed before a look whether any are left */

struct two_hash_rotor {
    const struct two_hash *scheme;
    size_t words;        /* in a row */
    uint64_t reciprocal; /* of words */
    bool doubles;        /* by the levels below: double hashing, rows of m bits, whole blocks */
    uint64_t *array;     /* interleaved, and ROTOR_BLOCK words more: the first ones, turned */
    uint64_t *level[2];  /* R_p, likewise */
    uint64_t *first;     /* once, bits of a >= m cleared, 0 to the end of a block */
    uint64_t *plain;     /* in order, while it is loaded */
};

/* A rotation: by whole words, and of the bits of each. */
struct two_hash_turn {
    size_t words;
    unsigned bits;
};

/* Where the rotation of words at, at + 1, ... begins, and how their bits are rotated. */
static inline struct two_hash_turn two_hash_turn_at(struct two_hash_turn turn, size_t at,
                                                    size_t words)
{
    bool past = turn.words + at >= words;
    return (struct two_hash_turn){turn.words + at - (past ? words : 0), (turn.bits + past) % 64};
}

/* Memory for arrays of scheme->m <= 2^23 bits; false when there is none. k >= 1. */
bool two_hash_rotor_init(struct two_hash_rotor *rotor, const struct two_hash *scheme);
void two_hash_rotor_release(struct two_hash_rotor *rotor);

/* Takes an array in bits.h order. */
void two_hash_rotor_load(struct two_hash_rotor *rotor, const unsigned char *array);

/* How many a there are, 0 .. m. */
uint64_t two_hash_rotor_count(struct two_hash_rotor *rotor, uint64_t step);

/* The bits of the AND of `first` and some rotations of `array`, which both go on for ROTOR_BLOCK
 * words; those of `first` are 0 unless ROTOR_SMALL divides words. */
uint64_t two_hash_count_avx512(const uint64_t *first, const uint64_t *array, size_t words,
                               const struct two_hash_turn *turn, unsigned turns);

/* to = `from` AND `turned` with its bits rotated; ROTOR_SMALL divides count. What is left, ORed. */
uint64_t two_hash_double_avx512(uint64_t *restrict to, const uint64_t *restrict from,
                                const uint64_t *restrict turned, unsigned bits, size_t count);

#endif
