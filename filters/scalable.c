/* SPDX-License-Identifier: MIT
 *
 * scalable.c: scalable filters with keys in: slices that open, fill and answer. See scalable.h.
 */
#include "filters/scalable.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "filters/bits.h"
#include "filters/scalable_scratch.h"
#include "filters/standard.h"
#include "filters/theory/cardinality.h"

static const struct scalable_slice *scalable_slice_at(const struct filter *f, uint64_t i)
{
    return &scalable_table_of(f)->slice[i];
}

static unsigned char *scalable_bits(const struct filter *f, const struct scalable_slice *slice)
{
    return f->arena->base + slice->offset;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Opens the next slice. E_RUN: the table or the arena was planned for fewer keys. */
static enum status scalable_open(struct filter *f, struct error *err)
{
    struct scalable_table *table = scalable_table_of(f);
    const struct layout *layout = f->layout;
    struct scalable_rule rule = scalable_rule_of(layout);
    struct slice slice;
    unsigned i = (unsigned)table->head.slices;
    if (i >= layout->geometry[SCALABLE_SLICES])
        return fail(err, E_RUN,
                    "%s: all %u slices are full after %" PRIu64
                    " keys; it was planned for %" PRIu64,
                    f->ops->name, i, f->inserted, layout->params.n);
    enum status status = theory_scalable_slice(&slice, &rule, i, err);
    if (status)
        return status;
    unsigned char *bits = arena_take(f->arena, bits_bytes(slice.m));
    if (!bits)
        return fail(err, E_RUN,
                    "%s: slice %u needs %" PRIu64 " bytes, the arena has %" PRIu64 " of %" PRIu64
                    " left",
                    f->ops->name, i + 1, bits_bytes(slice.m), f->arena->bytes - f->arena->used,
                    f->arena->bytes);
    table->slice[i] = (struct scalable_slice){
        .offset = (uint64_t)(bits - f->arena->base),
        .m = slice.m,
        .capacity = slice.capacity,
        .k = slice.k,
    };
    table->head.slices++;
    return reducer_init(&table->slice[i].reducer, layout->params.reduction, slice.m,
                        layout->params.digest_bits, "m of the slice", err);
}

/* The first slice is open from the start, so that an empty filter has one, as theory counts them.
 * An arena too small even for that is told by the first insert. */
void scalable_init(struct filter *f)
{
    standard_init(f);
    scalable_open(f, NULL);
}

/* ---- loops --------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void
scalable_positions(enum reduction kind, bool far, const struct scalable_slice *slice,
                   const unsigned char *bits, const uint64_t *digest, size_t count,
                   uint64_t *position)
{
    for (size_t i = 0; i < count; i++)
        position[i] = reduce_as(kind, &slice->reducer, digest[i]);
    if (far)
        for (size_t i = 0; i < count; i++)
            __builtin_prefetch(bits + (position[i] >> 3));
}

/* Sets the bits of keys which[0 .. count) (NULL: the first count keys) in a slice. */
static inline __attribute__((always_inline)) void
scalable_fill_as(enum reduction kind, bool far, const struct filter *f,
                 const struct scalable_slice *slice, struct digests *batch, const uint32_t *which,
                 size_t count, struct loops_scratch *s)
{
    unsigned char *bits = scalable_bits(f, slice);
    for (unsigned column = 0; column < slice->k; column++) {
        const uint64_t *digest = digests_column(batch, column, which, count, s->digest);
        scalable_positions(kind, far, slice, bits, digest, count, s->digest);
        for (size_t i = 0; i < count; i++)
            bits_set(bits, s->digest[i]);
    }
}

/* Which of s->which[0 .. alive) the slice claims: they are compacted in place, their number
 * returned. whole: they are all keys of the batch. */
static inline __attribute__((always_inline)) size_t
scalable_ask_as(enum reduction kind, bool far, const struct filter *f,
                const struct scalable_slice *slice, struct digests *batch, bool whole, size_t alive,
                struct loops_scratch *s)
{
    const unsigned char *bits = scalable_bits(f, slice);
    for (unsigned column = 0; column < slice->k && alive; column++) {
        const uint32_t *which = whole && column == 0 ? NULL : s->which;
        const uint64_t *digest = digests_column(batch, column, which, alive, s->digest);
        scalable_positions(kind, far, slice, bits, digest, alive, s->digest);
        size_t kept = 0;
        for (size_t i = 0; i < alive; i++) {
            s->which[kept] = s->which[i];
            kept += bits_test(bits, s->digest[i]);
        }
        alive = kept;
    }
    return alive;
}

/* Adds keys first .. first + count - 1 of the batch to the newest slice, which has room for them.
 */
static void scalable_fill(struct filter *f, struct digests *batch, size_t first, size_t count,
                          struct scalable_scratch *s)
{
    struct scalable_table *table = scalable_table_of(f);
    struct scalable_slice *slice = &table->slice[table->head.slices - 1];
    const uint32_t *which = NULL;
    if (first > 0) {
        for (size_t i = 0; i < count; i++)
            s->undecided[i] = (uint32_t)(first + i);
        which = s->undecided;
    }
    bool far = bits_bytes(slice->m) > LOOPS_PREFETCH_BYTES;
#define SCALABLE_CALL(kind, far)                                                                   \
    scalable_fill_as(kind, far, f, slice, batch, which, count, &s->loops)
    LOOPS_DISPATCH(slice->reducer.kind, far, SCALABLE_CALL)
#undef SCALABLE_CALL
    slice->keys += count;
    f->inserted += count;
}

enum status scalable_insert(struct filter *f, struct digests *batch, void *scratch,
                            struct error *err)
{
    struct scalable_table *table = scalable_table_of(f);
    for (size_t done = 0; done < batch->count;) {
        uint64_t open = table->head.slices;
        uint64_t room = open ? table->slice[open - 1].capacity - table->slice[open - 1].keys : 0;
        if (room == 0) {
            enum status status = scalable_open(f, err);
            if (status)
                return status;
            continue;
        }
        size_t count = batch->count - done < room ? batch->count - done : (size_t)room;
        scalable_fill(f, batch, done, count, scratch);
        done += count;
    }
    return OK;
}

/* Asks one slice for the undecided keys; those it claims leave them. How many are left. */
static size_t scalable_ask(const struct filter *f, const struct scalable_slice *slice,
                           struct digests *batch, size_t undecided, struct scalable_scratch *s)
{
    size_t claims = 0, left = 0;
    bool far = f->arena->used > LOOPS_PREFETCH_BYTES, whole = undecided == batch->count;
    memcpy(s->loops.which, s->undecided, undecided * sizeof *s->undecided);
#define SCALABLE_CALL(kind, far)                                                                   \
    claims = scalable_ask_as(kind, far, f, slice, batch, whole, undecided, &s->loops)
    LOOPS_DISPATCH(slice->reducer.kind, far, SCALABLE_CALL)
#undef SCALABLE_CALL
    for (size_t i = 0; i < claims; i++)
        s->claimed[s->loops.which[i]] = 1;
    for (size_t i = 0; i < undecided; i++) {
        uint32_t key = s->undecided[i];
        s->undecided[left] = key;
        left += !s->claimed[key];
    }
    return left;
}

uint64_t scalable_query(const struct filter *f, uint8_t *present, struct digests *batch,
                        void *scratch)
{
    struct scalable_scratch *s = scratch;
    uint64_t slices = scalable_table_of(f)->head.slices;
    bool oldest_first = f->layout->params.own[SCALABLE_LOOKUP].integer == 1;
    size_t undecided = batch->count;
    memset(s->claimed, 0, batch->count);
    for (size_t i = 0; i < batch->count; i++)
        s->undecided[i] = (uint32_t)i;
    for (uint64_t i = 0; i < slices && undecided; i++) {
        uint64_t at = oldest_first ? i : slices - 1 - i;
        undecided = scalable_ask(f, scalable_slice_at(f, at), batch, undecided, s);
    }
    if (present)
        memcpy(present, s->claimed, batch->count);
    return batch->count - undecided;
}

/* ---- what a filter tells of itself --------------------------------------------------------- */

static uint64_t scalable_slice_count(const struct filter *f, const struct scalable_slice *slice)
{
    return bits_count(scalable_bits(f, slice), bits_bytes(slice->m));
}

uint64_t scalable_count_bits(const struct filter *f)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < scalable_table_of(f)->head.slices; i++)
        sum += scalable_slice_count(f, scalable_slice_at(f, i));
    return sum;
}

