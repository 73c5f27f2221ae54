/* SPDX-License-Identifier: MIT
 *
 * scalable_scratch.h: the scratch of a scalable filter: plan tells its size, the loops use it.
 */
#ifndef BLOOMLAB_SCALABLE_SCRATCH_H
#define BLOOMLAB_SCALABLE_SCRATCH_H

#include "filters/loops.h"

struct scalable_scratch {
    struct loops_scratch loops;       /* of the slice that is asked; which: keys it may hold */
    uint32_t undecided[FILTER_BATCH]; /* keys no slice has claimed yet, ascending */
    uint8_t claimed[FILTER_BATCH];
};

#endif
