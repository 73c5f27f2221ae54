/* SPDX-License-Identifier: MIT
 *
 * deletion.h: the workload that takes keys out of filters again.
 */
#ifndef BLOOMLAB_WORKLOAD_DELETION_H
#define BLOOMLAB_WORKLOAD_DELETION_H

#include "harness/workload/workload.h"

extern const struct workload_ops workload_deletion;

#endif
