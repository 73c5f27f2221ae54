/* SPDX-License-Identifier: MIT
 *
 * batch.h: what the batch functions of all hashes share.
 */
#ifndef BLOOMLAB_BATCH_H
#define BLOOMLAB_BATCH_H

#include "hashes/hash.h"
#include "hashes/lanes.h"
#include "machine/path.h"

typedef void hash_batch(const struct key_batch *keys, const uint32_t *which, size_t count,
                        uint64_t seed, uint64_t *low, uint64_t *high);

/* Values of a tile's lanes, whose keys stand in bytes: low[0 .. tile->lanes), high of 128-bit
 * hashes alone. */
typedef void hash_lanes(uint64_t *low, uint64_t *high, const struct lanes_tile *tile,
                        const unsigned char *bytes, uint64_t seed);

/* The loops of one hash, by path (machine/path.h). lanes: NULL where there are none. */
struct batch_plan {
    struct hash_value (*one)(const void *key, size_t length, uint64_t seed);
    unsigned bits;
    size_t block; /* bytes that the hash consumes in a step */
    hash_batch *loop[PATH_COUNT];
    hash_lanes *same[PATH_COUNT];  /* of lanes of one length */
    hash_lanes *mixed[PATH_COUNT]; /* of any */
};

/* What batch of struct hash does, by the path of the process. */
void batch_run(const struct batch_plan *plan, const struct key_batch *keys, const uint32_t *which,
               size_t count, uint64_t seed, uint64_t *low, uint64_t *high);

/* Before a loop of a constant, small count that has to disappear. */
#if defined __clang__
#define BATCH_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define BATCH_UNROLLED _Pragma("GCC unroll 16")
#endif

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
