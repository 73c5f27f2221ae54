/* SPDX-License-Identifier: MIT
 *
 * two_hash_rotor.c: rotations of a bit array, ANDed and counted (two_hash_rotor.h).
 *
 * The loops over words are plain ones over restrict pointers, for the compiler to vectorise.
 */
#include "filters/theory/two_hash_rotor.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "filters/bits.h"

enum { ROTOR_BLOCK = 32 }; /* words ANDed before looking whether anything is left */

bool two_hash_rotor_init(struct two_hash_rotor *rotor, const struct two_hash *scheme)
{
    rotor->scheme = scheme;
    rotor->words = (size_t)(scheme->m / 64 + 1);
    size_t room = 2 * rotor->words + 2 * ROTOR_BLOCK;
    rotor->array = calloc(3 * room, sizeof *rotor->array);
    rotor->level[0] = rotor->array ? rotor->array + room : NULL;
    rotor->level[1] = rotor->array ? rotor->array + 2 * room : NULL;
    return rotor->array != NULL;
}

void two_hash_rotor_release(struct two_hash_rotor *rotor)
{
    free(rotor->array);
    rotor->array = NULL;
}

/* Writes bits 0 .. m - 1 again from bit m on: `last` whole words, then `bits` bits more. What
 * follows these in the same word is 0, or right already: an AND of repeated arrays. */
static void two_hash_repeat(uint64_t *array, uint64_t m)
{
    size_t last = (size_t)(m / 64);
    unsigned bits = m % 64;
    if (bits == 0) {
        memcpy(array + last, array, last * sizeof *array);
        return;
    }
    const uint64_t *restrict from = array;
    uint64_t *restrict to = array + last + 1;
    array[last] |= array[0] << bits;
    for (size_t w = 0; w < last; w++)
        to[w] = from[w] >> (64 - bits) | from[w + 1] << bits;
    to[last] = from[last] >> (64 - bits);
}

void two_hash_rotor_load(struct two_hash_rotor *rotor, const unsigned char *array)
{
    memset(rotor->array, 0, rotor->words * sizeof *rotor->array);
    memcpy(rotor->array, array, bits_bytes(rotor->scheme->m));
    for (size_t w = 0; w < rotor->words; w++)
        rotor->array[w] = le64toh(rotor->array[w]);
    two_hash_repeat(rotor->array, rotor->scheme->m);
}

/* Word w of an array read from bit `shift` of word 0 on. */
static inline uint64_t two_hash_shifted(const uint64_t *word, size_t w, unsigned shift)
{
    return word[w] >> shift | word[w + 1] << 1 << (63 - shift);
}

/* to = level AND its rotation by s < m; is anything left? */
static bool two_hash_rotate(uint64_t *restrict to, const uint64_t *restrict level, uint64_t s,
                            size_t words)
{
    const uint64_t *from = level + s / 64;
    unsigned shift = s % 64;
    uint64_t left = 0;
    for (size_t w = 0; w < words; w++) {
        to[w] = level[w] & two_hash_shifted(from, w, shift);
        left |= to[w];
    }
    return left != 0;
}

static uint64_t two_hash_rotate_count(const uint64_t *level, uint64_t s, uint64_t m)
{
    const uint64_t *from = level + s / 64;
    unsigned shift = s % 64;
    size_t last = (size_t)(m / 64);
    uint64_t count = 0;
    for (size_t w = 0; w < last; w++)
        count += (uint64_t)__builtin_popcountll(level[w] & two_hash_shifted(from, w, shift));
    uint64_t partial = level[last] & two_hash_shifted(from, last, shift);
    uint64_t mask = (UINT64_C(1) << m % 64) - 1;
    return count + (uint64_t)__builtin_popcountll(partial & mask);
}

static uint64_t two_hash_count_double(struct two_hash_rotor *rotor, uint64_t step)
{
    uint64_t m = rotor->scheme->m, k = rotor->scheme->k, p = 1;
    const uint64_t *level = rotor->array;
    for (unsigned next = 0; 2 * p < k; p *= 2, next = !next) {
        if (!two_hash_rotate(rotor->level[next], level, p * step % m, rotor->words))
            return 0;
        two_hash_repeat(rotor->level[next], m);
        level = rotor->level[next];
    }
    return two_hash_rotate_count(level, (k - p) * step % m, m);
}

/* block &= rotation by s, of the words from `array` on; is anything left? */
static bool two_hash_block_rotate(uint64_t *restrict block, const uint64_t *restrict array,
                                  uint64_t s)
{
    const uint64_t *from = array + s / 64;
    unsigned shift = s % 64;
    uint64_t left = 0;
    for (size_t w = 0; w < ROTOR_BLOCK; w++) {
        block[w] &= two_hash_shifted(from, w, shift);
        left |= block[w];
    }
    return left != 0;
}

/* The AND of one block of words from word `at` on, counted; bits past m do not count. */
static uint64_t two_hash_count_block(const uint64_t *array, size_t at, uint64_t m,
                                     const uint64_t *offset, unsigned k)
{
    _Alignas(64) uint64_t block[ROTOR_BLOCK] = {0};
    uint64_t count = 0;
    size_t last = (size_t)(m / 64);
    if (at + ROTOR_BLOCK <= last) {
        memcpy(block, array + at, sizeof block);
    } else {
        memcpy(block, array + at, (last - at) * sizeof *block);
        block[last - at] = array[last] & ((UINT64_C(1) << m % 64) - 1);
    }
    for (unsigned i = 1; i < k; i++)
        if (!two_hash_block_rotate(block, array + at, offset[i]))
            return 0;
    for (size_t w = 0; w < ROTOR_BLOCK; w++)
        count += (uint64_t)__builtin_popcountll(block[w]);
    return count;
}

static uint64_t two_hash_count_enhanced(struct two_hash_rotor *rotor, uint64_t step)
{
    const struct two_hash *scheme = rotor->scheme;
    uint64_t offset[TWO_HASH_K_MAX], count = 0;
    for (unsigned i = 0; i < scheme->k; i++)
        offset[i] = two_hash_offset(scheme, step, i);
    for (size_t at = 0; at < rotor->words; at += ROTOR_BLOCK)
        count += two_hash_count_block(rotor->array, at, scheme->m, offset, scheme->k);
    return count;
}

uint64_t two_hash_rotor_count(struct two_hash_rotor *rotor, uint64_t step)
{
    if (rotor->scheme->law == LAW_ENHANCED)
        return two_hash_count_enhanced(rotor, step);
    return two_hash_count_double(rotor, step);
}
