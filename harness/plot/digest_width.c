/* SPDX-License-Identifier: MIT
 *
 * digest_width.c: how many keys digests of w bits carry before their width, not the filter, sets
 * the rate.
 *
 * At a fixed number of bits per key the rate depends on n and w almost only through n/2^w: plotted
 * against it, curves of all widths fall together. Theory: the exact rate under the law that w-bit
 * digests leave (fpr_narrow_digests of estimates.csv). A filter that took one digest for all its
 * probes could not go below n/2^w, whatever its size: that line is drawn for comparison.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

/* Ratios known no better than this factor are left out of the strip. */
static const double digest_width_precise = 1.5;

struct digest_width {
    const struct run_data *run;
    struct cell_value *narrow;
};

static double digest_width_bits(const struct run_cell *cell)
{
    return number_of(cell->digest_bits);
}

static bool digest_width_keep(const struct run_cell *cell)
{
    return digest_width_bits(cell) > 0 && cell->n > 0 && cell->exact > 0;
}

static double digest_width_place(const struct run_cell *cell)
{
    return ldexp(cell->n, -(int)digest_width_bits(cell));
}

/* Digests as wide as a word are exact, and have no formula of their own. */
static double digest_width_theory(const struct digest_width *context, const struct run_cell *cell)
{
    double narrow = cell_value_mean(&context->narrow[cell->row]);
    return isnan(narrow) && digest_width_bits(cell) == 64 ? cell->model : narrow;
}

static void digest_width_value(const void *context, const struct run_cell *cell, unsigned box,
                               unsigned kind, struct curve_point *point)
{
    double theory = digest_width_theory(context, cell), unit = box == 0 ? 1 : theory;
    (void)kind;
    if (box == 0) {
        point->line = theory;
        point->upper = cell->zero_hits ? cell->rate_hi : NAN;
    }
    bool precise = cell->rate_hi <= digest_width_precise * cell->rate &&
                   cell->rate <= digest_width_precise * cell->rate_lo;
    if (cell->zero_hits || (box == 1 && !precise))
        return;
    point->y = cell->rate / unit;
    point->lo = cell->rate_lo / unit;
    point->hi = cell->rate_hi / unit;
}

/* The exact rate with wide digests, of the largest filter of the panel's kind: it hardly depends on
 * n. */
static double digest_width_wide(const void *context, const struct run_cell *cell, double x)
{
    const struct run_data *run = ((const struct digest_width *)context)->run;
    const struct run_cell *largest = cell;
    (void)x;
    for (size_t c = 0; c < run->count; c++)
        if (run->cells[c].n > largest->n && run->cells[c].k == cell->k &&
            fabs(run->cells[c].bits_per_key / cell->bits_per_key - 1) < 0.01)
            largest = &run->cells[c];
    return largest->exact;
}

static double digest_width_floor(const void *context, const struct run_cell *cell, double x)
{
    (void)context;
    (void)cell;
    return x <= 1 ? x : NAN;
}

static enum status digest_width_draw(const struct run_data *run, struct error *err)
{
    static const struct curve_extra extras[] = {
        {"exact, wide digests", 0, digest_width_wide},
        {"one digest: floor n/2^w", 0, digest_width_floor},
        {0},
    };
    struct digest_width context = {.run = run};
    struct curves_style style = {
        .family = "digest-width",
        .x = "n",
        .series = "digest_bits",
        .x_label = "n / 2^w: keys per value of a digest",
        .boxes = 2,
        .kinds = 1,
        .log_y = {true, false},
        .keep = digest_width_keep,
        .place = digest_width_place,
        .value = digest_width_value,
        .extras = extras,
        .context = &context,
        .in_place = {true, true},
        .rates = true,
        .caption =
            "Theory: exact rate under the law that digests of w bits leave. Strip: only where "
            "the ratio is known to a factor of 1.5.",
    };
    enum status status = estimates_read(&context.narrow, run, "fpr_narrow_digests", err);
    if (!status)
        status = curves_draw(run, &style, err);
    free(context.narrow);
    return status;
}

/* ---- the answer --------------------------------------------------------------------------- */

/* ln(n/2^w) at which narrow digests double the rate, between the largest n of this width below and
 * the next; NaN where the run does not reach it. */
static double digest_width_crossing(const struct digest_width *context, double bits)
{
    const struct run_data *run = context->run;
    double below = NAN, below_ln = NAN, above = INFINITY, above_ln = NAN;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        double ln = log(digest_width_theory(context, cell) / cell->exact / 2);
        if (digest_width_bits(cell) != bits || !digest_width_keep(cell) || isnan(ln))
            continue;
        double x = log(digest_width_place(cell));
        if (ln <= 0 && !(x <= below)) {
            below = x;
            below_ln = ln;
        } else if (ln > 0 && x < above) {
            above = x;
            above_ln = ln;
        }
    }
    return isnan(below) || isinf(above) || below > above
               ? NAN
               : below + (above - below) * below_ln / (below_ln - above_ln);
}

static void digest_width_answer(const struct run_data *run, struct text *out)
{
    struct digest_width context = {.run = run};
    double last = 0;
    unsigned said = 0;
    if (estimates_read(&context.narrow, run, "fpr_narrow_digests", NULL) != OK)
        return;
    for (;;) { /* widths in increasing order */
        double bits = INFINITY;
        for (size_t c = 0; c < run->count; c++)
            if (digest_width_bits(&run->cells[c]) > last)
                bits = fmin(bits, digest_width_bits(&run->cells[c]));
        if (isinf(bits))
            break;
        last = bits;
        double x = exp(digest_width_crossing(&context, bits));
        if (!isnan(x))
            text_printf(out, "%s%.0f bits from n = %.2g (n/2^w = 1/%.3g)",
                        said++ ? ", " : "Narrow digests double the rate, in theory: ", bits,
                        ldexp(x, (int)bits), 1 / x);
    }
    if (said)
        text_printf(out, ".");
    free(context.narrow);
}

const struct plot_family plot_digest_width = {
    .name = "digest-width",
    .summary = "rate against n/2^w: curves of all widths fall together where the width rules",
    .draw = digest_width_draw,
    .answer = digest_width_answer,
};
