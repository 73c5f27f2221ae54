/* SPDX-License-Identifier: MIT */
#include "harness/stages/stages.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

bool stages_on;

static _Atomic uint64_t stages_ns[STAGE_COUNT];

/* Of this thread. */
static _Thread_local enum stage stages_now;
static _Thread_local uint64_t stages_since;

static uint64_t stages_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

enum stage stage_switch(enum stage stage)
{
    enum stage before = stages_now;
    uint64_t now = stages_clock();
    if (before != STAGE_NONE)
        atomic_fetch_add_explicit(&stages_ns[before], now - stages_since, memory_order_relaxed);
    stages_now = stage;
    stages_since = now;
    return before;
}

void stages_start(void)
{
    for (int s = 0; s < STAGE_COUNT; s++)
        atomic_store(&stages_ns[s], 0);
    stages_on = true;
}

double stage_seconds(enum stage stage)
{
    return 1e-9 * (double)atomic_load(&stages_ns[stage]);
}

const char *stage_name(enum stage stage)
{
    static const char *const names[STAGE_COUNT] = {
        [STAGE_NONE] = "none",     [STAGE_KEYS] = "keys",     [STAGE_DIGESTS] = "digests",
        [STAGE_INSERT] = "insert", [STAGE_QUERY] = "query",   [STAGE_LOOK] = "look",
        [STAGE_THEORY] = "theory", [STAGE_TABLES] = "tables", [STAGE_PLOTS] = "plots",
        [STAGE_OTHER] = "other",
    };
    return names[stage];
}
