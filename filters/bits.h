/* SPDX-License-Identifier: MIT
 *
 * bits.h: an array of bits in bytes: bit i is bit i mod 8 of byte i / 8, on every machine.
 *
 * The array of m bits has exactly (m + 7) / 8 bytes; the bits past m stay 0.
 */
#ifndef BLOOMLAB_BITS_H
#define BLOOMLAB_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_bytes(uint64_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

static inline bool bits_test(const unsigned char *array, uint64_t position)
{
    return (array[position >> 3] >> (position & 7)) & 1;
}

static inline void bits_set(unsigned char *array, uint64_t position)
{
    array[position >> 3] |= (unsigned char)(1u << (position & 7));
}

/* Eight bytes as they stand in memory: right for counting, AND and OR, whatever the byte order. */
static inline uint64_t bits_load(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline uint64_t bits_count(const unsigned char *array, uint64_t bytes)
{
    uint64_t count = 0, i = 0;
    for (; i + 8 <= bytes; i += 8)
        count += (uint64_t)__builtin_popcountll(bits_load(array + i));
    for (; i < bytes; i++)
        count += (uint64_t)__builtin_popcount(array[i]);
    return count;
}

/* Set bits among the positions from .. to - 1; from <= to. */
static inline uint64_t bits_count_range(const unsigned char *array, uint64_t from, uint64_t to)
{
    uint64_t first = from >> 3, last = to >> 3;
    unsigned before = (1u << (from & 7)) - 1, until = (1u << (to & 7)) - 1;
    uint64_t count = bits_count(array + first, last - first);
    if (before)
        count -= (uint64_t)__builtin_popcount(array[first] & before);
    if (until)
        count += (uint64_t)__builtin_popcount(array[last] & until);
    return count;
}

#endif
