/* SPDX-License-Identifier: MIT
 *
 * calibration.c: many sound cells: are p-values uniform, and do intervals cover?
 *
 * A cell's true mean rate is its model's. The naive binomial is Wilson's interval of all hits over
 * all queries, as if every query had met a filter of its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/stats/stats.h"

enum { CALIBRATION_TESTS = 4, CALIBRATION_INTERVALS = 3, CALIBRATION_TRIALS_MAX = 32 };
static const double calibration_level = 0.95;

static const struct {
    const char *name;
    size_t offset;
} calibration_tests[CALIBRATION_TESTS] = {
    {"fill", offsetof(struct run_cell, p_fill)},
    {"spread", offsetof(struct run_cell, p_spread)},
    {"probe", offsetof(struct run_cell, p_probe)},
    {"model", offsetof(struct run_cell, p_model)},
};
static const char *const calibration_intervals[CALIBRATION_INTERVALS] = {
    "fpr, clustered", "fpr, naive binomial", "fpr\\_scheme, t"};

static double calibration_p(const struct run_cell *cell, int test)
{
    return *(const double *)(const void *)((const char *)cell + calibration_tests[test].offset);
}

/* ---- p-values
 * ------------------------------------------------------------------------------------- */

struct p_values {
    double *value; /* sorted */
    size_t count;
};

static int p_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum status p_values_take(struct p_values *p, const struct run_data *run, int test,
                                 struct error *err)
{
    *p = (struct p_values){.value = malloc((run->count + 1) * sizeof *p->value)};
    if (!p->value)
        return fail(err, E_RUN, "no memory for the p-values of %zu cells", run->count);
    for (size_t c = 0; c < run->count; c++) {
        double value = calibration_p(&run->cells[c], test);
        if (!isnan(value))
            p->value[p->count++] = value;
    }
    qsort(p->value, p->count, sizeof *p->value, p_compare);
    return OK;
}

/* The ranks that are drawn: all of the smallest, then ten a decade. */
static size_t rank_next(size_t rank)
{
    size_t step = (size_t)((double)rank * 0.26);
    return rank + (step ? step : 1);
}

static void qq_band(struct figure *figure, size_t count)
{
    for (size_t i = 1; i <= count; i = rank_next(i)) {
        struct interval band = stats_clopper_pearson(i, count, calibration_level);
        double row[] = {((double)i - 0.5) / (double)count, band.lo, band.hi};
        figure_row(figure, row, 3);
    }
    figure_set_end(figure, 3);
}

/* p = 0 to the digits of the table is drawn at the bottom. */
static void qq_points(struct figure *figure, const struct p_values *p, double bottom)
{
    for (size_t i = 1; i <= p->count; i = rank_next(i)) {
        double row[] = {((double)i - 0.5) / (double)p->count, fmax(p->value[i - 1], bottom)};
        figure_row(figure, row, 2);
    }
    figure_set_end(figure, 2);
}

/* ---- coverage
 * ------------------------------------------------------------------------------------- */

/* Cells of one number of trials, and how many of them each interval covered. */
struct coverage {
    double trials;
    size_t cells[CALIBRATION_INTERVALS], covered[CALIBRATION_INTERVALS];
};

static int coverage_compare(const void *a, const void *b)
{
    return p_compare(&((const struct coverage *)a)->trials, &((const struct coverage *)b)->trials);
}

static void coverage_take(struct coverage *coverage, const struct run_cell *cell)
{
    struct interval naive =
        stats_wilson((uint64_t)cell->false_positives, (uint64_t)cell->queries, calibration_level);
    const struct interval interval[CALIBRATION_INTERVALS] = {
        {cell->fpr_lo, cell->fpr_hi}, naive, {cell->scheme_lo, cell->scheme_hi}};
    for (int i = 0; i < CALIBRATION_INTERVALS; i++) {
        if (isnan(interval[i].lo))
            continue;
        coverage->cells[i]++;
        coverage->covered[i] += interval[i].lo <= cell->model && cell->model <= interval[i].hi;
    }
}

/* Is there a true rate, as far as theory knows it, and an interval that may cover it? */
static bool coverage_applies(const struct run_cell *cell)
{
    return cell->queries > 0 && !isnan(cell->fpr_lo) && !isnan(cell->model);
}

/* By the number of trials, increasing; how many there are. */
static unsigned coverage_count(struct coverage coverage[CALIBRATION_TRIALS_MAX],
                               const struct run_data *run)
{
    unsigned count = 0, at;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        for (at = 0; at < count && coverage[at].trials != cell->trials; at++)
            continue;
        if (at == CALIBRATION_TRIALS_MAX || !coverage_applies(cell))
            continue;
        if (at == count)
            coverage[count++] = (struct coverage){.trials = cell->trials};
        coverage_take(&coverage[at], cell);
    }
    qsort(coverage, count, sizeof *coverage, coverage_compare);
    return count;
}

