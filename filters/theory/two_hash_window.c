/* SPDX-License-Identifier: MIT
 *
 * two_hash_window.c: an AND of rotations of a large bit array, over a window and without a copy.
 */
#include "filters/theory/two_hash_scheme.h"

#include <endian.h>

#include "filters/bits.h"

enum { WINDOW_WORDS = 32, WINDOW_BITS = 64 * WINDOW_WORDS };

/* block &= the WINDOW_BITS bits from `position` on; is anything left? They do not wrap, and nine
 * bytes more can be read. */
static bool two_hash_window_rotate(uint64_t *restrict block, const unsigned char *restrict array,
                                   uint64_t position)
{
    const unsigned char *from = array + position / 8;
    unsigned shift = position % 8;
    uint64_t left = 0;
    for (size_t w = 0; w < WINDOW_WORDS; w++) {
        uint64_t low = le64toh(bits_load(from + 8 * w));
        uint64_t high = le64toh(bits_load(from + 8 * w + 8));
        block[w] &= low >> shift | high << 1 << (63 - shift);
        left |= block[w];
    }
    return left != 0;
}

/* The same bit by bit, around the end of the array. */
static bool two_hash_window_wrap(uint64_t *block, const unsigned char *array, uint64_t m,
                                 uint64_t position)
{
    uint64_t left = 0;
    for (size_t i = 0; i < WINDOW_BITS; i++) {
        if (!bits_test(array, (position + i) % m))
            block[i / 64] &= ~(UINT64_C(1) << i % 64);
        left |= block[i / 64];
    }
    return left != 0;
}

static uint64_t two_hash_window_block(const unsigned char *array, uint64_t m,
                                      const uint64_t *offset, unsigned k, uint64_t at,
                                      uint64_t bits)
{
    uint64_t block[WINDOW_WORDS], count = 0;
    for (uint64_t w = 0; w < WINDOW_WORDS; w++)
        block[w] = 64 * w + 64 <= bits ? UINT64_MAX
                   : 64 * w >= bits    ? 0
                                       : (UINT64_C(1) << bits % 64) - 1;
    for (unsigned i = 0; i < k; i++) {
        uint64_t position = (offset[i] + at) % m;
        bool far = position + WINDOW_BITS + 128 <= m;
        if (!(far ? two_hash_window_rotate(block, array, position)
                  : two_hash_window_wrap(block, array, m, position)))
            return 0;
    }
    for (size_t w = 0; w < WINDOW_WORDS; w++)
        count += (uint64_t)__builtin_popcountll(block[w]);
    return count;
}

uint64_t two_hash_window_count(const unsigned char *array, uint64_t m, const uint64_t *offset,
                               unsigned k, uint64_t length)
{
    uint64_t count = 0;
    for (uint64_t at = 0; at < length; at += WINDOW_BITS) {
        uint64_t rest = length - at;
        count +=
            two_hash_window_block(array, m, offset, k, at, rest < WINDOW_BITS ? rest : WINDOW_BITS);
    }
    return count;
}
