/* SPDX-License-Identifier: MIT
 *
 * frame.h: a table of a run in memory: rows of text fields, columns found by name.
 */
#ifndef BLOOMLAB_PLOT_FRAME_H
#define BLOOMLAB_PLOT_FRAME_H

#include <stddef.h>

#include "filters/theory/error.h"
#include "harness/table/text.h"

struct frame {
    struct text text; /* the fields point into it */
    char **names;     /* columns of them */
    char **fields;    /* rows of columns of them */
    size_t rows;
    unsigned columns;
};

/* DIR/NAME, whole, or only the columns `wanted` names (ended by NULL), in that order. E_INPUT: no
 * such table, a column it does not have, a row that is cut short. On failure nothing is kept. */
enum status frame_read(struct frame *frame, const char *directory, const char *name,
                       const char *const *wanted, struct error *err);
void frame_release(struct frame *frame);

int frame_column(const struct frame *frame, const char *name);             /* -1: there is none */
const char *frame_text(const struct frame *frame, size_t row, int column); /* "" for column -1 */
double frame_number(const struct frame *frame, size_t row, int column);    /* NaN where empty */
double number_of(const char *field); /* NaN unless the whole field is a number */

#endif
