/* SPDX-License-Identifier: MIT
 *
 * regions.h: large batches to a filter far larger than the caches, region by region.
 *
 * A key's position picks a region of the array (its top bits); an entry that says what is to be
 * done there waits in the region's queue, and a queue is worked off when it is full or the batch is
 * at its end. So lines of memory are asked for from a stretch of the array at a time, and
 * neighbours find the page open, in the translation buffer as in the memory chip. Source: radix
 * partitioning of C. Balkesen, J. Teubner, G. Alonso, M. T. Ozsu, "Main-Memory Hash Joins on
 * Multi-Core CPUs", ICDE 2013; of Bloom filters F. Putze, P. Sanders, J. Singler, ACM JEA 14, 2009,
 * section 5.
 *
 * The order of entries changes, what they do does not: bits are or-ed, counters go up and stick.
 * Digests that all pick one region only make it be worked off more often.
 *
 * Memory, all of it the caller's scratch: struct regions, then 8 bytes an entry, then, where
 * answers are wanted, 4 bytes an entry for the number of the key.
 */
#ifndef BLOOMLAB_REGIONS_H
#define BLOOMLAB_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Filters of at least this many bytes take batches of REGIONS_KEYS keys: below it, a line that is
 * prefetched comes as soon. */
#define REGIONS_LEAST_BYTES (UINT64_C(48) << 20)

enum { REGIONS_MAX = 512, REGIONS_KEYS = 1 << 20, REGIONS_AHEAD = 32 };

/* Works off a queue. index NULL: nobody asked which keys they are. */
typedef void regions_work(void *context, const uint64_t *entry, const uint32_t *index,
                          size_t count);

struct regions {
    uint64_t *entry; /* queue r at r * capacity */
    uint32_t *index;
    size_t count, capacity;
    unsigned shift; /* position >> shift is the region */
    regions_work *work;
    void *context;
    uint32_t used[REGIONS_MAX];
    uint64_t alive[REGIONS_KEYS / 64], next[REGIONS_KEYS / 64]; /* answer.h, of a whole batch */
};

/* Does a filter of that many bytes work by regions? */
static inline bool regions_wanted(uint64_t bytes)
{
    return bytes >= REGIONS_LEAST_BYTES;
}

/* Bytes of scratch, aligned to 64, for positions below `positions` of a filter of `bytes` bytes; 0:
 * it does not work by regions. */
size_t regions_scratch_bytes(uint64_t bytes, uint64_t positions);

/* Lays queues out in scratch of that size; they are empty. indexed: entries have numbers. */
struct regions *regions_begin(void *scratch, uint64_t positions, bool indexed, regions_work *work,
                              void *context);

/* Queues entry[i] to the region of position[i], i < count <= FILTER_BATCH, as key which[i]. */
void regions_put(struct regions *r, const uint64_t *position, const uint64_t *entry,
                 const uint32_t *which, size_t count);

/* Works off all queues. */
void regions_finish(struct regions *r);

/* Sets the bits of `count` keys in a bitmap, and clears the rest of REGIONS_KEYS. */
void regions_all(uint64_t *bitmap, size_t count);

#endif
