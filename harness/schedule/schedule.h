/* SPDX-License-Identifier: MIT
 *
 * schedule.h: the trials of a plan over threads, within a memory budget.
 *
 * A task is one trial of (some of) the cells that share keys and digests. Threads take tasks in the
 * plan's order; which thread runs what changes no number.
 */
#ifndef BLOOMLAB_SCHEDULE_H
#define BLOOMLAB_SCHEDULE_H

#include <signal.h>

#include "harness/table/part.h"

struct schedule {
    unsigned threads;
    uint64_t memory_bytes;            /* what tasks may hold together */
    volatile sig_atomic_t *interrupt; /* set to stop after the trials in flight; may be NULL */
    bool quiet;                       /* no progress */
};

/* How a run went, for provenance. */
struct schedule_report {
    double seconds;
    uint64_t trials;          /* run now, not taken from an earlier run */
    uint64_t peak_task_bytes; /* most that tasks held together, as planned */
    bool interrupted;
};

/* Runs every trial whose result is not done and fills it; part may be NULL (nothing is kept). */
enum status schedule_run(struct schedule_report *report, const struct schedule *schedule,
                         const struct plan *plan, struct trial_result *results, struct part *part,
                         struct error *err);

/* Something done with the keys of one trial of one cell, and memory to do it in. */
typedef enum status trial_visit(void *context, const struct cell *cell, struct trial_keys *keys,
                                struct workspace *space, struct error *err);

/* Opens the keys of a trial, remembers none of them, and has them visited. */
enum status schedule_visit(const struct plan *plan, const struct cell *cell, uint64_t trial,
                           trial_visit *visit, void *context, struct error *err);

/* One trial of one cell, alone: what replaying a row does. */
enum status schedule_trial(struct trial_result *result, const struct plan *plan,
                           const struct cell *cell, uint64_t trial, struct error *err);

#endif
