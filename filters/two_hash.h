/* SPDX-License-Identifier: MIT
 *
 * two_hash.h: the loops of variants that make all k positions from two digests:
 *
 *   double    p_(i+1) = p_i + b
 *   enhanced  p_(i+1) = p_i + b_i, b_(i+1) = b_i + i + 1
 *
 * all mod m, with p_0 = reduce(digest 0) and b = reduce(digest 1). As in loops_template.h a batch
 * is walked probe by probe, so that misses of the cache overlap and survivors are compacted without
 * a branch. Digest 1 is asked for only when the bit of p_0 is set: half of the negative queries of
 * a half-full filter never need it.
 *
 * The law is an argument that every caller gives as a constant; the functions are inlined, so no
 * loop carries a branch for it. The memory is one plain array of m bits.
 */
#ifndef BLOOMLAB_TWO_HASH_H
#define BLOOMLAB_TWO_HASH_H

#include "filters/add.h"
#include "filters/bits.h"
#include "filters/loops.h"
#include "filters/regions.h"
#include "filters/rounds.h"
#include "filters/theory/double_hashing.h"

#define TWO_HASH_INLINE static inline __attribute__((always_inline))

enum two_hash_geometry { TWO_HASH_ODD }; /* 1: the step is made odd (m is then a power of two) */

struct two_hash_scratch {
    struct loops_scratch base;    /* positions, and the keys still undecided */
    uint64_t step[FILTER_BATCH];  /* b of each */
    uint64_t start[FILTER_BATCH]; /* p_0 of each, while inserting */
    uint8_t again[FILTER_BATCH];  /* 1: a later probe came back to p_0 */
};

/* Checks the number of digests and fills the whole layout; odd: make steps odd. */
static inline enum status two_hash_plan(struct layout *layout, const struct filter_params *params,
                                        const char *name, bool odd, struct error *err)
{
    *layout = (struct layout){
        .params = *params,
        .m = params->m,
        .k = params->k,
        .bytes = bits_bytes(params->m),
        .bytes_max = bits_bytes(params->m),
        .alignment = 64,
        .columns = 2,
        .batch = FILTER_BATCH,
        .scratch_bytes = add_scratch_bytes(sizeof(struct two_hash_scratch), params->k),
        .geometry = {[TWO_HASH_ODD] = odd},
    };
    if (params->digest_columns < 2)
        return fail(err, E_IMPOSSIBLE, "%s: it needs 2 digests, the family gives %u", name,
                    params->digest_columns);
    return reducer_init(&layout->reducer, params->reduction, params->m, params->digest_bits, "m",
                        err);
}

/* Digests 1, in place, become steps. */
static inline void two_hash_steps(const struct filter *f, const uint64_t *digest, size_t count,
                                  uint64_t *step)
{
    reduce_batch(&f->layout->reducer, step, digest, count, 0, 0);
    if (f->layout->geometry[TWO_HASH_ODD])
        for (size_t i = 0; i < count; i++)
            step[i] |= 1;
}

/* From probe to probe + 1; positions and steps are below m, or 1 where m is 1. */
TWO_HASH_INLINE void two_hash_advance(enum probe_law law, uint64_t m, unsigned probe,
                                      uint64_t *position, uint64_t *step, size_t count)
{
    const uint64_t more = (probe + 1) % m;
    for (size_t i = 0; i < count; i++) {
        uint64_t p = position[i] + step[i];
        position[i] = p >= m ? p - m : p;
        if (law == LAW_ENHANCED) {
            uint64_t b = step[i] + more;
            step[i] = b >= m ? b - m : b;
        }
    }
}

TWO_HASH_INLINE void two_hash_prefetch(const struct filter *f, const uint64_t *position,
                                       size_t count)
{
    const bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
    for (size_t i = 0; far && i < count; i++)
        __builtin_prefetch(f->memory + (position[i] >> 3), 0, 2);
}

/* With one step, two probes meet exactly when a probe i < min(k, m) comes back to p_0. */
TWO_HASH_INLINE void two_hash_watch(struct two_hash_scratch *s, size_t count)
{
    for (size_t i = 0; i < count; i++)
        s->again[i] |= s->base.digest[i] == s->start[i];
}

TWO_HASH_INLINE void two_hash_set(struct filter *f, bool near, const uint64_t *position,
                                  size_t count)
{
    if (!near)
        two_hash_prefetch(f, position, count);
    for (size_t i = 0; i < count; i++)
        bits_set(f->memory, position[i]);
}

