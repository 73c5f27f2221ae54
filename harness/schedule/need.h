/* SPDX-License-Identifier: MIT
 *
 * need.h: what a task needs: memory for keys and digests, and threads.
 */
#ifndef BLOOMLAB_SCHEDULE_NEED_H
#define BLOOMLAB_SCHEDULE_NEED_H

#include "harness/digest/digest.h"
#include "harness/plan/plan.h"

/* What the cells of a task that still have to run need together. */
struct need {
    uint64_t members, queries, filter_bytes, bytes;
    unsigned columns, cells;
    size_t batch;
    const struct cell *cell; /* one of them: keys and family are the same for all */
};

/* Bytes of keys and digests when they are remembered, or when they are not. */
uint64_t need_key_bytes(const struct need *need, const struct digest_family *family, bool remember);

/* Threads for a task: more than one for a single cell of many keys, where there are fewer tasks
 * than threads, so that the others would stand idle. tasks > 0. */
unsigned need_threads(const struct need *need, unsigned threads, size_t tasks);

/* Bytes its further threads take; 0 for one thread. */
uint64_t need_threads_bytes(const struct need *need, const struct digest_family *family,
                            unsigned threads);

#endif
