/* SPDX-License-Identifier: MIT
 *
 * loops_template.h: the loops of a variant that spends one digest per probe, as a template.
 *
 * A batch is walked column by column: probe i of all keys, then probe i + 1 of the keys that are
 * still undecided. So a digest nobody needs is never asked for, misses of the cache overlap, and
 * the survivors are compacted without a branch. Every reduction gets loops of its own.
 *
 * Define before including, undefined again at the end:
 *   LOOPS_NAME   prefix; makes NAME_insert and NAME_query with the contracts of filter.h
 *   LOOPS_RANGE  uint64_t f(const struct layout *, unsigned column): first position of probe
 *                `column`; its digest, reduced, is added to that
 *   LOOPS_TEST   bool f(const unsigned char *memory, uint64_t position)
 *   LOOPS_SET    void f(struct filter *, uint64_t position)
 *   LOOPS_ADDRESS const void *f(const unsigned char *memory, uint64_t position): what to prefetch
 *
 * The variant's plan sets columns = k, batch <= FILTER_BATCH and scratch_bytes =
 * LOOPS_SCRATCH_BYTES.
 */
#include "filters/loops.h"

#define LOOPS_PASTE2(a, b) a##b
#define LOOPS_PASTE(a, b) LOOPS_PASTE2(a, b)
#define LOOPS_FUNCTION(suffix) LOOPS_PASTE(LOOPS_NAME, suffix)

/* Positions of one probe, in place of its digests. */
static inline __attribute__((always_inline)) void
LOOPS_FUNCTION(_positions)(const struct filter *f, enum reduction kind, bool prefetch,
                           unsigned column, const uint64_t *digest, size_t count,
                           uint64_t *position)
{
    const struct reducer *reducer = &f->layout->reducer;
    uint64_t first = LOOPS_RANGE(f->layout, column);
    for (size_t i = 0; i < count; i++)
        position[i] = first + reduce_as(kind, reducer, digest[i]);
    if (prefetch)
        for (size_t i = 0; i < count; i++)
            __builtin_prefetch(LOOPS_ADDRESS(f->memory, position[i]));
}

static inline __attribute__((always_inline)) void
LOOPS_FUNCTION(_insert_as)(struct filter *f, enum reduction kind, bool prefetch,
                           struct digests *batch, struct loops_scratch *scratch)
{
    for (unsigned column = 0; column < f->layout->columns; column++) {
        const uint64_t *digest = digests_column(batch, column, NULL, batch->count, scratch->digest);
        LOOPS_FUNCTION(_positions)
        (f, kind, prefetch, column, digest, batch->count, scratch->digest);
        for (size_t i = 0; i < batch->count; i++)
            LOOPS_SET(f, scratch->digest[i]);
    }
    f->inserted += batch->count;
}

static inline __attribute__((always_inline)) size_t
LOOPS_FUNCTION(_query_as)(const struct filter *f, enum reduction kind, bool prefetch,
                          struct digests *batch, struct loops_scratch *scratch)
{
    size_t alive = batch->count;
    for (unsigned column = 0; column < f->layout->columns && alive; column++) {
        const uint32_t *which = column ? scratch->which : NULL;
        const uint64_t *digest = digests_column(batch, column, which, alive, scratch->digest);
        LOOPS_FUNCTION(_positions)(f, kind, prefetch, column, digest, alive, scratch->digest);
        size_t kept = 0;
        for (size_t i = 0; i < alive; i++) {
            uint32_t key = column ? scratch->which[i] : (uint32_t)i;
            scratch->which[kept] = key;
            kept += LOOPS_TEST(f->memory, scratch->digest[i]);
        }
        alive = kept;
    }
    return alive;
}

static enum status LOOPS_FUNCTION(_insert)(struct filter *f, struct digests *batch, void *scratch,
                                           struct error *err)
{
    (void)err;
    bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
#define LOOPS_CALL(kind, far) LOOPS_FUNCTION(_insert_as)(f, kind, far, batch, scratch)
    LOOPS_DISPATCH(f->layout->reducer.kind, far, LOOPS_CALL)
#undef LOOPS_CALL
    return OK;
}

static uint64_t LOOPS_FUNCTION(_query)(const struct filter *f, uint8_t *present,
                                       struct digests *batch, void *scratch)
{
    size_t alive = 0;
    bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
#define LOOPS_CALL(kind, far) alive = LOOPS_FUNCTION(_query_as)(f, kind, far, batch, scratch)
    LOOPS_DISPATCH(f->layout->reducer.kind, far, LOOPS_CALL)
#undef LOOPS_CALL
    loops_mark(present, batch->count, scratch, alive);
    return alive;
}

#undef LOOPS_NAME
#undef LOOPS_RANGE
#undef LOOPS_TEST
#undef LOOPS_SET
#undef LOOPS_ADDRESS
#undef LOOPS_PASTE2
#undef LOOPS_PASTE
#undef LOOPS_FUNCTION
