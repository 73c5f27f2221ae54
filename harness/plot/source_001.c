/* SPDX-License-Identifier: MIT
 *
 * source_001.c: a published worked example: sixteen words in 128 bits, double hashing from FNV-1a
 * and a finished djb2, the queries "0" to "9999". Its page gives the false positives at three k.
 */
#include <math.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/plot/rate.h"

static const struct {
    double k, hits, queries;
} source_001_published[] = {{1, 1282, 10000}, {5, 250, 10000}, {16, 3201, 10000}};
enum { SOURCE_001_PUBLISHED = sizeof source_001_published / sizeof source_001_published[0] };

static void source_001_point(const struct run_cell *cell, double x, double *rate, double *strip)
{
    (void)cell;
    (void)strip;
    for (int i = 0; i < SOURCE_001_PUBLISHED; i++)
        if (source_001_published[i].k == x)
            *rate = source_001_published[i].hits / source_001_published[i].queries;
}

static enum status source_001_draw(const struct run_data *run, struct error *err)
{
    static const struct rate_extra extras[] = {{"published", true, source_001_point}, {0}};
    static const struct rate_style style = {
        .family = "source-001",
        .x = "k",
        .extras = extras,
        .caption = "Circles: counts published by 42Math, \"Filtro de Bloom\" (16 animals in 128 "
                   "bits). One filter, the same keys and hashes: no "
                   "intervals, but the same count in every run.",
    };
    return rate_draw(run, &style, err);
}

static void source_001_answer(const struct run_data *run, struct text *out)
{
    unsigned same = 0, found = 0;
    const char *separator = "";
    for (int i = 0; i < SOURCE_001_PUBLISHED; i++)
        for (size_t c = 0; c < run->count; c++) {
            const struct run_cell *cell = &run->cells[c];
            if (cell->k != source_001_published[i].k || isnan(cell->false_positives))
                continue;
            found++;
            same += cell->false_positives == source_001_published[i].hits &&
                    cell->queries == source_001_published[i].queries;
            text_printf(out, "%s%.0f of %.0f at k = %.0f (published: %.0f)", separator,
                        cell->false_positives, cell->queries, cell->k,
                        source_001_published[i].hits);
            separator = ", ";
        }
    if (found)
        text_printf(out, ": %u of %u published counts come out exactly.", same, found);
}

const struct plot_family plot_source_001 = {
    .name = "source-001",
    .summary = "a published worked example beside this program's counts",
    .draw = source_001_draw,
    .answer = source_001_answer,
};
