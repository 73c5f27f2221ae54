/* SPDX-License-Identifier: MIT
 *
 * click_stream.c: new ids lost by filters that drop repeated messages, against the ids seen: of the
 * next id, and of all so far.
 *
 * The four ways the click-stream page leads through: a map with a bit for every digest of w bits,
 * one such digest for all probes, a digest of w bits for each probe, and wide digests. Theory is in
 * estimates.csv (harness/workload/stream.c).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

static const double click_least = 1e-6;  /* shares are shown down to it */
static const double click_precise = 100; /* lost ids that make a ratio worth a look */

struct clicks {
    struct cell_value *lost, *share, *end;
};

static void clicks_release(struct clicks *clicks)
{
    free(clicks->lost);
    free(clicks->share);
    free(clicks->end);
}

static enum status clicks_read(struct clicks *clicks, const struct run_data *run, struct error *err)
{
    *clicks = (struct clicks){.lost = NULL};
    enum status status = measures_read(&clicks->lost, run, "lost_keys", err);
    if (!status)
        status = estimates_read(&clicks->share, run, "lost_share", err);
    if (!status)
        status = estimates_read(&clicks->end, run, "lost_share_end", err);
    if (status)
        clicks_release(clicks);
    return status;
}

static void click_name(char *name, size_t size, const struct run_cell *cell)
{
    double width = number_of(cell->digest_bits);
    if (cell->k == 1 && cell->m == ldexp(1, (int)width))
        snprintf(name, size, "a bare map of 2^{%.0f} bits", width);
    else if (strcmp(cell->family, "expanded") == 0)
        snprintf(name, size, "one %.0f-bit digest for %.0f probes", width, cell->k);
    else
        snprintf(name, size, "%.0f digests of %.0f bits", cell->k, width);
}

static double click_place(const struct run_cell *cell)
{
    return cell->n / 1e6;
}

/* Mean and bar of lost ids a trial, in units of `unit`. */
static void click_lost(const struct cell_value *lost, double unit, struct curve_point *point)
{
    cell_value_interval(lost, &point->lo, &point->hi);
    point->y = cell_value_mean(lost) / unit;
    point->lo /= unit;
    point->hi /= unit;
}

static void click_value(const void *context, const struct run_cell *cell, unsigned box,
                        unsigned kind, struct curve_point *point)
{
    const struct clicks *clicks = context;
    const struct cell_value *lost = &clicks->lost[cell->row];
    (void)kind;
    if (box == 0) {
        point->line = cell_value_mean(&clicks->end[cell->row]);
        if (cell->zero_hits)
            point->upper = cell->rate_hi;
        else
            point->y = cell->rate, point->lo = cell->rate_lo, point->hi = cell->rate_hi;
    } else if (box == 1) {
        point->line = cell_value_mean(&clicks->share[cell->row]);
        if (lost->sum > 0)
            click_lost(lost, cell->n, point);
    } else if (lost->sum >= click_precise) {
        click_lost(lost, cell->n * cell_value_mean(&clicks->share[cell->row]), point);
    }
    if (box < 2 && point->y < click_least)
        point->y = point->lo = point->hi = NAN;
    if (box < 2 && point->upper < click_least)
        point->upper = NAN;
}

static enum status click_stream_draw(const struct run_data *run, struct error *err)
{
    struct clicks clicks;
    struct curves_style style = {
        .family = "click-stream",
        .x = "n",
        .series = "m",
        .x_label = "different ids seen, millions",
        .place = click_place,
        .boxes = 3,
        .kinds = 1,
        .log_y = {true, true, false},
        .lo_y = {click_least, click_least},
        .series_name = click_name,
        .value = click_value,
        .context = &clicks,
        .caption =
            "Lost: a new id that the filter takes for an old one. Of the next id: by queries with "
            "ids that never come, Wilson's 95 % intervals with the spread between filters; arrows: "
            "upper limits. So far: Student's 95 % intervals over the trials. Lines: theory, the "
            "digests' width included. Ratio: lost so far / theory, from 100 lost ids on.",
    };
    enum status status = clicks_read(&clicks, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    clicks_release(&clicks);
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static bool click_is_last(const struct run_data *run, size_t c)
{
    char name[64], other[64];
    click_name(name, sizeof name, &run->cells[c]);
    for (size_t i = 0; i < run->count; i++) {
        click_name(other, sizeof other, &run->cells[i]);
        if (run->cells[i].n > run->cells[c].n && strcmp(name, other) == 0)
            return false;
    }
    return true;
}

/* The name without gnuplot's marks. */
static void click_plain(char *name, size_t size, const struct run_cell *cell)
{
    size_t kept = 0;
    click_name(name, size, cell);
    for (size_t i = 0; name[i]; i++)
        if (name[i] != '{' && name[i] != '}')
            name[kept++] = name[i];
    name[kept] = '\0';
}

static void click_stream_answer(const struct run_data *run, struct text *out)
{
    struct clicks clicks;
    unsigned said = 0;
    if (clicks_read(&clicks, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count && said < 8; c++) {
        const struct run_cell *cell = &run->cells[c];
        char name[64];
        if (!click_is_last(run, c) || !(clicks.lost[c].count > 0))
            continue;
        click_plain(name, sizeof name, cell);
        text_printf(out, "%s%s %.3g %% and %.3g %% (theory %.3g and %.3g)",
                    said++ ? "; " : "Lost of the next new id and of all so far, at the end: ", name,
                    100 * cell->rate, 100 * cell_value_mean(&clicks.lost[c]) / cell->n,
                    100 * cell_value_mean(&clicks.end[c]), 100 * cell_value_mean(&clicks.share[c]));
    }
    if (said)
        text_printf(out, ".");
    clicks_release(&clicks);
}

const struct plot_family plot_click_stream = {
    .name = "click-stream",
    .summary = "new ids lost while repeated messages are dropped, against the ids seen",
    .draw = click_stream_draw,
    .answer = click_stream_answer,
};
