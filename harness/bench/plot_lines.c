/* SPDX-License-Identifier: MIT */
#include "harness/bench/plot_lines.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void plot_lines_open(struct plot_lines *lines, const struct run_data *run, const char *family,
                     unsigned number, const char *title, const char *caption, unsigned panels,
                     char names[][AXIS_LABEL_MAX], unsigned series)
{
    size_t longest = 1;
    lines->bytes = false;
    lines->panels = panels;
    lines->panel = 0;
    figure_open(&lines->figure, run, family, number, title, FIGURE_TWO_COLUMNS_CM, false, caption);
    figure_number(&lines->figure, "panels", panels);
    figure_number(&lines->figure, "columns", panels < 2 ? 1 : 2);
    figure_number(&lines->figure, "rows", panels < 2 ? 1 : (panels + 1) / 2);
    figure_number(&lines->figure, "series", series);
    figure_array(&lines->figure, "series_name", series);
    for (unsigned s = 0; s < series; s++) {
        figure_element(&lines->figure, "series_name", s + 1, names[s]);
        size_t length = enhanced_length(names[s]);
        longest = length > longest ? length : longest;
    }
    figure_number(&lines->figure, "legend_longest", (double)longest);
    figure_array(&lines->figure, "panel_title", panels);
    figure_array(&lines->figure, "panel_x", panels);
    figure_array(&lines->figure, "panel_y", panels);
}

void plot_lines_panel(struct plot_lines *lines, const char *title)
{
    extent_init(&lines->x[lines->panel]);
    extent_init(&lines->y[lines->panel]);
    figure_element(&lines->figure, "panel_title", ++lines->panel, title);
}

void plot_lines_point(struct plot_lines *lines, struct plot_point point)
{
    double row[] = {point.x, point.y, point.lo, point.hi};
    struct extent *y = &lines->y[lines->panel - 1];
    if (isnan(point.x) || isnan(point.y))
        return;
    extent_take(&lines->x[lines->panel - 1], point.x);
    extent_take(y, point.y);
    extent_take(y, point.lo);
    extent_take(y, point.hi);
    figure_row(&lines->figure, row, 4);
}

void plot_lines_end(struct plot_lines *lines)
{
    figure_set_end(&lines->figure, 4);
}

enum status plot_lines_draw(struct plot_lines *lines, struct error *err)
{
    for (unsigned p = 0; p < lines->panels; p++) {
        struct scale scale;
        char statements[SCALE_STATEMENTS_SIZE];
        lines->x[p].powers_of_two = lines->x[p].powers_of_two || lines->bytes;
        scale_x(&scale, &lines->x[p]);
        scale_statements(statements, sizeof statements, &scale, 'x');
        figure_element(&lines->figure, "panel_x", p + 1, statements);
        scale_log(&scale, &lines->y[p], 12);
        scale_statements(statements, sizeof statements, &scale, 'y');
        figure_element(&lines->figure, "panel_y", p + 1, statements);
    }
    enum status status = figure_draw(&lines->figure, err);
    figure_release(&lines->figure);
    return status;
}

enum status plot_timings_read(struct timings *timings, const struct run_data *run,
                              struct error *err)
{
    char path[PATH_MAX];
    *timings = (struct timings){0};
    if (run->kind != RUN_BENCH)
        return OK;
    if (snprintf(path, sizeof path, "%s/%s", run->directory, TIMINGS_FILE) >= PATH_MAX)
        return fail(err, E_INPUT, "the path %.60s... is too long", run->directory);
    return timings_read(timings, path, err);
}

bool plot_same_variant(const struct timing *a, const struct timing *b)
{
    return strcmp(a->filter, b->filter) == 0 && strcmp(a->params, b->params) == 0;
}

unsigned plot_variants(const struct timing *variant[PLOT_VARIANTS_MAX],
                       const struct timings *timings, bool (*keep)(const struct timing *row))
{
    unsigned count = 0;
    for (size_t r = 0; r < timings->count; r++) {
        unsigned v = 0;
        if (!keep(&timings->row[r]))
            continue;
        while (v < count && !plot_same_variant(variant[v], &timings->row[r]))
            v++;
        if (v == count && count < PLOT_VARIANTS_MAX)
            variant[count++] = &timings->row[r];
    }
    return count;
}

void plot_variant_label(char label[AXIS_LABEL_MAX], const struct timing *row)
{
    char plain[TIMING_NAME_MAX + CELL_PARAMS_MAX];
    snprintf(plain, sizeof plain, *row->params ? "%s (%s)" : "%s", row->filter, row->params);
    enhanced_escape(label, AXIS_LABEL_MAX, plain);
}
