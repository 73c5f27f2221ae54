/* SPDX-License-Identifier: MIT
 *
 * regions.h: keys to one filter, region by region: for several threads, and for a filter that no
 * cache holds.
 *
 * The memory of a filter is cut into at most REGIONS_MAX regions of a power of two of bytes. What a
 * key does to one place of it is an entry, a word of 64 bits whose meaning is the variant's own: a
 * position, or a joined digest. Entries are put to the queue of their region (ops->scatter), and a
 * queue is worked off by itself (ops->settle). So two threads never write to the same byte, each
 * line is asked for among its neighbours, whose page is open then, and what is there at the end
 * does not depend on the order: bits are or-ed, counters go up and stick, registers grow.
 *
 * Source: radix partitioning of C. Balkesen, J. Teubner, G. Alonso, M. T. Ozsu, "Main-Memory Hash
 * Joins on Multi-Core CPUs", ICDE 2013.
 *
 * Memory, all of it the caller's: a row of segments of FILTER_BATCH entries, 4096 bytes each. A
 * queue is a chain of segments, the first of them segment r of region r; the others are taken from
 * those left when one is full. Digests that all pick one region are as welcome as uniform ones.
 *
 * What surprises: where many entries wait, all lines of a region are read in a row before the first
 * of them is settled. A line read in its turn costs a third of one asked for by itself (measured at
 * 256 MiB: 1.7 ns against 6), as the memory's own prefetcher sees it coming. And the first segment
 * of a queue is begun within, each at another line, so that queues that fill alike do not all write
 * to one set of the cache.
 */
#ifndef BLOOMLAB_REGIONS_H
#define BLOOMLAB_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/filter.h"

enum { REGIONS_MAX = 512, REGIONS_ALIGNMENT = 4096 };

struct regions {
    uint64_t *cursor[REGIONS_MAX]; /* where the next entry of a region goes: never past a segment */
    uint64_t *entry;               /* of segment s at s * FILTER_BATCH */
    uint32_t *before;              /* the segment of the same queue that was filled before s */
    unsigned shift;                /* byte >> shift is its region */
    size_t count;                  /* regions: 1 .. REGIONS_MAX */
    size_t taken;                  /* segments */
    size_t put, room;              /* entries that wait, and that may */
};

/* Bytes, aligned to REGIONS_ALIGNMENT, of queues that hold `room` entries together. */
size_t regions_bytes(size_t room);

/* Lays empty queues out there, for at most `most` regions, 1 .. REGIONS_MAX, of at least
 * layout->alignment bytes, 64 or more: so a line of the cache belongs to one region, and a block
 * too. layout->bytes >= 1. */
void regions_init(struct regions *r, void *memory, size_t room, const struct layout *layout,
                  unsigned most);

/* Is there room for what any batch of a filter of this layout can scatter? */
bool regions_have_room(const struct regions *r, const struct layout *layout);

/* A queue that is full to the end of its segment goes on in another. */
void regions_open(struct regions *r, size_t region);

/* Puts entry[i] to the region of byte place[i] >> grain, i < count; grain 0 .. 3 where a byte holds
 * 2^grain places. */
static inline void regions_put(struct regions *r, const uint64_t *place, unsigned grain,
                               const uint64_t *entry, size_t count)
{
    const unsigned shift = r->shift + grain;
    for (size_t i = 0; i < count; i++) {
        size_t region = place[i] >> shift;
        uint64_t *at = r->cursor[region];
        *at++ = entry[i];
        r->cursor[region] = at;
        if (((uintptr_t)at & (REGIONS_ALIGNMENT - 1)) == 0)
            regions_open(r, region);
    }
    r->put += count;
}

/* Gives what waits for a region in all of `number` rows of queues, laid out alike for f, to
 * ops->settle. The queues stay as they are. */
void regions_settle(const struct regions *const *queues, size_t number, size_t region,
                    struct filter *f, void *scratch);

/* The same for ops->census: how many of the keys that wait are present. */
uint64_t regions_census(const struct regions *const *queues, size_t number, size_t region,
                        const struct filter *f, void *scratch);

/* All queues are empty again. */
void regions_empty(struct regions *r);

/* ---- variants that make everything of one joined digest (joined.h): entries are such digests - */

/* ops->settle and ops->census by way of ops->insert and ops->query. */
void regions_settle_joined(struct filter *f, const uint64_t *entry, size_t count, bool near,
                           void *scratch);
uint64_t regions_census_joined(const struct filter *f, const uint64_t *entry, size_t count,
                               bool near, void *scratch);

#endif
