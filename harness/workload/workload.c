/* SPDX-License-Identifier: MIT */
#include "harness/workload/workload.h"

#include "harness/workload/cardinality.h"
#include "harness/workload/deletion.h"
#include "harness/workload/membership.h"
#include "harness/workload/set_operations.h"
#include "harness/workload/stream.h"

/* Names are kept for those that are not there yet. */
static const struct workload_row {
    const char *name;
    const struct workload_ops *ops;
} workload_table[WORKLOAD_COUNT] = {
    [WORKLOAD_MEMBERSHIP] = {"membership", &workload_membership},
    [WORKLOAD_DELETION] = {"deletion", &workload_deletion},
    [WORKLOAD_STREAM] = {"stream", &workload_stream},
    [WORKLOAD_CARDINALITY] = {"cardinality", &workload_cardinality},
    [WORKLOAD_SET_OPERATIONS] = {"set_operations", &workload_set_operations},
};

const char *workload_name(enum workload workload)
{
    return workload_table[workload].name;
}

const struct workload_ops *workload_find(enum workload workload)
{
    return workload_table[workload].ops;
}

const struct param_spec *workload_params(enum workload workload)
{
    return workload_table[workload].ops ? workload_table[workload].ops->params : NULL;
}
