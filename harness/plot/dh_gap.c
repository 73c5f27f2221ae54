/* SPDX-License-Identifier: MIT
 *
 * dh_gap.c: how far two-hash schemes and slices stay above the independent filter at finite m.
 *
 * The excess ratio - 1 falls like C/m (A. Kirsch, M. Mitzenmacher, "Less Hashing, Same
 * Performance", RSA 33(2), 2008, show that it vanishes): a line of slope -1 when both axes are
 * logarithmic.
 */
#include <math.h>
#include <string.h>

#include "harness/plot/curves.h"
#include "harness/plot/family.h"
#include "harness/table/file.h"

/* The excess of a cell: of its theory where that is exact, else as measured; and whether it is
 * known to better than a fifth. */
static double dh_gap_excess(const struct run_cell *cell, bool *known)
{
    bool exact = cell->model > 0 && (isnan(cell->model_se) || cell->model_se == 0);
    double excess = (exact ? cell->model : cell->rate) / cell->exact - 1;
    double half = (cell->rate_hi - cell->rate_lo) / cell->exact / 2;
    *known = exact ? excess > 1e-5 : half < excess / 5; /* tables have 6 digits */
    return excess;
}

static bool dh_gap_keep(const struct run_cell *cell)
{
    return strcmp(cell->filter, "classic") != 0 && cell->exact > 0 && cell->m_actual > 0;
}

static void dh_gap_value(const void *context, const struct run_cell *cell, unsigned box,
                         unsigned kind, struct curve_point *point)
{
    (void)context;
    (void)box;
    (void)kind;
    double lo = cell->rate_lo / cell->exact - 1, hi = cell->rate_hi / cell->exact - 1;
    if (lo > 0) {
        point->y = cell->rate / cell->exact - 1;
        point->lo = lo;
        point->hi = hi;
    } else if (hi > 0) {
        point->upper = hi;
    }
    if (cell->model > 0)
        point->line = cell->model / cell->exact - 1;
}

/* C from the largest m at which the excess is known. */
static double dh_gap_constant(const struct curve_point *points, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        bool known;
        double excess = dh_gap_excess(points[i].cell, &known);
        if (known)
            return excess * points[i].cell->m_actual;
    }
    return NAN;
}

static void dh_gap_finish(struct curve_point *points, size_t count, unsigned box)
{
    (void)box;
    double constant = dh_gap_constant(points, count);
    for (size_t i = 0; i < count; i++)
        points[i].guide = constant / points[i].x;
}

/* ---- the answer
 * -------------------------------------------------------------------------------------- */

static bool dh_gap_same_curve(const struct run_cell *a, const struct run_cell *b)
{
    bool same_k = a->k == b->k || (isnan(a->k) && isnan(b->k));
    return same_k && a->bits_per_key == b->bits_per_key && strcmp(a->filter, b->filter) == 0 &&
           strcmp(a->params, b->params) == 0 && strcmp(a->hash, b->hash) == 0 &&
           strcmp(a->keys, b->keys) == 0 && strcmp(a->reduction, b->reduction) == 0;
}

/* Over the curve that starts at `first`: C at the largest m where the excess is known, and the
 * least m from which on it is below 1 %. */
static void dh_gap_curve(const struct run_data *run, size_t first, double *constant, double *within)
{
    double largest = 0, above = 0, least = INFINITY;
    *constant = NAN;
    for (size_t c = first; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        bool known;
        if (!dh_gap_keep(cell) || !dh_gap_same_curve(cell, &run->cells[first]))
            continue;
        double excess = dh_gap_excess(cell, &known);
        if (known && cell->m_actual > largest) {
            largest = cell->m_actual;
            *constant = excess * cell->m_actual;
        }
        if (excess >= 0.01 && cell->m_actual > above)
            above = cell->m_actual;
    }
    for (size_t c = first; c < run->count; c++)
        if (dh_gap_keep(&run->cells[c]) && dh_gap_same_curve(&run->cells[c], &run->cells[first]) &&
            run->cells[c].m_actual > above)
            least = fmin(least, run->cells[c].m_actual);
    *within = least;
}