/* 1 - prod_l (1 - (X_l/m_l)^k_l), without losing the digits of a tiny rate. */
double scalable_fpr_bits(const struct filter *f)
{
    double log_absent = 0;
    for (uint64_t i = 0; i < scalable_table_of(f)->head.slices; i++) {
        const struct scalable_slice *slice = scalable_slice_at(f, i);
        double fill = (double)scalable_slice_count(f, slice) / (double)slice->m;
        log_absent += log1p(-pow(fill, (double)slice->k));
    }
    return 0.0 - expm1(log_absent);
}

struct estimate scalable_fpr_scheme(const struct filter *f)
{
    return (struct estimate){.value = scalable_fpr_bits(f)};
}

double scalable_cardinality(const struct filter *f)
{
    double sum = 0;
    for (uint64_t i = 0; i < scalable_table_of(f)->head.slices; i++) {
        const struct scalable_slice *slice = scalable_slice_at(f, i);
        sum += theory_cardinality(slice->m, (unsigned)slice->k, scalable_slice_count(f, slice));
    }
    return sum;
}

#define SLICE(i)                                                                                   \
    {                                                                                              \
        "slice_" #i "_keys", "slice_" #i "_bits_set", "slice_" #i "_m", "slice_" #i "_k"           \
    }
static const char *const scalable_measure_names[SCALABLE_MEASURED][4] = {
    SLICE(1),  SLICE(2),  SLICE(3),  SLICE(4),  SLICE(5),  SLICE(6),  SLICE(7),  SLICE(8),
    SLICE(9),  SLICE(10), SLICE(11), SLICE(12), SLICE(13), SLICE(14), SLICE(15), SLICE(16),
    SLICE(17), SLICE(18), SLICE(19), SLICE(20), SLICE(21), SLICE(22), SLICE(23), SLICE(24),
    SLICE(25), SLICE(26), SLICE(27), SLICE(28), SLICE(29), SLICE(30), SLICE(31), SLICE(32),
    SLICE(33), SLICE(34), SLICE(35), SLICE(36), SLICE(37), SLICE(38), SLICE(39), SLICE(40),
    SLICE(41), SLICE(42), SLICE(43), SLICE(44), SLICE(45), SLICE(46), SLICE(47), SLICE(48),
    SLICE(49), SLICE(50), SLICE(51), SLICE(52), SLICE(53), SLICE(54), SLICE(55), SLICE(56),
    SLICE(57), SLICE(58), SLICE(59), SLICE(60), SLICE(61), SLICE(62), SLICE(63), SLICE(64),
};
#undef SLICE

static uint64_t scalable_capacity(const struct filter *f)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < scalable_table_of(f)->head.slices; i++)
        sum += scalable_slice_at(f, i)->capacity;
    return sum;
}

bool scalable_measure(const struct filter *f, unsigned i, struct measure *measure)
{
    uint64_t slices = scalable_table_of(f)->head.slices;
    uint64_t told = slices < SCALABLE_MEASURED ? slices : SCALABLE_MEASURED;
    if (i >= 2 + 4 * told)
        return false;
    if (i < 2) {
        *measure = i ? (struct measure){"total_capacity", (double)scalable_capacity(f)}
                     : (struct measure){"slices", (double)slices};
        return true;
    }
    const struct scalable_slice *slice = scalable_slice_at(f, (i - 2) / 4);
    uint64_t values[] = {slice->keys, 0, slice->m, slice->k};
    if ((i - 2) % 4 == 1)
        values[1] = scalable_slice_count(f, slice);
    measure->name = scalable_measure_names[(i - 2) / 4][(i - 2) % 4];
    measure->value = (double)values[(i - 2) % 4];
    return true;
}
