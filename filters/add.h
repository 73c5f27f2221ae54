/* SPDX-License-Identifier: MIT
 *
 * add.h: what the `add` of all variants with k positions in one array shares.
 *
 * The keys of a batch are added one after the other, but their positions are known before: they are
 * computed column by column into a matrix at the end of the scratch. Then each key reads and sets
 * its positions at once, while those of the keys some ADD_LINES positions ahead are fetched
 * (measured at 1 GB, k = 7: 80 ns a key; 128 when all positions of a batch are fetched first). A
 * bit that an earlier probe of the same key has set reads as set, which changes nothing: the
 * earlier probe has told what was there before.
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

enum { ADD_LINES = 48 }; /* of the cache under way at a time */

/* Adds `count` keys whose positions are known, with `set` for add_bit and `address` for what to
 * fetch; how many were present. far: the filter leaves the second-level cache. */
static inline __attribute__((always_inline)) uint64_t
add_keys_with(bool (*set)(struct filter *, uint64_t),
              const void *(*address)(const unsigned char *, uint64_t), bool far, struct filter *f,
              uint8_t *present, const uint64_t *position, size_t count)
{
    const unsigned k = f->layout->k;
    const size_t ahead = k < ADD_LINES ? ADD_LINES / k : 1;
    uint64_t hits = 0;
    for (size_t i = 0; far && i < ahead && i < count; i++)
        for (unsigned probe = 0; probe < k; probe++)
            __builtin_prefetch(address(f->memory, position[(size_t)probe * FILTER_BATCH + i]), 1);
    for (size_t i = 0; i < count; i++) {
        bool all = true;
        if (far && i + ahead < count)
            for (unsigned probe = 0; probe < k; probe++)
                __builtin_prefetch(
                    address(f->memory, position[(size_t)probe * FILTER_BATCH + i + ahead]), 1);
        for (unsigned probe = 0; probe < k; probe++)
            all &= set(f, position[(size_t)probe * FILTER_BATCH + i]);
        present[i] = all;
        hits += all;
    }
    f->inserted += count;
    return hits;
}

static inline const void *add_address(const unsigned char *memory, uint64_t position)
{
    return memory + (position >> 3);
}

/* The same for bits. */
static inline uint64_t add_keys(bool far, struct filter *f, uint8_t *present,
                                const uint64_t *position, size_t count)
{
    return add_keys_with(add_bit, add_address, far, f, present, position, count);
}

#endif
