/* SPDX-License-Identifier: MIT */
#include "harness/plot/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/figure.h"
#include "harness/plot/rate.h"
#include "harness/plot/scale.h"

/* The arrow below an upper limit ends above so much of it: curves.gp. */
#define CURVES_ARROW 0.35

enum { CURVES_FIGURES_MAX = 40, CURVES_COLUMNS = 8 + CURVES_BOUNDS_MAX };

/* One panel under way. */
struct curves_panel {
    const struct pages *pages;
    const struct page *page;
    const struct curves_style *style;
    struct curve_point *points; /* room for one series */
    struct extent x, y[CURVES_BOXES_MAX];
};

/* gnuplot walks even an empty loop once: there is always one line, if of nothing. */
static unsigned curves_extras(const struct curves_style *style)
{
    unsigned count = 0;
    while (style->extras && count < CURVES_EXTRAS_MAX && style->extras[count].name)
        count++;
    return count;
}

static unsigned curves_series(const struct page *page, const struct curves_style *style)
{
    return page->series_count * style->kinds;
}

static double curves_place(const struct curves_panel *panel, size_t cell)
{
    const struct pages *pages = panel->pages;
    if (panel->style->place)
        return panel->style->place(&pages->axes->run->cells[cell]);
    int value = pages->layout.x < 0 ? AXIS_MISSING : axes_value(pages->axes, cell, pages->layout.x);
    return value == AXIS_MISSING ? NAN : pages->axes->axis[pages->layout.x].numbers[value];
}

static int curve_compare(const void *a, const void *b)
{
    const struct curve_point *x = a, *y = b;
    if (x->x != y->x)
        return (x->x > y->x) - (x->x < y->x);
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* The points of one series and kind in one box. */
static size_t curves_collect(struct curves_panel *panel, unsigned p, unsigned box, unsigned series)
{
    const struct pages *pages = panel->pages;
    const struct curves_style *style = panel->style;
    const struct run_cell *cells = pages->axes->run->cells;
    size_t count = 0;
    for (size_t c = 0; c < pages->axes->run->count; c++) {
        if (!page_has(pages, panel->page, &panel->page->panels[p],
                      panel->page->series[series / style->kinds], c))
            continue;
        if (style->belongs && !style->belongs(&cells[c], &cells[panel->page->panels[p].first]))
            continue;
        struct curve_point point = {.x = curves_place(panel, c),
                                    .y = NAN,
                                    .lo = NAN,
                                    .hi = NAN,
                                    .upper = NAN,
                                    .line = NAN,
                                    .guide = NAN,
                                    .bound = {NAN, NAN, NAN},
                                    .cell = &cells[c]};
        if (isnan(point.x))
            continue;
        style->value(style->context, point.cell, box, series % style->kinds, &point);
        panel->points[count++] = point;
    }
    qsort(panel->points, count, sizeof *panel->points, curve_compare);
    if (style->finish)
        style->finish(panel->points, count, box);
    return count;
}

static void curves_extend(struct curves_panel *panel, unsigned box, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct curve_point *point = &panel->points[i];
        bool log = panel->style->log_y[box];
        struct extent *y = &panel->y[box];
        extent_take(&panel->x, point->x);
        extent_take(y, point->y);
        extent_take(y, point->line);
        extent_take(y, point->guide);
        extent_take(y, point->upper * (log ? CURVES_ARROW : 1));
        extent_take(y, point->upper);
        extent_take(y, point->hi);
        if (!log || point->lo > point->y / 10)
            extent_take(y, point->lo);
    }
}

/* Series stand aside of one another, by that part of the width of the axis. */
static const double curves_step = 0.005;

static double curves_aside(const struct scale *x, double at, double part)
{
    return x->base ? at * pow(x->hi / x->lo, part) : at + (x->hi - x->lo) * part;
}

/* x, y, lo, hi, upper, line, guide, x aside, bounds. A bar down to 0 leaves a logarithmic box
 * below. */
static void curves_write(struct figure *figure, const struct curves_panel *panel, unsigned box,
                         size_t count, const struct scale *x_scale, double part)
{
    bool log = panel->style->log_y[box];
    for (size_t i = 0; i < count; i++) {
        const struct curve_point *point = &panel->points[i];
        double x = point->x, lo = point->lo;
        if (log && lo <= 0)
            lo = point->y / 1e6;
        figure_row(figure,
                   (double[]){x, log && point->y <= 0 ? NAN : point->y, lo, point->hi, point->upper,
                              log && point->line <= 0 ? NAN : point->line, point->guide,
                              curves_aside(x_scale, x, part), point->bound[0], point->bound[1],
                              point->bound[2]},
                   CURVES_COLUMNS);
    }
    figure_set_end(figure, CURVES_COLUMNS);
}

