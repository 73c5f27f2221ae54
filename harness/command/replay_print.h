/* SPDX-License-Identifier: MIT
 *
 * replay_print.h: one cell told step by step, as plain text.
 */
#ifndef BLOOMLAB_COMMAND_REPLAY_PRINT_H
#define BLOOMLAB_COMMAND_REPLAY_PRINT_H

#include "harness/command/finished.h"
#include "harness/table/tables.h"

void replay_print_cell(struct text *text, const struct finished *run, const struct cell *cell);
void replay_print_plan(struct text *text, const struct cell *cell);
void replay_print_theory(struct text *text, const struct cell *cell,
                         const struct cell_theory *theory);

/* Rows first .. first + count - 1; again: what running them now gave. */
void replay_print_trials(struct text *text, const struct finished *run, const struct cell *cell,
                         uint64_t first, uint64_t count, const struct trial_result *again);

void replay_print_rates(struct text *text, const struct cell *cell,
                        const struct cell_summary *summary);
void replay_print_tests(struct text *text, const struct cell *cell,
                        const struct trial_result *results, const struct cell_summary *summary);
void replay_print_verdict(struct text *text, const struct cell_summary *summary);

#endif
