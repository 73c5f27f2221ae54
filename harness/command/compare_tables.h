/* SPDX-License-Identifier: MIT
 *
 * compare_tables.h: the two tables that compare_load.h reads, one after the other.
 */
#ifndef BLOOMLAB_COMMAND_COMPARE_TABLES_H
#define BLOOMLAB_COMMAND_COMPARE_TABLES_H

#include "harness/command/compare_load.h"

/* Makes the cells from run->trials_name. */
enum status loaded_trials(struct loaded *run, struct error *err);

/* Makes the cells from run->cells_name; where they are there already, adds to them what only this
 * table knows and notes a contradiction. They must be indexed then. */
enum status loaded_cells(struct loaded *run, struct error *err);

#endif
