/* SPDX-License-Identifier: MIT
 *
 * plot_size.c: the plot family bench-size: ns per key against the size of the filter, at the number
 * of bits per key that most sizes have; below all, what memory itself costs.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/bench/plot_lines.h"
#include "harness/plot/family.h"

struct size_panel {
    enum operation operation;
    double hit_ratio; /* NaN of insert */
    const char *title;
};

static const struct size_panel size_panels[] = {
    {OPERATION_QUERY_LIST, 0, "match list, no key present"},
    {OPERATION_QUERY_LIST, 0.5, "match list, half of the keys present"},
    {OPERATION_INSERT, NAN, "insert"},
    {OPERATION_QUERY_DEPENDENT, 0, "dependent queries, no key present"},
};
enum { SIZE_PANELS = sizeof size_panels / sizeof size_panels[0], SIZE_BITS_MAX = 64 };

static bool size_keep(const struct timing *row)
{
    return row->bytes > 0 && strcmp(row->operation, operation_name(OPERATION_QUERY_LIST)) == 0;
}

static bool size_same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The number of bits per key with most rows. */
static double size_bits(const struct timings *timings)
{
    double best = NAN;
    size_t most = 0;
    for (size_t r = 0; r < timings->count; r++) {
        double bits = timings->row[r].bits_per_key;
        size_t rows = 0;
        for (size_t other = r; other < timings->count && size_keep(&timings->row[r]); other++)
            rows += timings->row[other].bits_per_key == bits;
        if (rows > most) {
            most = rows;
            best = bits;
        }
    }
    return best;
}

/* Of several paths the one that comes last in the table is the widest. */
static const char *size_path(const struct timings *timings)
{
    return timings->count ? timings->row[timings->count - 1].path : "";
}

static bool size_shown(const struct timing *row, const struct size_panel *panel, double bits,
                       const char *digests, const char *path)
{
    return row->bytes > 0 && row->bits_per_key == bits && strcmp(row->digests, digests) == 0 &&
           strcmp(row->path, path) == 0 &&
           strcmp(row->operation, operation_name(panel->operation)) == 0 &&
           size_same_number(row->hit_ratio, panel->hit_ratio);
}

static void size_panel_add(struct plot_lines *lines, const struct timings *timings,
                           const struct size_panel *panel,
                           const struct timing *const variant[PLOT_VARIANTS_MAX], unsigned series,
                           double bits, const char *digests)
{
    const char *path = size_path(timings);
    plot_lines_panel(lines, panel->title);
    for (unsigned s = 0; s < series; s++) {
        for (size_t r = 0; r < timings->count; r++) {
            const struct timing *row = &timings->row[r];
            if (size_shown(row, panel, bits, digests, path) && plot_same_variant(row, variant[s]))
                plot_lines_point(lines, (struct plot_point){(double)row->bytes, row->ns.median,
                                                            row->ns.q1, row->ns.q3});
        }
        plot_lines_end(lines);
    }
    double last = -1;
    for (size_t r = 0; r < timings->count; r++) {
        const struct timing *row = &timings->row[r];
        if (!size_shown(row, panel, bits, digests, path) || (double)row->bytes < 1.05 * last)
            continue;
        last = (double)row->bytes;
        plot_lines_point(lines, (struct plot_point){last, row->floor_ns, NAN, NAN});
    }
    plot_lines_end(lines);
}

static enum status size_figure(const struct run_data *run, const struct timings *timings,
                               unsigned number, const char *digests, struct error *err)
{
    const struct timing *variant[PLOT_VARIANTS_MAX];
    char names[PLOT_VARIANTS_MAX][AXIS_LABEL_MAX], title[120], caption[400];
    struct plot_lines lines;
    double bits = size_bits(timings);
    unsigned series = plot_variants(variant, timings, size_keep);
    if (series == 0)
        return OK;
    for (unsigned s = 0; s < series; s++)
        plot_variant_label(names[s], variant[s]);
    snprintf(title, sizeof title, "Time per key against size: digests %s, %.4g positions per key",
             digests, bits);
    snprintf(caption, sizeof caption,
             "Medians of %u rounds taken in turns, bars: their middle half. Black: the floor of "
             "the same run at the same size: independent reads of one 64-byte line a key; of "
             "dependent queries, dependent reads. Path %s.",
             variant[0]->rounds, size_path(timings));
    plot_lines_open(&lines, run, "bench-size", number, title, caption, SIZE_PANELS, names, series);
    lines.bytes = true;
    for (int p = 0; p < SIZE_PANELS; p++)
        size_panel_add(&lines, timings, &size_panels[p], variant, series, bits, digests);
    return plot_lines_draw(&lines, err);
}

static enum status size_draw(const struct run_data *run, struct error *err)
{
    struct timings timings;
    enum status status = plot_timings_read(&timings, run, err);
    if (!status)
        status = size_figure(run, &timings, 1, "given", err);
    if (!status)
        status = size_figure(run, &timings, 2, "computed", err);
    timings_release(&timings);
    return status;
}

/* The fastest variant, and its ratio to the floor, at the smallest and at the largest size. */
static void size_answer(const struct run_data *run, struct text *out)
{
    struct timings timings;
    struct error unused;
    const struct timing *least = NULL, *most = NULL;
    if (plot_timings_read(&timings, run, &unused) != OK)
        return;
    double bits = size_bits(&timings);
    for (size_t r = 0; r < timings.count; r++) {
        const struct timing *row = &timings.row[r];
        if (!size_shown(row, &size_panels[0], bits, "given", size_path(&timings)))
            continue;
        if (!least || (double)row->bytes < 0.9 * (double)least->bytes ||
            ((double)row->bytes < 1.1 * (double)least->bytes && row->ns.median < least->ns.median))
            least = row;
        if (!most || (double)row->bytes > 1.1 * (double)most->bytes ||
            ((double)row->bytes > 0.9 * (double)most->bytes && row->ns.median < most->ns.median))
            most = row;
    }
    if (least && most)
        text_printf(out,
                    "Fastest lookups of absent keys: %s with %.3g ns a key at %.4g KiB (%.3g times "
                    "the floor), %s with %.3g ns at %.4g MiB (%.3g times).",
                    least->filter, least->ns.median, (double)least->bytes / 1024,
                    least->ns.median / least->floor_ns, most->filter, most->ns.median,
                    (double)most->bytes / 1048576, most->ns.median / most->floor_ns);
    timings_release(&timings);
}

const struct plot_family plot_bench_size = {
    .name = "bench-size",
    .summary = "time per key against the size of the filter, with the floor of memory beneath",
    .kind = RUN_BENCH,
    .draw = size_draw,
    .answer = size_answer,
};
