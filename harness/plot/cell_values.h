/* SPDX-License-Identifier: MIT
 *
 * cell_values.h: named numbers of cells, out of measures.csv and estimates.csv.
 */
#ifndef BLOOMLAB_PLOT_CELL_VALUES_H
#define BLOOMLAB_PLOT_CELL_VALUES_H

#include "harness/plot/run_data.h"

/* What a run's trials say of one cell: mean, and over how many rows. */
struct cell_value {
    double sum, squares, count;
    double positive; /* rows above 0 */
};

/* The rows of one name, by run_cell.row: values[0..run->count). From malloc; E_INPUT: the table is
 * not there. */
enum status measures_read(struct cell_value **values, const struct run_data *run, const char *name,
                          struct error *err);
enum status estimates_read(struct cell_value **values, const struct run_data *run, const char *name,
                           struct error *err);

/* Student's 95 % interval of the mean; NaN for fewer than two rows. */
void cell_value_interval(const struct cell_value *value, double *lo, double *hi);

/* NaN where the cell has none. */
static inline double cell_value_mean(const struct cell_value *value)
{
    return value->sum / value->count;
}

#endif
