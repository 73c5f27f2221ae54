/* SPDX-License-Identifier: MIT
 *
 * attribution.c: from the standard formula to the measured rate in four steps, one waterfall a
 * cell.
 *
 * The cells are those in the middle of the axis along x, where there are too many an even choice of
 * them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/axes.h"
#include "harness/plot/family.h"
#include "harness/plot/figure.h"

enum { TERMS = 4, WATERFALLS_MAX = 14, WATERFALL_LABEL_MAX = 60 };
static const char *const term_names[TERMS] = {"finite_m", "filling", "arrangement", "hash"};
static const char *const term_labels[TERMS] = {"finite m", "filling", "arrangement", "hash"};

struct waterfall {
    size_t cell;
    double term[TERMS], lo[TERMS], hi[TERMS]; /* NaN: not known */
};

struct waterfalls {
    struct axes axes;
    struct layout_axes layout;
    struct waterfall chosen[WATERFALLS_MAX];
    unsigned count;
    size_t candidates;
};

/* ---- which cells
 * ---------------------------------------------------------------------------------- */

static bool waterfall_candidate(const struct waterfalls *w, size_t cell)
{
    int x = w->layout.x;
    const struct run_cell *c = &w->axes.run->cells[cell];
    return c->trials > 0 && c->standard > 0 &&
           (x < 0 || axes_value(&w->axes, cell, x) == (int)(w->axes.axis[x].count / 2) ||
            axes_value(&w->axes, cell, x) == AXIS_MISSING);
}

static void waterfalls_choose(struct waterfalls *w)
{
    size_t seen = 0;
    for (size_t c = 0; c < w->axes.run->count; c++)
        w->candidates += waterfall_candidate(w, c) ? 1 : 0;
    size_t wanted = w->candidates < WATERFALLS_MAX ? w->candidates : WATERFALLS_MAX;
    for (size_t c = 0; c < w->axes.run->count; c++) {
        if (!waterfall_candidate(w, c))
            continue;
        if (w->count < wanted && seen * wanted >= w->count * w->candidates)
            w->chosen[w->count++] = (struct waterfall){.cell = c};
        seen++;
    }
}

/* ---- their terms
 * ---------------------------------------------------------------------------------- */

static void waterfall_take(struct waterfall *waterfall, const char *estimate, double value)
{
    for (int t = 0; t < TERMS; t++) {
        size_t size = strlen(term_names[t]);
        if (strncmp(estimate, term_names[t], size) != 0)
            continue;
        if (estimate[size] == '\0')
            waterfall->term[t] = value;
        else if (strcmp(estimate + size, "_lo") == 0)
            waterfall->lo[t] = value;
        else if (strcmp(estimate + size, "_hi") == 0)
            waterfall->hi[t] = value;
    }
}

static enum status waterfalls_read(struct waterfalls *w, struct error *err)
{
    static const char *const wanted[] = {"cell_id", "estimate", "value", NULL};
    struct frame frame;
    const struct run_data *run = w->axes.run;
    enum status status = frame_read(&frame, run->directory, "estimates.csv", wanted, err);
    if (status)
        return status;
    for (unsigned i = 0; i < w->count; i++)
        for (int t = 0; t < TERMS; t++)
            w->chosen[i].term[t] = w->chosen[i].lo[t] = w->chosen[i].hi[t] = NAN;
    for (size_t r = 0; r < frame.rows; r++) {
        const char *estimate = frame_text(&frame, r, 1);
        if (strncmp(estimate, "ln_", 3) != 0)
            continue;
        for (unsigned i = 0; i < w->count; i++)
            if (strcmp(run->cells[w->chosen[i].cell].id, frame_text(&frame, r, 0)) == 0)
                waterfall_take(&w->chosen[i], estimate + 3, frame_number(&frame, r, 2));
    }
    frame_release(&frame);
    return OK;
}

static enum status waterfalls_open(struct waterfalls *w, const struct run_data *run,
                                   struct error *err)
{
    *w = (struct waterfalls){.count = 0};
    enum status status = axes_open(&w->axes, run, err);
    if (status)
        return status;
    axes_lay_out(&w->layout, &w->axes, NULL, NULL);
    waterfalls_choose(w);
    status = waterfalls_read(w, err);
    if (status)
        axes_release(&w->axes);
    return status;
}

/* ---- the figure
 * ----------------------------------------------------------------------------------- */

/* What tells the cell from the others. */
static void waterfall_label(char *label, size_t size, const struct waterfalls *w, size_t cell)
{
    int which[AXES_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < w->layout.series_count; i++)
        which[count++] = w->layout.series[i];
    if (w->layout.column >= 0)
        which[count++] = w->layout.column;
    if (w->layout.row >= 0)
        which[count++] = w->layout.row;
    for (unsigned i = 0; i < w->layout.figure_count; i++)
        which[count++] = w->layout.figures[i];
    axes_label(label, size, &w->axes, cell, which, count);
    if (!*label)
        enhanced_escape(label, size, w->axes.run->cells[cell].filter);
}

