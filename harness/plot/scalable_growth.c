/* SPDX-License-Identifier: MIT
 *
 * scalable_growth.c: a filter that grows: what its rate, its slices and its memory become with n.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

enum { GROWTH_RATE, GROWTH_RATIO, GROWTH_SLICES, GROWTH_MEMORY, GROWTH_BOXES };
static const double growth_precise = 0.2; /* ratios less certain than this are not shown */

struct growth {
    struct cell_value *slices, *almeida, *unions;
};

static void growth_release(struct growth *growth)
{
    free(growth->slices);
    free(growth->almeida);
    free(growth->unions);
}

static enum status growth_read(struct growth *growth, const struct run_data *run, struct error *err)
{
    *growth = (struct growth){NULL, NULL, NULL};
    enum status status = measures_read(&growth->slices, run, "slices", err);
    if (!status)
        status = estimates_read(&growth->almeida, run, "scalable_almeida_bound", err);
    if (!status)
        status = estimates_read(&growth->unions, run, "scalable_union_bound", err);
    if (status)
        growth_release(growth);
    return status;
}

/* What the whole filter promises: P0/(1 - r), or where nothing is tightened the sum of the targets
 * of the slices there are. */
static double growth_bound(const struct growth *growth, const struct run_cell *cell)
{
    double bound = cell_value_mean(&growth->almeida[cell->row]);
    return isnan(bound) ? cell_value_mean(&growth->unions[cell->row]) : bound;
}

/* The rate asked for: of the first slice, or of all together. */
static double growth_target(const struct run_cell *cell)
{
    char value[32];
    if (params_value(cell->params, "target_rate", value, sizeof value) ||
        params_value(cell->params, "total_rate", value, sizeof value))
        return number_of(value);
    return NAN;
}

static double growth_bits_per_key(const struct run_cell *cell)
{
    return 8 * cell->memory_bytes / cell->n;
}

static bool growth_keep(const struct run_cell *cell)
{
    return growth_target(cell) > 0 && cell->n > 0;
}

/* ---- the figure ----------------------------------------------------------------------------- */

static void growth_rate(const struct growth *growth, const struct run_cell *cell,
                        struct curve_point *point)
{
    point->line = cell->model;
    point->bound[0] = cell_value_mean(&growth->almeida[cell->row]);
    point->bound[1] = cell_value_mean(&growth->unions[cell->row]);
    if (cell->zero_hits) {
        point->upper = cell->rate_hi;
    } else {
        point->y = cell->rate;
        point->lo = cell->rate_lo;
        point->hi = cell->rate_hi;
    }
}

static void growth_ratio(const struct run_cell *cell, struct curve_point *point)
{
    double half = (cell->rate_hi - cell->rate_lo) / 2;
    if (cell->zero_hits || !(cell->model > 0) || !(half < growth_precise * cell->rate))
        return;
    point->y = cell->rate / cell->model;
    point->lo = cell->rate_lo / cell->model;
    point->hi = cell->rate_hi / cell->model;
}

static void growth_value(const void *context, const struct run_cell *cell, unsigned box,
                         unsigned kind, struct curve_point *point)
{
    const struct growth *growth = context;
    (void)kind;
    if (box == GROWTH_RATE)
        growth_rate(growth, cell, point);
    else if (box == GROWTH_RATIO)
        growth_ratio(cell, point);
    else if (box == GROWTH_SLICES)
        point->y = point->line = cell_value_mean(&growth->slices[cell->row]);
    else
        point->y = point->line = growth_bits_per_key(cell);
}

static double growth_target_line(const void *context, const struct run_cell *cell, double x)
{
    (void)context;
    (void)x;
    return growth_target(cell);
}

/* Filters that are all but empty have rates far below what is asked about. */
static double growth_least_rate(const struct run_data *run)
{
    double least = INFINITY;
    for (size_t c = 0; c < run->count; c++)
        if (growth_keep(&run->cells[c]))
            least = fmin(least, growth_target(&run->cells[c]) / 5);
    return isfinite(least) ? least : 0;
}

static enum status scalable_growth_draw(const struct run_data *run, struct error *err)
{
    static const struct curve_extra extras[] = {
        {"target rate", GROWTH_RATE, growth_target_line},
        {0},
    };
    struct growth growth;
    struct curves_style style = {
        .family = "scalable-growth",
        .x = "n",
        .boxes = GROWTH_BOXES,
        .kinds = 1,
        .bound_name = {"Almeida: P_0/(1 − r)", "union of slices"},
        .log_y = {true, false, true, false},
        .lo_y = {growth_least_rate(run)},
        .keep = growth_keep,
        .extras = extras,
        .value = growth_value,
        .context = &growth,
        .in_place = {true, false, true, true},
        .rates = true,
        .caption =
            "Rates below a fifth of the target are not shown. r: tightening. Slices depend on "
            "the scale factor alone, so that points hide one another. Bits per key: all memory, "
            "with what stands empty in the last slice.",
    };
    enum status status = growth_read(&growth, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    growth_release(&growth);
    return status;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* What the filters with most keys have become. */
struct grown {
    unsigned count, within;
    double least_bits, most_bits, least_slices, most_slices, worst;
    const struct run_cell *worst_cell; /* of the greatest rate over its target */
};

static void grown_take(struct grown *grown, struct text *list, const struct growth *growth,
                       const struct run_cell *cell)
{
    double bound = growth_bound(growth, cell), bits = growth_bits_per_key(cell);
    double slices = cell_value_mean(&growth->slices[cell->row]);
    grown->count++;
    grown->within += !(cell->rate_lo > bound);
    grown->least_bits = fmin(grown->least_bits, bits);
    grown->most_bits = fmax(grown->most_bits, bits);
    grown->least_slices = fmin(grown->least_slices, slices);
    grown->most_slices = fmax(grown->most_slices, slices);
    if (cell->rate / growth_target(cell) > grown->worst) {
        grown->worst = cell->rate / growth_target(cell);
        grown->worst_cell = cell;
    }
    text_printf(list, "\n%s (%s): %.0f slices, %.3g bits per key, rate %.3g, bound %.3g",
                cell->filter, cell->params, slices, bits, cell->rate, bound);
}

static void scalable_growth_answer(const struct run_data *run, struct text *out)
{
    struct growth growth;
    struct grown grown = {.least_bits = INFINITY, .least_slices = INFINITY};
    struct text list = {0};
    double most = 0;
    if (growth_read(&growth, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++)
        most = fmax(most, run->cells[c].n);
    for (size_t c = 0; c < run->count && grown.count < 40; c++)
        if (growth_keep(&run->cells[c]) && run->cells[c].n == most && !isnan(run->cells[c].rate) &&
            growth.slices[c].count > 0)
            grown_take(&grown, &list, &growth, &run->cells[c]);
    if (grown.count)
        text_printf(out,
                    "At n = %.0f the rate is not found above its bound in %u of %u settings, with "
                    "%.0f to %.0f "
                    "slices and %.3g to %.3g bits per key",
                    most, grown.within, grown.count, grown.least_slices, grown.most_slices,
                    grown.least_bits, grown.most_bits);
    if (grown.worst_cell) {
        char tightening[32] = "?";
        params_value(grown.worst_cell->params, "tightening", tightening, sizeof tightening);
        text_printf(out, "; the highest is %.3g, %.3g times its target (%s, tightening %s)",
                    grown.worst_cell->rate, grown.worst, grown.worst_cell->filter, tightening);
    }
    if (grown.count) {
        text_printf(out, ".");
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
