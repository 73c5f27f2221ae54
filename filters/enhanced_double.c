/* SPDX-License-Identifier: MIT
 *
 * enhanced_double.c: double hashing whose step grows by 1, 2, 3, ...: p_i = a + i b + (i^3 - i)/6.
 *
 * Source: P. Dillinger, P. Manolios, "Bloom Filters in Probabilistic Verification", FMCAD 2004: the
 * loop x += y; y += i for i = 1 .. k - 1, all mod m.
 *
 * Memory: ceil(m / 8) bytes of bits.
 *
 * What surprises: a step of 0 no longer collapses a key to one position (a = 5, b = 0 gives 5, 5,
 * 6, 9, 15, 25, 40), but positions may repeat by chance, as the classic filter's do.
 */
#include "filters/standard.h"
#include "filters/two_hash_add.h"

static enum status enhanced_double_plan(struct layout *layout, const struct filter_params *params,
                                        struct error *err)
{
    return two_hash_plan(layout, params, "enhanced_double", false, err);
}

static enum status enhanced_double_insert(struct filter *f, struct digests *batch, void *scratch,
                                          struct error *err)
{
    (void)err;
    return two_hash_insert(f, LAW_ENHANCED, NULL, batch, scratch);
}

static void enhanced_double_scatter(struct filter *f, struct regions *queues, struct digests *batch,
                                    void *scratch)
{
    two_hash_insert(f, LAW_ENHANCED, queues, batch, scratch);
}

static void enhanced_double_settle(struct filter *f, const uint64_t *entry, size_t count, bool near,
                                   void *scratch)
{
    (void)scratch;
    two_hash_set(f, near, entry, count);
}

static enum status enhanced_double_add(struct filter *f, uint64_t *found, uint8_t *present,
                                       struct digests *batch, void *scratch, struct error *err)
{
    (void)err;
    return two_hash_add(f, LAW_ENHANCED, found, present, batch, scratch);
}

static uint64_t enhanced_double_query(const struct filter *f, uint8_t *present,
                                      struct digests *batch, void *scratch)
{
    return two_hash_query(f, LAW_ENHANCED, present, batch, scratch);
}

static uint64_t enhanced_double_match(const struct filter *f, uint32_t *which,
                                      struct digests *batch, void *scratch)
{
    return two_hash_match(f, LAW_ENHANCED, which, batch, scratch);
}

static struct estimate enhanced_double_fpr_scheme(const struct filter *f)
{
    struct two_hash scheme = two_hash_scheme(f->layout, LAW_ENHANCED);
    return theory_two_hash_scheme(&scheme, f->memory);
}

static void enhanced_double_probes(const struct filter *f, uint64_t *position,
                                   struct digests *batch, void *scratch)
{
    two_hash_probes(f, LAW_ENHANCED, position, batch, scratch);
}

static void enhanced_double_probe_rates(const struct filter *f, double *single, double *pair)
{
    struct two_hash scheme = two_hash_scheme(f->layout, LAW_ENHANCED);
    theory_two_hash_probes(&scheme, f->memory, single, pair);
}

static void enhanced_double_expected_fpr(const struct layout *layout, uint64_t n,
                                         struct model *model)
{
    struct two_hash scheme = two_hash_scheme(layout, LAW_ENHANCED);
    theory_two_hash_model(&scheme, n, model);
}

static void enhanced_double_expected_fill(const struct layout *layout, uint64_t n,
                                          struct moments *moments)
{
    struct two_hash scheme = two_hash_scheme(layout, LAW_ENHANCED);
    *moments = theory_two_hash_fill(&scheme, n);
}

const struct filter_ops filter_enhanced_double = {
    .name = "enhanced_double",
    .summary = "double hashing with a step that grows",
    .source = "Dillinger & Manolios, FMCAD 2004",
    .axes = AXES_ALL,
    .capabilities =
        CAN_MERGE_UNION | CAN_MERGE_INTERSECTION | CAN_ESTIMATE_CARDINALITY | CAN_ANSWER_MEMBERSHIP,
    .plan = enhanced_double_plan,
    .init = standard_init,
    .insert = enhanced_double_insert,
    .scatter = enhanced_double_scatter,
    .settle = enhanced_double_settle,
    .add = enhanced_double_add,
    .query = enhanced_double_query,
    .match = enhanced_double_match,
    .count_bits = standard_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = enhanced_double_fpr_scheme,
    .expected_fpr = enhanced_double_expected_fpr,
    .expected_fill = enhanced_double_expected_fill,
    .cardinality = standard_cardinality,
    .expected_cardinality = standard_expected_cardinality,
    .merge = standard_merge,
    .probes = enhanced_double_probes,
    .test = standard_test,
    .probe_rates = enhanced_double_probe_rates,
};
