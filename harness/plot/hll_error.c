/* SPDX-License-Identifier: MIT
 *
 * hll_error.c: the error of HyperLogLog against n: the filter's own estimate (Ertl's, centred) and
 * that of 2007, in units of the published standard error 1.04/sqrt(m), in which sketches of any
 * size are alike.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/curves.h"
#include "harness/plot/estimate_error.h"
#include "harness/plot/family.h"

enum { HLL_OWN, HLL_2007, HLL_KINDS };
static const char *const hll_measures[HLL_KINDS] = {"cardinality", "cardinality_2007"};

struct hll_errors {
    struct cell_value *estimate[HLL_KINDS], *wrong;
    struct estimate_theory theory[HLL_KINDS];
};

static void hll_release(struct hll_errors *errors)
{
    for (int i = 0; i < HLL_KINDS; i++) {
        free(errors->estimate[i]);
        estimate_theory_release(&errors->theory[i]);
    }
    free(errors->wrong);
}

static enum status hll_read(struct hll_errors *errors, const struct run_data *run,
                            struct error *err)
{
    *errors = (struct hll_errors){.wrong = NULL};
    enum status status = measures_read(&errors->wrong, run, "cardinality_wrong_rho", err);
    for (int i = 0; !status && i < HLL_KINDS; i++) {
        status = measures_read(&errors->estimate[i], run, hll_measures[i], err);
        if (!status)
            status = estimate_theory_read(&errors->theory[i], run, hll_measures[i], err);
    }
    if (status)
        hll_release(errors);
    return status;
}

static bool hll_keep(const struct run_cell *cell)
{
    return strcmp(cell->filter, "hyperloglog") == 0 && cell->n > 0;
}

/* 1.04/sqrt(m). */
static double hll_unit(const struct run_cell *cell)
{
    return 1.04 / sqrt(cell->m_actual);
}

static struct estimate_error hll_error_of(const struct hll_errors *errors,
                                          const struct run_cell *cell, unsigned kind)
{
    return estimate_error_of(&errors->estimate[kind][cell->row], cell);
}

static void hll_value(const void *context, const struct run_cell *cell, unsigned box, unsigned kind,
                      struct curve_point *point)
{
    const struct hll_errors *errors = context;
    struct estimate_error error = hll_error_of(errors, cell, kind);
    double unit = hll_unit(cell);
    if (box == 0) {
        point->y = error.bias / unit;
        point->lo = error.bias_lo / unit;
        point->hi = error.bias_hi / unit;
        point->line = cell_value_mean(&errors->theory[kind].bias[cell->row]) / unit;
    } else {
        point->y = error.rms / unit;
        point->lo = error.rms_lo / unit;
        point->hi = error.rms_hi / unit;
        point->line = estimate_theory_rms(&errors->theory[kind], cell) / unit;
    }
}

static enum status hll_error_draw(const struct run_data *run, struct error *err)
{
    struct hll_errors errors;
    struct curves_style style = {
        .family = "hll-error",
        .x = "n",
        .x_label = "distinct keys n",
        .boxes = 2,
        .kinds = HLL_KINDS,
        .kind_name = {"Ertl 2017, centred", "2007"},
        .keep = hll_keep,
        .value = hll_value,
        .context = &errors,
        .caption =
            "Errors are relative to n, in units of 1.04/√m, m = 2^p registers: 3.25 % at p = "
            "10, 0.81 % at p = 14. Bars: 95 % intervals (Student's; chi-squared). Sizes of n "
            "share their trials, so that neighbouring points move together; root mean squares for "
            "which fewer than 20 pairs of keys meet in all trials are left out. Theory: delta "
            "method.",
    };
    enum status status = hll_read(&errors, run, err);
    if (status)
        return status;
    status = curves_draw(run, &style, err);
    hll_release(&errors);
    return status;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* Of the cells with most registers. */
struct hll_worst {
    const struct run_cell *cell[HLL_KINDS]; /* of the largest mean error */
    double bias[HLL_KINDS], rms, half, least, most;
};

static void hll_take(struct hll_worst *worst, const struct hll_errors *errors,
                     const struct run_cell *cell)
{
    const struct cell_value *wrong = &errors->wrong[cell->row];
    for (unsigned kind = 0; kind < HLL_KINDS; kind++) {
        double bias = hll_error_of(errors, cell, kind).bias;
        if (!worst->cell[kind] || fabs(bias) > fabs(worst->bias[kind])) {
            worst->cell[kind] = cell;
            worst->bias[kind] = bias;
        }
    }
    worst->rms = fmax(worst->rms, hll_error_of(errors, cell, HLL_OWN).rms / hll_unit(cell));
    worst->least = fmin(worst->least, cell->n);
    if (cell->n > worst->most) {
        worst->most = cell->n;
        worst->half = cell_value_mean(wrong) / cell->n;
    }
}

static void hll_error_answer(const struct run_data *run, struct text *out)
{
    struct hll_errors errors;
    struct hll_worst worst = {.least = INFINITY};
    double registers = 0;
    if (hll_read(&errors, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++)
        if (hll_keep(&run->cells[c]))
            registers = fmax(registers, run->cells[c].m_actual);
    for (size_t c = 0; c < run->count; c++)
        if (hll_keep(&run->cells[c]) && run->cells[c].m_actual == registers &&
            isfinite(hll_error_of(&errors, &run->cells[c], HLL_OWN).rms))
            hll_take(&worst, &errors, &run->cells[c]);
    if (worst.cell[HLL_OWN])
        text_printf(out,
                    "With %.0f registers and n from %.0f to %.3g the root mean square error of "
                    "Ertl's estimate is at most %.2f times 1.04/sqrt(m) = %.3g %%, its mean error "
                    "at most %.2g %%; the estimate of 2007 is off by %.2g %% at n = %.0f (%.2g m). "
                    "Zeros taken for zeros + 1 give %.3f of n.",
                    registers, worst.least, worst.most, worst.rms, 104 / sqrt(registers),
                    100 * fabs(worst.bias[HLL_OWN]), 100 * worst.bias[HLL_2007],
                    worst.cell[HLL_2007]->n, worst.cell[HLL_2007]->n / registers, worst.half);
    hll_release(&errors);
}

const struct plot_family plot_hll_error = {
    .name = "hll-error",
    .summary = "bias and root mean square error of HyperLogLog's estimates against n",
    .draw = hll_error_draw,
    .answer = hll_error_answer,
};
