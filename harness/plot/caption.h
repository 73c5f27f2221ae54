/* SPDX-License-Identifier: MIT
 *
 * caption.h: the small print under a figure: what was run, how sure it is, where it comes from.
 */
#ifndef BLOOMLAB_PLOT_CAPTION_H
#define BLOOMLAB_PLOT_CAPTION_H

#include "harness/plot/run_data.h"

enum { CAPTION_LINES_MAX = 12, CAPTION_LINE_SIZE = 240 };

struct caption {
    char line[CAPTION_LINES_MAX][CAPTION_LINE_SIZE]; /* plain text */
    unsigned count;
};

/* Whatever is one and the same for all cells, trials, queries, the kind of interval, seed and commit,
 * then `more`; rates: how bars and arrows of a plot of rates are to be read stands between; broken into lines that fit. What does not fit CAPTION_LINES_MAX ends in "...". */
void caption_make(struct caption *caption, const struct run_data *run, const char *more,
                  double width_cm, bool rates);

#endif
