/* SPDX-License-Identifier: MIT
 *
 * run.h: one experiment from its file to its tables, plots and page. Commands that run experiments
 * share it.
 */
#ifndef BLOOMLAB_COMMAND_RUN_H
#define BLOOMLAB_COMMAND_RUN_H

#include "harness/plan/plan.h"
#include "harness/schedule/schedule.h"
#include "harness/table/tables.h"

struct run_options {
    const char *out; /* results go to out/NAME */
    const char *scale;
    struct plan_limits limits;
    struct schedule schedule;
    bool fresh, plots, probe_profile;
    int argc; /* of the command line, for provenance */
    char **argv;
};

struct run {
    struct experiment *experiment;
    struct plan *plan;
};

/* Reads and plans one file; "-" is standard input. Writes nothing. */
enum status run_open(struct run *run, const char *file, const struct run_options *options,
                     struct error *err);

/* Runs what is missing and writes everything. E_CHECK, with everything written: a false negative.
 * Interrupted: OK, finished trials kept in trials.part. */
enum status run_execute(struct run *run, const struct run_options *options, struct error *err);

/* Theory and verdict of every cell, over threads. */
enum status run_summarise(struct cell_summary *summaries, const struct plan *plan,
                          const struct trial_result *results, unsigned threads, struct error *err);

void run_close(struct run *run);

#endif
