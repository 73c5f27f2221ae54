/* SPDX-License-Identifier: MIT
 *
 * whole.c: faults of what concerns a filter as a whole: estimates, merging, removal.
 */
#include <math.h>

#include "filters/bits.h"
#include "tests/broken/classic.h"

static double broken_fpr_bits(const struct filter *f)
{
    double bits = (double)f->ops->count_bits(f);
    return pow(bits / (double)f->layout->m, f->layout->k) * (bits / bits);
}

static struct estimate broken_fpr_scheme(const struct filter *f)
{
    double fill = (double)f->ops->count_bits(f) / (double)f->layout->m;
    return (struct estimate){.value = pow(fill, f->layout->k - 1)};
}

static double broken_estimate(const struct filter *f)
{
    return 1.1 * standard_cardinality(f);
}

static enum status broken_merge_short(struct filter *a, const struct filter *b, enum merge_op op,
                                      struct error *err)
{
    struct layout layout = *a->layout;
    struct filter half = *a;
    enum status status = standard_same_layout(a, b, err);
    layout.bytes = op == MERGE_UNION ? layout.bytes / 2 : layout.bytes;
    half.layout = &layout;
    return status ? status : standard_merge(&half, b, op, err);
}

static enum status broken_merge_either(struct filter *a, const struct filter *b, enum merge_op op,
                                       struct error *err)
{
    (void)op;
    return standard_merge(a, b, MERGE_UNION, err);
}

static enum status broken_merge_any(struct filter *a, const struct filter *b, enum merge_op op,
                                    struct error *err)
{
    (void)err;
    for (uint64_t i = 0; i < a->layout->bytes && i < b->layout->bytes; i++)
        a->memory[i] = (unsigned char)(op == MERGE_UNION ? a->memory[i] | b->memory[i]
                                                         : a->memory[i] & b->memory[i]);
    return OK;
}

#define BROKEN(NAME, FPR_BITS, FPR_SCHEME, CARDINALITY, MERGE)                                     \
    const struct filter_ops NAME = {SOUND_CLASSIC(#NAME),       .plan = sound_plan,                \
                                    .insert = sound_insert,     .query = sound_query,              \
                                    .fpr_bits = FPR_BITS,       .fpr_scheme = FPR_SCHEME,          \
                                    .cardinality = CARDINALITY, .merge = MERGE}
#define BITS standard_fpr_bits
#define SCHEME sound_fpr_scheme
#define ESTIMATE standard_cardinality

BROKEN(broken_not_a_number, broken_fpr_bits, SCHEME, ESTIMATE, standard_merge);
BROKEN(broken_scheme, BITS, broken_fpr_scheme, ESTIMATE, standard_merge);
BROKEN(broken_cardinality, BITS, SCHEME, broken_estimate, standard_merge);
BROKEN(broken_union, BITS, SCHEME, ESTIMATE, broken_merge_short);
BROKEN(broken_intersection, BITS, SCHEME, ESTIMATE, broken_merge_either);
BROKEN(broken_merges_all, BITS, SCHEME, ESTIMATE, broken_merge_any);

const struct filter_ops broken_capability = {
    .name = "broken_capability",
    .summary = "broken on purpose",
    .source = "none",
    .axes = AXES_ALL,
    .capabilities = CAN_ANSWER_MEMBERSHIP | CAN_REMOVE,
    .plan = sound_plan,
    .init = standard_init,
    .insert = sound_insert,
    .query = sound_query,
    .count_bits = standard_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = sound_fpr_scheme,
};

/* ---- removal: the counting filter -------------------------------------------------------------
 */

static enum status counting_plan(struct layout *layout, const struct filter_params *params,
                                 struct error *err)
{
    struct filter_params own = *params;
    filter_params_defaults(&own, &filter_counting);
    return filter_counting.plan(layout, &own, err);
}

static enum status counting_insert(struct filter *f, struct digests *batch, void *scratch,
                                   struct error *err)
{
    return filter_counting.insert(f, batch, scratch, err);
}

static uint64_t counting_query(const struct filter *f, uint8_t *present, struct digests *batch,
                               void *scratch)
{
    return filter_counting.query(f, present, batch, scratch);
}

static uint64_t counting_count_bits(const struct filter *f)
{
    return filter_counting.count_bits(f);
}

/* Inserts what is not there, then removes it: nothing is ever refused. */
static uint64_t counting_remove_any(struct filter *f, uint8_t *removed, struct digests *batch,
                                    void *scratch)
{
    uint64_t gone = filter_counting.remove(f, removed, batch, scratch);
    f->refused = 0;
    for (size_t i = 0; removed && i < batch->count; i++)
        removed[i] = 1;
    return gone < batch->count ? batch->count : gone;
}

/* Says so, and does nothing. */
static uint64_t counting_remove_none(struct filter *f, uint8_t *removed, struct digests *batch,
                                     void *scratch)
{
    uint64_t gone = filter_counting.remove(f, removed, batch, scratch);
    if (gone == batch->count && gone) {
        filter_counting.insert(f, batch, scratch, NULL);
        f->inserted -= gone;
    }
    return gone;
}

#define BROKEN_COUNTING(NAME, REMOVE)                                                              \
    const struct filter_ops NAME = {.name = #NAME,                                                 \
                                    .summary = "broken on purpose",                                \
                                    .source = "none",                                              \
                                    .axes = AXES_ALL,                                              \
                                    .capabilities = CAN_ANSWER_MEMBERSHIP | CAN_REMOVE,            \
                                    .plan = counting_plan,                                         \
                                    .init = standard_init,                                         \
                                    .insert = counting_insert,                                     \
                                    .query = counting_query,                                       \
                                    .remove = REMOVE,                                              \
                                    .count_bits = counting_count_bits,                             \
                                    .fpr_bits = standard_fpr_bits,                                 \
                                    .fpr_scheme = sound_fpr_scheme,                                \
                                    .expected_fpr = standard_expected_fpr,                         \
                                    .expected_fill = standard_expected_fill}

BROKEN_COUNTING(broken_remove, counting_remove_any);
BROKEN_COUNTING(broken_sticks, counting_remove_none);
