/* SPDX-License-Identifier: MIT
 *
 * answer.h: which keys of a batch are present, as a bitmap, and the forms it is asked for in: a
 * count, a byte a key, a list of keys.
 *
 * Bit i % 64 of word i / 64 stands for key i; the bits past the last key of the batch are 0.
 */
#ifndef BLOOMLAB_ANSWER_H
#define BLOOMLAB_ANSWER_H

#include <stddef.h>
#include <stdint.h>

static inline size_t answer_words(size_t count)
{
    return count / 64 + (count % 64 != 0);
}

/* How many are present. */
uint64_t answer_count(const uint64_t *bitmap, size_t count);

/* present[i] = 1 or 0, i < count; returns how many are 1. */
uint64_t answer_bytes(uint8_t *present, const uint64_t *bitmap, size_t count);

/* The keys that are present, ascending; returns how many. which has room for that many, or count.
 */
uint64_t answer_list(uint32_t *which, const uint64_t *bitmap, size_t count);

#endif
