/* SPDX-License-Identifier: MIT
 *
 * fpr_vs_bits_per_key.c: the price of a rate, beside other structures and the limit of information.
 *
 * Bits per key at rate p, for large n:
 *   limit         log2(1/p)                       Carter, Floyd, Gill, Markowsky, Wegman, STOC 1978
 *   xor           1.23 log2(1/p)                  Graf, Lemire, ACM JEA 25, 2020
 *   binary fuse   1.13 log2(1/p)                  Graf, Lemire, ACM JEA 27, 2022 (3-wise)
 *   cuckoo        (log2(1/p) + 3) / 0.95          Fan, Andersen, Kaminsky, Mitzenmacher, CoNEXT
 * 2014 (buckets of 4, 95 % full) Bloom's own best is 1.44 log2(1/p). The strip shows bits per key
 * beyond the limit.
 */
#include <math.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static void extra_limit(const struct run_cell *cell, double bits, double *rate, double *strip)
{
    (void)cell;
    *rate = exp2(-bits);
    *strip = 0;
}

static void extra_xor(const struct run_cell *cell, double bits, double *rate, double *strip)
{
    (void)cell;
    *rate = exp2(-bits / 1.23);
    *strip = bits - bits / 1.23;
}

static void extra_fuse(const struct run_cell *cell, double bits, double *rate, double *strip)
{
    (void)cell;
    *rate = exp2(-bits / 1.13);
    *strip = bits - bits / 1.13;
}

static void extra_cuckoo(const struct run_cell *cell, double bits, double *rate, double *strip)
{
    (void)cell;
    double fingerprint = 0.95 * bits - 3;
    if (fingerprint < 1) /* shorter fingerprints than a bit are none */
        return;
    *rate = exp2(-fingerprint);
    *strip = bits - fingerprint;
}

/* Bits per key beyond log2(1/rate). */
static void bits_strip(const struct run_cell *cell, double *value, double *lo, double *hi,
                       double *model)
{
    if (cell->model > 0)
        *model = cell->bits_per_key + log2(cell->model);
    if (!(cell->rate > 0) || cell->zero_hits)
        return;
    *value = cell->bits_per_key + log2(cell->rate);
    if (cell->rate_lo > 0)
        *lo = cell->bits_per_key + log2(cell->rate_lo);
    *hi = cell->bits_per_key + log2(cell->rate_hi);
}

static enum status fpr_vs_bits_per_key_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_extra extras[] = {
        {"information limit", false, extra_limit},
        {"binary fuse (1.13)", false, extra_fuse},
        {"xor (1.23)", false, extra_xor},
        {"cuckoo (4 a bucket)", false, extra_cuckoo},
        {0},
    };
    static const struct rate_style style = {
        .family = "fpr-vs-bits-per-key",
        .x = "bits_per_key",
        .strip = bits_strip,
        .extras = extras,
        .caption =
            "Strip: bits per key beyond log2(1/rate). Lines of other structures: their papers' "
            "formulas for large n.",
    };
    return rate_draw(run, &style, err);
}

static bool bits_same_filter(const struct run_cell *a, const struct run_cell *b)
{
    return strcmp(a->filter, b->filter) == 0 && strcmp(a->params, b->params) == 0 &&
           strcmp(a->hash, b->hash) == 0 && strcmp(a->keys, b->keys) == 0;
}

/* Bits per key at which the filter of `first` reaches 1 %: between the cells next to it, linear in
 * the logarithm of the rate. NaN: 1 % is not between two of its cells. */
static double bits_for_percent(const struct run_data *run, const struct run_cell *first)
{
    const struct run_cell *above = NULL, *below = NULL;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (!bits_same_filter(cell, first) || !(cell->rate > 0) || cell->zero_hits)
            continue;
        if (cell->rate >= 0.01 && (!above || cell->bits_per_key > above->bits_per_key))
            above = cell;
        if (cell->rate < 0.01 && (!below || cell->bits_per_key < below->bits_per_key))
            below = cell;
    }
    if (!above || !below)
        return NAN;
    double part = log(above->rate / 0.01) / log(above->rate / below->rate);
    return above->bits_per_key + part * (below->bits_per_key - above->bits_per_key);
}

static void fpr_vs_bits_per_key_answer(const struct run_data *run, struct text *out)
{
    unsigned said = 0;
    for (size_t c = 0; c < run->count && said < 12; c++) {
        const struct run_cell *cell = &run->cells[c];
        bool first = true;
        for (size_t before = 0; first && before < c; before++)
            first = !bits_same_filter(&run->cells[before], cell);
        double bits = first ? bits_for_percent(run, cell) : NAN;
        if (isnan(bits))
            continue;
        text_printf(out, "%s%s%s%s%s %.1f",
                    said ? ", " : "Bits per key for a rate of 1 %: ", cell->filter,
                    *cell->params ? " (" : "", cell->params, *cell->params ? ")" : "", bits);
        said++;
    }
    if (said)
        text_printf(out, "; the information limit is 6.6.");
}

const struct plot_family plot_fpr_vs_bits_per_key = {
    .name = "fpr-vs-bits-per-key",
    .summary = "rate against bits per key, beside other structures and the information limit",
    .draw = fpr_vs_bits_per_key_draw,
    .answer = fpr_vs_bits_per_key_answer,
};
