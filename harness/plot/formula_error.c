/* SPDX-License-Identifier: MIT
 *
 * formula_error.c: how wrong the usual formulas of the classic filter are at finite m.
 *
 * The tables have 6 digits; errors go far below. So the formulas are evaluated again at the (m, n,
 * k) of the tables, to all digits of a double.
 */
#include <math.h>

#include "filters/theory/classic.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

enum { FORMULA_STANDARD, FORMULA_BLOOM, FORMULA_SECOND_ORDER, FORMULAS };

/* |formula / exact - 1|; NaN where the exact rate is 0 or the difference is lost in rounding. */
static double formula_error(const struct run_cell *cell, unsigned formula)
{
    uint64_t m = (uint64_t)cell->m_actual, n = (uint64_t)cell->n;
    unsigned k = (unsigned)cell->k;
    double exact = theory_fpr_exact(m, n, k);
    double value = formula == FORMULA_STANDARD ? theory_fpr_standard(m, n, k)
                   : formula == FORMULA_BLOOM  ? theory_fpr_bloom(m, n, k)
                                               : theory_fpr_second_order(m, n, k);
    double error = exact > 0 ? fabs(value / exact - 1) : NAN;
    return error > 1e-13 ? error : NAN;
}

static bool formula_error_keep(const struct run_cell *cell)
{
    return cell->m_actual > 0 && cell->n > 0 && cell->k > 0 && cell->exact > 0;
}

static void formula_error_value(const void *context, const struct run_cell *cell, unsigned box,
                                unsigned kind, struct curve_point *point)
{
    (void)context;
    (void)box;
    point->y = point->line = formula_error(cell, kind);
}

/* Slopes to compare with, a little above the errors of the standard and the second-order formula:
 * through their values at a large m with as many bits per key as the panel's cells. */
static double formula_error_slope(const struct run_cell *cell, double x, unsigned formula,
                                  double power)
{
    struct run_cell large = *cell;
    large.m_actual = 1 << 16;
    large.n = round(large.m_actual / cell->bits_per_key);
    return 4 * formula_error(&large, formula) * pow(x / large.m_actual, power);
}

static double formula_error_first(const void *context, const struct run_cell *cell, double x)
{
    (void)context;
    return formula_error_slope(cell, x, FORMULA_STANDARD, -1);
}

static double formula_error_second(const void *context, const struct run_cell *cell, double x)
{
    (void)context;
    return formula_error_slope(cell, x, FORMULA_SECOND_ORDER, -2);
}

static enum status formula_error_draw(const struct run_data *run, struct error *err)
{
    static const struct curve_extra extras[] = {
        {"slope −1", 0, formula_error_first},
        {"slope −2", 0, formula_error_second},
        {0},
    };
    static const struct curves_style style = {
        .family = "formula-error",
        .x = "m",
        .boxes = 1,
        .kinds = FORMULAS,
        .kind_name = {"standard, (1 − e^{−kn/m})^k", "Bloom, (1 − (1 − 1/m)^{kn})^k",
                      "second order"},
        .log_y = {true},
        .keep = formula_error_keep,
        .value = formula_error_value,
        .extras = extras,
        .in_place = {true},
        .caption = "Dotted: 1 %. Errors below 1e-13 are rounding and not shown.",
    };
    return curves_draw(run, &style, err);
}

/* From which m on, over all settings, is a formula within 1 %? */
static double formula_error_within(const struct run_data *run, unsigned formula)
{
    double above = 0, least = INFINITY;
    for (size_t c = 0; c < run->count; c++)
        if (formula_error_keep(&run->cells[c]) && formula_error(&run->cells[c], formula) >= 0.01)
            above = fmax(above, run->cells[c].m_actual);
    for (size_t c = 0; c < run->count; c++)
        if (formula_error_keep(&run->cells[c]) && run->cells[c].m_actual > above)
            least = fmin(least, run->cells[c].m_actual);
    return least;
}

/* Is there no larger filter with as many probes and bits per key? */
static bool formula_error_largest(const struct run_data *run, const struct run_cell *cell)
{
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *other = &run->cells[c];
        if (other->k == cell->k && fabs(other->bits_per_key / cell->bits_per_key - 1) < 0.05 &&
            (other->m_actual > cell->m_actual ||
             (other->m_actual == cell->m_actual && other < cell)))
            return false;
    }
    return true;
}

static void formula_error_constants(const struct run_data *run, struct text *out)
{
    enum { SAID_MAX = 6 };
    unsigned said = 0;
    for (size_t c = 0; c < run->count && said < SAID_MAX; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (formula_error_keep(cell) && formula_error_largest(run, cell))
            text_printf(out, "%sC = %.3g at %.3g bits per key, k = %.0f",
                        said++ ? "; " : " The standard formula's error is C/m: ",
                        formula_error(cell, FORMULA_STANDARD) * cell->m_actual, cell->bits_per_key,
                        cell->k);
    }
    text_printf(out, said ? "." : "");
}

static void formula_error_answer(const struct run_data *run, struct text *out)
{
    static const char *const names[] = {"the standard formula", "Bloom's", "the second-order one"};
    const char *separator = "In all settings within 1 % of the exact rate: ";
    for (unsigned f = 0; f < FORMULAS; f++) {
        double within = formula_error_within(run, f);
        if (isfinite(within))
            text_printf(out, "%s%s from m = %.0f on", separator, names[f], within);
        else
            text_printf(out, "%s%s nowhere", separator, names[f]);
        separator = ", ";
    }
    text_printf(out, ".");
    formula_error_constants(run, out);
}

const struct plot_family plot_formula_error = {
    .name = "formula-error",
    .summary = "relative error of the usual formulas against m",
    .draw = formula_error_draw,
    .answer = formula_error_answer,
};
