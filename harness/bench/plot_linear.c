/* SPDX-License-Identifier: MIT
 *
 * plot_linear.c: the plot family linear-cost: the time of a sweep against how much of one thing it
 * does; black: the nearest line of slope 1.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/bench/linear.h"
#include "harness/bench/plot_lines.h"
#include "harness/plot/family.h"

static const char *const linear_titles[LINEAR_COUNT] = {
    [LINEAR_MEMBERS] = "members",
    [LINEAR_QUERIES] = "queries",
    [LINEAR_CELLS] = "cells",
};

/* Seconds of the whole. */
static struct plot_point linear_point(const struct timing *row)
{
    double scale = (double)row->count * 1e-9;
    return (struct plot_point){(double)row->count, row->ns.median * scale, row->ns.q1 * scale,
                               row->ns.q3 * scale};
}

/* ns for one, in the middle of the rows in the sense that the line through it is nearest to all. */
static double linear_middle(const struct timings *timings, enum linear linear)
{
    double sum = 0, rows = 0;
    for (size_t r = 0; r < timings->count; r++)
        if (linear_single(&timings->row[r], linear)) {
            sum += log(timings->row[r].ns.median);
            rows++;
        }
    return exp(sum / rows);
}

static void linear_panel(struct plot_lines *lines, const struct timings *timings,
                         enum linear linear)
{
    char title[80];
    double ns = linear_middle(timings, linear);
    snprintf(title, sizeof title, "%s: power %.3f", linear_titles[linear],
             linear_slope(timings, linear));
    plot_lines_panel(lines, title);
    for (int line = 0; line < 2; line++) {
        for (size_t r = 0; r < timings->count; r++) {
            const struct timing *row = &timings->row[r];
            double count = (double)row->count;
            if (!linear_single(row, linear))
                continue;
            plot_lines_point(lines, line ? (struct plot_point){count, count * ns * 1e-9, NAN, NAN}
                                         : linear_point(row));
        }
        plot_lines_end(lines);
    }
}

static bool linear_there(const struct timings *timings)
{
    for (size_t r = 0; r < timings->count; r++)
        if (linear_single(&timings->row[r], LINEAR_CELLS))
            return true;
    return false;
}

static enum status linear_draw(const struct run_data *run, struct error *err)
{
    struct timings timings;
    struct plot_lines lines;
    char names[1][AXIS_LABEL_MAX] = {"median, bars: middle half of the rounds"};
    enum status status = plot_timings_read(&timings, run, err);
    if (!status && linear_there(&timings)) {
        plot_lines_open(
            &lines, run, "linear-cost", 1, "Time of a sweep against its work",
            "Processor time of whole sweeps, planned and run on one thread: classic "
            "filters, k = 7. Members of a filter of 10 bits each; queries of a filter of "
            "1000 keys; cells of 100 members and 1000 queries.",
            LINEAR_COUNT, names, 1);
        for (int l = 0; l < LINEAR_COUNT; l++)
            linear_panel(&lines, &timings, (enum linear)l);
        status = plot_lines_draw(&lines, err);
    }
    timings_release(&timings);
    return status;
}

/* Where the times are worth a word. */
static void linear_answer_threads(const struct timings *timings, struct text *out)
{
    for (int l = 0; l < LINEAR_COUNT; l++) {
        enum linear linear = (enum linear)l;
        unsigned threads;
        double speedup = linear_speedup(timings, linear, &threads);
        if (isfinite(speedup))
            text_printf(out, " %u threads are %.2f times as fast as one over %.3g %s.", threads,
                        speedup, (double)linear_amount(linear, linear_threads_step(linear)),
                        linear_titles[linear]);
    }
}

static void linear_answer(const struct run_data *run, struct text *out)
{
    struct timings timings;
    struct error unused;
    if (plot_timings_read(&timings, run, &unused) != OK)
        return;
    if (linear_there(&timings))
        text_printf(out,
                    "Over three decades the time of a sweep grows as the power %.3f of the "
                    "members, %.3f of the queries, %.3f of the cells.",
                    linear_slope(&timings, LINEAR_MEMBERS), linear_slope(&timings, LINEAR_QUERIES),
                    linear_slope(&timings, LINEAR_CELLS));
    linear_answer_threads(&timings, out);
    timings_release(&timings);
}

const struct plot_family plot_linear_cost = {
    .name = "linear-cost",
    .summary = "time of a sweep against members, queries and cells",
    .kind = RUN_BENCH,
    .draw = linear_draw,
    .answer = linear_answer,
};
