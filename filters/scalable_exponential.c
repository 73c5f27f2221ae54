/* SPDX-License-Identifier: MIT
 *
 * scalable_exponential.c: a scalable filter of capacities c0 s^i: n keys need about
 * log_s(n (s - 1)/c0 + 1) slices, but up to (s - 1)/s of the bits may stand empty. The rest, its
 * source and its memory layout too, is in scalable.h.
 */
#include "filters/scalable.h"

static const struct param_spec scalable_exponential_params[] = SCALABLE_PARAMS(1, 1e6);

static enum status scalable_exponential_plan(struct layout *layout,
                                             const struct filter_params *params, struct error *err)
{
    return scalable_plan(layout, params, GROWTH_EXPONENTIAL, "scalable_exponential", err);
}

const struct filter_ops filter_scalable_exponential = {
    .name = "scalable_exponential",
    .summary = "slices of capacity c0 s^i",
    .source = "Almeida, Baquero, Preguica, Hutchison, IPL 101(6), 2007",
    .params = scalable_exponential_params,
    .axes = SCALABLE_AXES,
    .capabilities = SCALABLE_CAPABILITIES,
    .plan = scalable_exponential_plan,
    .init = scalable_init,
    .insert = scalable_insert,
    .query = scalable_query,
    .count_bits = scalable_count_bits,
    .fpr_bits = scalable_fpr_bits,
    .fpr_scheme = scalable_fpr_scheme,
    .expected_fpr = scalable_expected_fpr,
    .expected_fill = scalable_expected_fill,
    .formula = scalable_formula,
    .cardinality = scalable_cardinality,
    .measure = scalable_measure,
};
