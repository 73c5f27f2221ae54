/* SPDX-License-Identifier: MIT */
#include "harness/workload/workload.h"

#include "harness/workload/membership.h"

const struct workload_ops *workload_find(enum workload workload)
{
    static const struct workload_ops *const table[WORKLOAD_COUNT] = {
        [WORKLOAD_MEMBERSHIP] = &workload_membership,
    };
    return table[workload];
}