static bool dh_gap_first(const struct run_data *run, size_t c)
{
    if (!dh_gap_keep(&run->cells[c]))
        return false;
    for (size_t before = 0; before < c; before++)
        if (dh_gap_keep(&run->cells[before]) &&
            dh_gap_same_curve(&run->cells[before], &run->cells[c]))
            return false;
    return true;
}

static void dh_gap_say(struct text *out, const struct run_cell *cell, double constant)
{
    text_printf(out, "%s%s%s%s at %.3g bits per key, k = %.0f: C = %.*f", cell->filter,
                *cell->params ? " (" : "", cell->params, *cell->params ? ")" : "",
                cell->bits_per_key, cell->k, constant < 100 ? 1 : 0, constant);
}

/* DIR/dh-gap.csv: a row per curve: its C, and the least m of the run from which on it is within 1
 * %. */
static enum status dh_gap_table(const struct run_data *run, struct error *err)
{
    struct text table = {0};
    text_printf(&table, "filter,params,hash,keys,reduction,bits_per_key,k,c,m_within_1_percent\n");
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        double constant, within;
        if (!dh_gap_first(run, c))
            continue;
        dh_gap_curve(run, c, &constant, &within);
        field_string(&table, cell->filter);
        field_string(&table, cell->params);
        field_string(&table, cell->hash);
        field_string(&table, cell->keys);
        field_string(&table, cell->reduction);
        field_rate(&table, cell->bits_per_key);
        field_rate(&table, cell->k);
        field_rate(&table, constant);
        field_rate(&table, isfinite(within) ? within : NAN);
        row_end(&table);
    }
    enum status status = file_write(run->directory, "dh-gap.csv", &table, err);
    text_release(&table);
    return status;
}

/* The extremes first, then every curve. */
static void dh_gap_answer(const struct run_data *run, struct text *out)
{
    struct text list = {0};
    double least = INFINITY, most = 0, constant, within;
    size_t least_cell = 0, most_cell = 0, said = 0;
    for (size_t c = 0; c < run->count && said < 40; c++) {
        if (!dh_gap_first(run, c))
            continue;
        dh_gap_curve(run, c, &constant, &within);
        if (isnan(constant))
            continue;
        if (constant < least) {
            least = constant;
            least_cell = c;
        }
        if (constant > most) {
            most = constant;
            most_cell = c;
        }
        text_printf(&list, "\n");
        dh_gap_say(&list, &run->cells[c], constant);
        if (isfinite(within))
            text_printf(&list, ", below 1 %% from m = %.0f on", within);
        said++;
    }
    if (said) {
        text_printf(out, "The excess over the independent filter falls like C/m; least, ");
        dh_gap_say(out, &run->cells[least_cell], least);
        text_printf(out, "; most, ");
        dh_gap_say(out, &run->cells[most_cell], most);
        text_printf(out, ".");
        text_add(out, list.data, list.size);
    }
    text_release(&list);
}

static enum status dh_gap_draw(const struct run_data *run, struct error *err)
{
    static const struct curves_style style = {
        .family = "dh-gap",
        .x = "m",
        .boxes = 1,
        .kinds = 1,
        .log_y = {true},
        .lo_y = {1e-5},
        .keep = dh_gap_keep,
        .value = dh_gap_value,
        .finish = dh_gap_finish,
        .rates = true,
        .caption = "Thin straight lines: C/m. Arrows: upper limits, where no excess was found.",
    };
    enum status status = dh_gap_table(run, err);
    return status ? status : curves_draw(run, &style, err);
}

const struct plot_family plot_dh_gap = {
    .name = "dh-gap",
    .summary = "excess of two-hash schemes over the independent filter against m",
    .draw = dh_gap_draw,
    .answer = dh_gap_answer,
};
