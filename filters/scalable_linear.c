/* SPDX-License-Identifier: MIT
 *
 * scalable_linear.c: a scalable filter of capacities c0, then s c0 i for i = 1, 2, ...: little
 * memory stands empty, but n keys need about sqrt(2 n / (s c0)) slices. The rest, its source and
 * its memory layout too, is in scalable.h.
 */
#include "filters/scalable.h"

static const struct param_spec scalable_linear_params[] = SCALABLE_PARAMS(0, 1e6);

static enum status scalable_linear_plan(struct layout *layout, const struct filter_params *params,
                                        struct error *err)
{
    return scalable_plan(layout, params, GROWTH_LINEAR, "scalable_linear", err);
}

const struct filter_ops filter_scalable_linear = {
    .name = "scalable_linear",
    .summary = "slices of capacity c0, then s c0 i",
    .source = "Almeida, Baquero, Preguica, Hutchison, IPL 101(6), 2007",
    .params = scalable_linear_params,
    .axes = SCALABLE_AXES,
    .capabilities = SCALABLE_CAPABILITIES,
    .plan = scalable_linear_plan,
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
