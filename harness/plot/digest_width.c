/* SPDX-License-Identifier: MIT
 *
 * digest_width.c: what narrow digests do: a query whose digests all equal a member's is a hit whatever m
 * is, so that the rate cannot fall below n / 2^W, W being the bits of all digests of a key together.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/filter.h"
#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static void width_params(struct filter_params *params, const struct filter_ops *ops,
                         const struct run_cell *cell)
{
    char text[512], *rest;
    *params = (struct filter_params){
        .m = (uint64_t)fmax(cell->m, 0),
        .n = (uint64_t)fmax(cell->n, 0),
        .k = (unsigned)fmax(cell->k, 0),
        .digest_bits = (unsigned)strtoul(cell->digest_bits, NULL, 10),
        .digest_columns = strcmp(cell->family, "pair") == 0 ? 2 : FILTER_K_MAX,
    };
    reduction_find(cell->reduction, &params->reduction);
    filter_params_defaults(params, ops);
    snprintf(text, sizeof text, "%s", cell->params);
    for (char *item = strtok_r(text, ";", &rest); item; item = strtok_r(NULL, ";", &rest)) {
        char *equals = strchr(item, '=');
        if (!equals)
            continue;
        *equals = '\0';
        filter_params_set(params, ops, item, equals + 1, NULL);
    }
}

/* n / 2^W. */
static double digest_width_place(const struct run_data *run, const struct run_cell *cell)
{
    struct filter_params params;
    struct layout layout;
    const struct filter_ops *ops = filter_find(cell->filter);
    (void)run;
    if (!ops || !*cell->digest_bits || !(cell->n > 0))
        return NAN;
    width_params(&params, ops, cell);
    if (ops->plan(&layout, &params, NULL) != OK || layout.columns == 0)
        return NAN;
    return cell->n * exp2(-(double)params.digest_bits * layout.columns);
}

static void extra_floor(const struct run_cell *cell, double x, double *rate, double *strip)
{
    (void)cell;
    (void)strip;
    *rate = -expm1(-x);
}

static enum status digest_width_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_extra extras[] = {{"floor, 1 − e^{−n/2^W}", false, extra_floor}, {0}};
    static const struct rate_style style = {
        .family = "digest-width",
        .x = "digest_bits",
        .series = "n",
        .place = digest_width_place,
        .x_label = "n / 2^W, W: bits of all digests of a key",
        .extras = extras,
        .caption = "The ratio leaves the strip where the digests' width rules.",
    };
    return rate_draw(run, &style, err);
}

/* The least rate ratio and the cells at which the floor is a tenth of the rate or more. */
static void digest_width_answer(const struct run_data *run, struct text *out)
{
    double first = INFINITY, worst = 0;
    const struct run_cell *worst_cell = NULL;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        double x = digest_width_place(run, cell), ratio = cell->rate / cell->exact;
        if (isnan(x) || !(cell->rate > 0) || cell->zero_hits || !(cell->exact > 0))
            continue;
        if (cell->rate_lo > 1.1 * fmax(cell->exact, cell->model))
            first = fmin(first, x / cell->exact);
        if (ratio > worst) {
            worst = ratio;
            worst_cell = cell;
        }
    }
    if (!worst_cell)
        return;
    if (isfinite(first))
        text_printf(out, "Narrow digests show (by over 10 %%) from n/2^W = %.2g of the rate on; ", first);
    text_printf(out, "%sthe worst is %s with %s-bit digests at n = %.0f: rate %.3g, %.3g times the exact one.",
                isfinite(first) ? "" : "Narrow digests do not show; ", worst_cell->filter,
                worst_cell->digest_bits, worst_cell->n, worst_cell->rate, worst);
}

const struct plot_family plot_digest_width = {
    .name = "digest-width",
    .summary = "rate against n/2^W: curves fall onto the floor that the digests' width sets",
    .draw = digest_width_draw,
    .answer = digest_width_answer,
};
