/* SPDX-License-Identifier: MIT
 *
 * scalable_growth.c: a filter that grows: what its rate, its slices and its memory become with n.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

struct growth {
    struct cell_value *slices, *almeida, *bound;
};

static void growth_release(struct growth *growth)
{
    free(growth->slices);
    free(growth->almeida);
    free(growth->bound);
}

static enum status growth_read(struct growth *growth, const struct run_data *run, struct error *err)
{
    *growth = (struct growth){NULL, NULL, NULL};
    enum status status = measures_read(&growth->slices, run, "slices", err);
    if (!status)
        status = estimates_read(&growth->almeida, run, "scalable_almeida_bound", err);
    if (!status)
        status = estimates_read(&growth->bound, run, "scalable_union_bound", err);
    if (status)
        growth_release(growth);
    return status;
}

/* The promise: P0/(1 - r), or where nothing is tightened the sum of the slices' targets. */
static double growth_bound(const struct growth *growth, const struct run_cell *cell)
{
    double bound = cell_value_mean(&growth->almeida[cell->row]);
    return isnan(bound) ? cell_value_mean(&growth->bound[cell->row]) : bound;
}

static void growth_value(const void *context, const struct run_cell *cell, unsigned box,
                         unsigned kind, struct curve_point *point)
{
    const struct growth *growth = context;
    (void)kind;
    if (box == 0) {
        point->y = cell->zero_hits ? NAN : cell->rate;
        point->lo = cell->zero_hits ? NAN : cell->rate_lo;
        point->hi = cell->zero_hits ? NAN : cell->rate_hi;
        point->upper = cell->zero_hits ? cell->rate_hi : NAN;
        point->line = cell->model;
        point->guide = growth_bound(growth, cell);
        if (point->guide >= 1)
            point->guide = NAN;
    } else if (box == 1) {
        point->y = point->line = cell_value_mean(&growth->slices[cell->row]);
    } else {
        point->y = point->line = cell->m_actual / cell->n;
    }
}

static enum status scalable_growth_draw(const struct run_data *run, struct error *err)
{
    struct growth growth;
    struct curves_style style = {
        .family = "scalable-growth",
        .x = "n",
        .boxes = 3,
        .kinds = 1,
        .log_y = {true, true, false},
        .value = growth_value,
        .context = &growth,
        .rates = true,
        .caption =
            "Bound: P0/(1 - r), and where nothing is tightened the sum of the slices' targets. "
            "Bits per key count what stands empty in the last slice.",
    };
    enum status status = growth_read(&growth, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    growth_release(&growth);
    return status;
}

/* What the filters with most keys have become. */
struct grown {
    unsigned count, within;
    double least_bits, most_bits, least_slices, most_slices;
};

static void grown_take(struct grown *grown, struct text *list, const struct growth *growth,
                       const struct run_cell *cell)
{
    double bound = growth_bound(growth, cell), bits = cell->m_actual / cell->n;
    double slices = cell_value_mean(&growth->slices[cell->row]);
    grown->count++;
    grown->within += cell->rate <= bound;
    grown->least_bits = fmin(grown->least_bits, bits);
    grown->most_bits = fmax(grown->most_bits, bits);
    grown->least_slices = fmin(grown->least_slices, slices);
    grown->most_slices = fmax(grown->most_slices, slices);
    text_printf(list, "\n%s (%s): %.0f slices, %.3g bits per key, rate %.3g", cell->filter,
                cell->params, slices, bits, cell->rate);
    if (!isnan(bound))
        text_printf(list, ", bound %.3g", bound);
}

static void scalable_growth_answer(const struct run_data *run, struct text *out)
{
    struct growth growth;
    struct grown grown = {0, 0, INFINITY, 0, INFINITY, 0};
    struct text list = {0};
    double most = 0;
    if (growth_read(&growth, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++)
        most = fmax(most, run->cells[c].n);
    for (size_t c = 0; c < run->count && grown.count < 40; c++)
        if (run->cells[c].n == most && !isnan(run->cells[c].rate) && growth.slices[c].count > 0)
            grown_take(&grown, &list, &growth, &run->cells[c]);
    if (grown.count) {
        text_printf(out,
                    "At n = %.0f the rate is within its bound in %u of %u settings, with %.0f to "
                    "%.0f slices "
                    "and %.3g to %.3g bits per key.",
                    most, grown.within, grown.count, grown.least_slices, grown.most_slices,
                    grown.least_bits, grown.most_bits);
        text_add(out, list.data, list.size);
    }
    text_release(&list);
    growth_release(&growth);
}

const struct plot_family plot_scalable_growth = {
    .name = "scalable-growth",
    .summary = "rate, slices and bits per key of growing filters against the number of keys",
    .draw = scalable_growth_draw,
    .answer = scalable_growth_answer,
};