/* x, the ratio to the standard formula before the step and after it, its interval, and where it is
 * hung. */
static void waterfall_step(struct figure *figure, const struct waterfall *waterfall, unsigned place,
                           int term)
{
    double before = 0;
    for (int t = 0; t < term; t++)
        before += isnan(waterfall->term[t]) ? 0 : waterfall->term[t];
    if (isnan(waterfall->term[term]))
        return;
    double row[] = {place + 1 + 0.2 * (term - 1.5), exp(before),
                    exp(before + waterfall->term[term]), exp(before + waterfall->lo[term]),
                    exp(before + waterfall->hi[term])};
    figure_row(figure, row, 5);
}

static void waterfalls_points(struct figure *figure, const struct waterfalls *w)
{
    char label[WATERFALL_LABEL_MAX];
    double lo = 0, hi = 0, longest = 0;
    figure_number(figure, "cells", w->count);
    figure_array(figure, "cell_name", w->count);
    figure_array(figure, "term_name", TERMS);
    for (unsigned i = 0; i < w->count; i++) {
        double sum = 0;
        waterfall_label(label, sizeof label, w, w->chosen[i].cell);
        figure_element(figure, "cell_name", i + 1, label);
        longest = fmax(longest, (double)enhanced_length(label));
        for (int t = 0; t < TERMS; t++) {
            const struct waterfall *c = &w->chosen[i];
            lo = fmin(lo, fmin(sum + c->lo[t], sum + c->term[t]));
            hi = fmax(hi, fmax(sum + c->hi[t], sum + c->term[t]));
            sum += isnan(c->term[t]) ? 0 : c->term[t];
        }
    }
    figure_number(figure, "name_longest", longest);
    figure_number(figure, "ratio_lo", exp(lo - 0.06 * fmax(hi - lo, 0.02)));
    figure_number(figure, "ratio_hi", exp(hi + 0.06 * fmax(hi - lo, 0.02)));
    for (int t = 0; t < TERMS; t++) {
        figure_element(figure, "term_name", (unsigned)t + 1, term_labels[t]);
        for (unsigned i = 0; i < w->count; i++)
            waterfall_step(figure, &w->chosen[i], i, t);
        figure_set_end(figure, 5);
    }
}

static enum status attribution_figure(const struct waterfalls *w, struct error *err)
{
    struct figure figure;
    char title[AXIS_LABEL_MAX + 80], x_label[AXIS_LABEL_MAX] = "", caption[300], some[80] = "";
    if (w->layout.x >= 0)
        axis_label(x_label, sizeof x_label, &w->axes.axis[w->layout.x],
                   (int)(w->axes.axis[w->layout.x].count / 2));
    if (w->count < w->candidates)
        snprintf(some, sizeof some, " %u of %zu cells are shown.", w->count, w->candidates);
    snprintf(title, sizeof title, "From the standard formula to the measured rate%s%s",
             *x_label ? ", " : "", x_label);
    snprintf(caption, sizeof caption,
             "Steps of ln(fpr/standard), each hung where the one before ends, with 95 %% intervals "
             "paired over trials; the last ends at the measured rate.%s",
             some);
    figure_open(&figure, w->axes.run, "attribution", 1, title, FIGURE_TWO_COLUMNS_CM, false,
                caption);
    waterfalls_points(&figure, w);
    enum status status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

static enum status attribution_draw(const struct run_data *run, struct error *err)
{
    struct waterfalls w;
    enum status status = waterfalls_open(&w, run, err);
    if (status)
        return status;
    if (w.count)
        status = attribution_figure(&w, err);
    axes_release(&w.axes);
    return status;
}

static void attribution_answer(const struct run_data *run, struct text *out)
{
    const struct run_cell *furthest = NULL;
    double most = -1;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        double distance = fabs(log(cell->rate / cell->standard));
        if (isfinite(distance) && distance > most && *cell->explained_by) {
            most = distance;
            furthest = cell;
        }
    }
    if (furthest)
        text_printf(out, "Furthest from the standard formula: %s, m %.0f, n %.0f, k %.0f: %s.",
                    furthest->filter, furthest->m_actual, furthest->n, furthest->k,
                    furthest->explained_by);
}

const struct plot_family plot_attribution = {
    .name = "attribution",
    .summary = "what leads from the standard formula to the measured rate: finite m, filling, "
               "arrangement, hash",
    .draw = attribution_draw,
    .answer = attribution_answer,
};
