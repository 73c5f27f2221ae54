/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "harness/trial/trial.h"

enum { HUGE_PAGE = 1 << 21, EXTRA_ALIGNMENT = 4096 };

uint64_t memory_physical(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* At least `bytes` bytes aligned to 64, or to a huge page where one fits; the old block is dropped.
 */
static bool block_ensure(unsigned char **block, uint64_t *room, uint64_t bytes, size_t alignment)
{
    if (*block && *room >= bytes && ((uintptr_t)*block & (alignment - 1)) == 0)
        return true;
    bool huge = bytes >= HUGE_PAGE;
    size_t unit = huge ? HUGE_PAGE : alignment < 64 ? 64 : alignment;
    uint64_t rounded = (bytes / unit + 1) * unit;
    free(*block);
    *room = 0;
    *block = aligned_alloc(unit, rounded);
    if (!*block)
        return false;
    if (huge)
        madvise(*block, rounded, MADV_HUGEPAGE);
    *room = rounded;
    return true;
}

enum status workspace_filter(struct workspace *space, struct filter *filter,
                             const struct filter_ops *ops, const struct layout *layout,
                             struct error *err)
{
    uint64_t grows = layout->bytes_max - layout->bytes, scratch_room = space->scratch_room;
    if (layout->bytes_max > memory_physical())
        return fail(err, E_RUN, "a %s filter of %llu bytes is more than the %llu of this machine",
                    ops->name, (unsigned long long)layout->bytes_max,
                    (unsigned long long)memory_physical());
    if (!block_ensure(&space->memory, &space->memory_room, layout->bytes, layout->alignment) ||
        !block_ensure(&space->arena_memory, &space->arena_room, grows, 64) ||
        !block_ensure((unsigned char **)&space->scratch, &scratch_room, layout->scratch_bytes, 64))
        return fail(err, E_RUN, "no memory for a %s filter of %llu bytes", ops->name,
                    (unsigned long long)layout->bytes_max);
    space->scratch_room = (size_t)scratch_room;
    if (grows)
        memset(space->arena_memory, 0, grows);
    space->arena = (struct arena){.base = space->arena_memory, .bytes = grows};
    *filter = (struct filter){
        .ops = ops,
        .layout = layout,
        .memory = space->memory,
        .arena = ops->capabilities & CAN_GROW ? &space->arena : NULL,
    };
    ops->init(filter);
    return OK;
}

unsigned char *workspace_extra(struct workspace *space, uint64_t bytes)
{
    return block_ensure(&space->extra, &space->extra_room, bytes, EXTRA_ALIGNMENT) ? space->extra
                                                                                   : NULL;
}

void workspace_release(struct workspace *space)
{
    free(space->memory);
    free(space->arena_memory);
    free(space->extra);
    free(space->scratch);
    *space = (struct workspace){0};
}

uint64_t filter_digest(const struct filter *filter)
{
    uint64_t digest = XXH3_64bits(filter->memory, filter->layout->bytes);
    if (filter->arena)
        digest = XXH3_64bits_withSeed(filter->arena->base, filter->arena->used, digest);
    return digest;
}

void trial_result_release(struct trial_result *result)
{
    free(result->measures);
    result->measures = NULL;
    result->measure_count = 0;
}

enum status trial_measure_add(struct trial_result *result, const char *name, double value,
                              struct error *err)
{
    unsigned count = result->measure_count;
    if (count == TRIAL_MEASURES_MAX)
        return fail(err, E_RUN, "a trial has more than %d measures", TRIAL_MEASURES_MAX);
    if (count % 8 == 0) {
        struct trial_measure *moved =
            realloc(result->measures, (count + 8) * sizeof *result->measures);
        if (!moved)
            return fail(err, E_RUN, "no memory for the measures of a trial");
        result->measures = moved;
    }
    struct trial_measure *measure = &result->measures[result->measure_count++];
    measure->value = value;
    measure->name[0] = '\0';
    strncat(measure->name, name, sizeof measure->name - 1);
    return OK;
}

double trial_measure(const struct trial_result *result, const char *name, double absent)
{
    for (unsigned i = 0; i < result->measure_count; i++)
        if (strcmp(result->measures[i].name, name) == 0)
            return result->measures[i].value;
    return absent;
}
