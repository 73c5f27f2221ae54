/* SPDX-License-Identifier: MIT
 *
 * set_operations.h: the workload that unites and intersects two filters.
 */
#ifndef BLOOMLAB_WORKLOAD_SET_OPERATIONS_H
#define BLOOMLAB_WORKLOAD_SET_OPERATIONS_H

#include "harness/workload/workload.h"

extern const struct workload_ops workload_set_operations;

#endif
