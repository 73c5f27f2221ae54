/* SPDX-License-Identifier: MIT
 *
 * axes.h: the grid of a run, found again in its cells, and how it is laid out on paper.
 *
 * An axis is a column of cells.csv, or one of the own parameters of the variants or the workload.
 * It is *free* when it tells cells apart that no other axis does: k is not where every cell has the
 * k that is best for it, n is not where m and bits_per_key were given. Only free axes are laid out.
 */
#ifndef BLOOMLAB_PLOT_AXES_H
#define BLOOMLAB_PLOT_AXES_H

#include "harness/plot/run_data.h"

enum { AXES_MAX = 32, AXIS_NAME_MAX = 40, AXIS_LABEL_MAX = 200, AXIS_MISSING = -1 };

struct axis {
    char name[AXIS_NAME_MAX]; /* the column, or the parameter */
    bool parameter;           /* of a filter, out of `params` */
    int own;                  /* of the workload: its number there; -1: it is not */
    bool numeric;             /* every value is a number */
    bool free;
    size_t count;    /* values, numbers in increasing order, others as they first appear */
    char **texts;    /* of them */
    double *numbers; /* NaN when not numeric */
};

struct axes {
    const struct run_data *run;
    struct axis axis[AXES_MAX];
    unsigned count;
    int *value; /* of cell c on axis a: [c * AXES_MAX + a], AXIS_MISSING where the cell has none */
};

enum status axes_open(struct axes *axes, const struct run_data *run, struct error *err);
void axes_release(struct axes *axes);

int axes_find(const struct axes *axes, const char *name); /* -1: none of that name */

/* How many combinations of values the cells have on these axes; 0 without memory. */
size_t axes_count(const struct axes *axes, const int *which, unsigned count);

static inline int axes_value(const struct axes *axes, size_t cell, int axis)
{
    return axes->value[cell * AXES_MAX + (unsigned)axis];
}

/* Which axes do what. */
struct layout_axes {
    int x;           /* -1: none is numeric; categories stand side by side */
    int column, row; /* of panels; -1: none */
    int series[AXES_MAX], figures[AXES_MAX];
    unsigned series_count, figure_count;
};

enum { SERIES_MAX = 7 };

/* x: the axis that must lie along x, or NULL: the numeric one with most values. series: the numeric
 * axis that must tell series apart, or NULL. The next numeric ones make panels, further ones
 * figures; what is left tells series apart, and where that makes more than SERIES_MAX of them,
 * makes panels or figures as well. */
void axes_lay_out(struct layout_axes *out, const struct axes *axes, const char *x,
                  const char *series);

/* A value as a caption says it, for gnuplot's enhanced text: "m = 2^{10}", "8 bits per key", "mod".
 */
void axis_label(char *label, size_t size, const struct axis *axis, int value);

/* The same of several axes, joined by commas; "" when count is 0. */
void axes_label(char *label, size_t size, const struct axes *axes, size_t cell, const int *which,
                unsigned count);

/* What stands below an x axis: `given`, or the name of the axis; "" for axis -1. */
void axes_x_label(char *label, size_t size, const struct axes *axes, int axis, const char *given);

/* Copies text so that gnuplot's enhanced mode shows it as it is. */
void enhanced_escape(char *to, size_t size, const char *text);

/* Characters of enhanced text that will be seen. */
size_t enhanced_length(const char *text);

/* "2^{20}" for a power of two from 1024 on, else at most 6 digits. */
void enhanced_number(char *to, size_t size, double number);

#endif
