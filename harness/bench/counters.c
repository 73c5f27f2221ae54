/* SPDX-License-Identifier: MIT */
#include "harness/bench/counters.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t counters_event[COUNTER_COUNT] = {
    [COUNTER_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
    [COUNTER_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
    [COUNTER_CACHE_MISSES] = PERF_COUNT_HW_CACHE_MISSES,
    [COUNTER_BRANCH_MISSES] = PERF_COUNT_HW_BRANCH_MISSES,
};

/* What a read of one event gives: read_format below. */
struct counters_read {
    uint64_t value, enabled_ns, running_ns;
};

static int counters_leader(const struct counters *counters)
{
    for (int e = 0; e < COUNTER_COUNT; e++)
        if (counters->file[e] >= 0)
            return counters->file[e];
    return -1;
}

void counters_open(struct counters *counters)
{
    for (int e = 0; e < COUNTER_COUNT; e++)
        counters->file[e] = -1;
    for (int e = 0; e < COUNTER_COUNT; e++) {
        int leader = counters_leader(counters);
        struct perf_event_attr event = {
            .type = PERF_TYPE_HARDWARE,
            .size = sizeof event,
            .config = counters_event[e],
            .disabled = leader < 0,
            .exclude_kernel = 1,
            .exclude_hv = 1,
            .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        };
        counters->file[e] =
            (int)syscall(SYS_perf_event_open, &event, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
    }
}

void counters_close(struct counters *counters)
{
    for (int e = 0; e < COUNTER_COUNT; e++) {
        if (counters->file[e] >= 0)
            close(counters->file[e]);
        counters->file[e] = -1;
    }
}

void counters_start(const struct counters *counters)
{
    int leader = counters_leader(counters);
    if (leader < 0)
        return;
    ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
    ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

void counters_stop(const struct counters *counters, struct counts *counts)
{
    int leader = counters_leader(counters);
    if (leader >= 0)
        ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    for (int e = 0; e < COUNTER_COUNT; e++) {
        struct counters_read got = {0};
        bool whole = counters->file[e] >= 0 &&
                     read(counters->file[e], &got, sizeof got) == (ssize_t)sizeof got &&
                     got.enabled_ns > 0 && got.running_ns == got.enabled_ns;
        counts->event[e] = whole ? (double)got.value : NAN;
    }
}
