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

/* Whatever is one and the same for all cells, trials, queries, seed and commit, where the figure
 * shows rates how to read their bars, then `more`; broken into lines that fit. What does not fit
 * CAPTION_LINES_MAX ends in "...". */
void caption_make(struct caption *caption, const struct run_data *run, const char *more, bool rates,
                  double width_cm);

#endif