static void curves_scales(struct figure *figure, const struct curves_panel *panel, unsigned p,
                          const struct scale *x)
{
    char text[SCALE_STATEMENTS_SIZE];
    page_panel_label(text, sizeof text, panel->pages, &panel->page->panels[p]);
    figure_element(figure, "panel_title", p + 1, text);
    scale_statements(text, sizeof text, x, 'x');
    figure_element(figure, "panel_x", p + 1, text);
    for (unsigned b = 0; b < panel->style->boxes; b++) {
        struct scale y;
        struct extent extent = panel->y[b];
        double floor_y = panel->style->lo_y[b];
        if (panel->style->log_y[b]) {
            extent.lo_positive = fmax(extent.lo_positive, floor_y);
            scale_log(&y, &extent, 16);
        } else {
            scale_linear(&y, &extent);
        }
        scale_statements(text, sizeof text, &y, 'y');
        figure_element(figure, "box_y", p * panel->style->boxes + b + 1, text);
    }
}

static void curves_extra_write(struct figure *figure, const struct curves_panel *panel, unsigned p,
                               unsigned box, const struct curve_extra *extra, const struct scale *x)
{
    enum { STEPS = 100 };
    const struct run_cell *cells = panel->pages->axes->run->cells;
    double width = x->base ? log(x->hi / x->lo) : x->hi - x->lo;
    for (int i = 0; extra->box == box && i <= STEPS; i++) {
        double part = width * i / STEPS, at = x->base ? x->lo * exp(part) : x->lo + part;
        double y = extra->at(panel->style->context, &cells[panel->page->panels[p].first], at);
        figure_row(figure, (double[]){at, panel->style->log_y[box] && y <= 0 ? NAN : y}, 2);
    }
    figure_set_end(figure, 2);
}

static void curves_panel_add(struct figure *figure, struct curves_panel *panel, unsigned p)
{
    unsigned series = curves_series(panel->page, panel->style);
    struct scale x;
    extent_init(&panel->x);
    for (unsigned b = 0; b < panel->style->boxes; b++) {
        extent_init(&panel->y[b]);
        for (unsigned s = 0; s < series; s++)
            curves_extend(panel, b, curves_collect(panel, p, b, s));
    }
    scale_x(&x, &panel->x);
    for (unsigned b = 0; b < panel->style->boxes; b++) {
        for (unsigned s = 0; s < series; s++)
            curves_write(figure, panel, b, curves_collect(panel, p, b, s), &x,
                         panel->style->in_place[b] ? 0 : curves_step * (s - (series - 1) / 2.0));
        for (unsigned e = 0; e < curves_extras(panel->style); e++)
            curves_extra_write(figure, panel, p, b, &panel->style->extras[e], &x);
        if (curves_extras(panel->style) == 0)
            figure_set_end(figure, 2);
    }
    curves_scales(figure, panel, p, &x);
}

static void curves_name(char *name, size_t size, const struct pages *pages,
                        const struct curves_style *style, int series)
{
    if (style->series_name)
        style->series_name(name, size, &pages->axes->run->cells[pages->series_first[series]]);
    else
        page_series_label(name, size, pages, series);
}

static size_t curves_name_longest(const struct pages *pages, const struct page *page,
                                  const struct curves_style *style)
{
    size_t longest = 0;
    for (unsigned s = 0; s < page->series_count; s++) {
        char name[AXIS_LABEL_MAX];
        curves_name(name, sizeof name, pages, style, page->series[s]);
        if (enhanced_length(name) > longest)
            longest = enhanced_length(name);
    }
    return longest;
}

/* Characters of the longest name in the legend; those of lines and guides have at most 18. */
static size_t curves_longest(const struct pages *pages, const struct page *page,
                             const struct curves_style *style)
{
    size_t longest = 18, series = curves_name_longest(pages, page, style);
    for (unsigned k = 0; k < style->kinds; k++) {
        size_t kind = style->kind_name[k] ? enhanced_length(style->kind_name[k]) : 0;
        size_t whole = page->series_count == 1 && kind ? kind : series + kind + (kind ? 2 : 0);
        longest = whole > longest ? whole : longest;
    }
    for (unsigned e = 0; e < curves_extras(style); e++)
        if (enhanced_length(style->extras[e].name) > longest)
            longest = enhanced_length(style->extras[e].name);
    for (unsigned i = 0; i < CURVES_BOUNDS_MAX; i++)
        if (style->bound_name[i] && enhanced_length(style->bound_name[i]) > longest)
            longest = enhanced_length(style->bound_name[i]);
    return longest;
}

static void curves_legend_lines(struct figure *figure, const struct curves_style *style)
{
    unsigned extras = curves_extras(style), bounds = 0;
    figure_number(figure, "extras", extras ? extras : 1);
    figure_array(figure, "extra_name", extras);
    figure_element(figure, "extra_name", 1, "");
    for (unsigned e = 0; e < extras; e++)
        figure_element(figure, "extra_name", e + 1, style->extras[e].name);
    figure_array(figure, "bound_name", CURVES_BOUNDS_MAX);
    for (unsigned i = 0; i < CURVES_BOUNDS_MAX; i++) {
        bounds += style->bound_name[i] != NULL;
        figure_element(figure, "bound_name", i + 1,
                       style->bound_name[i] ? style->bound_name[i] : "");
    }
    figure_number(figure, "line_entries", extras + bounds);
}

