/* SPDX-License-Identifier: MIT
 *
 * counting_width.c: how wide a counter must be: saturated and overflowing counters against the load
 * kn/m.
 *
 * A counter of b bits is saturated from 2^b - 1 increments on and overflows at the next. Its
 * increments are binomial (kn, 1/m). L. Fan, P. Cao, J. Almeida, A. Broder, ToN 8(3), 2000, bound
 * the probability that any of m counters overflows.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"
#include "harness/stats/stats.h"

struct widths {
    struct cell_value *saturated, *overflows, *exact, *binomial, *fan;
};

static void widths_release(struct widths *widths)
{
    free(widths->saturated);
    free(widths->overflows);
    free(widths->exact);
    free(widths->binomial);
    free(widths->fan);
}

static enum status widths_read(struct widths *widths, const struct run_data *run, struct error *err)
{
    *widths = (struct widths){NULL, NULL, NULL, NULL, NULL};
    enum status status = measures_read(&widths->saturated, run, "saturated_counters", err);
    if (!status)
        status = measures_read(&widths->overflows, run, "overflows", err);
    if (!status)
        status = estimates_read(&widths->exact, run, "any_overflow_exact", err);
    if (!status)
        status = estimates_read(&widths->binomial, run, "any_overflow_binomial", err);
    if (!status)
        status = estimates_read(&widths->fan, run, "fan_union_bound", err);
    if (status)
        widths_release(widths);
    return status;
}

static double width_load(const struct run_cell *cell)
{
    return cell->n * cell->k / cell->m_actual;
}

static unsigned width_bits(const struct run_cell *cell)
{
    char value[16];
    return params_value(cell->params, "counter_bits", value, sizeof value)
               ? (unsigned)strtoul(value, NULL, 10)
               : 0;
}

static bool width_keep(const struct run_cell *cell)
{
    return width_bits(cell) > 0 && width_bits(cell) < 20 && width_load(cell) > 0;
}

/* P(a counter has 2^b - 1 increments or more). */
static double width_saturated(const struct run_cell *cell)
{
    unsigned most = (1u << width_bits(cell)) - 1;
    double increments = cell->n * cell->k;
    if (increments < 4e9)
        return gsl_cdf_binomial_Q(most - 1, 1 / cell->m_actual, (unsigned)increments);
    return gsl_cdf_poisson_Q(most - 1, width_load(cell));
}

static void width_counters(const struct widths *widths, const struct run_cell *cell,
                           struct curve_point *point)
{
    const struct cell_value *value = &widths->saturated[cell->row];
    double counters = value->count * cell->m_actual;
    point->line = width_saturated(cell);
    if (!(counters > 0))
        return;
    /* counters of one filter are nearly independent: the law of their number is all but binomial */
    struct interval interval = stats_wilson((uint64_t)value->sum, (uint64_t)counters, 0.95);
    if (value->sum > 0) {
        point->y = value->sum / counters;
        point->lo = interval.lo;
        point->hi = interval.hi;
    } else {
        point->upper = interval.hi;
    }
}

static void width_filters(const struct widths *widths, const struct run_cell *cell,
                          struct curve_point *point)
{
    const struct cell_value *value = &widths->overflows[cell->row];
    double exact = cell_value_mean(&widths->exact[cell->row]);
    double fan = cell_value_mean(&widths->fan[cell->row]);
    point->line = isnan(exact) ? cell_value_mean(&widths->binomial[cell->row]) : exact;
    point->guide = fan <= 1 ? fan : NAN;
    if (!(value->count > 0))
        return;
    struct interval interval =
        stats_wilson((uint64_t)value->positive, (uint64_t)value->count, 0.95);
    if (value->positive > 0) {
        point->y = value->positive / value->count;
        point->lo = interval.lo;
        point->hi = interval.hi;
    } else {
        point->upper = interval.hi;
    }
}

static void width_value(const void *context, const struct run_cell *cell, unsigned box,
                        unsigned kind, struct curve_point *point)
{
    (void)kind;
    if (box == 0)
        width_counters(context, cell, point);
    else
        width_filters(context, cell, point);
}

static enum status counting_width_draw(const struct run_data *run, struct error *err)
{
    struct widths widths;
    struct curves_style style = {
        .family = "counting-width",
        .x = "n",
        .series = "counter_bits",
        .x_label = "load k n / m",
        .boxes = 2,
        .kinds = 1,
        .log_y = {true, true},
        .lo_y = {1e-9, 1e-6},
        .keep = width_keep,
        .place = width_load,
        .value = width_value,
        .context = &widths,
        .caption = "Bars: Wilson's 95 % intervals; arrows: upper limits. Lines: binomial "
                   "increments of a counter; any overflow exactly, or with counters taken "
                   "as independent. Dashes: Fan's union bound.",
    };
    enum status status = widths_read(&widths, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    widths_release(&widths);
    return status;
}

/* At the load nearest to ln 2, where a filter is at its best: share of filters with an overflow. */
static void counting_width_answer(const struct run_data *run, struct text *out)
{
    struct widths widths;
    unsigned said = 0;
    double nearest = INFINITY;
    if (widths_read(&widths, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++)
        if (width_keep(&run->cells[c]) &&
            fabs(log(width_load(&run->cells[c]) / M_LN2)) < fabs(log(nearest / M_LN2)))
            nearest = width_load(&run->cells[c]);
    for (size_t c = 0; c < run->count && said < 12; c++) {
        const struct run_cell *cell = &run->cells[c];
        const struct cell_value *value = &widths.overflows[c];
        if (!width_keep(cell) || fabs(width_load(cell) / nearest - 1) > 0.01 || !(value->count > 0))
            continue;
        if (said++ == 0)
            text_printf(
                out, "Filters with an overflow at a load of %.2g increments a counter: ", nearest);
        text_printf(out, "%s%.0f of %.0f with %u bits", said > 1 ? ", " : "", value->positive,
                    value->count, width_bits(cell));
    }
    if (said)
        text_printf(out, ".");
    widths_release(&widths);
}

const struct plot_family plot_counting_width = {
    .name = "counting-width",
    .summary = "saturated counters, and filters with an overflow, against the load",
    .draw = counting_width_draw,
    .answer = counting_width_answer,
};