/* Sets the bits of the batch, or puts their positions to queues where there are any. */
TWO_HASH_INLINE enum status two_hash_insert(struct filter *f, enum probe_law law,
                                            struct regions *queues, struct digests *batch,
                                            struct two_hash_scratch *s)
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
    for (unsigned probe = 0; probe < layout->k; probe++) {
        if (probe) {
            two_hash_advance(law, layout->m, probe - 1, position, s->step, count);
            if (watch && probe < layout->m)
                two_hash_watch(s, count);
        }
        if (queues)
            regions_put(queues, position, 3, position, count);
        else
            two_hash_set(f, false, position, count);
    }
    for (size_t i = 0; i < count; i++)
        f->degenerate += s->again[i];
    f->inserted += count;
    return OK;
}

/* Keeps the keys whose bit is set, with their positions and, from the second probe on, steps;
 * answers how many. */
static inline size_t two_hash_keep(const struct filter *f, bool first, struct two_hash_scratch *s,
                                   size_t alive)
{
    uint64_t *position = s->base.digest;
    uint32_t *which = s->base.which;
    size_t kept = 0;
    two_hash_prefetch(f, position, alive);
    if (rounds_vector())
        return rounds_keep_steps_avx512(f->memory, position, s->step, first, which, alive);
    for (size_t i = 0; i < alive; i++) {
        uint64_t p = position[i];
        uint32_t key = first ? (uint32_t)i : which[i];
        position[kept] = p;
        which[kept] = key;
        if (!first)
            s->step[kept] = s->step[i];
        kept += bits_test(f->memory, p);
    }
    return kept;
}

/* Leaves the keys found in s->base.which; answers how many. */
TWO_HASH_INLINE size_t two_hash_ask(const struct filter *f, enum probe_law law,
                                    struct digests *batch, struct two_hash_scratch *s)
{
    const struct layout *layout = f->layout;
    uint64_t *position = s->base.digest;
    const uint64_t *digest = digests_column(batch, 0, NULL, batch->count, position);
    reduce_batch(&layout->reducer, position, digest, batch->count, 0, 0);
    size_t alive = two_hash_keep(f, true, s, batch->count);
    if (layout->k == 1 || alive == 0)
        return alive;
    digest = digests_column(batch, 1, s->base.which, alive, s->step);
    two_hash_steps(f, digest, alive, s->step);
    for (unsigned probe = 1; probe < layout->k && alive; probe++) {
        two_hash_advance(law, layout->m, probe - 1, position, s->step, alive);
        alive = two_hash_keep(f, false, s, alive);
    }
    return alive;
}

TWO_HASH_INLINE uint64_t two_hash_query(const struct filter *f, enum probe_law law,
                                        uint8_t *present, struct digests *batch, void *scratch)
{
    size_t alive = two_hash_ask(f, law, batch, scratch);
    loops_mark(present, batch->count, scratch, alive);
    return alive;
}

TWO_HASH_INLINE uint64_t two_hash_match(const struct filter *f, enum probe_law law, uint32_t *which,
                                        struct digests *batch, struct two_hash_scratch *s)
{
    size_t alive = two_hash_ask(f, law, batch, s);
    memcpy(which, s->base.which, alive * sizeof *which);
    return alive;
}

/* The positions of all probes of the batch (filter.h: probes). */
TWO_HASH_INLINE void two_hash_probes(const struct filter *f, enum probe_law law, uint64_t *position,
                                     struct digests *batch, struct two_hash_scratch *s)
{
    const struct layout *layout = f->layout;
    const size_t count = batch->count;
    const uint64_t *digest = digests_column(batch, 0, NULL, count, position);
    reduce_batch(&layout->reducer, position, digest, count, 0, 0);
    if (layout->k > 1)
        two_hash_steps(f, digests_column(batch, 1, NULL, count, s->step), count, s->step);
    for (unsigned probe = 1; probe < layout->k; probe++) {
        uint64_t *at = position + (size_t)probe * layout->batch;
        memcpy(at, at - layout->batch, count * sizeof *at);
        two_hash_advance(law, layout->m, probe - 1, at, s->step, count);
    }
}

/* ---- theory --------------------------------------------------------------------------------- */

static inline struct two_hash two_hash_scheme(const struct layout *layout, enum probe_law law)
{
    return (struct two_hash){
        .law = law, .odd = layout->geometry[TWO_HASH_ODD], .m = layout->m, .k = layout->k};
}

#endif
