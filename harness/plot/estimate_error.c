/* SPDX-License-Identifier: MIT */
#include "harness/plot/estimate_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The chi-squared quantile at the normal quantile z, over its degrees: Wilson & Hilferty, 1931. */
static double estimate_chi_squared(double degrees, double z)
{
    double root = 1 - 2 / (9 * degrees) + z * sqrt(2 / (9 * degrees));
    return root > 0 ? root * root * root : 0;
}

/* Pairs of probes in one place, expected over the trials; k is empty of sketches. */
static double estimate_pairs(const struct cell_value *value, const struct run_cell *cell)
{
    double probes = cell->n * (cell->k > 0 ? cell->k : 1);
    return value->count * probes * (probes - 1) / 2 / cell->m_actual;
}

struct estimate_error estimate_error_of(const struct cell_value *value, const struct run_cell *cell)
{
    const double z = 1.959963984540054;
    struct estimate_error error = {NAN, NAN, NAN, NAN, NAN, NAN};
    double trials = value->count, n = cell->n;
    if (!(trials > 0) || !(n > 0) || !isfinite(value->sum))
        return error;
    double square = value->squares - 2 * n * value->sum + n * n * trials;
    cell_value_interval(value, &error.bias_lo, &error.bias_hi);
    error.bias = cell_value_mean(value) / n - 1;
    error.bias_lo = error.bias_lo / n - 1;
    error.bias_hi = error.bias_hi / n - 1;
    if (estimate_pairs(value, cell) < ESTIMATE_PAIRS_LEAST)
        return error;
    error.rms = sqrt(fmax(0, square / trials)) / n;
    error.rms_lo = error.rms / sqrt(estimate_chi_squared(trials, z));
    error.rms_hi = error.rms / sqrt(estimate_chi_squared(trials, -z));
    if (!isfinite(error.rms_hi))
        error.rms_lo = error.rms_hi = NAN;
    return error;
}

enum status estimate_theory_read(struct estimate_theory *theory, const struct run_data *run,
                                 const char *name, struct error *err)
{
    char row[64];
    *theory = (struct estimate_theory){NULL, NULL};
    snprintf(row, sizeof row, "%s_bias", name);
    enum status status = estimates_read(&theory->bias, run, row, err);
    snprintf(row, sizeof row, "%s_sd", name);
    if (!status)
        status = estimates_read(&theory->sd, run, row, err);
    if (status)
        estimate_theory_release(theory);
    return status;
}

void estimate_theory_release(struct estimate_theory *theory)
{
    free(theory->bias);
    free(theory->sd);
    *theory = (struct estimate_theory){NULL, NULL};
}

double estimate_theory_rms(const struct estimate_theory *theory, const struct run_cell *cell)
{
    return hypot(cell_value_mean(&theory->bias[cell->row]),
                 cell_value_mean(&theory->sd[cell->row]));
}