/* Returns the least share. Points of one number of trials stand side by side. */
static double coverage_points(struct figure *figure, const struct coverage *coverage,
                              unsigned count)
{
    double least = 0.9;
    for (int i = 0; i < CALIBRATION_INTERVALS; i++) {
        for (unsigned t = 0; t < count; t++) {
            size_t cells = coverage[t].cells[i], covered = coverage[t].covered[i];
            if (cells == 0)
                continue;
            struct interval error = stats_wilson(covered, cells, calibration_level);
            double row[] = {coverage[t].trials * pow(1.06, i - 1), (double)covered / (double)cells,
                            error.lo, error.hi};
            figure_row(figure, row, 4);
            least = fmin(least, error.lo);
        }
        figure_set_end(figure, 4);
    }
    return least;
}

/* ---- the figure
 * ----------------------------------------------------------------------------------- */

static void names_declare(struct figure *figure)
{
    figure_array(figure, "test_name", CALIBRATION_TESTS);
    for (int i = 0; i < CALIBRATION_TESTS; i++)
        figure_element(figure, "test_name", (unsigned)i + 1, calibration_tests[i].name);
    figure_array(figure, "interval_name", CALIBRATION_INTERVALS);
    for (int i = 0; i < CALIBRATION_INTERVALS; i++)
        figure_element(figure, "interval_name", (unsigned)i + 1, calibration_intervals[i]);
}

static enum status calibration_points(struct figure *figure, const struct run_data *run,
                                      struct error *err)
{
    struct p_values p[CALIBRATION_TESTS] = {{0}};
    struct coverage coverage[CALIBRATION_TRIALS_MAX];
    size_t most = 1;
    enum status status = OK;
    for (int i = 0; !status && i < CALIBRATION_TESTS; i++) {
        status = p_values_take(&p[i], run, i, err);
        most = p[i].count > most ? p[i].count : most;
    }
    if (!status) {
        double bottom = 0.05 / (double)most;
        unsigned count = coverage_count(coverage, run);
        figure_number(figure, "p_bottom", bottom);
        qq_band(figure, most);
        for (int i = 0; i < CALIBRATION_TESTS; i++)
            qq_points(figure, &p[i], bottom);
        figure_number(figure, "coverage_bottom",
                      floor(20 * coverage_points(figure, coverage, count)) / 20);
        figure_number(figure, "trials_lo", count ? coverage[0].trials : 1);
        figure_number(figure, "trials_hi", count ? coverage[count - 1].trials : 1);
    }
    for (int i = 0; i < CALIBRATION_TESTS; i++)
        free(p[i].value);
    return status;
}

static enum status calibration_draw(const struct run_data *run, struct error *err)
{
    struct figure figure;
    stats_init();
    figure_open(&figure, run, "calibration", 1, "Sound cells: p-values and coverage",
                FIGURE_TWO_COLUMNS_CM, false,
                "Left, grey: where 95 % of the points of uniform p-values fall, each for itself. "
                "Right: shares of the cells whose 95 % interval holds the model's mean rate, and "
                "95 % intervals of these shares.");
    names_declare(&figure);
    enum status status = calibration_points(&figure, run, err);
    if (!status)
        status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

static void answer_verdicts(const struct run_data *run, struct text *out)
{
    size_t failed = 0, warned = 0;
    for (size_t c = 0; c < run->count; c++) {
        if (strcmp(run->cells[c].verdict, "FAIL") == 0)
            failed++;
        if (strcmp(run->cells[c].verdict, "WARN") == 0)
            warned++;
    }
    text_printf(out, "%zu of %zu sound cells are FAIL, %zu WARN.", failed, run->count, warned);
}

static void answer_alarms(const struct run_data *run, struct text *out)
{
    const char *separator = " Shares of p below 0.01 and 0.001:";
    for (int i = 0; i < CALIBRATION_TESTS; i++) {
        size_t count = 0, hundredth = 0, thousandth = 0;
        for (size_t c = 0; c < run->count; c++) {
            double p = calibration_p(&run->cells[c], i);
            count += isnan(p) ? 0 : 1;
            hundredth += p < 1e-2 ? 1 : 0;
            thousandth += p < 1e-3 ? 1 : 0;
        }
        if (count) {
            text_printf(out, "%s %s %.2e, %.2e", separator, calibration_tests[i].name,
                        (double)hundredth / (double)count, (double)thousandth / (double)count);
            separator = ";";
        }
    }
    if (*separator == ';')
        text_printf(out, ".");
}

static void calibration_answer(const struct run_data *run, struct text *out)
{
    struct coverage coverage[CALIBRATION_TRIALS_MAX];
    stats_init();
    unsigned count = coverage_count(coverage, run);
    answer_verdicts(run, out);
    answer_alarms(run, out);
    if (count == 0)
        return;
    text_printf(out, " Intervals of 95 %% cover (the naive binomial's in brackets)");
    for (unsigned t = 0; t < count; t++)
        text_printf(out, "%s %.1f %% (%.1f %%) with %.0f trial%s", t ? "," : "",
                    100.0 * (double)coverage[t].covered[0] / (double)coverage[t].cells[0],
                    100.0 * (double)coverage[t].covered[1] / (double)coverage[t].cells[1],
                    coverage[t].trials, coverage[t].trials == 1 ? "" : "s");
    text_printf(out, ".");
}

const struct plot_family plot_calibration = {
    .name = "calibration",
    .summary = "p-values of sound cells against uniform ones, and coverage of intervals",
    .draw = calibration_draw,
    .answer = calibration_answer,
};
