/* SPDX-License-Identifier: MIT
 *
 * plot_rate.c: the plot family bench-rate: which rate for which time per key; a panel a size, along
 * a variant's line the bits per key grow. Black: the frontier, left of and below which nothing
 * lies.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/plot_lines.h"
#include "harness/plot/family.h"

enum { RATE_PANELS_MAX = 4, RATE_BITS_LEAST = 3, RATE_ROWS_MAX = 4096 };

static bool rate_keep(const struct timing *row)
{
    return row->bytes > 0 && row->fpr_model > 0 && row->hit_ratio == 0 &&
           strcmp(row->digests, "computed") == 0 &&
           strcmp(row->operation, operation_name(OPERATION_QUERY_LIST)) == 0;
}

static bool rate_at(const struct timing *row, uint64_t bytes)
{
    return rate_keep(row) && (double)row->bytes < 1.05 * (double)bytes &&
           (double)row->bytes > (double)bytes / 1.05;
}

/* Sizes at which there are several numbers of bits per key, in increasing order. */
static unsigned rate_sizes(uint64_t sizes[RATE_PANELS_MAX], const struct timings *timings)
{
    unsigned count = 0;
    for (size_t r = 0; r < timings->count && count < RATE_PANELS_MAX; r++) {
        const struct timing *row = &timings->row[r];
        unsigned bits = 0;
        double seen = -1;
        if (!rate_keep(row) || (count && rate_at(row, sizes[count - 1])))
            continue;
        for (size_t other = r; other < timings->count; other++)
            if (rate_at(&timings->row[other], row->bytes) &&
                timings->row[other].bits_per_key != seen) {
                seen = timings->row[other].bits_per_key;
                bits++;
            }
        if (bits >= RATE_BITS_LEAST)
            sizes[count++] = row->bytes;
    }
    return count;
}

static int rate_compare_time(const void *a, const void *b)
{
    const struct timing *const *x = a, *const *y = b;
    return ((*x)->ns.median > (*y)->ns.median) - ((*x)->ns.median < (*y)->ns.median);
}

static int rate_compare_bits(const void *a, const void *b)
{
    const struct timing *const *x = a, *const *y = b;
    return ((*x)->bits_per_key > (*y)->bits_per_key) - ((*x)->bits_per_key < (*y)->bits_per_key);
}

/* Steps: from each row on the frontier right to the time of the next, then down. */
static void rate_frontier(struct plot_lines *lines, const struct timing **rows, size_t count)
{
    double best = INFINITY;
    qsort(rows, count, sizeof *rows, rate_compare_time);
    for (size_t i = 0; i < count; i++) {
        if (rows[i]->fpr_model >= best)
            continue;
        if (isfinite(best))
            plot_lines_point(lines, (struct plot_point){rows[i]->ns.median, best, NAN, NAN});
        best = rows[i]->fpr_model;
        plot_lines_point(lines, (struct plot_point){rows[i]->ns.median, best, NAN, NAN});
    }
    plot_lines_end(lines);
}

static void rate_panel(struct plot_lines *lines, const struct timings *timings, uint64_t bytes,
                       const struct timing *const variant[PLOT_VARIANTS_MAX], unsigned series)
{
    const struct timing *rows[RATE_ROWS_MAX], *mine[RATE_ROWS_MAX];
    char title[60];
    size_t count = 0;
    bool small = (bytes + 512) / 1024 < 1024; /* a variant may round 1 MiB down */
    snprintf(title, sizeof title, small ? "%.4g KiB" : "%.4g MiB",
             (double)bytes / (small ? 1024 : 1048576));
    plot_lines_panel(lines, title);
    for (size_t r = 0; r < timings->count && count < RATE_ROWS_MAX; r++)
        if (rate_at(&timings->row[r], bytes))
            rows[count++] = &timings->row[r];
    for (unsigned s = 0; s < series; s++) {
        size_t own = 0;
        for (size_t i = 0; i < count; i++)
            if (plot_same_variant(rows[i], variant[s]))
                mine[own++] = rows[i];
        qsort(mine, own, sizeof *mine, rate_compare_bits);
        for (size_t i = 0; i < own; i++)
            plot_lines_point(lines,
                             (struct plot_point){mine[i]->ns.median, mine[i]->fpr_model, NAN, NAN});
        plot_lines_end(lines);
    }
    rate_frontier(lines, rows, count);
}

static enum status rate_draw_of(const struct run_data *run, const struct timings *timings,
                                struct error *err)
{
    const struct timing *variant[PLOT_VARIANTS_MAX];
    char names[PLOT_VARIANTS_MAX][AXIS_LABEL_MAX];
    uint64_t sizes[RATE_PANELS_MAX];
    struct plot_lines lines;
    unsigned panels = rate_sizes(sizes, timings);
    unsigned series = plot_variants(variant, timings, rate_keep);
    if (panels == 0 || series == 0)
        return OK;
    for (unsigned s = 0; s < series; s++)
        plot_variant_label(names[s], variant[s]);
    plot_lines_open(&lines, run, "bench-rate", 1, "Which rate for which time: filters of one size",
                    "Match list of absent keys, digests computed from 64-bit keys; rates by the "
                    "variants' own models. A point is a number of bits per key, which grow "
                    "downwards along a line; k is the best of the standard formula. Black: the "
                    "frontier.",
                    panels, names, series);
    for (unsigned p = 0; p < panels; p++)
        rate_panel(&lines, timings, sizes[p], variant, series);
    return plot_lines_draw(&lines, err);
}

static enum status rate_draw(const struct run_data *run, struct error *err)
{
    struct timings timings;
    enum status status = plot_timings_read(&timings, run, err);
    if (!status)
        status = rate_draw_of(run, &timings, err);
    timings_release(&timings);
    return status;
}

const struct plot_family plot_bench_rate = {
    .name = "bench-rate",
    .summary = "false-positive rate against time per key, over bits per key",
    .kind = RUN_BENCH,
    .draw = rate_draw,
};
