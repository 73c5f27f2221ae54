/* SPDX-License-Identifier: MIT
 *
 * finished.h: a finished run, read back from its folder: the plan is made again from the experiment
 * in provenance.json, the trials are taken from the tables. Commands that look back share it.
 */
#ifndef BLOOMLAB_COMMAND_FINISHED_H
#define BLOOMLAB_COMMAND_FINISHED_H

#include "harness/command/record.h"
#include "harness/plan/plan.h"
#include "harness/trial/trial.h"

struct finished {
    const char *directory;
    struct record record;
    struct experiment *experiment;
    struct plan *plan;
    struct trial_result *results; /* after finished_read; by cell->first_result + trial */
    bool measured;                /* the results have their measures */
    const struct cell *fault; /* whose row finished_read could not take; NULL: none, or no row */
    uint64_t fault_trial;
};

/* Reads provenance.json and plans. `directory` must outlive it. E_INPUT: no finished run is there.
 * On failure there is nothing to close. */
enum status finished_open(struct finished *run, const char *directory, struct error *err);

/* Reads trials.csv and measures.csv. Every row must be this plan's, in its place, and every field
 * that follows from others must follow from them. E_CHECK: a sentence with file, row and column. */
enum status finished_read(struct finished *run, struct error *err);

void finished_close(struct finished *run);

#endif
