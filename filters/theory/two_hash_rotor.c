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
#include "machine/path.h"

enum { ROTOR_ROWS = 64, ROTOR_SHIFT = 48, ROTOR_FEW = 3 };

static inline uint64_t two_hash_rotated(uint64_t word, unsigned by)
{
    return word >> by | word << (-by & 63);
}

bool two_hash_rotor_init(struct two_hash_rotor *rotor, const struct two_hash *scheme)
{
    uint64_t m = scheme->m, ring = m % ROTOR_ROWS == 0 ? m : 2 * m;
    rotor->scheme = scheme;
    rotor->words = (size_t)((ring + ROTOR_ROWS - 1) / ROTOR_ROWS);
    rotor->reciprocal = (UINT64_C(1) << ROTOR_SHIFT) / rotor->words + 1;
    rotor->doubles = scheme->law == LAW_DOUBLE && m % (ROTOR_ROWS * ROTOR_SMALL) == 0;
    size_t room = rotor->words / ROTOR_SMALL * ROTOR_SMALL + 2 * ROTOR_ROWS + ROTOR_SMALL;
    rotor->array = aligned_alloc(64, 5 * room * sizeof *rotor->array);
    if (!rotor->array)
        return false;
    memset(rotor->array, 0, 5 * room * sizeof *rotor->array);
    rotor->level[0] = rotor->array + room;
    rotor->level[1] = rotor->level[0] + room;
    rotor->first = rotor->level[1] + room;
    rotor->plain = rotor->first + room;
    return true;
}

void two_hash_rotor_release(struct two_hash_rotor *rotor)
{
    free(rotor->array);
    rotor->array = NULL;
}

/* ---- the array, interleaved ------------------------------------------------------------------ */

/* The m bits in their order, and where the ring is longer once more behind them. */
static void two_hash_rotor_plain(const struct two_hash_rotor *rotor, const unsigned char *array)
{
    uint64_t m = rotor->scheme->m, *plain = rotor->plain;
    size_t last = (size_t)(m / 64);
    unsigned bits = m % 64;
    memset(plain, 0, (rotor->words + 2 * ROTOR_ROWS) * sizeof *plain);
    memcpy(plain, array, bits_bytes(m));
    for (size_t w = 0; w <= last; w++)
        plain[w] = le64toh(plain[w]);
    if (bits == 0)
        return;
    uint64_t carry = 0;
    for (size_t w = 0; w <= last; w++) {
        uint64_t word = w < last ? plain[w] : plain[w] & ((UINT64_C(1) << bits) - 1);
        plain[last + w] |= word << bits | carry;
        carry = word >> (64 - bits);
    }
    plain[2 * last + 1] |= carry;
}

/* Rows of 64 bits become columns (Warren, Hacker's Delight, 2012, section 7-3): blocks of bits off
 * the diagonal change places, ever smaller ones. */
static void two_hash_transpose(uint64_t row[ROTOR_ROWS])
{
    uint64_t mask = UINT64_C(0xffffffff);
    for (unsigned size = 32; size; size /= 2, mask ^= mask << size)
        for (unsigned upper = 0; upper < ROTOR_ROWS; upper = (upper + size + 1) & ~size) {
            uint64_t change = (row[upper] >> size ^ row[upper + size]) & mask;
            row[upper] ^= change << size;
            row[upper + size] ^= change;
        }
}

/* The first words again, as they follow the last one. */
static void two_hash_rotor_extend(uint64_t *array, size_t words)
{
    for (size_t w = words; w < words + ROTOR_BLOCK; w++)
        array[w] = two_hash_rotated(array[w - words], 1);
}

void two_hash_rotor_load(struct two_hash_rotor *rotor, const unsigned char *array)
{
    size_t words = rotor->words;
    uint64_t m = rotor->scheme->m;
    two_hash_rotor_plain(rotor, array);
    for (size_t at = 0; at < words; at += ROTOR_ROWS) {
        uint64_t row[ROTOR_ROWS];
        for (size_t j = 0; j < ROTOR_ROWS; j++) {
            const uint64_t *from = rotor->plain + (j * words + at) / 64;
            unsigned shift = (j * words + at) % 64;
            row[j] = from[0] >> shift | from[1] << 1 << (63 - shift);
        }
        two_hash_transpose(row);
        size_t left = words - at < ROTOR_ROWS ? words - at : ROTOR_ROWS;
        memcpy(rotor->array + at, row, left * sizeof *row);
    }
    two_hash_rotor_extend(rotor->array, words);
    for (size_t w = 0; w < words; w++) {
        uint64_t rows = m / words + (w < m % words);
        rotor->first[w] = rotor->array[w] & UINT64_MAX >> (64 - rows);
    }
}

