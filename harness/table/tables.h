/* SPDX-License-Identifier: MIT
 *
 * tables.h: the tables of a finished run. Column by column in results/README.md.
 *
 * Everything here is a function of the plan and the printed numbers of trials.csv, computed in a
 * fixed order: the same bytes whatever the threads.
 */
#ifndef BLOOMLAB_TABLES_H
#define BLOOMLAB_TABLES_H

#include "harness/judge/judge.h"
#include "harness/plan/theory.h"
#include "harness/table/trials.h"

/* What stands behind one row of cells.csv. */
struct cell_summary {
    struct cell_theory theory;
    struct judgement judgement;
    uint64_t trials, hits, false_negatives;
    uint64_t memory_bytes; /* most of any trial; without trials as planned */
    char flags[256];       /* separated by ';' */
};

/* Fills one summary; summary->theory is the caller's to set before, from theory_of_layout. */
enum status cell_judge(struct cell_summary *summary, const struct plan *plan,
                       const struct cell *cell, const struct trial_result *results,
                       struct error *err);

/* The same with its theory, which is costly where it is simulated. */
enum status cell_summarise(struct cell_summary *summary, const struct plan *plan,
                           const struct cell *cell, const struct trial_result *results,
                           struct error *err);

/* Writes trials.csv, cells.csv, estimates.csv, measures.csv, skipped.csv into the directory.
 * names[0..*count) receive the file names. */
enum { TABLES_MAX = 8 };
enum status tables_write(const char *directory, const struct plan *plan,
                         const struct trial_result *results, const struct cell_summary *summaries,
                         const char *names[TABLES_MAX], unsigned *count, struct error *err);

#endif
