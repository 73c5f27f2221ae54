/* SPDX-License-Identifier: MIT
 *
 * stream.h: the workload that takes keys one after the other, as a stream of new ids comes.
 */
#ifndef BLOOMLAB_WORKLOAD_STREAM_H
#define BLOOMLAB_WORKLOAD_STREAM_H

#include "harness/workload/workload.h"

extern const struct workload_ops workload_stream;

#endif
