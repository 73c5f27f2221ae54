/* SPDX-License-Identifier: MIT
 *
 * fpr_vs_k.c: where the rate bottoms out, and whether (m/n) ln 2 predicts it.
 */
#include <math.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static enum status fpr_vs_k_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_style style = {.family = "fpr-vs-k", .x = "k"};
    return rate_draw(run, &style, err);
}

/* Of the classic filter (of the first one where it is not there): the best k for every m and
 * bits_per_key against (m/n) ln 2. The filters' own rates (fpr_scheme) choose k, so that the
 * measured rate reported for it comes from queries that had no say. */
struct fpr_best {
    double m, bits_per_key, k, scheme, measured;
};

static const char *fpr_vs_k_filter(const struct run_data *run)
{
    for (size_t c = 0; c < run->count; c++)
        if (strcmp(run->cells[c].filter, "classic") == 0)
            return "classic";
    return run->count ? run->cells[0].filter : "";
}

static unsigned fpr_vs_k_best(struct fpr_best *best, unsigned most, const struct run_data *run)
{
    const char *filter = fpr_vs_k_filter(run);
    unsigned count = 0;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        struct fpr_best this = {cell->m, cell->bits_per_key, cell->k, cell->scheme, cell->fpr};
        unsigned i = 0;
        if (strcmp(cell->filter, filter) != 0 || !(cell->scheme > 0) || !(cell->k > 0))
            continue;
        while (i < count && (best[i].m != this.m || best[i].bits_per_key != this.bits_per_key))
            i++;
        if (i < count && this.scheme < best[i].scheme)
            best[i] = this;
        else if (i == count && count < most)
            best[count++] = this;
    }
    return count;
}

static void fpr_vs_k_answer(const struct run_data *run, struct text *out)
{
    struct fpr_best best[24];
    unsigned count = fpr_vs_k_best(best, 24, run), near = 0;
    for (unsigned i = 0; i < count; i++)
        near += fabs(best[i].k - best[i].bits_per_key * M_LN2) <= 1;
    if (count == 0)
        return;
    text_printf(out, "The best k of %s filters lies within one of (m/n) ln 2 in %u of %u settings.",
                fpr_vs_k_filter(run), near, count);
    for (unsigned i = 0; i < count; i++) {
        text_printf(out, "\nm = %.0f, %.3g bits per key: best k = %.0f, (m/n) ln 2 = %.2f",
                    best[i].m, best[i].bits_per_key, best[i].k, best[i].bits_per_key * M_LN2);
        if (!isnan(best[i].measured))
            text_printf(out, ", rate measured there %.3g", best[i].measured);
    }
}

const struct plot_family plot_fpr_vs_k = {
    .name = "fpr-vs-k",
    .summary = "false-positive rate against the number of probes, and its ratio to theory",
    .draw = fpr_vs_k_draw,
    .answer = fpr_vs_k_answer,
};
