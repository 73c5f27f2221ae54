/* SPDX-License-Identifier: MIT
 *
 * null.c: a filter that says "present" to everything and stores nothing. It asks for one digest of
 * every key and looks at none of its bits, so what it costs is what the harness itself costs.
 */
#include "filters/loops.h"

static enum status null_plan(struct layout *layout, const struct filter_params *params,
                             struct error *err)
{
    (void)err;
    *layout = (struct layout){
        .params = *params,
        .alignment = 64,
        .columns = 1,
        .batch = FILTER_BATCH,
        .scratch_bytes = LOOPS_SCRATCH_BYTES,
    };
    return OK;
}

static void null_init(struct filter *f)
{
    f->inserted = f->overflows = f->refused = f->degenerate = 0;
}

static enum status null_insert(struct filter *f, struct digests *batch, void *scratch,
                               struct error *err)
{
    (void)err;
    struct loops_scratch *s = scratch;
    digests_column(batch, 0, NULL, batch->count, s->digest);
    f->inserted += batch->count;
    return OK;
}

static uint64_t null_query(const struct filter *f, uint8_t *present, struct digests *batch,
                           void *scratch)
{
    (void)f;
    struct loops_scratch *s = scratch;
    digests_column(batch, 0, NULL, batch->count, s->digest);
    if (present)
        memset(present, 1, batch->count);
    return batch->count;
}

static uint64_t null_count_bits(const struct filter *f)
{
    return (void)f, 0;
}
static double null_fpr_bits(const struct filter *f)
{
    return (void)f, 1.0;
}

static struct estimate null_fpr_scheme(const struct filter *f)
{
    (void)f;
    return (struct estimate){.value = 1.0};
}

static void null_expected_fpr(const struct layout *layout, uint64_t n, struct model *model)
{
    (void)layout, (void)n;
    *model = (struct model){.fpr = 1.0, .name = "always_present"};
}

static void null_expected_fill(const struct layout *layout, uint64_t n, struct moments *moments)
{
    (void)layout, (void)n;
    *moments = (struct moments){0};
}

const struct filter_ops filter_null = {
    .name = "null",
    .summary = "present to everything: measures the harness itself",
    .source = "none",
    .axes = AXIS_HASH,
    .capabilities = CAN_ANSWER_MEMBERSHIP,
    .plan = null_plan,
    .init = null_init,
    .insert = null_insert,
    .query = null_query,
    .count_bits = null_count_bits,
    .fpr_bits = null_fpr_bits,
    .fpr_scheme = null_fpr_scheme,
    .expected_fpr = null_expected_fpr,
    .expected_fill = null_expected_fill,
};