/* ---- the count ------------------------------------------------------------------------------- */

static struct two_hash_turn two_hash_turn(const struct two_hash_rotor *rotor, uint64_t offset)
{
    uint64_t bits = offset * rotor->reciprocal >> ROTOR_SHIFT;
    return (struct two_hash_turn){(size_t)(offset - bits * rotor->words), (unsigned)bits};
}

/* Those of positions 1 .. k - 1, their offsets in steps of b and, for enhanced, of 0, 1, 3, 6, ...
 * more. */
static unsigned two_hash_turns(const struct two_hash_rotor *rotor, uint64_t step,
                               struct two_hash_turn *turn)
{
    const struct two_hash *scheme = rotor->scheme;
    uint64_t m = scheme->m, offset = 0;
    for (unsigned i = 1; i < scheme->k; i++) {
        offset += step;
        offset -= offset >= m ? m : 0;
        turn[i - 1] = two_hash_turn(rotor, offset);
        if (scheme->law == LAW_ENHANCED)
            for (step += i; step >= m;)
                step -= m;
    }
    return scheme->k - 1;
}

/* Words w .. end - 1 of an AND of an array and its rotation; what is left of them. */
static uint64_t two_hash_double_portable(uint64_t *restrict to, const uint64_t *restrict from,
                                         const uint64_t *restrict turned, unsigned bits,
                                         size_t count)
{
    uint64_t left = 0;
    for (size_t w = 0; w < count; w++) {
        to[w] = from[w] & two_hash_rotated(turned[w], bits);
        left |= to[w];
    }
    return left;
}

/* to = from AND its rotation; is anything left? */
static bool two_hash_double(uint64_t *restrict to, const uint64_t *restrict from, size_t words,
                            struct two_hash_turn turn)
{
    bool vector = path_current() == PATH_AVX512;
    size_t straight = (words - turn.words + ROTOR_SMALL - 1) / ROTOR_SMALL * ROTOR_SMALL;
    const uint64_t *turned = from + turn.words;
    uint64_t left = (vector ? two_hash_double_avx512
                            : two_hash_double_portable)(to, from, turned, turn.bits, straight);
    if (straight < words)
        left |= (vector ? two_hash_double_avx512 : two_hash_double_portable)(
            to + straight, from + straight, turned + straight - words, (turn.bits + 1) % 64,
            words - straight);
    two_hash_rotor_extend(to, words);
    return left != 0;
}

static uint64_t two_hash_count_portable(const uint64_t *first, const uint64_t *array, size_t words,
                                        const struct two_hash_turn *turn, unsigned turns)
{
    uint64_t count = 0;
    for (size_t at = 0; at < words; at += ROTOR_SMALL) {
        uint64_t block[ROTOR_SMALL], left = 1;
        memcpy(block, first + at, sizeof block);
        for (unsigned i = 0; i < turns && left; i++) {
            struct two_hash_turn here = two_hash_turn_at(turn[i], at, words);
            left = 0;
            for (size_t w = 0; w < ROTOR_SMALL; w++) {
                block[w] &= two_hash_rotated(array[here.words + w], here.bits);
                left |= block[w];
            }
        }
        for (size_t w = 0; w < ROTOR_SMALL && left; w++)
            count += (uint64_t)__builtin_popcountll(block[w]);
    }
    return count;
}

uint64_t two_hash_rotor_count(struct two_hash_rotor *rotor, uint64_t step)
{
    struct two_hash_turn turn[TWO_HASH_K_MAX];
    const uint64_t *first = rotor->first, *array = rotor->array;
    uint64_t m = rotor->scheme->m, p = 1;
    unsigned k = rotor->scheme->k, turns;
    for (unsigned next = 0; rotor->doubles && ROTOR_FEW * p < k; p *= 2, next = !next) {
        if (!two_hash_double(rotor->level[next], array, rotor->words,
                             two_hash_turn(rotor, p * step % m)))
            return 0;
        first = array = rotor->level[next];
    }
    if (p == 1) {
        turns = two_hash_turns(rotor, step, turn);
    } else {
        turns = 0;
        for (uint64_t i = p; i < k; i += p)
            turn[turns++] = two_hash_turn(rotor, (i + p < k ? i : k - p) * step % m);
    }
    if (path_current() == PATH_AVX512)
        return two_hash_count_avx512(first, array, rotor->words, turn, turns);
    return two_hash_count_portable(first, array, rotor->words, turn, turns);
}