static void curves_legend(struct figure *figure, const struct pages *pages, const struct page *page,
                          const struct curves_style *style)
{
    unsigned series = curves_series(page, style);
    figure_number(figure, "series", series);
    figure_array(figure, "series_name", series);
    figure_array(figure, "series_points", series);
    for (unsigned s = 0; s < series; s++) {
        char label[AXIS_LABEL_MAX], whole[2 * AXIS_LABEL_MAX];
        const char *kind = style->kind_name[s % style->kinds];
        curves_name(label, sizeof label, pages, style, page->series[s / style->kinds]);
        if (kind && page->series_count == 1)
            snprintf(whole, sizeof whole, "%s", kind);
        else
            snprintf(whole, sizeof whole, "%s%s%s", label, kind ? ", " : "", kind ? kind : "");
        figure_element(figure, "series_name", s + 1, whole);
        figure_element(figure, "series_points", s + 1,
                       style->kind_lines[s % style->kinds] ? "0" : "1");
    }
    curves_legend_lines(figure, style);
    figure_number(figure, "legend_longest", (double)curves_longest(pages, page, style));
}

static void curves_declare(struct figure *figure, const struct page *page,
                           const struct curves_style *style)
{
    figure_number(figure, "panels", page->panel_count);
    figure_number(figure, "columns", page->columns);
    figure_number(figure, "rows", page->rows);
    figure_number(figure, "boxes_given", style->boxes);
    figure_array(figure, "box_name", style->boxes);
    for (unsigned b = 0; b < style->boxes; b++)
        figure_element(figure, "box_name", b + 1, style->box_name[b] ? style->box_name[b] : "");
    figure_array(figure, "panel_title", page->panel_count);
    figure_array(figure, "panel_x", page->panel_count);
    figure_array(figure, "box_y", page->panel_count * style->boxes);
}

static enum status curves_page(const struct pages *pages, const struct page *page, unsigned number,
                               const struct curves_style *style, struct error *err)
{
    struct figure figure;
    struct curves_panel panel = {.pages = pages, .page = page, .style = style};
    char x_label[AXIS_LABEL_MAX];
    panel.points = malloc((pages->axes->run->count + 1) * sizeof *panel.points);
    if (!panel.points)
        return fail(err, E_RUN, "no memory for a figure of %s", style->family);
    figure_open(&figure, pages->axes->run, style->family, number, page->title,
                page_width_cm(page, curves_longest(pages, page, style)), style->rates,
                style->caption ? style->caption : "");
    axes_x_label(x_label, sizeof x_label, pages->axes, pages->layout.x, style->x_label);
    figure_string(&figure, "x_label", x_label);
    curves_legend(&figure, pages, page, style);
    curves_declare(&figure, page, style);
    for (unsigned p = 0; p < page->panel_count; p++)
        curves_panel_add(&figure, &panel, p);
    enum status status = figure_draw(&figure, err);
    figure_release(&figure);
    free(panel.points);
    return status;
}

static enum status curves_pages(const struct run_data *run, const struct curves_style *style,
                                struct error *err)
{
    struct axes axes;
    struct layout_axes layout;
    struct pages pages;
    enum status status = axes_open(&axes, run, err);
    if (status)
        return status;
    axes_lay_out(&layout, &axes, style->x, style->series);
    status = pages_open(&pages, &axes, &layout, err);
    for (size_t i = 0; !status && i < pages.count && i < CURVES_FIGURES_MAX; i++)
        status = curves_page(&pages, &pages.page[i], (unsigned)i + 1, style, err);
    pages_release(&pages);
    axes_release(&axes);
    return status;
}

enum status curves_draw(const struct run_data *run, const struct curves_style *style,
                        struct error *err)
{
    struct run_data *selected = NULL;
    if (style->keep && !(selected = run_data_select(run, style->keep, err)))
        return E_RUN;
    const struct run_data *shown = selected ? selected : run;
    bool any = false;
    for (size_t c = 0; c < shown->count && !any; c++)
        for (unsigned b = 0; b < style->boxes && !any; b++)
            for (unsigned k = 0; k < style->kinds && !any; k++) {
                struct curve_point point = {.y = NAN, .upper = NAN, .line = NAN};
                style->value(style->context, &shown->cells[c], b, k, &point);
                any = isfinite(point.y) || isfinite(point.line) || isfinite(point.upper);
            }
    enum status status = any ? curves_pages(shown, style, err) : OK;
    run_data_select_free(selected);
    return status;
}
