/* SPDX-License-Identifier: MIT
 *
 * counters.h: what the processor counts while a stretch of code runs, where the kernel lets us see.
 *
 * Four events of perf_event_open(2), user mode only, this thread, opened as one group so that they
 * cover the same time. Virtual machines often have none, and kernels may forbid them
 * (perf_event_paranoid): each that cannot be opened is absent, and its numbers are NaN.
 */
#ifndef BLOOMLAB_BENCH_COUNTERS_H
#define BLOOMLAB_BENCH_COUNTERS_H

#include <stdint.h>

enum counter { COUNTER_CYCLES, COUNTER_INSTRUCTIONS, COUNTER_CACHE_MISSES, COUNTER_BRANCH_MISSES };
enum { COUNTER_COUNT = COUNTER_BRANCH_MISSES + 1 };

struct counters {
    int file[COUNTER_COUNT]; /* -1: absent */
};

struct counts {
    double event[COUNTER_COUNT]; /* NaN: absent, or not running all the time */
};

void counters_open(struct counters *counters);
void counters_close(struct counters *counters);

void counters_start(const struct counters *counters);
void counters_stop(const struct counters *counters, struct counts *counts);

#endif
