/* SPDX-License-Identifier: MIT
 *
 * hyphenation.c: B. Bloom's example, CACM 13(7), 1970: disk reads for a text whose hard words are
 * looked up, against the bits of a filter in memory. A read is a hard word (all n members are met)
 * or an easy one (a query) that the filter lets pass.
 */
#include <math.h>

#include "harness/plot/curves.h"
#include "harness/plot/family.h"

/* What a published page makes of the example: 288,539 bits, 4 functions. */
static const double hyphenation_bits = 288539, hyphenation_k = 4, hyphenation_claimed = 78125;
static const double hyphenation_unit = 1e-3; /* of the plot */

static bool hyphenation_keep(const struct run_cell *cell)
{
    return cell->n > 0 && cell->queries_per_trial > 0;
}

static double hyphenation_reads(const struct run_cell *cell, double rate)
{
    return cell->n + cell->queries_per_trial * rate;
}

static void hyphenation_value(const void *context, const struct run_cell *cell, unsigned box,
                              unsigned kind, struct curve_point *point)
{
    double expected = hyphenation_reads(cell, cell->model),
           scale = box == 0 ? hyphenation_unit : 1 / expected;
    (void)context, (void)kind;
    point->y = hyphenation_reads(cell, cell->fpr) * scale;
    point->lo = hyphenation_reads(cell, cell->rate_lo) * scale;
    point->hi = hyphenation_reads(cell, cell->rate_hi) * scale;
    if (box == 0)
        point->line = expected * hyphenation_unit;
}

static double hyphenation_line(const void *context, const struct run_cell *cell, double x)
{
    (void)context, (void)cell, (void)x;
    return hyphenation_claimed * hyphenation_unit;
}

static enum status hyphenation_draw(const struct run_data *run, struct error *err)
{
    static const struct curve_extra extras[] = {
        {.name = "claimed: 78125, for 288539 bits and k = 4", .at = hyphenation_line}, {0}};
    static const struct curves_style style = {
        .family = "hyphenation",
        .x = "m",
        .series = "k",
        .x_label = "bits in memory",
        .boxes = 2,
        .kinds = 1,
        .log_y = {true, false},
        .keep = hyphenation_keep,
        .value = hyphenation_value,
        .extras = extras,
        .in_place = {true, false},
        .rates = true,
        .caption =
            "A disk read is a hard word, or an easy one that the filter lets pass; each trial "
            "draws the hard words anew. Lines: exact theory. Ratio: measured / theory.",
    };
    return curves_draw(run, &style, err);
}

/* The published size, and the fewest reads with Bloom's 300,000 bits. */
static void hyphenation_answer(const struct run_data *run, struct text *out)
{
    const struct run_cell *published = NULL, *best = NULL;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (!hyphenation_keep(cell))
            continue;
        if (!published && cell->m == hyphenation_bits && cell->k == hyphenation_k)
            published = cell;
        if (cell->m <= 300000 && (!best || cell->model < best->model))
            best = cell;
    }
    if (!published || !best)
        return;
    text_printf(
        out,
        "%.0f disk reads (%.0f to %.0f, expected %.0f) of %.0f words with %.0f bits and k = "
        "%.0f; claimed are %.0f. The fewest with 300000 bits: %.0f, at k = %.0f.",
        hyphenation_reads(published, published->fpr),
        hyphenation_reads(published, published->rate_lo),
        hyphenation_reads(published, published->rate_hi),
        hyphenation_reads(published, published->model), published->n + published->queries_per_trial,
        published->m, published->k, hyphenation_claimed, hyphenation_reads(best, best->fpr),
        best->k);
}

const struct plot_family plot_hyphenation = {
    .name = "hyphenation",
    .summary = "disk reads against the bits of a filter: Bloom's example of 1970",
    .draw = hyphenation_draw,
    .answer = hyphenation_answer,
};
