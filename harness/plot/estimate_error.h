/* SPDX-License-Identifier: MIT
 *
 * estimate_error.h: how far estimates of cardinality are from n, over the trials of a cell.
 */
#ifndef BLOOMLAB_PLOT_ESTIMATE_ERROR_H
#define BLOOMLAB_PLOT_ESTIMATE_ERROR_H

#include "harness/plot/cell_values.h"

/* Of estimate/n - 1. NaN where there is none, as where a trial's filter was saturated. */
struct estimate_error {
    double bias, bias_lo, bias_hi; /* mean; Student's 95 % interval */
    double rms, rms_lo, rms_hi;    /* root of the mean square; 95 %, from the chi-squared law */
};

/* An estimate is wrong where keys meet in a register or a bit. Of few keys hardly any do, and
 * errors are rare and large: below so many pairs that meet, expected over the trials, rms is NaN.
 */
enum { ESTIMATE_PAIRS_LEAST = 20 };

/* value: the estimates of the cell's trials; cell->n > 0. */
struct estimate_error estimate_error_of(const struct cell_value *value,
                                        const struct run_cell *cell);

/* What theory says of one estimate, out of estimates.csv: by run_cell.row. */
struct estimate_theory {
    struct cell_value *bias, *sd; /* of estimate/n - 1 */
};

/* Of the measure NAME: rows NAME_bias and NAME_sd. */
enum status estimate_theory_read(struct estimate_theory *theory, const struct run_data *run,
                                 const char *name, struct error *err);
void estimate_theory_release(struct estimate_theory *theory);

double estimate_theory_rms(const struct estimate_theory *theory, const struct run_cell *cell);

#endif
