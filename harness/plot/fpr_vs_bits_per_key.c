/* SPDX-License-Identifier: MIT
 *
 * fpr_vs_bits_per_key.c: the price of a rate, beside other structures and the limit of information.
 *
 * Bits per key at rate p, for large n:
 *   limit         log2(1/p)                       Carter, Floyd, Gill, Markowsky, Wegman, STOC 1978
 *   xor           1.23 log2(1/p)                  Graf, Lemire, ACM JEA 25, 2020
 *   binary fuse   1.13 log2(1/p)                  Graf, Lemire, ACM JEA 27, 2022 (3-wise)
 *   cuckoo        (log2(1/p) + 3) / 0.95          Fan, Andersen, Kaminsky, Mitzenmacher, CoNEXT 2014 (buckets
 *                                                 of 4, 95 % full)
 * Bloom's own best is 1.44 log2(1/p). The strip shows bits per key beyond the limit.
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
        .caption = "Strip: bits per key beyond log2(1/rate). Lines of other structures: their papers' "
                   "formulas for large n.",
    };
    return rate_draw(run, &style, err);
}

/* Per filter: the ratio of bits per key to the limit, where the rate comes nearest to 1 %. */
static void fpr_vs_bits_per_key_answer(const struct run_data *run, struct text *out)
{
    const struct run_cell *nearest[16];
    unsigned count = 0;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        unsigned i = 0;
        if (!(cell->rate > 0) || cell->zero_hits || !(cell->bits_per_key > 0))
            continue;
        while (i < count && (strcmp(nearest[i]->filter, cell->filter) != 0 ||
                             strcmp(nearest[i]->params, cell->params) != 0))
            i++;
        if (i == 16)
            continue;
        if (i == count)
            nearest[count++] = cell;
        else if (fabs(log(cell->rate / 0.01)) < fabs(log(nearest[i]->rate / 0.01)))
            nearest[i] = cell;
    }
    for (unsigned i = 0; i < count; i++)
        text_printf(out, "%s%s%s%s%s %.3g bits for %.2g %%",
                    i ? "; " : "Bits per key where the rate comes nearest to 1 %: ",
                    nearest[i]->filter, *nearest[i]->params ? " (" : "", nearest[i]->params,
                    *nearest[i]->params ? ")" : "", nearest[i]->bits_per_key,
                    100 * nearest[i]->rate);
    if (count)
        text_printf(out, ". The information limit for 1 %% is 6.64 bits.");
}

const struct plot_family plot_fpr_vs_bits_per_key = {
    .name = "fpr-vs-bits-per-key",
    .summary = "rate against bits per key, beside other structures and the information limit",
    .draw = fpr_vs_bits_per_key_draw,
    .answer = fpr_vs_bits_per_key_answer,
};
