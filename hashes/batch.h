/* SPDX-License-Identifier: MIT
 *
 * batch.h: what the batch functions of all hashes share.
 */
#ifndef BLOOMLAB_BATCH_H
#define BLOOMLAB_BATCH_H

#include "hashes/hash.h"

typedef void hash_batch(const struct key_batch *keys, const uint32_t *which, size_t count,
                        uint64_t seed, uint64_t *low, uint64_t *high);

/* The stride `bytes`, hidden from gcc alone: at 36 bytes it vectorises over keys when the stride is
 * no constant (a constant one it takes for a group of nine words that it cannot unravel), clang
 * only when it is one. */
static inline size_t batch_stride(size_t bytes)
{
#if defined __GNUC__ && !defined __clang__
    __asm__("" : "+r"(bytes));
#endif
    return bytes;
}

/* Does what batch does for chosen keys of one length, 8 or 36 bytes, through keys copied side by
 * side: a copy costs less than a loop that cannot be vectorised. */
void batch_selected(hash_batch *batch, const struct key_batch *keys, const uint32_t *which,
                    size_t count, uint64_t seed, uint64_t *low, uint64_t *high);

#endif
