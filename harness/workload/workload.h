/* SPDX-License-Identifier: MIT
 *
 * workload.h: what a trial does with a filter and its keys.
 */
#ifndef BLOOMLAB_WORKLOAD_H
#define BLOOMLAB_WORKLOAD_H

#include "harness/trial/trial.h"

struct workload_ops {
    const char *name;
    const char *summary;

    /* Runs one trial of a cell and fills everything of the result but `done` and `seed`. */
    enum status (*run)(struct trial_result *result, const struct cell *cell,
                       struct trial_keys *keys, struct workspace *space, struct error *err);
};

/* NULL: a workload that has no implementation. */
const struct workload_ops *workload_find(enum workload workload);

#endif
