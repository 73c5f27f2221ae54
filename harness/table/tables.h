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

/* Fills one summary; summary->theory is the caller's to set before, from theory_of_cell. */
enum status cell_summarise_known(struct cell_summary *summary, const struct plan *plan,
                                 const struct cell *cell, const struct trial_result *results,
                                 struct error *err);

/* The same with its theory, which is costly where it is simulated. */
enum status cell_summarise(struct cell_summary *summary, const struct plan *plan,
                           const struct cell *cell, const struct trial_result *results,
                           struct error *err);

/* Trials first, first + step, ...; step >= 1. */
struct trial_range {
    uint64_t first, step;
};

/* Judges some of a cell's trials beside its theory. */
enum status cell_judge(struct judgement *judgement, const struct plan *plan,
                       const struct cell *cell, const struct trial_result *results,
                       const struct cell_theory *theory, struct trial_range range,
                       enum flag_level flags, struct error *err);

/* Do keys or hash seed differ between trials? */
bool cell_replicates(const struct experiment *experiment, const struct cell *cell);

/* The i-th table: its file name (NULL past the last), and its text, appended. Of the i-th table
 * only those arguments are read that it is made of: trials.csv, measures.csv and skipped.csv need
 * no summaries. */
const char *table_name(unsigned i);
enum status table_text(struct text *text, unsigned i, const struct plan *plan,
                       const struct trial_result *results, const struct cell_summary *summaries,
                       struct error *err);

extern const char measures_header[]; /* with its line end */

/* Writes all of them into the directory, several at a time on several threads.
 * names[0..*count) receive the file names. */
enum { TABLES_MAX = 8 };
enum status tables_write(const char *directory, const struct plan *plan,
                         const struct trial_result *results, const struct cell_summary *summaries,
                         unsigned threads, const char *names[TABLES_MAX], unsigned *count,
                         struct error *err);

#endif
