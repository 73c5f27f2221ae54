/* SPDX-License-Identifier: MIT
 *
 * curves.h: a figure of any number of boxes a panel: points with bars, lines, upper limits.
 *
 * What most families are made of that are not rates against an axis. A cell gives one point a box
 * and *kind*; kinds are what is shown of a cell beside one another, such as three formulas, and
 * make series of their own.
 */
#ifndef BLOOMLAB_PLOT_CURVES_H
#define BLOOMLAB_PLOT_CURVES_H

#include "harness/plot/pages.h"

enum { CURVES_BOXES_MAX = 4, CURVES_KINDS_MAX = 6, CURVES_EXTRAS_MAX = 5, CURVES_BOUNDS_MAX = 3 };

/* Absent numbers are NaN. */
struct curve_point {
    double x;
    double y, lo, hi;                /* a point and its bar */
    double upper;                    /* an upper limit in place of a point */
    double line;                     /* of the series' colour: theory */
    double guide;                    /* thin and grey: what the eye should compare with */
    double bound[CURVES_BOUNDS_MAX]; /* thin, of the series' colour; they do not stretch the box */
    const struct run_cell *cell;
};

/* One more line of a box, over its whole width, in black: a floor, a bound, a slope. */
struct curve_extra {
    const char *name; /* enhanced text, for the legend */
    unsigned box;
    /* Its height at x, NaN for none. cell: the first of the panel. */
    double (*at)(const void *context, const struct run_cell *cell, double x);
};

struct curves_style {
    const char *family;
    const char *x, *series; /* as axes_lay_out takes them; NULL: found in the grid */
    const char *x_label;    /* NULL: the axis' name */
    unsigned boxes, kinds;  /* at least 1 each */
    const char *kind_name[CURVES_KINDS_MAX];   /* enhanced; of one kind alone NULL */
    bool kind_lines[CURVES_KINDS_MAX];         /* it has no points: the legend shows a line */
    const char *bound_name[CURVES_BOUNDS_MAX]; /* enhanced; NULL: there is no such bound */
    const char *box_name[CURVES_BOXES_MAX];    /* enhanced; NULL: the script knows */
    bool log_y[CURVES_BOXES_MAX];
    double lo_y[CURVES_BOXES_MAX]; /* of a logarithmic box: nothing below is shown; 0: 16 decades */
    /* What the legend calls the series of a cell, enhanced; NULL: by the values of its axes. */
    void (*series_name)(char *name, size_t size, const struct run_cell *cell);
    /* Only such cells; NULL: all. */
    bool (*keep)(const struct run_cell *cell);
    /* Does a cell belong into the panel that `other` stands in? Asked of all the cells that a panel
     * takes, such as those without a value on its axes, which every panel takes. NULL: they do. */
    bool (*belongs)(const struct run_cell *cell, const struct run_cell *other);
    /* x of a cell; NULL: its value on the axis. */
    double (*place)(const struct run_cell *cell);
    /* Fills in what there is; all fields but x and cell come in as NaN. */
    void (*value)(const void *context, const struct run_cell *cell, unsigned box, unsigned kind,
                  struct curve_point *point);
    /* Looks at a whole series of one box, sorted by x; may change it. NULL: nothing to do. */
    void (*finish)(struct curve_point *points, size_t count, unsigned box);
    const struct curve_extra *extras; /* ended by one without a name; NULL: none */
    const void *context;
    bool in_place[CURVES_BOXES_MAX]; /* series do not stand aside of one another */
    bool rates;                      /* its bars are those of the cells' rates */
    const char *caption;
};

/* Draws FAMILY.*, FAMILY-2.*, ...; nothing where no cell gives a point or a line. */
enum status curves_draw(const struct run_data *run, const struct curves_style *style,
                        struct error *err);

#endif
