/* SPDX-License-Identifier: MIT */
#include "harness/bench/stretch.h"

static inline size_t stretch_batch(const struct stretch *stretch, size_t done)
{
    size_t left = stretch->count - done, batch = stretch->filter->layout->batch;
    return left < batch ? left : batch;
}

static uint64_t stretch_insert(const struct stretch *stretch)
{
    struct filter *filter = stretch->filter;
    struct error error;
    for (size_t done = 0; done < stretch->count; done += filter->layout->batch) {
        struct digests *batch = digest_source_batch(stretch->source, stretch->first + done,
                                                    stretch_batch(stretch, done));
        if (filter->ops->insert(filter, batch, stretch->scratch, &error) != OK)
            return 0;
    }
    return stretch->count;
}

/* present NULL: the hits are counted only. */
static uint64_t stretch_query(const struct stretch *stretch, uint8_t *present)
{
    const struct filter *filter = stretch->filter;
    uint64_t hits = 0;
    for (size_t done = 0; done < stretch->count; done += filter->layout->batch) {
        struct digests *batch = digest_source_batch(stretch->source, stretch->first + done,
                                                    stretch_batch(stretch, done));
        hits +=
            filter->ops->query(filter, present ? present + done : NULL, batch, stretch->scratch);
    }
    return hits;
}

static uint64_t stretch_list(const struct stretch *stretch, const struct answers *answers)
{
    const struct filter *filter = stretch->filter;
    uint64_t hits = 0;
    for (size_t done = 0; done < stretch->count; done += filter->layout->batch) {
        struct digests *batch = digest_source_batch(stretch->source, stretch->first + done,
                                                    stretch_batch(stretch, done));
        uint32_t *place = answers->place + hits;
        uint64_t found = filter_match(filter, place, batch, stretch->scratch);
        for (uint64_t i = 0; i < found; i++)
            place[i] += (uint32_t)done;
        hits += found;
    }
    return hits;
}

static inline void stretch_fence(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#else
    __sync_synchronize();
#endif
}

static uint64_t stretch_dependent(const struct stretch *stretch)
{
    const struct filter *filter = stretch->filter;
    uint64_t hits = 0, found = 0;
    for (size_t i = 0; i < stretch->count; i++) {
        size_t at = stretch->first + i + (found & stretch->zero);
        struct digests *batch = digest_source_batch(stretch->source, at, 1);
        found = filter->ops->query(filter, NULL, batch, stretch->scratch);
        hits += found;
        stretch_fence();
    }
    return hits;
}

uint64_t stretch_run(enum operation operation, const struct stretch *stretch,
                     const struct answers *answers)
{
    switch (operation) {
    case OPERATION_INSERT:
        return stretch_insert(stretch);
    case OPERATION_QUERY_BYTES:
        return stretch_query(stretch, answers->present);
    case OPERATION_QUERY_LIST:
        return stretch_list(stretch, answers);
    case OPERATION_QUERY_COUNT:
        return stretch_query(stretch, NULL);
    case OPERATION_QUERY_DEPENDENT:
        break;
    }
    return stretch_dependent(stretch);
}
