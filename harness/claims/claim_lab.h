/* SPDX-License-Identifier: MIT
 *
 * claim_lab.h: experiments that a claim runs, in this process, through the plan and the schedule
 * that `bloomlab sweep` uses.
 *
 * Claims that read the same experiment share one run. Its text is kept as sweeps/NAME.yaml beside
 * the tables, so that `bloomlab sweep` repeats it and shows all of its numbers.
 */
#ifndef BLOOMLAB_CLAIM_LAB_H
#define BLOOMLAB_CLAIM_LAB_H

#include <signal.h>
#include <stdbool.h>

#include "harness/table/tables.h"

/* Scales that an experiment's text may have besides its own settings: the sources' own sizes, and
 * so little that all claims take seconds. */
#define CLAIM_SCALE_FULL "full"
#define CLAIM_SCALE_QUICK "quick"

enum { CLAIM_RUNS_MAX = 32 };

struct claim_run {
    char *text;
    struct experiment *experiment;
    struct plan *plan;
    struct trial_result *results;
};

struct claim_lab {
    const char *scale; /* NULL: the default */
    unsigned threads;
    const char *directory; /* where sweeps/ is made; NULL: nothing is kept */
    volatile sig_atomic_t *interrupt;
    struct claim_run runs[CLAIM_RUNS_MAX];
    unsigned count;
};

/* The finished run of an experiment's text. E_RUN: no memory, or interrupted. A text that is no
 * experiment, or none of whose cells can be run, is a mistake of the caller: its sentence tells. */
enum status claim_lab_run(const struct claim_run **out, struct claim_lab *lab, const char *text,
                          struct error *err);
void claim_lab_release(struct claim_lab *lab);

/* The first cell with these numbers; 0 stands for any, filter NULL too. NULL: there is none. */
const struct cell *claim_cell(const struct claim_run *run, const char *filter, uint64_t m,
                              unsigned k);

/* The first cell of that hash, named as in the column `hash`; NULL: there is none. */
const struct cell *claim_cell_of_hash(const struct claim_run *run, const char *hash);

static inline const struct trial_result *claim_trials(const struct claim_run *run,
                                                      const struct cell *cell)
{
    return &run->results[cell->first_result];
}

/* Theory, rate, interval and tests of a cell. */
enum status claim_summary(struct cell_summary *summary, const struct claim_run *run,
                          const struct cell *cell, struct error *err);

#endif
