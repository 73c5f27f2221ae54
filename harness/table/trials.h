/* SPDX-License-Identifier: MIT
 *
 * trials.h: the rows of trials.csv, and of trials.part while a sweep runs.
 */
#ifndef BLOOMLAB_TABLE_TRIALS_H
#define BLOOMLAB_TABLE_TRIALS_H

#include "harness/table/text.h"
#include "harness/trial/trial.h"

enum { TRIAL_COLUMNS = 30 };
extern const char trials_header[]; /* with its line end */

/* Adds the intervals, and rounds what is printed with 6 digits to what a reader of the table will
 * read: later tables are functions of the printed numbers. */
void trial_result_finish(struct trial_result *result);

/* One row, without its line end; result is finished. */
void trial_row(struct text *text, const struct plan *plan, const struct cell *cell, uint64_t trial,
               const struct trial_result *result);

/* The columns filter .. keys that many tables share. */
void cell_columns(struct text *text, const struct cell *cell);

/* "name=value;name=value" */
void measures_format(struct text *text, const struct trial_result *result);
void measure_value(struct text *text, double value); /* whole numbers whole, others with 6 digits */

/* Reads a row back. False when it is not one of this plan's. */
bool trial_row_parse(char *fields[TRIAL_COLUMNS], const struct plan *plan, const struct cell **cell,
                     uint64_t *trial, struct trial_result *result);
bool measures_parse(char *field, struct trial_result *result);

#endif
