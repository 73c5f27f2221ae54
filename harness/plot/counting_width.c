/* SPDX-License-Identifier: MIT
 *
 * counting_width.c: how wide a counter must be: counters at their top value, and increments lost to
 * overflow, against the load kn/m.
 *
 * The increments C of a counter are binomial (kn, 1/m). With b bits it stands at its top value from
 * 2^b - 1 increments on, and each further one is lost. L. Fan, P. Cao, J. Almeida, A. Broder, ToN
 * 8(3), 2000, bound the probability that any of m counters overflows, J = 2^b; a share of counters
 * is bounded by an m-th of that. The same number bounds the mean of the lost increments, as (C - J
 * + 1)+ <= C over J, whose mean is (kn over J) m^-J, their union bound over m.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"
#include "harness/stats/stats.h"

enum { WIDTH_BOUNDS = 3, WIDTH_RATIO_EVENTS = 100 }; /* fewer give no ratio worth a look */
static const double width_least = 1e-10;             /* theory is shown down to it */
static const double width_binomial_most = 4e9;       /* increments GSL can count */

struct widths {
    struct cell_value *saturated, *overflows, *tail, *bound[WIDTH_BOUNDS];
};

static void widths_release(struct widths *widths)
{
    free(widths->saturated);
    free(widths->overflows);
    free(widths->tail);
    for (int i = 0; i < WIDTH_BOUNDS; i++)
        free(widths->bound[i]);
}

static enum status widths_read(struct widths *widths, const struct run_data *run, struct error *err)
{
    static const char *const bounds[] = {"fan_union_bound", "fan_e_bound", "fan_ln2_bound"};
    *widths = (struct widths){.saturated = NULL};
    enum status status = measures_read(&widths->saturated, run, "saturated_counters", err);
    if (!status)
        status = measures_read(&widths->overflows, run, "overflows", err);
    if (!status)
        status = estimates_read(&widths->tail, run, "counter_overflow", err);
    for (int i = 0; !status && i < WIDTH_BOUNDS; i++)
        status = estimates_read(&widths->bound[i], run, bounds[i], err);
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
    return width_bits(cell) > 0 && width_bits(cell) <= 16 && width_load(cell) > 0;
}

static double width_top(const struct run_cell *cell)
{
    return (double)(1u << width_bits(cell)) - 1;
}

/* P(C >= 2^b - 1). */
static double width_saturated(const struct run_cell *cell)
{
    unsigned below = (unsigned)width_top(cell) - 1;
    double increments = cell->n * cell->k;
    if (increments < width_binomial_most)
        return gsl_cdf_binomial_Q(below, 1 / cell->m_actual, (unsigned)increments);
    return gsl_cdf_poisson_Q(below, width_load(cell));
}

/* Mean of (C - (2^b - 1))+: a sum of positive terms from C = 2^b on. A mean of 700 and more
 * increments is so far above the top (or the top so far above it) that it needs no sum. */
static double width_lost(const struct run_cell *cell)
{
    double top = width_top(cell), load = width_load(cell), increments = cell->n * cell->k;
    bool binomial = increments < width_binomial_most;
    if (load > 700)
        return fmax(load - top, 0);
    unsigned first = (unsigned)top + 1;
    double p = 1 / cell->m_actual, sum = 0;
    double term = binomial ? gsl_ran_binomial_pdf(first, p, (unsigned)increments)
                           : gsl_ran_poisson_pdf(first, load);
    for (double c = first; term > 0 && (c < load || term * (c - top) > 1e-17 * sum); c++) {
        sum += term * (c - top);
        term *= binomial ? (increments - c) / (c + 1) * p / (1 - p) : load / (c + 1);
    }
    return sum;
}

/* ---- the figure ----------------------------------------------------------------------------- */

/* events of so many chances, times unit. */
static void width_share(struct curve_point *point, double events, double chances, double unit)
{
    if (!(chances > 0))
        return;
    struct interval interval = stats_wilson((uint64_t)events, (uint64_t)chances, 0.95);
    if (events > 0) {
        point->y = events / chances * unit;
        point->lo = interval.lo * unit;
        point->hi = interval.hi * unit;
    } else {
        point->upper = interval.hi * unit;
    }
}

