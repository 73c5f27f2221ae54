/* SPDX-License-Identifier: MIT
 *
 * stretch.h: the loops that a clock stands beside: one operation over a stretch of a list of keys.
 *
 * Throughput and latency are two loops. In all but query_dependent the keys of a batch are known
 * together and their misses overlap. In query_dependent a batch is one key, whose place follows
 * from the answer before it; a fence keeps the processor from guessing ahead.
 */
#ifndef BLOOMLAB_BENCH_STRETCH_H
#define BLOOMLAB_BENCH_STRETCH_H

#include "harness/bench/timings.h"
#include "harness/digest/digest.h"

struct stretch {
    struct filter *filter;
    struct digest_source *source;
    void *scratch;
    size_t first, count; /* keys of the source */
    size_t zero;         /* 0, unknown to the compiler */
};

/* What an operation leaves, room for `count` of each. */
struct answers {
    uint8_t *present; /* query_bytes */
    uint32_t *place;  /* query_list: place[0 .. hits), counted from the stretch's first key */
};

/* How many keys are present; insert: how many were inserted, 0 when the filter refused. */
uint64_t stretch_run(enum operation operation, const struct stretch *stretch,
                     const struct answers *answers);

#endif
