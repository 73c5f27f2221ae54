/* SPDX-License-Identifier: MIT
 *
 * cardinality_duel.c: estimates of cardinality at equal memory: a Bloom filter's, from its number
 * of set bits, against HyperLogLog's.
 *
 * With m bits, k probes and t = kn/m the first has a relative error of sqrt(e^t - t - 1)/(t sqrt
 * m), the second of 1.04 sqrt(6/m) with registers of 6 bits: HyperLogLog is behind until t = 5.4.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/axes.h"
#include "harness/plot/curves.h"
#include "harness/plot/estimate_error.h"
#include "harness/plot/family.h"

struct duel {
    struct cell_value *estimate;
    struct estimate_theory theory;
};

static void duel_release(struct duel *duel)
{
    free(duel->estimate);
    estimate_theory_release(&duel->theory);
}

static enum status duel_read(struct duel *duel, const struct run_data *run, struct error *err)
{
    *duel = (struct duel){.estimate = NULL};
    enum status status = measures_read(&duel->estimate, run, "cardinality", err);
    if (!status)
        status = estimate_theory_read(&duel->theory, run, "cardinality", err);
    if (status)
        duel_release(duel);
    return status;
}

static bool duel_keep(const struct run_cell *cell)
{
    return cell->n > 0;
}

/* Equal memory, but for what a variant rounds. */
static bool duel_equal(const struct run_cell *cell, const struct run_cell *other)
{
    return fabs(cell->memory_bytes / other->memory_bytes - 1) < 0.01;
}

static void duel_name(char *name, size_t size, const struct run_cell *cell)
{
    char value[16], filter[48];
    enhanced_escape(filter, sizeof filter, cell->filter);
    if (params_value(cell->params, "precision", value, sizeof value))
        snprintf(name, size, "%s, p = %s", filter, value);
    else if (cell->k > 0)
        snprintf(name, size, "bits of %s, k = %.0f", filter, cell->k);
    else
        snprintf(name, size, "bits of %s", filter);
}

static void duel_value(const void *context, const struct run_cell *cell, unsigned box,
                       unsigned kind, struct curve_point *point)
{
    const struct duel *duel = context;
    struct estimate_error error = estimate_error_of(&duel->estimate[cell->row], cell);
    (void)kind;
    if (box == 0) {
        point->y = error.rms;
        point->lo = error.rms_lo;
        point->hi = error.rms_hi;
        point->line = estimate_theory_rms(&duel->theory, cell);
    } else {
        point->y = error.bias;
        point->lo = error.bias_lo;
        point->hi = error.bias_hi;
        point->line = cell_value_mean(&duel->theory.bias[cell->row]);
    }
}

static enum status cardinality_duel_draw(const struct run_data *run, struct error *err)
{
    struct duel duel;
    struct curves_style style = {
        .family = "cardinality-duel",
        .x = "n",
        .series = "k",
        .x_label = "distinct keys n",
        .boxes = 2,
        .kinds = 1,
        .log_y = {true, false},
        .lo_y = {1e-3, 0},
        .series_name = duel_name,
        .keep = duel_keep,
        .belongs = duel_equal,
        .value = duel_value,
        .context = &duel,
        .caption =
            "Each panel is one amount of memory, m bits; a register has 6. A filter that is full "
            "in "
            "some trial has no mean and is not shown, nor are root mean squares for which fewer "
            "than 20 pairs of probes meet in all trials. Bars: 95 % intervals (chi-squared; "
            "Student's). Theory: delta method. Points share their trials.",
    };
    enum status status = duel_read(&duel, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    duel_release(&duel);
    return status;
}

/* ---- the answer ----------------------------------------------------------------------------- */

static bool duel_is_sketch(const struct run_cell *cell)
{
    return strcmp(cell->filter, "hyperloglog") == 0;
}

/* The sketch of the same memory and n; NULL: there is none. */
static const struct run_cell *duel_rival(const struct run_data *run, const struct run_cell *cell)
{
    for (size_t c = 0; c < run->count; c++)
        if (duel_is_sketch(&run->cells[c]) && run->cells[c].n == cell->n &&
            duel_equal(cell, &run->cells[c]))
            return &run->cells[c];
    return NULL;
}

/* ln of the filter's error over the sketch's, measured or expected. */
static double duel_gap(const struct duel *duel, const struct run_cell *cell,
                       const struct run_cell *rival, bool expected)
{
    if (expected)
        return log(estimate_theory_rms(&duel->theory, cell) /
                   estimate_theory_rms(&duel->theory, rival));
    return log(estimate_error_of(&duel->estimate[cell->row], cell).rms /
               estimate_error_of(&duel->estimate[rival->row], rival).rms);
}

/* The next larger n of the filters of this kind, m and k; NULL: that was the largest. */
static const struct run_cell *duel_next(const struct run_data *run, const struct run_cell *like,
                                        double n)
{
    const struct run_cell *next = NULL;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (strcmp(cell->filter, like->filter) == 0 && cell->m == like->m && cell->k == like->k &&
            cell->n > n && (!next || cell->n < next->n))
            next = cell;
    }
    return next;
}

/* Where these filters fall behind: the largest n of the run at which their error begins to be the
 * larger one, interpolated in ln n; NaN: nowhere. */
static double duel_crossing(const struct duel *duel, const struct run_data *run,
                            const struct run_cell *like, bool expected)
{
    double before_n = NAN, before = NAN, crossing = NAN;
    const struct run_cell *cell = duel_next(run, like, 0);
    for (; cell; cell = duel_next(run, like, cell->n)) {
        const struct run_cell *rival = duel_rival(run, cell);
        double gap = rival ? duel_gap(duel, cell, rival, expected) : NAN;
        if (!isfinite(gap))
            continue;
        if (gap > 0 && before <= 0)
            crossing = before_n * exp(log(cell->n / before_n) * before / (before - gap));
        before_n = cell->n;
        before = gap;
    }
    return crossing;
}

static void cardinality_duel_answer(const struct run_data *run, struct text *out)
{
    struct duel duel;
    unsigned said = 0;
    if (duel_read(&duel, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count && said < 12; c++) {
        const struct run_cell *cell = &run->cells[c];
        bool known = duel_is_sketch(cell) || !duel_keep(cell);
        for (size_t b = 0; b < c && !known; b++)
            known = strcmp(run->cells[b].filter, cell->filter) == 0 && run->cells[b].m == cell->m &&
                    run->cells[b].k == cell->k;
        double crossing = known ? NAN : duel_crossing(&duel, run, cell, false);
        if (isnan(crossing))
            continue;
        text_printf(out, "%s%.0f bytes and k = %.0f up to n = %.3g (%.2f m/k; in theory %.3g)",
                    said++ ? "; " : "Its bits tell n better than HyperLogLog of equal size does: ",
                    cell->memory_bytes, cell->k, crossing, crossing * cell->k / cell->m_actual,
                    duel_crossing(&duel, run, cell, true));
    }
    text_printf(out, said ? "." : "");
    duel_release(&duel);
}

const struct plot_family plot_cardinality_duel = {
    .name = "cardinality-duel",
    .summary = "errors of estimates of cardinality at equal memory against n",
    .draw = cardinality_duel_draw,
    .answer = cardinality_duel_answer,
};
