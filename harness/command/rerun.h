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

/* Runs the trials whose chosen[cell->first_result + trial] is true and compares each with what was
 * read. E_CHECK: the first that differs, by row and column. Interrupted: OK. *seconds: how long. */
enum status rerun_check(double *seconds, const struct finished *run, const bool *chosen,
                        const struct schedule *schedule, struct error *err);

#endif
