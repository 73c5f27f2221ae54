/* SPDX-License-Identifier: MIT
 *
 * profile.h: the probe profile of a whole plan: a pass over the queries of every trial that the
 * trials themselves know nothing of, made only when it is asked for.
 */
#ifndef BLOOMLAB_SCHEDULE_PROFILE_H
#define BLOOMLAB_SCHEDULE_PROFILE_H

#include "harness/schedule/schedule.h"

/* Of one probe, or of two, over the trials of a cell. Given the filters, queries are independent:
 * hits are a sum of binomial counts, whose mean and variance these are. */
struct probe_tally {
    uint64_t queries, hits;
    double expected, variance;
};

struct profile {
    struct probe_tally **cell; /* of each cell: probes_rows() of them, NULL where that is 0 */
    size_t count;
};

/* Fills *profile, empty after a failure or an interrupt. The same numbers whatever the threads; at
 * most as many of them work as filters fit the schedule's memory. */
enum status profile_run(struct profile *profile, bool *interrupted, const struct schedule *schedule,
                        const struct plan *plan, struct error *err);
void profile_release(struct profile *profile);

#endif
