/* SPDX-License-Identifier: MIT
 *
 * difference.h: where a table is not what it must be.
 */
#ifndef BLOOMLAB_TABLE_DIFFERENCE_H
#define BLOOMLAB_TABLE_DIFFERENCE_H

#include "harness/table/text.h"

enum { DIFFERENCE_FIELD_MAX = 48, DIFFERENCE_SENTENCE_MAX = 320 };

struct difference {
    size_t row;                             /* from 1, the header not counted; 0: the header */
    char cell_id[DIFFERENCE_FIELD_MAX];     /* of that row, where the table has the column */
    char sentence[DIFFERENCE_SENTENCE_MAX]; /* row, column, what stands there and what must */
};

/* The first difference between two tables; false: there is none, to the byte. */
bool table_difference(struct difference *difference, const struct text *is,
                      const struct text *must);

/* A field as a sentence shows it: control characters made harmless, cut. */
const char *field_show(char out[DIFFERENCE_FIELD_MAX], const char *field);

#endif
