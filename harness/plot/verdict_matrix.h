/* SPDX-License-Identifier: MIT
 *
 * verdict_matrix.h: the cells of a run by hash and key set, and within such a square by probing and
 * reduction; where several cells share a place the worst stands for it.
 */
#ifndef BLOOMLAB_PLOT_VERDICT_MATRIX_H
#define BLOOMLAB_PLOT_VERDICT_MATRIX_H

#include "harness/plot/axes.h"

enum matrix_axis { MATRIX_HASH, MATRIX_KEYS, MATRIX_FILTER, MATRIX_REDUCTION };
enum { MATRIX_AXES = MATRIX_REDUCTION + 1, MATRIX_ANY = -1 };

struct verdict_matrix {
    struct axes axes;
    int axis[MATRIX_AXES]; /* indices into axes */
};

/* False in *suits: the run has no hash or no key set. */
enum status verdict_matrix_open(struct verdict_matrix *matrix, const struct run_data *run,
                                bool *suits, struct error *err);
void verdict_matrix_release(struct verdict_matrix *matrix);

/* Values of one axis; 1 where the run does not have it (its value is then MATRIX_ANY). */
int matrix_count(const struct verdict_matrix *matrix, enum matrix_axis axis);
const char *matrix_value(const struct verdict_matrix *matrix, enum matrix_axis axis, int value);

/* The worst cell with these values: by verdict, then by its least p. MATRIX_ANY takes all values.
 * NULL: there is none. */
const struct run_cell *matrix_worst(const struct verdict_matrix *matrix,
                                    const int value[MATRIX_AXES]);

/* Of a verdict: 0 none, 1 PASS, 2 WEAK, 3 WARN, 4 FAIL. */
enum { VERDICT_RANKS = 5 };
int verdict_rank(const struct run_cell *cell);
/* What a WARN or a FAIL rests on: fill, spread, probe, model, or flag; "" for other verdicts. */
const char *verdict_reason(const struct run_cell *cell);

#endif
