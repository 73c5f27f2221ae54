/* SPDX-License-Identifier: MIT
 *
 * cardinality.h: the workload that measures how well a filter tells how many keys are in it.
 */
#ifndef BLOOMLAB_WORKLOAD_CARDINALITY_H
#define BLOOMLAB_WORKLOAD_CARDINALITY_H

#include "harness/workload/workload.h"

extern const struct workload_ops workload_cardinality;

#endif
