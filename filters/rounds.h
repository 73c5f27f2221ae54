/* SPDX-License-Identifier: MIT
 *
 * rounds.h: one round of a query: which of the keys still undecided have their next position set?
 *
 * Variants that look at one position after another walk a batch in rounds: positions of all
 * survivors, their lines asked for where the filter leaves the cache, then this test, which leaves
 * the survivors' lists closed up. Lists are compacted without a branch: half of all keys go in each
 * round, and none can tell which.
 *
 * A position is a field of 1, 2, 4 or 8 bits (log_width 0 .. 3) of an array of bytes, the lowest
 * field of a byte first; it is set when it is not 0. Vectors look at whole words of 64 bits that
 * are aligned as the array is, to 64 bytes: they may read, not use, bytes of the array's last line
 * that are past its end.
 */
#ifndef BLOOMLAB_ROUNDS_H
#define BLOOMLAB_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/path.h"

/* Is there a vector loop now? Else a variant runs a loop of its own. */
static inline bool rounds_vector(void)
{
    return path_current() == PATH_AVX512;
}

#if PATH_HAVE_X86

/* Keeps which[i], i < count, where position[i] is set; first: the list is 0, 1, 2, ... and which is
 * only written. Returns how many are kept. */
size_t rounds_keep_avx512(const unsigned char *memory, unsigned log_width, const uint64_t *position,
                          bool first, uint32_t *which, size_t count);

/* The same of bits, with position[i] and, where the list is not the first, step[i] kept beside
 * which[i]. */
size_t rounds_keep_steps_avx512(const unsigned char *memory, uint64_t *position, uint64_t *step,
                                bool first, uint32_t *which, size_t count);

#else

static inline size_t rounds_keep_avx512(const unsigned char *memory, unsigned log_width,
                                        const uint64_t *position, bool first, uint32_t *which,
                                        size_t count)
{
    (void)memory, (void)log_width, (void)position, (void)first, (void)which;
    return count;
}

static inline size_t rounds_keep_steps_avx512(const unsigned char *memory, uint64_t *position,
                                              uint64_t *step, bool first, uint32_t *which,
                                              size_t count)
{
    (void)memory, (void)position, (void)step, (void)first, (void)which;
    return count;
}

#endif
#endif
