/* SPDX-License-Identifier: MIT
 *
 * add.h: what the `add` of all variants with k positions in one array shares.
 *
 * The keys of a batch are added one after the other, but their positions are known before: they are
 * computed and prefetched column by column into a matrix at the end of the scratch. Then each key
 * reads and sets its positions at once. A bit that an earlier probe of the same key has set reads
 * as set, which changes nothing: the earlier probe has told what was there before.
 */
#ifndef BLOOMLAB_ADD_H
#define BLOOMLAB_ADD_H

#include "filters/bits.h"
#include "filters/filter.h"

/* Scratch of a variant that needs `own` bytes for its other loops. */
static inline size_t add_scratch_bytes(size_t own, unsigned k)
{
    return (own + 7) / 8 * 8 + (size_t)k * FILTER_BATCH * sizeof(uint64_t);
}

/* The matrix in it: probe i of key j at [i * FILTER_BATCH + j]. */
static inline uint64_t *add_positions(const struct layout *layout, void *scratch)
{
    size_t matrix = (size_t)layout->k * FILTER_BATCH * sizeof(uint64_t);
    return (uint64_t *)((unsigned char *)scratch + (layout->scratch_bytes - matrix));
}

/* Sets a bit; was it set? */
static inline bool add_bit(struct filter *f, uint64_t position)
{
    bool old = bits_test(f->memory, position);
    bits_set(f->memory, position);
    return old;
}

/* Adds `count` keys whose positions are known, with `set` for add_bit; how many were present. */
static inline __attribute__((always_inline)) uint64_t
add_keys_with(bool (*set)(struct filter *, uint64_t), struct filter *f, uint8_t *present,
              const uint64_t *position, size_t count)
{
    const unsigned k = f->layout->k;
    uint64_t hits = 0;
    for (size_t i = 0; i < count; i++) {
        bool all = true;
        for (unsigned probe = 0; probe < k; probe++)
            all &= set(f, position[(size_t)probe * FILTER_BATCH + i]);
        present[i] = all;
        hits += all;
    }
    f->inserted += count;
    return hits;
}

static inline uint64_t add_keys(struct filter *f, uint8_t *present, const uint64_t *position,
                                size_t count)
{
    return add_keys_with(add_bit, f, present, position, count);
}

#endif
