/* SPDX-License-Identifier: MIT
 *
 * deletion.c: keys lost, and keys whose removal alone would lose another, against k.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

enum { DELETION_LOST, DELETION_HARMFUL, DELETION_RATIO, DELETION_BOXES };
static const double deletion_upper_events = 3.69; /* 95 % limit where none of many was seen */
static const double deletion_precise = 0.2;       /* ratios less certain than this are not shown */

struct deletions {
    const struct run_data *run;
    struct cell_value *lost, *harmful;                   /* measured */
    struct cell_value *expected_lost, *expected_harmful; /* by theory */
};

static void deletions_release(struct deletions *d)
{
    free(d->lost);
    free(d->harmful);
    free(d->expected_lost);
    free(d->expected_harmful);
}

static enum status deletions_read(struct deletions *d, const struct run_data *run,
                                  struct error *err)
{
    *d = (struct deletions){.run = run};
    enum status status = measures_read(&d->lost, run, "lost_keys", err);
    if (!status)
        status = measures_read(&d->harmful, run, "harmful", err);
    if (!status)
        status = estimates_read(&d->expected_lost, run, "expected_lost_keys", err);
    if (!status)
        status = estimates_read(&d->expected_harmful, run, "expected_harmful", err);
    if (status)
        deletions_release(d);
    return status;
}

/* ---- the figure ------------------------------------------------------------------------------ */

/* A mean over trials, of counts; where all are 0 an upper limit. */
static void deletion_mean(struct curve_point *point, const struct cell_value *value, double unit)
{
    if (!(value->count > 0))
        return;
    if (value->sum == 0) {
        point->upper = deletion_upper_events / value->count * unit;
        return;
    }
    point->y = cell_value_mean(value) * unit;
    cell_value_interval(value, &point->lo, &point->hi);
    point->lo = fmax(0, point->lo * unit);
    point->hi *= unit;
}

static void deletion_value(const void *context, const struct run_cell *cell, unsigned box,
                           unsigned kind, struct curve_point *point)
{
    const struct deletions *d = context;
    double expected = cell_value_mean(&d->expected_lost[cell->row]);
    (void)kind;
    if (box == DELETION_LOST) {
        deletion_mean(point, &d->lost[cell->row], 1);
        point->line = expected > 0 ? expected : NAN;
    } else if (box == DELETION_HARMFUL) {
        deletion_mean(point, &d->harmful[cell->row], 1 / cell->n);
        point->line = cell_value_mean(&d->expected_harmful[cell->row]) / cell->n;
    } else if (expected > 0) {
        deletion_mean(point, &d->lost[cell->row], 1 / expected);
        point->upper = NAN;
        if (!(point->hi - point->lo < 2 * deletion_precise))
            point->y = point->lo = point->hi = NAN;
    }
}

static enum status deletion_draw(const struct run_data *run, struct error *err)
{
    struct deletions d;
    struct curves_style style = {
        .family = "deletion",
        .x = "k",
        .boxes = DELETION_BOXES,
        .kinds = 1,
        .log_y = {true, true, false},
        .lo_y = {1e-2, 1e-2},
        .value = deletion_value,
        .context = &d,
        .caption =
            "Lost: other members no longer found after the removals. Harmful: members whose "
            "removal alone loses another. Bars: Student's 95 % intervals; arrows: upper limits "
            "where none was lost, as always with counters. Lines: keys that share a position. "
            "Ratio: lost / theory, where known to 20 %. Cells share keys and hash seeds: "
            "neighbouring points move together.",
    };
    enum status status = deletions_read(&d, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    deletions_release(&d);
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* One removal from the plain filter with the k that is best, and counting over all cells. */
static void deletion_answer(const struct run_data *run, struct text *out)
{
    struct deletions d;
    double counted = 0, counted_lost = 0;
    unsigned said = 0;
    if (deletions_read(&d, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        double removals = run_cell_own(run, cell, "removals");
        const struct cell_value *lost = &d.lost[c], *harmful = &d.harmful[c];
        if (strcmp(cell->filter, "counting") == 0) {
            counted += lost->count;
            counted_lost += lost->sum;
        }
        if (strcmp(cell->filter, "classic") != 0 || !(lost->count > 0) || said == 4 ||
            cell->k != round(cell->m / cell->n * M_LN2))
            continue;
        text_printf(out,
                    "%s%.0f removed of %.0f keys at %.3g bits per key (k = %.0f) %s %.3g others "
                    "(%.3g expected)",
                    said++ ? "; " : "From plain bits: ", removals, cell->n, cell->bits_per_key,
                    cell->k, removals == 1 ? "loses" : "lose", cell_value_mean(lost),
                    cell_value_mean(&d.expected_lost[c]));
        if (removals == 1 && harmful->count > 0)
            text_printf(out, ", and %.3g %% of the keys are harmful",
                        100 * cell_value_mean(harmful) / cell->n);
    }
    if (said)
        text_printf(out, ".");
    if (counted > 0)
        text_printf(out, "%sCounting filters lost %.0f keys in %.0f trials.", said ? " " : "",
                    counted_lost, counted);
    deletions_release(&d);
}

const struct plot_family plot_deletion = {
    .name = "deletion",
    .summary = "keys lost by removals from plain bits, and from counters, against k",
    .draw = deletion_draw,
    .answer = deletion_answer,
};
