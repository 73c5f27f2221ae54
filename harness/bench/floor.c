/* SPDX-License-Identifier: MIT */
#include "harness/bench/floor.h"

#include <string.h>

#include "filters/reduce.h"

/* Out-of-order windows end before enough lines are on their way: those so far ahead are asked for.
 * It costs next to nothing where the memory lies in a cache. */
enum { FLOOR_AHEAD = 32 };

typedef uint64_t floor_line __attribute__((vector_size(FLOOR_LINE_BYTES)));

static inline const unsigned char *floor_at(const void *memory, uint64_t lines, uint64_t random)
{
    return (const unsigned char *)memory + multiply_high(random, lines) * FLOOR_LINE_BYTES;
}

static inline __attribute__((always_inline)) uint64_t
floor_read(const void *memory, uint64_t lines, const uint64_t *random, size_t count, bool ahead)
{
    floor_line seen = {0}, line;
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        if (ahead && i + FLOOR_AHEAD < count)
            __builtin_prefetch(floor_at(memory, lines, random[i + FLOOR_AHEAD]));
        memcpy(&line, floor_at(memory, lines, random[i]), sizeof line);
        seen |= line;
    }
    for (int w = 0; w < 8; w++)
        all |= seen[w];
    return all;
}

/* A second-level cache holds this much. */
#define FLOOR_NEAR_BYTES (UINT64_C(1) << 20)

uint64_t floor_lines(const void *memory, uint64_t lines, const uint64_t *random, size_t count)
{
    if (lines * FLOOR_LINE_BYTES <= FLOOR_NEAR_BYTES)
        return floor_read(memory, lines, random, count, false);
    return floor_read(memory, lines, random, count, true);
}

uint64_t floor_dependent(const void *memory, uint64_t lines, const uint64_t *random, size_t count,
                         uint64_t zero)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        memcpy(&word, floor_at(memory, lines, random[i] ^ (word & zero)), sizeof word);
    return word;
}
