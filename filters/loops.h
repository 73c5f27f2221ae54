/* SPDX-License-Identifier: MIT
 *
 * loops.h: what every instance of the loop template shares.
 */
#ifndef BLOOMLAB_LOOPS_H
#define BLOOMLAB_LOOPS_H

#include <string.h>

#include "filters/filter.h"

struct loops_scratch {
    uint64_t digest[FILTER_BATCH]; /* digests of a column, then the positions in their place */
    uint32_t which[FILTER_BATCH];  /* the keys still undecided, ascending */
};

enum { LOOPS_SCRATCH_BYTES = sizeof(struct loops_scratch) };

/* A filter of more bytes than this leaves the second-level cache: prefetch. Below it, prefetching
 * only costs instructions. Prefetches go to the second level: the first has fewer buffers for lines
 * under way (a query of 64 MiB took twice as long with them). */
#define LOOPS_PREFETCH_BYTES (UINT64_C(1) << 20)

#define LOOPS_DISPATCH(kind, far, CALL)                                                            \
    switch (kind) {                                                                                \
    case REDUCE_MOD:                                                                               \
        if (far)                                                                                   \
            CALL(REDUCE_MOD, true);                                                                \
        else                                                                                       \
            CALL(REDUCE_MOD, false);                                                               \
        break;                                                                                     \
    case REDUCE_MASK:                                                                              \
        if (far)                                                                                   \
            CALL(REDUCE_MASK, true);                                                               \
        else                                                                                       \
            CALL(REDUCE_MASK, false);                                                              \
        break;                                                                                     \
    case REDUCE_MULTIPLY_SHIFT:                                                                    \
        if (far)                                                                                   \
            CALL(REDUCE_MULTIPLY_SHIFT, true);                                                     \
        else                                                                                       \
            CALL(REDUCE_MULTIPLY_SHIFT, false);                                                    \
        break;                                                                                     \
    }

/* Writes the answers of a batch from its list of survivors. */
static inline void loops_mark(uint8_t *present, size_t count, const struct loops_scratch *scratch,
                              size_t alive)
{
    if (!present)
        return;
    memset(present, 0, count);
    for (size_t i = 0; i < alive; i++)
        present[scratch->which[i]] = 1;
}

#endif
