/* SPDX-License-Identifier: MIT
 *
 * set_operations.c: the size of an intersection as bits tell it, against the true one; and the rate
 * of the AND of two filters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

enum { SETS_ESTIMATE, SETS_ERROR, SETS_RATE, SETS_BOXES };
enum { SETS_EXCLUSION, SETS_NAIVE, SETS_KINDS };
static const double sets_normal = 1.96; /* 95 % of a normal law */

struct sets {
    struct cell_value *truth, *fpr, *expected_fpr, *smaller_fpr;
    /* By kind: measured, and theory's mean and standard deviation. */
    struct cell_value *estimate[SETS_KINDS], *expected[SETS_KINDS], *sd[SETS_KINDS];
};

static void sets_release(struct sets *sets)
{
    free(sets->truth);
    free(sets->fpr);
    free(sets->expected_fpr);
    free(sets->smaller_fpr);
    for (int i = 0; i < SETS_KINDS; i++) {
        free(sets->estimate[i]);
        free(sets->expected[i]);
        free(sets->sd[i]);
    }
}

static enum status sets_read(struct sets *sets, const struct run_data *run, struct error *err)
{
    *sets = (struct sets){0};
    const struct {
        struct cell_value **values;
        const char *name;
        bool theory;
    } wanted[] = {
        {&sets->truth, "true_intersection", false},
        {&sets->fpr, "fpr_and", false},
        {&sets->estimate[SETS_EXCLUSION], "intersection_unclamped", false},
        {&sets->estimate[SETS_NAIVE], "intersection_naive", false},
        {&sets->expected_fpr, "expected_fpr_and", true},
        {&sets->smaller_fpr, "fpr_of_intersection", true},
        {&sets->expected[SETS_EXCLUSION], "expected_intersection", true},
        {&sets->sd[SETS_EXCLUSION], "intersection_sd", true},
        {&sets->expected[SETS_NAIVE], "expected_naive", true},
        {&sets->sd[SETS_NAIVE], "naive_sd", true},
    };
    enum status status = OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !status; i++)
        status = wanted[i].theory ? estimates_read(wanted[i].values, run, wanted[i].name, err)
                                  : measures_read(wanted[i].values, run, wanted[i].name, err);
    if (status)
        sets_release(sets);
    return status;
}

/* Sample standard deviation of one trial; NaN for fewer than two. */
static double sets_scatter(const struct cell_value *value)
{
    double mean = cell_value_mean(value), n = value->count;
    return n > 1 ? sqrt(fmax(0, value->squares / n - mean * mean) * n / (n - 1)) : NAN;
}

/* ---- the figure ------------------------------------------------------------------------------ */

static void sets_estimate(const struct sets *sets, const struct run_cell *cell, unsigned kind,
                          double truth, struct curve_point *point)
{
    const struct cell_value *estimate = &sets->estimate[kind][cell->row];
    double mean = cell_value_mean(&sets->expected[kind][cell->row]);
    double half = sets_normal * cell_value_mean(&sets->sd[kind][cell->row]);
    double scatter = sets_normal * sets_scatter(estimate);
    point->y = (cell_value_mean(estimate) - truth) / cell->n;
    point->lo = point->y - scatter / cell->n;
    point->hi = point->y + scatter / cell->n;
    point->line = (mean - truth) / cell->n;
    point->bound[0] = (mean - half - truth) / cell->n;
    point->bound[1] = (mean + half - truth) / cell->n;
}

static void sets_value(const void *context, const struct run_cell *cell, unsigned box,
                       unsigned kind, struct curve_point *point)
{
    const struct sets *sets = context;
    if (box == SETS_ESTIMATE) {
        sets_estimate(sets, cell, kind, 0, point);
        point->bound[0] = point->bound[1] = NAN;
    } else if (box == SETS_ERROR && kind == SETS_EXCLUSION) {
        sets_estimate(sets, cell, kind, cell_value_mean(&sets->truth[cell->row]), point);
    } else if (box == SETS_RATE && kind == SETS_NAIVE) {
        const struct cell_value *fpr = &sets->fpr[cell->row];
        point->y = fpr->sum > 0 ? cell_value_mean(fpr) : NAN;
        cell_value_interval(fpr, &point->lo, &point->hi);
        point->line = cell_value_mean(&sets->expected_fpr[cell->row]);
        point->guide = cell_value_mean(&sets->smaller_fpr[cell->row]);
    }
}

static double sets_truth(const void *context, const struct run_cell *cell, double x)
{
    (void)context, (void)cell;
    return x;
}

static enum status set_operations_draw(const struct run_data *run, struct error *err)
{
    static const struct curve_extra extras[] = {{"true share", SETS_ESTIMATE, sets_truth}, {0}};
    struct sets sets;
    struct curves_style style = {
        .family = "set-operations",
        .x = "overlap",
        .x_label = "share of the keys in common",
        .boxes = SETS_BOXES,
        .kinds = SETS_KINDS,
        .kind_name = {"n_A + n_B − n_{OR}", "bits of the AND (naive)"},
        .bound_name = {"− 1.96 sd", "+ 1.96 sd"},
        .log_y = {false, false, true},
        .lo_y = {0, 0, 1e-7},
        .value = sets_value,
        .extras = extras,
        .context = &sets,
        .in_place = {true, true, true},
        .caption = "Points: means over the trials; bars: 1.96 standard deviations of one trial's "
                   "estimate. Lines and bands: delta method on the counts of empty bits. Error: of "
                   "the estimate by inclusion and exclusion, before it is set to 0 where it is "
                   "negative. Rate: of the AND for members of neither set, beside that of a filter "
                   "of the common keys alone.",
    };
    enum status status = sets_read(&sets, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    sets_release(&sets);
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* At the overlap nearest to a half. */
static void set_operations_answer(const struct run_data *run, struct text *out)
{
    struct sets sets;
    double nearest = INFINITY;
    unsigned said = 0;
    if (sets_read(&sets, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++) {
        double share = cell_value_mean(&sets.truth[c]) / run->cells[c].n;
        if (fabs(share - 0.5) < fabs(nearest - 0.5))
            nearest = share;
    }
    for (size_t c = 0; c < run->count && said < 6; c++) {
        const struct run_cell *cell = &run->cells[c];
        const struct cell_value *exclusion = &sets.estimate[SETS_EXCLUSION][c];
        double truth = cell_value_mean(&sets.truth[c]);
        if (!(exclusion->count > 1) || fabs(truth / cell->n - nearest) > 1e-9)
            continue;
        if (said++ == 0)
            text_printf(out, "Of %.0f common keys inclusion and exclusion tells ", truth);
        else
            text_printf(out, "; ");
        text_printf(out,
                    "%.4g with a standard deviation of %.2g (%.2g by theory), the AND alone %.4g "
                    "(%.4g by theory), at %.3g bits per key and k = %.0f",
                    cell_value_mean(exclusion), sets_scatter(exclusion),
                    cell_value_mean(&sets.sd[SETS_EXCLUSION][c]),
                    cell_value_mean(&sets.estimate[SETS_NAIVE][c]),
                    cell_value_mean(&sets.expected[SETS_NAIVE][c]), cell->bits_per_key, cell->k);
    }
    if (said)
        text_printf(out, ".");
    sets_release(&sets);
}

const struct plot_family plot_set_operations = {
    .name = "set-operations",
    .summary = "sizes of intersections as bits tell them, and the rate of the AND of two filters",
    .draw = set_operations_draw,
    .answer = set_operations_answer,
};
