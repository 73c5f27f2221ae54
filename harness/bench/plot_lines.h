/* SPDX-License-Identifier: MIT
 *
 * plot_lines.h: a figure of times: a panel of lines for each thing asked, and the same series in
 * all.
 *
 * Points are told panel by panel, series by series, in that order; scripts/plot/lines.gp draws
 * them.
 */
#ifndef BLOOMLAB_BENCH_PLOT_LINES_H
#define BLOOMLAB_BENCH_PLOT_LINES_H

#include "harness/bench/timings.h"
#include "harness/plot/axes.h"
#include "harness/plot/figure.h"
#include "harness/plot/pages.h"
#include "harness/plot/scale.h"

enum { PLOT_VARIANTS_MAX = 8 };

struct plot_lines {
    struct figure figure;
    bool bytes;             /* x is bytes: powers of two are its tics, whatever a variant rounds */
    unsigned panels, panel; /* the one under way */
    struct extent x[PAGE_PANELS_MAX], y[PAGE_PANELS_MAX];
};

/* One point and its bar; NaN: there is none. guide: of the panel's further set alone, drawn black.
 */
struct plot_point {
    double x, y, lo, hi;
};

/* names: of the series, enhanced text, `series` of them. */
void plot_lines_open(struct plot_lines *lines, const struct run_data *run, const char *family,
                     unsigned number, const char *title, const char *caption, unsigned panels,
                     char names[][AXIS_LABEL_MAX], unsigned series);

/* Starts the next panel; then for each series its points and plot_lines_end, and once more for the
 * black line (a floor, a frontier, a slope), which may have no points. */
void plot_lines_panel(struct plot_lines *lines, const char *title);
void plot_lines_point(struct plot_lines *lines, struct plot_point point);
void plot_lines_end(struct plot_lines *lines);

/* Draws it, and releases it whatever happens. */
enum status plot_lines_draw(struct plot_lines *lines, struct error *err);

/* The times of the run; of one that is no benchmark none. */
enum status plot_timings_read(struct timings *timings, const struct run_data *run,
                              struct error *err);

/* The variants (filter, params) among the rows that `keep` wants, at most PLOT_VARIANTS_MAX, in the
 * order in which they come: their first rows. */
unsigned plot_variants(const struct timing *variant[PLOT_VARIANTS_MAX],
                       const struct timings *timings, bool (*keep)(const struct timing *row));
bool plot_same_variant(const struct timing *a, const struct timing *b);

/* "blocked (512 bits)": enhanced text. */
void plot_variant_label(char label[AXIS_LABEL_MAX], const struct timing *row);

#endif
