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

/* Of the classic filter (of the first one where it is not there): the measured best k for every m and
 * bits_per_key against (m/n) ln 2. */
struct fpr_best {
    double m, bits_per_key, best_k, best_rate;
};

static unsigned fpr_vs_k_best(struct fpr_best *best, unsigned most, const struct run_data *run)
{
    const char *filter = run->count ? run->cells[0].filter : "";
    unsigned count = 0;
    for (size_t c = 0; c < run->count; c++)
        if (strcmp(run->cells[c].filter, "classic") == 0)
            filter = "classic";
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        unsigned i = 0;
        if (strcmp(cell->filter, filter) != 0 || isnan(cell->rate) || cell->zero_hits || !(cell->k > 0))
            continue;
        while (i < count && (best[i].m != cell->m || best[i].bits_per_key != cell->bits_per_key))
            i++;
        if (i == most)
            continue;
        if (i == count)
            best[count++] = (struct fpr_best){cell->m, cell->bits_per_key, cell->k, cell->rate};
        else if (cell->rate < best[i].best_rate) {
            best[i].best_k = cell->k;
            best[i].best_rate = cell->rate;
        }
    }
    return count;
}

static void fpr_vs_k_answer(const struct run_data *run, struct text *out)
{
    struct fpr_best best[24];
    unsigned count = fpr_vs_k_best(best, 24, run), near = 0;
    for (unsigned i = 0; i < count; i++)
        near += fabs(best[i].best_k - best[i].bits_per_key * M_LN2) <= 1;
    if (count == 0)
        return;
    text_printf(out, "The lowest measured rate lies within one of (m/n) ln 2 in %u of %u settings.", near,
                count);
    for (unsigned i = 0; i < count; i++)
        text_printf(out, "\nm = %.0f, %.3g bits per key: lowest at k = %.0f, rate %.3g; (m/n) ln 2 = %.2f",
                    best[i].m, best[i].bits_per_key, best[i].best_k, best[i].best_rate,
                    best[i].bits_per_key * M_LN2);
}

const struct plot_family plot_fpr_vs_k = {
    .name = "fpr-vs-k",
    .summary = "false-positive rate against the number of probes, and its ratio to theory",
    .draw = fpr_vs_k_draw,
    .answer = fpr_vs_k_answer,
};
