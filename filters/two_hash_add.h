/* SPDX-License-Identifier: MIT
 *
 * two_hash_add.h: `add` of the variants that make all positions from two digests (two_hash.h).
 */
#ifndef BLOOMLAB_TWO_HASH_ADD_H
#define BLOOMLAB_TWO_HASH_ADD_H

#include "filters/two_hash.h"

/* All positions of the batch, probe after probe, and which keys are degenerate. */
TWO_HASH_INLINE void two_hash_add_positions(const struct filter *f, enum probe_law law,
                                            struct digests *batch, struct two_hash_scratch *s,
                                            uint64_t *matrix)
{
    const struct layout *layout = f->layout;
    uint64_t *position = s->base.digest;
    const bool watch = law == LAW_DOUBLE && !layout->geometry[TWO_HASH_ODD];
    const size_t count = batch->count;
    const uint64_t *digest = digests_column(batch, 0, NULL, count, position);
    reduce_batch(&layout->reducer, position, digest, count, 0, 0);
    memcpy(s->start, position, count * sizeof *position);
    if (layout->k > 1)
        two_hash_steps(f, digests_column(batch, 1, NULL, count, s->step), count, s->step);
    memset(s->again, 0, count);
    for (unsigned probe = 0; probe < layout->k; probe++, matrix += FILTER_BATCH) {
        if (probe) {
            two_hash_advance(law, layout->m, probe - 1, position, s->step, count);
            if (watch && probe < layout->m)
                two_hash_watch(s, count);
        }
        memcpy(matrix, position, count * sizeof *matrix);
    }
}

TWO_HASH_INLINE enum status two_hash_add(struct filter *f, enum probe_law law, uint64_t *found,
                                         uint8_t *present, struct digests *batch, void *scratch)
{
    struct two_hash_scratch *s = scratch;
    uint64_t *position = add_positions(f->layout, scratch);
    bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
    two_hash_add_positions(f, law, batch, s, position);
    *found = add_keys(far, f, present, position, batch->count);
    for (size_t i = 0; i < batch->count; i++)
        f->degenerate += s->again[i];
    return OK;
}

#endif
