/* SPDX-License-Identifier: MIT */
#include "filters/regions.h"

#include <string.h>

static unsigned regions_shift(uint64_t positions)
{
    unsigned shift = 0;
    while ((positions - 1) >> shift >= REGIONS_MAX)
        shift++;
    return shift;
}

static size_t regions_count(uint64_t positions)
{
    return (size_t)((positions - 1) >> regions_shift(positions)) + 1;
}

/* An eighth over the mean, so that uniform positions seldom fill a queue before the end. */
static size_t regions_capacity(size_t count)
{
    return (REGIONS_KEYS / count + REGIONS_KEYS / count / 8 + 63) / 64 * 64;
}

static size_t regions_head(void)
{
    return (sizeof(struct regions) + 63) / 64 * 64;
}

size_t regions_scratch_bytes(uint64_t bytes, uint64_t positions)
{
    if (!regions_wanted(bytes))
        return 0;
    size_t count = regions_count(positions);
    return regions_head() + count * regions_capacity(count) * (sizeof(uint64_t) + sizeof(uint32_t));
}

struct regions *regions_begin(void *scratch, uint64_t positions, bool indexed, regions_work *work,
                              void *context)
{
    struct regions *r = scratch;
    r->count = regions_count(positions);
    r->capacity = regions_capacity(r->count);
    r->shift = regions_shift(positions);
    r->entry = (uint64_t *)((unsigned char *)scratch + regions_head());
    r->index = indexed ? (uint32_t *)(r->entry + r->count * r->capacity) : NULL;
    r->work = work;
    r->context = context;
    memset(r->used, 0, sizeof r->used);
    return r;
}

static void regions_work_off(struct regions *r, size_t region)
{
    size_t first = region * r->capacity;
    r->work(r->context, r->entry + first, r->index ? r->index + first : NULL, r->used[region]);
    r->used[region] = 0;
}

void regions_put(struct regions *r, const uint64_t *position, const uint64_t *entry,
                 const uint32_t *which, size_t count)
{
    const size_t capacity = r->capacity;
    const unsigned shift = r->shift;
    uint64_t *into = r->entry;
    uint32_t *index = r->index, *used = r->used;
    for (size_t i = 0; i < count; i++) {
        size_t region = position[i] >> shift, at = region * capacity + used[region];
        into[at] = entry[i];
        if (index)
            index[at] = which[i];
        if (++used[region] == capacity)
            regions_work_off(r, region);
    }
}

void regions_finish(struct regions *r)
{
    for (size_t region = 0; region < r->count; region++)
        if (r->used[region])
            regions_work_off(r, region);
}

void regions_all(uint64_t *bitmap, size_t count)
{
    memset(bitmap, 0, REGIONS_KEYS / 8);
    memset(bitmap, 0xff, count / 64 * 8);
    if (count % 64)
        bitmap[count / 64] = (UINT64_C(1) << count % 64) - 1;
}
