/* SPDX-License-Identifier: MIT
 *
 * rate.c: the generic plot: what lies along x, which panels and which series, is found in the grid.
 */
#include "harness/plot/rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/pages.h"
#include "harness/plot/rate_panel.h"

enum { RATE_FIGURES_MAX = 40 };

/* gnuplot walks even an empty loop once: there is always one curve, if of nothing. */
static void rate_legend_extras(struct figure *figure, const struct rate_style *style,
                               size_t *longest)
{
    unsigned extras = rate_extra_count(style), declared = extras ? extras : 1;
    figure_number(figure, "extras", declared);
    figure_number(figure, "extra_entries", extras);
    figure_array(figure, "extra_name", declared);
    figure_array(figure, "extra_points", declared);
    figure_element(figure, "extra_name", 1, "");
    figure_element(figure, "extra_points", 1, "0");
    for (unsigned e = 0; e < extras; e++) {
        figure_element(figure, "extra_name", e + 1, style->extras[e].name);
        figure_element(figure, "extra_points", e + 1, style->extras[e].points ? "1" : "0");
        if (enhanced_length(style->extras[e].name) > *longest)
            *longest = enhanced_length(style->extras[e].name);
    }
}

static void rate_legend(struct figure *figure, const struct pages *pages, const struct page *page,
                        const struct rate_style *style)
{
    size_t longest = page_series_longest(pages, page), own = strlen("variant's own model");
    longest = longest > own ? longest : own;
    figure_number(figure, "series", page->series_count);
    figure_array(figure, "series_name", page->series_count);
    for (unsigned s = 0; s < page->series_count; s++) {
        char label[AXIS_LABEL_MAX];
        page_series_label(label, sizeof label, pages, page->series[s]);
        figure_element(figure, "series_name", s + 1, label);
    }
    rate_legend_extras(figure, style, &longest);
    figure_number(figure, "legend_longest", (double)longest);
}

static void rate_panels_declare(struct figure *figure, const struct page *page)
{
    static const char *const arrays[] = {"panel_title", "panel_x", "panel_rate", "panel_strip"};
    figure_number(figure, "panels", page->panel_count);
    figure_number(figure, "columns", page->columns);
    figure_number(figure, "rows", page->rows);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        figure_array(figure, arrays[i], page->panel_count);
}

static enum status rate_page(const struct pages *pages, const struct page *page, unsigned number,
                             const struct rate_style *style, const char *caption, struct error *err)
{
    struct figure figure;
    char x_label[AXIS_LABEL_MAX];
    figure_open(&figure, pages->axes->run, style->family, number, page->title,
                page_width_cm(page, page_series_longest(pages, page)), true, caption);
    rate_legend(&figure, pages, page, style);
    rate_panels_declare(&figure, page);
    axes_x_label(x_label, sizeof x_label, pages->axes, pages->layout.x, style->x_label);
    figure_string(&figure, "x_label", x_label);
    enum status status = OK;
    for (unsigned p = 0; !status && p < page->panel_count; p++)
        status = rate_panel_add(&figure, pages, page, p, style, err);
    if (!status)
        status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

static enum status rate_pages(const struct pages *pages, const struct rate_style *style,
                              struct error *err)
{
    enum status status = OK;
    for (size_t i = 0; !status && i < pages->count && i < RATE_FIGURES_MAX; i++) {
        char caption[400];
        int used = snprintf(caption, sizeof caption, "%s", style->caption ? style->caption : "");
        if (i == RATE_FIGURES_MAX - 1 && pages->count > RATE_FIGURES_MAX)
            snprintf(caption + used, sizeof caption - (size_t)used,
                     " Last of %d figures drawn out of %zu: the grid has too many axes for paper.",
                     RATE_FIGURES_MAX, pages->count);
        status = rate_page(pages, &pages->page[i], (unsigned)i + 1, style, caption, err);
    }
    return status;
}

/* Has the cell anything to show? */
static bool rate_keep(const struct run_cell *cell)
{
    return !isnan(cell->rate) || cell->model > 0 || cell->exact > 0;
}

static enum status rate_shown(const struct run_data *run, const struct rate_style *style,
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
    if (!status) {
        status = rate_pages(&pages, style, err);
        pages_release(&pages);
    }
    axes_release(&axes);
    return status;
}

enum status rate_draw(const struct run_data *run, const struct rate_style *style, struct error *err)
{
    struct run_data *shown = run_data_select(run, rate_keep, err);
    if (!shown)
        return E_RUN;
    enum status status = shown->count ? rate_shown(shown, style, err) : OK;
    run_data_select_free(shown);
    return status;
}