static void width_value(const void *context, const struct run_cell *cell, unsigned box,
                        unsigned kind, struct curve_point *point)
{
    const struct widths *widths = context;
    const struct cell_value *saturated = &widths->saturated[cell->row];
    const struct cell_value *lost = &widths->overflows[cell->row];
    (void)kind;
    if (box == 0) {
        /* counters of a filter are nearly independent: their number is all but binomial */
        width_share(point, saturated->sum, saturated->count * cell->m_actual, 1);
        point->line = width_saturated(cell);
    } else if (box == 1) {
        width_share(point, lost->sum, lost->count * cell->n * cell->k, width_load(cell));
        point->line = width_lost(cell);
        for (int i = 0; i < WIDTH_BOUNDS; i++)
            point->bound[i] = cell_value_mean(&widths->bound[i][cell->row]) / cell->m_actual;
    } else if (saturated->sum >= WIDTH_RATIO_EVENTS) {
        width_share(point, saturated->sum, saturated->count * cell->m_actual,
                    1 / width_saturated(cell));
    }
    if (point->line < width_least)
        point->line = NAN;
}

static enum status counting_width_draw(const struct run_data *run, struct error *err)
{
    struct widths widths;
    struct curves_style style = {
        .family = "counting-width",
        .x = "n",
        .series = "counter_bits",
        .x_label = "load k n / m",
        .boxes = 3,
        .kinds = 1,
        .bound_name = {"Fan: union", "Fan: (e k n/J m)^J", "Fan: (e ln 2/J)^J"},
        .log_y = {true, true, false},
        .lo_y = {width_least, width_least},
        .keep = width_keep,
        .place = width_load,
        .value = width_value,
        .context = &widths,
        .caption =
            "Bars: Wilson's 95 % intervals; arrows: upper limits where there was none. Lines: "
            "binomial increments of a counter. Bounds for J = 2^b increments, over m; the last "
            "holds up to a load of ln 2. Ratio: top values / theory, from 100 of them on.",
    };
    enum status status = widths_read(&widths, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    widths_release(&widths);
    return status;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* Of all bounds in the table: how many there are, and how many are below the exact probability. */
static void widths_hold(const struct widths *widths, const struct run_data *run, struct text *out)
{
    size_t bounds = 0, broken = 0;
    for (size_t c = 0; c < run->count; c++)
        for (int i = 0; i < WIDTH_BOUNDS; i++) {
            double bound = cell_value_mean(&widths->bound[i][c]) / run->cells[c].m_actual;
            double tail = cell_value_mean(&widths->tail[c]);
            bounds += isnan(bound) ? 0 : 1;
            broken += bound < tail * (1 - 1e-5); /* tables have 6 digits */
        }
    if (bounds && broken)
        text_printf(out, " %zu of %zu bounds of Fan et al. lie below the exact probability.",
                    broken, bounds);
    else if (bounds)
        text_printf(out, " All %zu bounds of Fan et al. hold.", bounds);
}

/* At the load nearest to ln 2, at which a filter is at its best. */
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
        const struct cell_value *lost = &widths.overflows[c];
        if (!width_keep(cell) || fabs(width_load(cell) / nearest - 1) > 0.01 || !(lost->count > 0))
            continue;
        if (said++ == 0)
            text_printf(out, "Lost of %.3g increments at a load of %.2g a counter: ",
                        lost->count * cell->n * cell->k, nearest);
        text_printf(out, "%s%.0f with %u bits (%.3g expected)", said > 1 ? ", " : "", lost->sum,
                    width_bits(cell), width_lost(cell) * lost->count * cell->m_actual);
    }
    if (said) {
        text_printf(out, ".");
        widths_hold(&widths, run, out);
    }
    widths_release(&widths);
}

const struct plot_family plot_counting_width = {
    .name = "counting-width",
    .summary = "counters at their top value and increments lost, against the load",
    .draw = counting_width_draw,
    .answer = counting_width_answer,
};
