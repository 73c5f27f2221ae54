/* SPDX-License-Identifier: MIT
 *
 * counters.h: an array of small saturating counters of 2, 3, 4 or 8 bits.
 *
 * 2, 4, 8 bits: counter i is in byte i / (8 / bits), the first one lowest. 3 bits: 21 counters in
 * each little-endian word of 64 bits, counter i lowest first, the top bit unused: no counter
 * straddles a word, for 1/64 of the memory. Bits that hold no counter stay 0.
 *
 * A counter at its maximum is saturated and stays there for ever: how often it was really
 * incremented is no longer known. `bits` is a constant wherever it is given, so that shifts and
 * masks are too.
 */
#ifndef BLOOMLAB_COUNTERS_H
#define BLOOMLAB_COUNTERS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { COUNTERS_PER_WORD = 21 }; /* of 3 bits */

#define COUNTERS_INLINE static inline __attribute__((always_inline))

/* Bytes of m counters. */
static inline uint64_t counters_bytes(unsigned bits, uint64_t m)
{
    uint64_t group = bits == 3 ? COUNTERS_PER_WORD : 8 / bits;
    return (m / group + (m % group != 0)) * (bits == 3 ? 8 : 1);
}

COUNTERS_INLINE unsigned counters_max(unsigned bits)
{
    return (1u << bits) - 1;
}

/* The byte, or the first byte of the word, that holds a counter. */
COUNTERS_INLINE uint64_t counters_address(unsigned bits, uint64_t position)
{
    return bits == 3 ? position / COUNTERS_PER_WORD * 8 : position / (8 / bits);
}

COUNTERS_INLINE unsigned counters_shift(unsigned bits, uint64_t position)
{
    return bits * (unsigned)(bits == 3 ? position % COUNTERS_PER_WORD : position % (8 / bits));
}

COUNTERS_INLINE uint64_t counters_word(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return le64toh(word);
}

COUNTERS_INLINE unsigned counters_get(unsigned bits, const unsigned char *memory, uint64_t position)
{
    const unsigned char *at = memory + counters_address(bits, position);
    unsigned shift = counters_shift(bits, position);
    uint64_t group = bits == 3 ? counters_word(at) : *at;
    return (unsigned)(group >> shift) & counters_max(bits);
}

/* Adds `step` (+1 or -1) to a counter that has room for it. */
COUNTERS_INLINE void counters_add(unsigned bits, unsigned char *memory, uint64_t position, int step)
{
    unsigned char *at = memory + counters_address(bits, position);
    unsigned shift = counters_shift(bits, position);
    if (bits == 3) {
        uint64_t one = UINT64_C(1) << shift;
        uint64_t word = counters_word(at);
        word = htole64(step > 0 ? word + one : word - one);
        memcpy(at, &word, sizeof word);
    } else {
        unsigned one = 1u << shift;
        *at = (unsigned char)(step > 0 ? *at + one : *at - one);
    }
}

COUNTERS_INLINE void counters_set(unsigned bits, unsigned char *memory, uint64_t position,
                                  unsigned value)
{
    unsigned char *at = memory + counters_address(bits, position);
    unsigned shift = counters_shift(bits, position);
    uint64_t mask = (uint64_t)counters_max(bits) << shift;
    if (bits == 3) {
        uint64_t word = htole64((counters_word(at) & ~mask) | (uint64_t)value << shift);
        memcpy(at, &word, sizeof word);
    } else {
        *at = (unsigned char)((*at & ~mask) | value << shift);
    }
}

/* Lowest bit of each counter of a word: where all its bits are set (every), or any of them is. */
static inline uint64_t counters_lowest(unsigned bits, uint64_t word, bool every)
{
    uint64_t mask = 0, folded = word;
    for (unsigned at = 0; at + bits <= 64; at += bits)
        mask |= UINT64_C(1) << at;
    for (unsigned i = 1; i < bits; i++)
        folded = every ? folded & word >> i : folded | word >> i;
    return folded & mask;
}

/* Counters that are saturated (every), or not 0. */
static inline uint64_t counters_count(unsigned bits, const unsigned char *memory, uint64_t bytes,
                                      bool every)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < bytes; i += 8) {
        unsigned char tail[8] = {0};
        memcpy(tail, memory + i, bytes - i < 8 ? bytes - i : 8);
        uint64_t lowest = counters_lowest(bits, counters_word(tail), every);
        count += (uint64_t)__builtin_popcountll(lowest);
    }
    return count;
}

#endif
