/* SPDX-License-Identifier: MIT
 *
 * membership.h: the workload that measures false positives.
 */
#ifndef BLOOMLAB_WORKLOAD_MEMBERSHIP_H
#define BLOOMLAB_WORKLOAD_MEMBERSHIP_H

#include "harness/workload/workload.h"

extern const struct workload_ops workload_membership;

#endif
