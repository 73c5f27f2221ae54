/* SPDX-License-Identifier: MIT
 *
 * workload.h: what a trial does with a filter and its keys.
 *
 * A workload is one .c file that defines one const struct workload_ops, and a line in workload.c.
 * Like a filter it may have parameters of its own (filters/params.h). In an experiment they are
 * axes of the grid, under their names; a cell holds one value of each; they are part of its
 * canonical text, hence of its id, and every trial tells each as a measure of that name (a choice
 * by its number). This header knows nothing of cells and trials, so that the reader of experiments
 * may know what parameters there are.
 */
#ifndef BLOOMLAB_WORKLOAD_H
#define BLOOMLAB_WORKLOAD_H

#include "filters/filter.h"

struct cell;
struct trial_result;
struct trial_keys;
struct workspace;

enum workload {
    WORKLOAD_MEMBERSHIP,
    WORKLOAD_DELETION,
    WORKLOAD_STREAM,
    WORKLOAD_CARDINALITY,
    WORKLOAD_SET_OPERATIONS,
};
enum { WORKLOAD_COUNT = WORKLOAD_SET_OPERATIONS + 1 };

struct workload_ops {
    const char *name;
    const char *summary;
    const struct param_spec *params; /* NULL: none; none has the name of an axis of every grid */
    bool loses_keys;                 /* false negatives are what it measures, and no failure */

    /* Looks at a cell that is planned but for the limits of its key set and of memory: its n,
     * layout and own parameters stand. May raise `members` and `queries` (keys asked of the
     * source), ask for `extra_bytes`, and say that the filter is `altered`. E_IMPOSSIBLE: values
     * that cannot go together. NULL: nothing to say. */
    enum status (*plan)(struct cell *cell, struct error *err);

    /* Runs one trial of a cell and fills everything of the result but `done` and `seed`. */
    enum status (*run)(struct trial_result *result, const struct cell *cell,
                       struct trial_keys *keys, struct workspace *space, struct error *err);

    /* The i-th formula for the workload's measures, for estimates.csv; false past the last. NULL:
     * none. */
    bool (*formula)(const struct cell *cell, unsigned i, struct formula *formula);
};

const char *workload_name(enum workload workload);

/* NULL: a workload that has no implementation. */
const struct workload_ops *workload_find(enum workload workload);

/* Its parameters; NULL: none, or no implementation. */
const struct param_spec *workload_params(enum workload workload);

#endif
