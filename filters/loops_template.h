/* SPDX-License-Identifier: MIT
 *
 * loops_template.h: the loops of a variant that spends one digest per probe, as a template.
 *
 * A batch is walked column by column: probe i of all keys, then probe i + 1 of the keys that are
 * still undecided. So a digest nobody needs is never asked for, misses of the cache overlap, and
 * the survivors are compacted without a branch (rounds.h).
 *
 * Define before including, undefined again at the end:
 *   LOOPS_NAME   prefix; makes NAME_insert, NAME_scatter, NAME_settle, NAME_query and NAME_match
 *                with the contracts of filter.h
 *   LOOPS_RANGE  uint64_t f(const struct layout *, unsigned column): first position of probe
 *                `column`; its digest, reduced, is added to that
 *   LOOPS_TEST   bool f(const unsigned char *memory, uint64_t position)
 *   LOOPS_SET    void f(struct filter *, uint64_t position)
 *   LOOPS_LOG_WIDTH log_width of rounds.h where positions are such fields, or -1
 *   LOOPS_ADDRESS const void *f(const unsigned char *memory, uint64_t position): what holds it, and
 *                is to be prefetched
 *
 * The variant's plan sets columns = k, batch <= FILTER_BATCH and scratch_bytes =
 * LOOPS_SCRATCH_BYTES.
 */
#include "filters/loops.h"
#include "filters/regions.h"
#include "filters/rounds.h"

#define LOOPS_PASTE2(a, b) a##b
#define LOOPS_PASTE(a, b) LOOPS_PASTE2(a, b)
#define LOOPS_FUNCTION(suffix) LOOPS_PASTE(LOOPS_NAME, suffix)

/* Positions of one probe, in place of its digests. */
static inline void LOOPS_FUNCTION(_positions)(const struct filter *f, unsigned column,
                                              const uint64_t *digest, size_t count,
                                              uint64_t *position)
{
    const struct layout *layout = f->layout;
    reduce_batch(&layout->reducer, position, digest, count, 0, LOOPS_RANGE(layout, column));
}

/* Inlined by force: gcc 12 takes a function that only prefetches for one that does nothing. */
static inline __attribute__((always_inline)) void
LOOPS_FUNCTION(_prefetch)(const struct filter *f, const uint64_t *position, size_t count)
{
    if (f->layout->bytes > LOOPS_PREFETCH_BYTES)
        for (size_t i = 0; i < count; i++)
            __builtin_prefetch(LOOPS_ADDRESS(f->memory, position[i]), 0, 2);
}

static void LOOPS_FUNCTION(_set_all)(struct filter *f, const uint64_t *position, size_t count)
{
    for (size_t i = 0; i < count; i++)
        LOOPS_SET(f, position[i]);
}

static enum status LOOPS_FUNCTION(_insert)(struct filter *f, struct digests *batch, void *scratch,
                                           struct error *err)
{
    (void)err;
    struct loops_scratch *s = scratch;
    for (unsigned column = 0; column < f->layout->columns; column++) {
        const uint64_t *digest = digests_column(batch, column, NULL, batch->count, s->digest);
        LOOPS_FUNCTION(_positions)(f, column, digest, batch->count, s->digest);
        LOOPS_FUNCTION(_prefetch)(f, s->digest, batch->count);
        LOOPS_FUNCTION(_set_all)(f, s->digest, batch->count);
    }
    f->inserted += batch->count;
    return OK;
}

/* Entries are positions. */
static void LOOPS_FUNCTION(_scatter)(struct filter *f, struct regions *queues,
                                     struct digests *batch, void *scratch)
{
    struct loops_scratch *s = scratch;
    const size_t count = batch->count;
    for (unsigned column = 0; column < f->layout->columns; column++) {
        const uint64_t *digest = digests_column(batch, column, NULL, count, s->digest);
        LOOPS_FUNCTION(_positions)(f, column, digest, count, s->digest);
        if (LOOPS_LOG_WIDTH >= 0) {
            regions_put(queues, s->digest, 3 - (unsigned)LOOPS_LOG_WIDTH, s->digest, count);
            continue;
        }
        uint64_t place[FILTER_BATCH];
        for (size_t i = 0; i < count; i++)
            place[i] = (uint64_t)((const unsigned char *)LOOPS_ADDRESS(f->memory, s->digest[i]) -
                                  f->memory);
        regions_put(queues, place, 0, s->digest, count);
    }
    f->inserted += count;
}

static void LOOPS_FUNCTION(_settle)(struct filter *f, const uint64_t *entry, size_t count,
                                    bool near, void *scratch)
{
    (void)scratch;
    if (!near)
        LOOPS_FUNCTION(_prefetch)(f, entry, count);
    LOOPS_FUNCTION(_set_all)(f, entry, count);
}

/* Keeps the keys whose position is set; answers how many. */
static inline size_t LOOPS_FUNCTION(_keep)(const struct filter *f, bool first,
                                           struct loops_scratch *s, size_t alive)
{
    if (LOOPS_LOG_WIDTH >= 0 && rounds_vector())
        return rounds_keep_avx512(f->memory, (unsigned)LOOPS_LOG_WIDTH, s->digest, first, s->which,
                                  alive);
    size_t kept = 0;
    for (size_t i = 0; i < alive; i++) {
        uint32_t key = first ? (uint32_t)i : s->which[i];
        s->which[kept] = key;
        kept += LOOPS_TEST(f->memory, s->digest[i]);
    }
    return kept;
}

/* Leaves the keys found in s->which; answers how many. */
static size_t LOOPS_FUNCTION(_ask)(const struct filter *f, struct digests *batch,
                                   struct loops_scratch *s)
{
    size_t alive = batch->count;
    for (unsigned column = 0; column < f->layout->columns && alive; column++) {
        const uint32_t *which = column ? s->which : NULL;
        const uint64_t *digest = digests_column(batch, column, which, alive, s->digest);
        LOOPS_FUNCTION(_positions)(f, column, digest, alive, s->digest);
        LOOPS_FUNCTION(_prefetch)(f, s->digest, alive);
        alive = LOOPS_FUNCTION(_keep)(f, column == 0, s, alive);
    }
    return alive;
}

static uint64_t LOOPS_FUNCTION(_query)(const struct filter *f, uint8_t *present,
                                       struct digests *batch, void *scratch)
{
    size_t alive = LOOPS_FUNCTION(_ask)(f, batch, scratch);
    loops_mark(present, batch->count, scratch, alive);
    return alive;
}

static uint64_t LOOPS_FUNCTION(_match)(const struct filter *f, uint32_t *which,
                                       struct digests *batch, void *scratch)
{
    const struct loops_scratch *s = scratch;
    size_t alive = LOOPS_FUNCTION(_ask)(f, batch, scratch);
    memcpy(which, s->which, alive * sizeof *which);
    return alive;
}

#undef LOOPS_NAME
#undef LOOPS_RANGE
#undef LOOPS_TEST
#undef LOOPS_SET
#undef LOOPS_ADDRESS
#undef LOOPS_LOG_WIDTH
#undef LOOPS_PASTE2
#undef LOOPS_PASTE
#undef LOOPS_FUNCTION
