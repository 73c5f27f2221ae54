/* SPDX-License-Identifier: MIT
 *
 * floor.h: what the memory itself costs, at the size of the filters beside it.
 *
 * No filter that touches one random line a key is faster than the first; none whose next key
 * depends on the last answer is faster than the second. (A filter that sorts its keys by region may
 * well pass below the first.)
 */
#ifndef BLOOMLAB_BENCH_FLOOR_H
#define BLOOMLAB_BENCH_FLOOR_H

#include <stddef.h>
#include <stdint.h>

enum { FLOOR_LINE_BYTES = 64 };

/* Reads one whole line for each of `count` 64-bit numbers at `random`: line floor(r * lines / 2^64)
 * of `memory`, aligned to a line. The reads do not wait for each other. Returns what keeps the
 * compiler from leaving them out. lines >= 1. */
uint64_t floor_lines(const void *memory, uint64_t lines, const uint64_t *random, size_t count);

/* The same with one word a line, where each line is known only when the one before has been read.
 * zero is 0, unknown to the compiler; the memory may hold anything. */
uint64_t floor_dependent(const void *memory, uint64_t lines, const uint64_t *random, size_t count,
                         uint64_t zero);

#endif
