/* SPDX-License-Identifier: MIT
 *
 * double_hashing.c: k positions in arithmetic progression: p_i = (a + i b) mod m.
 *
 * Source: A. Kirsch, M. Mitzenmacher, "Less Hashing, Same Performance: Building a Better Bloom
 * Filter", RSA 33(2), 2008.
 *
 * Memory: ceil(m / 8) bytes of bits.
 *
 * What surprises: at small m the rate is well above the classic filter's, even with ideal digests,
 * since whole progressions coincide. A step that shares a factor with m visits fewer than k
 * positions, a step of 0 only one; such keys are counted (measure degenerate_keys). Where m is a
 * power of two the step is made odd unless force_odd is false: then no key is degenerate for k <=
 * m.
 */
#include <math.h>

#include "filters/standard.h"
#include "filters/theory/deletion.h"
#include "filters/two_hash_add.h"

enum double_hashing_param { DOUBLE_HASHING_FORCE_ODD };

static const struct param_spec double_hashing_params[] = {
    [DOUBLE_HASHING_FORCE_ODD] = {.name = "force_odd",
                                  .summary = "make the step odd where m is a power of two",
                                  .type = PARAM_BOOLEAN,
                                  .max = 1,
                                  .fallback = "true"},
    {.name = NULL},
};

static enum status double_hashing_plan(struct layout *layout, const struct filter_params *params,
                                       struct error *err)
{
    bool odd = params->own[DOUBLE_HASHING_FORCE_ODD].integer && !(params->m & (params->m - 1));
    return two_hash_plan(layout, params, "double_hashing", odd, err);
}

static enum status double_hashing_insert(struct filter *f, struct digests *batch, void *scratch,
                                         struct error *err)
{
    (void)err;
    return two_hash_insert(f, LAW_DOUBLE, NULL, batch, scratch);
}

static void double_hashing_scatter(struct filter *f, struct regions *queues, struct digests *batch,
                                   void *scratch)
{
    two_hash_insert(f, LAW_DOUBLE, queues, batch, scratch);
}

static void double_hashing_settle(struct filter *f, const uint64_t *entry, size_t count, bool near,
                                  void *scratch)
{
    (void)scratch;
    two_hash_set(f, near, entry, count);
}

static enum status double_hashing_add(struct filter *f, uint64_t *found, uint8_t *present,
                                      struct digests *batch, void *scratch, struct error *err)
{
    (void)err;
    return two_hash_add(f, LAW_DOUBLE, found, present, batch, scratch);
}

static uint64_t double_hashing_query(const struct filter *f, uint8_t *present,
                                     struct digests *batch, void *scratch)
{
    return two_hash_query(f, LAW_DOUBLE, present, batch, scratch);
}

static uint64_t double_hashing_match(const struct filter *f, uint32_t *which, struct digests *batch,
                                     void *scratch)
{
    return two_hash_match(f, LAW_DOUBLE, which, batch, scratch);
}

static struct estimate double_hashing_fpr_scheme(const struct filter *f)
{
    struct two_hash scheme = two_hash_scheme(f->layout, LAW_DOUBLE);
    return theory_two_hash_scheme(&scheme, f->memory);
}

static void double_hashing_probes(const struct filter *f, uint64_t *position, struct digests *batch,
                                  void *scratch)
{
    two_hash_probes(f, LAW_DOUBLE, position, batch, scratch);
}

static void double_hashing_probe_rates(const struct filter *f, double *single, double *pair)
{
    struct two_hash scheme = two_hash_scheme(f->layout, LAW_DOUBLE);
    theory_two_hash_probes(&scheme, f->memory, single, pair);
}

static void double_hashing_expected_fpr(const struct layout *layout, uint64_t n,
                                        struct model *model)
{
    struct two_hash scheme = two_hash_scheme(layout, LAW_DOUBLE);
    theory_two_hash_model(&scheme, n, model);
}

static void double_hashing_expected_fill(const struct layout *layout, uint64_t n,
                                         struct moments *moments)
{
    struct two_hash scheme = two_hash_scheme(layout, LAW_DOUBLE);
    *moments = theory_two_hash_fill(&scheme, n);
}

/* Known where every step is odd. */
static double double_hashing_expected_overlap(const struct layout *layout, double others)
{
    return layout->geometry[TWO_HASH_ODD] ? theory_overlap_odd_step(layout->m, layout->k, others)
                                          : NAN;
}

static bool double_hashing_measure(const struct filter *f, unsigned i, struct measure *measure)
{
    *measure = (struct measure){.name = "degenerate_keys", .value = (double)f->degenerate};
    return i == 0;
}

const struct filter_ops filter_double_hashing = {
    .name = "double_hashing",
    .summary = "k positions a + i b from two digests",
    .source = "Kirsch & Mitzenmacher, RSA 33(2), 2008",
    .params = double_hashing_params,
    .axes = AXES_ALL,
    .capabilities =
        CAN_MERGE_UNION | CAN_MERGE_INTERSECTION | CAN_ESTIMATE_CARDINALITY | CAN_ANSWER_MEMBERSHIP,
    .plan = double_hashing_plan,
    .init = standard_init,
    .insert = double_hashing_insert,
    .scatter = double_hashing_scatter,
    .settle = double_hashing_settle,
    .add = double_hashing_add,
    .query = double_hashing_query,
    .match = double_hashing_match,
    .count_bits = standard_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = double_hashing_fpr_scheme,
    .expected_fpr = double_hashing_expected_fpr,
    .expected_fill = double_hashing_expected_fill,
    .expected_overlap = double_hashing_expected_overlap,
    .cardinality = standard_cardinality,
    .expected_cardinality = standard_expected_cardinality,
    .merge = standard_merge,
    .measure = double_hashing_measure,
    .probes = double_hashing_probes,
    .test = standard_test,
    .probe_rates = double_hashing_probe_rates,
};
