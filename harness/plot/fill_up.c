/* SPDX-License-Identifier: MIT
 *
 * fill_up.c: a filter filled past its capacity, n = m ln 2 / k, at which half of its bits are set.
 */
#include <math.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static double fill_up_load(const struct run_data *run, const struct run_cell *cell)
{
    (void)run;
    double load = cell->n * cell->k / (cell->m_actual * M_LN2);
    return load > 0 ? load : NAN;
}

static enum status fill_up_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_style style = {
        .family = "fill-up",
        .x = "n",
        .x_label = "keys / capacity, n k / (m ln 2)",
        .place = fill_up_load,
    };
    return rate_draw(run, &style, err);
}

/* The classic filter (or the first) nearest to once and to twice its capacity. */
static void fill_up_answer(const struct run_data *run, struct text *out)
{
    static const double loads[] = {0.5, 1, 2, 4};
    const char *separator = "";
    const char *filter = run->count ? run->cells[0].filter : "";
    for (int i = 0; i < 4; i++) {
        const struct run_cell *best = NULL;
        for (size_t c = 0; c < run->count; c++) {
            const struct run_cell *cell = &run->cells[c];
            double load = fill_up_load(run, cell);
            if (strcmp(cell->filter, filter) != 0 || isnan(load) || !(cell->rate > 0) ||
                fabs(log(load / loads[i])) > 0.1)
                continue;
            if (!best || fabs(log(load / loads[i])) < fabs(log(fill_up_load(run, best) / loads[i])))
                best = cell;
        }
        if (!best)
            continue;
        text_printf(out, "%s%.2g at %.2f times the capacity (%.3f of the bits set)", separator,
                    best->rate, fill_up_load(run, best), best->fill);
        separator = ", ";
    }
    if (*separator)
        text_printf(out, ": rates of %s as it fills.", filter);
}

const struct plot_family plot_fill_up = {
    .name = "fill-up",
    .summary = "rate against the number of keys, past the capacity",
    .draw = fill_up_draw,
    .answer = fill_up_answer,
};
