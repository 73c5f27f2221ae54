/* SPDX-License-Identifier: MIT
 *
 * rerun.h: trials of a finished run, run again from their seeds.
 */
#ifndef BLOOMLAB_COMMAND_RERUN_H
#define BLOOMLAB_COMMAND_RERUN_H

#include "harness/command/finished.h"
#include "harness/schedule/schedule.h"

/* One thread a core, 90 % of the machine's memory, stopped by a signal, without progress. */
void rerun_defaults(struct schedule *schedule);

/* Runs the trials whose chosen[cell->first_result + trial] is true into again[..] (zeroed, one for
 * every result of the plan, the caller's to release) and compares each with what was read. E_CHECK:
 * the first that differs, by row and column. Interrupted: OK. */
enum status rerun_trials(struct trial_result *again, const struct finished *run, const bool *chosen,
                         const struct schedule *schedule, struct error *err);

/* The same, and nothing is kept. */
enum status rerun_check(const struct finished *run, const bool *chosen,
                        const struct schedule *schedule, struct error *err);

#endif
