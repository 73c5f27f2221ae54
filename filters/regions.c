/* SPDX-License-Identifier: MIT */
#include "filters/regions.h"

#include "filters/joined.h"
#include "filters/loops.h"

/* Lines of a region are read in a row from one entry to two lines on. */
enum { REGIONS_LINE = 64, REGIONS_SPARSE = 2 };

/* As many as there are entries for, one more for each queue that is not full, and half of that
 * again for what first segments leave out. */
static size_t regions_segments(size_t room)
{
    return room / FILTER_BATCH + 1 + 2 * REGIONS_MAX;
}

size_t regions_bytes(size_t room)
{
    size_t bytes = regions_segments(room) * (FILTER_BATCH * sizeof(uint64_t) + sizeof(uint32_t));
    return (bytes + REGIONS_ALIGNMENT - 1) / REGIONS_ALIGNMENT * REGIONS_ALIGNMENT;
}

void regions_init(struct regions *r, void *memory, size_t room, const struct layout *layout,
                  unsigned most)
{
    const uint64_t bytes = layout->bytes;
    unsigned shift = (unsigned)__builtin_ctzll(layout->alignment);
    while ((bytes - 1) >> shift >= most)
        shift++;
    r->entry = memory;
    r->before = (uint32_t *)(r->entry + regions_segments(room) * FILTER_BATCH);
    r->shift = shift;
    r->count = (size_t)((bytes - 1) >> shift) + 1;
    r->room = room;
    regions_empty(r);
}

bool regions_have_room(const struct regions *r, const struct layout *layout)
{
    return r->room - r->put >= (size_t)FILTER_BATCH * (layout->k ? layout->k : 1);
}

/* Entries that the first segment of a queue leaves out. */
static size_t regions_stagger(size_t region)
{
    return region * 8 % FILTER_BATCH;
}

void regions_empty(struct regions *r)
{
    r->put = 0;
    r->taken = r->count;
    for (size_t region = 0; region < r->count; region++)
        r->cursor[region] = r->entry + region * FILTER_BATCH + regions_stagger(region);
}

void regions_open(struct regions *r, size_t region)
{
    size_t full = (size_t)(r->cursor[region] - r->entry) / FILTER_BATCH - 1;
    r->before[r->taken] = (uint32_t)full;
    r->cursor[region] = r->entry + r->taken++ * FILTER_BATCH;
}

/* Brings all lines of a region into the cache. */
static void regions_fetch(const struct regions *r, size_t region, const struct filter *f)
{
    const uint64_t first = (uint64_t)region << r->shift, size = UINT64_C(1) << r->shift;
    const uint64_t left = f->layout->bytes - first;
    const volatile unsigned char *memory = f->memory + first;
    for (uint64_t i = 0; i < (left < size ? left : size); i += REGIONS_LINE)
        (void)memory[i];
}

/* Is it worth while to bring the regions into the cache? */
static bool regions_crowded(const struct regions *const *queues, size_t number,
                            const struct layout *layout)
{
    uint64_t waiting = 0;
    for (size_t i = 0; i < number; i++)
        waiting += queues[i]->put;
    return waiting >= layout->bytes / REGIONS_LINE / REGIONS_SPARSE;
}

/* What is done with the entries of a segment. */
typedef uint64_t regions_work(struct filter *f, const uint64_t *entry, size_t count, bool near,
                              void *scratch);

/* Goes through one row of queues; the sum of what the work returns. */
static uint64_t regions_walk(const struct regions *r, size_t region, regions_work *work,
                             struct filter *f, bool near, void *scratch)
{
    size_t at = (size_t)(r->cursor[region] - r->entry), segment = at / FILTER_BATCH;
    size_t end = at % FILTER_BATCH;
    uint64_t sum = 0;
    for (;;) {
        size_t first = segment == region ? regions_stagger(region) : 0;
        if (end > first)
            sum += work(f, r->entry + segment * FILTER_BATCH + first, end - first, near, scratch);
        if (segment == region)
            return sum;
        segment = r->before[segment];
        end = FILTER_BATCH;
    }
}

static uint64_t regions_walk_all(const struct regions *const *queues, size_t number, size_t region,
                                 regions_work *work, struct filter *f, void *scratch)
{
    bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
    bool fetch = far && regions_crowded(queues, number, f->layout);
    uint64_t sum = 0;
    if (fetch)
        regions_fetch(queues[0], region, f);
    for (size_t i = 0; i < number; i++)
        sum += regions_walk(queues[i], region, work, f, fetch || !far, scratch);
    return sum;
}

static uint64_t regions_do_settle(struct filter *f, const uint64_t *entry, size_t count, bool near,
                                  void *scratch)
{
    f->ops->settle(f, entry, count, near, scratch);
    return 0;
}

void regions_settle(const struct regions *const *queues, size_t number, size_t region,
                    struct filter *f, void *scratch)
{
    regions_walk_all(queues, number, region, regions_do_settle, f, scratch);
}

static uint64_t regions_do_census(struct filter *f, const uint64_t *entry, size_t count, bool near,
                                  void *scratch)
{
    return f->ops->census(f, entry, count, near, scratch);
}

uint64_t regions_census(const struct regions *const *queues, size_t number, size_t region,
                        const struct filter *f, void *scratch)
{
    struct filter copy = *f; /* only read */
    return regions_walk_all(queues, number, region, regions_do_census, &copy, scratch);
}

/* ---- joined digests ------------------------------------------------------------------------- */

struct regions_joined {
    struct digests base; /* first: the filter's pointer is ours */
    const uint64_t *entry;
};

/* The columns that were joined. */
static const uint64_t *regions_joined_column(struct digests *self, unsigned column,
                                             const uint32_t *which, size_t count, uint64_t *out)
{
    const struct regions_joined *joined = (const struct regions_joined *)self;
    if (joined_columns(self->bits) == 1 && !which)
        return joined->entry;
    const uint64_t mask = UINT64_MAX >> (64 - self->bits);
    for (size_t i = 0; i < count; i++)
        out[i] = joined->entry[which ? which[i] : i] >> column * self->bits & mask;
    return out;
}

static struct regions_joined regions_join(const struct filter *f, const uint64_t *entry,
                                          size_t count)
{
    return (struct regions_joined){
        .base = {.column = regions_joined_column,
                 .count = count,
                 .bits = f->layout->params.digest_bits},
        .entry = entry,
    };
}

void regions_settle_joined(struct filter *f, const uint64_t *entry, size_t count, bool near,
                           void *scratch)
{
    (void)near;
    struct regions_joined joined = regions_join(f, entry, count);
    f->ops->insert(f, &joined.base, scratch, NULL);
    f->inserted -= count;
}

uint64_t regions_census_joined(const struct filter *f, const uint64_t *entry, size_t count,
                               bool near, void *scratch)
{
    (void)near;
    struct regions_joined joined = regions_join(f, entry, count);
    return f->ops->query(f, NULL, &joined.base, scratch);
}
