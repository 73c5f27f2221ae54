/* SPDX-License-Identifier: MIT
 *
 * spread.c: how far apart the rates of filters of one kind lie: quantiles of the trials' own rates
 * (fpr_scheme), and their standard deviation, which falls like m^(-1/2).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

/* Of the rates of a cell's trials. */
struct spread {
    double q05, median, q95, mean, sd;
};

static int compare_rates(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The p-quantile of sorted values, linear between neighbours (type 7 of Hyndman & Fan, 1996). */
static double spread_quantile(const double *sorted, size_t count, double p)
{
    double place = p * (double)(count - 1);
    size_t below = (size_t)place;
    double next = below + 1 < count ? sorted[below + 1] : sorted[below];
    return sorted[below] + (place - (double)below) * (next - sorted[below]);
}

static struct spread spread_of(double *rates, size_t count)
{
    double sum = 0, squares = 0;
    qsort(rates, count, sizeof *rates, compare_rates);
    for (size_t i = 0; i < count; i++)
        sum += rates[i];
    for (size_t i = 0; i < count; i++)
        squares += (rates[i] - sum / (double)count) * (rates[i] - sum / (double)count);
    return (struct spread){
        spread_quantile(rates, count, 0.05),
        spread_quantile(rates, count, 0.5),
        spread_quantile(rates, count, 0.95),
        sum / (double)count,
        count > 1 ? sqrt(squares / (double)(count - 1)) : NAN,
    };
}

/* spreads[run_cell.row], NaN where a cell has no trials. trials.csv has the cells' rows together.
 */
static enum status spreads_read(struct spread **spreads, const struct run_data *run,
                                struct error *err)
{
    static const char *const wanted[] = {"cell_id", "fpr_scheme", NULL};
    struct frame frame;
    *spreads = NULL;
    enum status status = frame_read(&frame, run->directory, "trials.csv", wanted, err);
    if (status)
        return status;
    double *rates = malloc((frame.rows + 1) * sizeof *rates);
    *spreads = malloc((run->count + 1) * sizeof **spreads);
    if (!rates || !*spreads)
        status = fail(err, E_RUN, "no memory for the rates of %zu trials", frame.rows);
    for (size_t c = 0, r = 0; !status && c < run->count; c++) {
        size_t count = 0;
        for (; r < frame.rows && strcmp(frame_text(&frame, r, 0), run->cells[c].id) == 0; r++) {
            double rate = frame_number(&frame, r, 1);
            if (!isnan(rate))
                rates[count++] = rate;
        }
        (*spreads)[c] = count ? spread_of(rates, count) : (struct spread){NAN, NAN, NAN, NAN, NAN};
    }
    free(rates);
    frame_release(&frame);
    if (status) {
        free(*spreads);
        *spreads = NULL;
    }
    return status;
}

/* A filter much larger than was asked for, as one block is, has its place at no m. */
static bool spread_keep(const struct run_cell *cell)
{
    return isnan(cell->m) || fabs(cell->m_actual / cell->m - 1) < 0.05;
}

/* What a cell's rates are compared with: the theory of its variant, where there is one. */
static double spread_unit(const struct run_cell *cell, const struct spread *spread)
{
    return cell->model > 0 ? cell->model : spread->mean;
}

static void spread_value(const void *context, const struct run_cell *cell, unsigned box,
                         unsigned kind, struct curve_point *point)
{
    const struct spread *spread = &((const struct spread *)context)[cell->row];
    double unit = spread_unit(cell, spread);
    (void)kind;
    if (!(unit > 0))
        return;
    if (box == 0) {
        point->y = spread->median / unit;
        point->lo = spread->q05 / unit;
        point->hi = spread->q95 / unit;
        return;
    }
    point->y = spread->sd / unit;
    if (strcmp(cell->filter, "classic") == 0 && cell->exact > 0)
        point->line = sqrt(theory_fpr_variance((uint64_t)cell->m_actual, (uint64_t)cell->n,
                                               (unsigned)cell->k)) /
                      cell->exact;
}

/* A line of slope -1/2 through the last point. */
static void spread_finish(struct curve_point *points, size_t count, unsigned box)
{
    size_t last = count;
    while (last > 0 && !(points[last - 1].y > 0))
        last--;
    if (box == 0 || last == 0)
        return;
    for (size_t i = 0; i < count; i++)
        points[i].guide = points[last - 1].y * sqrt(points[last - 1].x / points[i].x);
}

static enum status spread_draw(const struct run_data *run, struct error *err)
{
    struct spread *spreads;
    enum status status = spreads_read(&spreads, run, err);
    if (status)
        return status;
    struct curves_style style = {
        .family = "spread",
        .x = "m",
        .boxes = 2,
        .kinds = 1,
        .log_y = {false, true},
        .keep = spread_keep,
        .value = spread_value,
        .finish = spread_finish,
        .context = spreads,
        .caption = "Bars run from the 5 % to the 95 % quantile of the filters' own rates. Thin "
                   "lines: slope -1/2. Filters that had to be over 5 % larger than m are left out.",
    };
    status = curves_draw(run, &style, err);
    free(spreads);
    return status;
}

/* The filter's cells of the least and the largest m whose rates scatter; false: fewer than two. */
static bool spread_ends(const struct run_data *run, const struct spread *spreads,
                        const char *filter, const struct run_cell **least,
                        const struct run_cell **most)
{
    *least = *most = NULL;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (strcmp(cell->filter, filter) != 0 || !(spreads[c].sd > 0) || !(cell->m_actual > 0) ||
            !spread_keep(cell))
            continue;
        if (!*least || cell->m_actual < (*least)->m_actual)
            *least = cell;
        if (!*most || cell->m_actual > (*most)->m_actual)
            *most = cell;
    }
    return *least && (*least)->m_actual < (*most)->m_actual;
}

static void spread_answer(const struct run_data *run, struct text *out)
{
    struct spread *spreads;
    const struct run_cell *least, *most;
    unsigned said = 0;
    if (spreads_read(&spreads, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++) {
        const char *filter = run->cells[c].filter;
        size_t first = 0;
        while (strcmp(run->cells[first].filter, filter) != 0)
            first++;
        if (first < c || !spread_ends(run, spreads, filter, &least, &most))
            continue;
        double a = spreads[least->row].sd / spread_unit(least, &spreads[least->row]);
        double b = spreads[most->row].sd / spread_unit(most, &spreads[most->row]);
        text_printf(out, "%s%s by %.2g %% at m = %.0f and %.2g %% at m = %.0f (slope %.2f)",
                    said++ ? "; " : "Rates of single filters scatter (sd / model): ", filter,
                    100 * a, least->m_actual, 100 * b, most->m_actual,
                    log(b / a) / log(most->m_actual / least->m_actual));
    }
    text_printf(out, said ? "." : "");
    free(spreads);
}

const struct plot_family plot_spread = {
    .name = "spread",
    .summary = "quantiles and standard deviation of single filters' rates against m",
    .draw = spread_draw,
    .answer = spread_answer,
};
