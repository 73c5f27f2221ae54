/* SPDX-License-Identifier: MIT
 *
 * rate.h: false-positive rates against any axis of a grid, with a strip of ratios below.
 */
#ifndef BLOOMLAB_PLOT_RATE_H
#define BLOOMLAB_PLOT_RATE_H

#include "harness/plot/axes.h"
#include "harness/plot/figure.h"

/* Columns of a series' rows in $DATA: scripts/plot/rate.gp. */
enum rate_column {
    RATE_X,
    RATE_MEASURED,
    RATE_LO,
    RATE_HI,
    RATE_UPPER,
    RATE_RATIO,
    RATE_RATIO_LO,
    RATE_RATIO_HI,
    RATE_ABOVE,
    RATE_BELOW,
    RATE_MODEL,
    RATE_MODEL_RATIO,
    RATE_BITS,
    RATE_X_ASIDE,
};
enum { RATE_COLUMNS = RATE_X_ASIDE + 1, RATE_EXTRAS_MAX = 6 };

/* One more curve of a panel, in black: another structure's rate, a floor, published numbers. */
struct rate_extra {
    const char *name; /* enhanced text, for the legend */
    bool points;      /* at the cells' places only, as points; else a line over the whole box */
    /* Rate and strip value at x; NaN for none. cell: one of the panel. */
    void (*at)(const struct run_cell *cell, double x, double *rate, double *strip);
};

/* How a family bends the generic plot. All of it may be left out. */
struct rate_style {
    const char *family;
    const char *x;       /* the axis that must lie along x */
    const char *series;  /* the numeric axis that must tell series apart */
    const char *x_label; /* enhanced; NULL: from the axis */
    /* The place of a cell on x, where it is not the axis' value; NaN leaves it out. */
    double (*place)(const struct run_data *run, const struct run_cell *cell);
    /* What the strip shows, and its bar, in place of measured / exact. model: the variant's own. */
    void (*strip)(const struct run_cell *cell, double *value, double *lo, double *hi,
                  double *model);
    const struct rate_extra *extras; /* ended by one without a name; NULL: none */
    const char *caption;
};

/* Draws FAMILY.*, FAMILY-2.*, ... */
enum status rate_draw(const struct run_data *run, const struct rate_style *style,
                      struct error *err);

#endif
