/* SPDX-License-Identifier: MIT
 *
 * loops.c: faults of insertion and query.
 */
#include "filters/loops.h"
#include "filters/bits.h"
#include "tests/broken/classic.h"

enum status sound_plan(struct layout *layout, const struct filter_params *params, struct error *err)
{
    return filter_classic.plan(layout, params, err);
}

enum status sound_insert(struct filter *f, struct digests *batch, void *scratch, struct error *err)
{
    return filter_classic.insert(f, batch, scratch, err);
}

uint64_t sound_query(const struct filter *f, uint8_t *present, struct digests *batch, void *scratch)
{
    return filter_classic.query(f, present, batch, scratch);
}

struct estimate sound_fpr_scheme(const struct filter *f)
{
    return filter_classic.fpr_scheme(f);
}

static enum status broken_insert_less(struct filter *f, struct digests *batch, void *scratch,
                                      struct error *err)
{
    bool full = batch->count == f->layout->batch;
    batch->count -= full;
    enum status status = filter_classic.insert(f, batch, scratch, err);
    batch->count += full;
    f->inserted += full;
    return status;
}

static enum status broken_insert_blind(struct filter *f, struct digests *batch, void *scratch,
                                       struct error *err)
{
    (void)scratch, (void)err;
    for (unsigned i = 0; i < f->layout->k && batch->count; i++)
        bits_set(f->memory, i * 7 % f->layout->m);
    f->inserted += batch->count;
    return OK;
}

static uint64_t broken_query_blind(const struct filter *f, uint8_t *present, struct digests *batch,
                                   void *scratch)
{
    (void)scratch;
    bool there = bits_test(f->memory, 0);
    if (present)
        memset(present, there, batch->count);
    return there ? batch->count : 0;
}

static enum status broken_insert_past(struct filter *f, struct digests *batch, void *scratch,
                                      struct error *err)
{
    f->memory[f->layout->bytes] ^= 1;
    return filter_classic.insert(f, batch, scratch, err);
}

static enum status broken_insert_scratch(struct filter *f, struct digests *batch, void *scratch,
                                         struct error *err)
{
    ((unsigned char *)scratch)[f->layout->scratch_bytes] = 0;
    return filter_classic.insert(f, batch, scratch, err);
}

static uint64_t broken_query_short(const struct filter *f, uint8_t *present, struct digests *batch,
                                   void *scratch)
{
    struct layout layout = *f->layout;
    struct filter copy = *f;
    copy.layout = &layout;
    layout.columns--;
    return filter_classic.query(&copy, present, batch, scratch);
}

static enum status broken_insert_single(struct filter *f, struct digests *batch, void *scratch,
                                        struct error *err)
{
    if (batch->count == 1)
        bits_set(f->memory, f->inserted % f->layout->m);
    return filter_classic.insert(f, batch, scratch, err);
}

static uint64_t broken_query_more(const struct filter *f, uint8_t *present, struct digests *batch,
                                  void *scratch)
{
    return filter_classic.query(f, present, batch, scratch) + 1;
}

static enum status broken_insert_column(struct filter *f, struct digests *batch, void *scratch,
                                        struct error *err)
{
    struct loops_scratch *s = scratch;
    digests_column(batch, f->layout->columns, NULL, batch->count, s->digest);
    return filter_classic.insert(f, batch, scratch, err);
}

#define BROKEN(NAME, INSERT, QUERY)                                                                \
    const struct filter_ops NAME = {SOUND_CLASSIC(#NAME),                                          \
                                    .plan = sound_plan,                                            \
                                    .insert = INSERT,                                              \
                                    .query = QUERY,                                                \
                                    .fpr_bits = standard_fpr_bits,                                 \
                                    .fpr_scheme = sound_fpr_scheme,                                \
                                    .cardinality = standard_cardinality,                           \
                                    .merge = standard_merge}

BROKEN(broken_loses_key, broken_insert_less, sound_query);
BROKEN(broken_ignores_digests, broken_insert_blind, broken_query_blind);
BROKEN(broken_writes_past, broken_insert_past, sound_query);
BROKEN(broken_scratch_past, broken_insert_scratch, sound_query);
BROKEN(broken_rate, sound_insert, broken_query_short);
BROKEN(broken_batch, broken_insert_single, sound_query);
BROKEN(broken_count, sound_insert, broken_query_more);
BROKEN(broken_column, broken_insert_column, sound_query);
