/* SPDX-License-Identifier: MIT */
#include "harness/plot/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/figure.h"

/* ---- groups of cells that agree on some axes ---------------------------------------------------
 */

struct group_order {
    const struct axes *axes;
    const int *which;
    unsigned count;
};

static int group_compare(const void *a, const void *b, void *context)
{
    const struct group_order *order = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    for (unsigned i = 0; i < order->count; i++) {
        int u = axes_value(order->axes, x, order->which[i]);
        int v = axes_value(order->axes, y, order->which[i]);
        if (u != v)
            return (u > v) - (u < v);
    }
    return 0;
}

/* group[cell] from 0; first[group]; returns how many, or -1 without memory. */
static int group_cells(int *group, size_t *first, const struct axes *axes, const int *which,
                       unsigned count)
{
    struct group_order order = {axes, which, count};
    size_t cells = axes->run->count, *sorted = malloc((cells + 1) * sizeof *sorted);
    int groups = 0;
    if (!sorted)
        return -1;
    for (size_t c = 0; c < cells; c++)
        sorted[c] = c;
    qsort_r(sorted, cells, sizeof *sorted, group_compare, &order);
    for (size_t i = 0; i < cells; i++) {
        if (i == 0 || group_compare(&sorted[i - 1], &sorted[i], &order) != 0)
            first[groups++] = sorted[i];
        else if (sorted[i] < first[groups - 1])
            first[groups - 1] = sorted[i];
        group[sorted[i]] = groups - 1;
    }
    free(sorted);
    return groups;
}

/* ---- pages
 * ----------------------------------------------------------------------------------------- */

static int page_axis_value(const struct pages *pages, size_t cell, int axis)
{
    return axis < 0 ? AXIS_MISSING : axes_value(pages->axes, cell, axis);
}

/* Is the cell one of the panel's, or on an axis on which it has no value one of all panels'? */
static bool panel_takes(const struct pages *pages, const struct panel *panel, size_t cell)
{
    int column = page_axis_value(pages, cell, pages->layout.column);
    int row = page_axis_value(pages, cell, pages->layout.row);
    return (column == AXIS_MISSING || column == panel->column) &&
           (row == AXIS_MISSING || row == panel->row);
}

bool page_has(const struct pages *pages, const struct page *page, const struct panel *panel,
              int series, size_t cell)
{
    return pages->figure_of[cell] == page->figure && pages->series_of[cell] == series &&
           panel_takes(pages, panel, cell);
}

void page_series_label(char *label, size_t size, const struct pages *pages, int series)
{
    size_t cell = pages->series_first[series];
    axes_label(label, size, pages->axes, cell, pages->layout.series, pages->layout.series_count);
    if (!label[0])
        enhanced_escape(label, size, pages->axes->run->cells[cell].filter);
    if (strlen(label) > PAGE_NAME_MAX && size > PAGE_NAME_MAX + 3) {
        size_t end = PAGE_NAME_MAX;
        while (end > 0 && strchr("\\{^", label[end - 1])) /* not inside an escape */
            end--;
        snprintf(label + end, size - end, "...");
    }
}

size_t page_series_longest(const struct pages *pages, const struct page *page)
{
    size_t longest = 0;
    for (unsigned s = 0; s < page->series_count; s++) {
        char label[AXIS_LABEL_MAX];
        page_series_label(label, sizeof label, pages, page->series[s]);
        size_t length = enhanced_length(label);
        longest = length > longest ? length : longest;
    }
    return longest;
}

double page_width_cm(const struct page *page, size_t longest)
{
    return page->columns > 1 || longest > 36 ? FIGURE_TWO_COLUMNS_CM : FIGURE_ONE_COLUMN_CM;
}

void page_panel_label(char *label, size_t size, const struct pages *pages,
                      const struct panel *panel)
{
    char row[AXIS_LABEL_MAX] = "", column[AXIS_LABEL_MAX] = "";
    if (pages->layout.column >= 0)
        axis_label(column, sizeof column, &pages->axes->axis[pages->layout.column], panel->column);
    if (pages->layout.row >= 0)
        axis_label(row, sizeof row, &pages->axes->axis[pages->layout.row], panel->row);
    snprintf(label, size, "%s%s%s", column, *column && *row ? ", " : "", row);
}

static int panel_compare(const void *a, const void *b)
{
    const struct panel *x = a, *y = b;
    if (x->row != y->row)
        return (x->row > y->row) - (x->row < y->row);
    return (x->column > y->column) - (x->column < y->column);
}

/* Sorted, each once. */
static size_t panels_unique(struct panel *panels, size_t count)
{
    size_t kept = 0;
    qsort(panels, count, sizeof *panels, panel_compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || panel_compare(&panels[i], &panels[kept - 1]) != 0)
            panels[kept++] = panels[i];
    return kept;
}

/* The panels of one figure group, in reading order: one for every pair of values that occurs; cells
 * that lack a value an axis of the panels has get one of their own only if no such panel takes
 * them. */
static size_t panels_find(struct panel *panels, const struct pages *pages, int figure)
{
    size_t count = 0;
    for (int complete = 1; complete >= 0; complete--) {
        size_t whole = count;
        for (size_t c = 0; c < pages->axes->run->count; c++) {
            struct panel panel = {page_axis_value(pages, c, pages->layout.column),
                                  page_axis_value(pages, c, pages->layout.row), c};
            bool lacks = (pages->layout.column >= 0 && panel.column == AXIS_MISSING) ||
                         (pages->layout.row >= 0 && panel.row == AXIS_MISSING);
            bool taken = false;
            for (size_t i = 0; lacks && i < whole && !taken; i++)
                taken = panel_takes(pages, &panels[i], c);
            if (pages->figure_of[c] == figure && lacks != complete && !taken)
                panels[count++] = panel;
        }
        count = panels_unique(panels, count);
    }
    return count;
}

static size_t series_find(int *series, const struct pages *pages, int figure)
{
    size_t count = 0;
    for (int s = 0; s < pages->series_groups; s++)
        for (size_t c = 0; c < pages->axes->run->count; c++)
            if (pages->series_of[c] == s && pages->figure_of[c] == figure) {
                series[count++] = s;
                break;
            }
    return count;
}

/* Panels stand as the grid has them where that fits, else in rows of three. */
static void page_arrange(struct page *page)
{
    unsigned columns = 1;
    while (columns < page->panel_count && page->panels[columns].row == page->panels[0].row)
        columns++;
    bool regular = columns <= 3 && page->panel_count % columns == 0;
    if (!regular)
        columns = page->panel_count < 3 ? page->panel_count : page->panel_count == 4 ? 2 : 3;
    page->columns = columns;
    page->rows = (page->panel_count + columns - 1) / columns;
}

static size_t pages_parts(size_t count, size_t most)
{
    return count ? (count + most - 1) / most : 0;
}

static bool page_meets(const struct pages *pages, const struct page *page,
                       const struct panel *panel, int series)
{
    for (size_t c = 0; c < pages->axes->run->count; c++)
        if (page_has(pages, page, panel, series, c))
            return true;
    return false;
}

/* Takes out series and panels that have no cell on this page. */
static void page_prune(struct page *page, const struct pages *pages)
{
    bool has_series[SERIES_MAX] = {false}, has_panel[PAGE_PANELS_MAX] = {false};
    unsigned panels = 0, series = 0;
    for (unsigned p = 0; p < page->panel_count; p++)
        for (unsigned s = 0; s < page->series_count; s++)
            if (page_meets(pages, page, &page->panels[p], page->series[s]))
                has_panel[p] = has_series[s] = true;
    for (unsigned p = 0; p < page->panel_count; p++)
        if (has_panel[p])
            page->panels[panels++] = page->panels[p];
    for (unsigned s = 0; s < page->series_count; s++)
        if (has_series[s])
            page->series[series++] = page->series[s];
    page->panel_count = panels;
    page->series_count = series;
}

static void page_set(struct page *page, const struct pages *pages, const struct panel *panels,
                     size_t panel_count, const int *series, size_t series_count, int figure)
{
    page->figure = figure;
    page->panel_count = (unsigned)panel_count;
    page->series_count = (unsigned)series_count;
    memcpy(page->panels, panels, panel_count * sizeof *panels);
    memcpy(page->series, series, series_count * sizeof *series);
    axes_label(page->title, sizeof page->title, pages->axes, pages->figure_first[figure],
               pages->layout.figures, pages->layout.figure_count);
    page_prune(page, pages);
    page_arrange(page);
}

static void page_part_title(struct page *page, size_t part, size_t parts)
{
    size_t used = strlen(page->title);
    if (parts > 1)
        snprintf(page->title + used, sizeof page->title - used, "%spart %zu of %zu",
                 used ? ", " : "", part + 1, parts);
}

/* Adds the pages of one figure group: parts of at most so many panels and so many series, of like
 * size. */
static bool pages_add(struct pages *pages, struct panel *panels, int *series, int figure)
{
    size_t p = panels_find(panels, pages, figure), s = series_find(series, pages, figure);
    size_t p_parts = pages_parts(p, PAGE_PANELS_MAX), s_parts = pages_parts(s, SERIES_MAX);
    size_t parts = p_parts * s_parts;
    struct page *moved = realloc(pages->page, (pages->count + parts + 1) * sizeof *moved);
    if (!moved)
        return false;
    pages->page = moved;
    for (size_t part = 0; part < parts; part++) {
        size_t i = part / s_parts, j = part % s_parts;
        size_t p0 = i * p / p_parts, p1 = (i + 1) * p / p_parts;
        size_t s0 = j * s / s_parts, s1 = (j + 1) * s / s_parts;
        struct page *page = &pages->page[pages->count];
        page_set(page, pages, panels + p0, p1 - p0, series + s0, s1 - s0, figure);
        page_part_title(page, part, parts);
        pages->count += page->panel_count > 0;
    }
    return true;
}

static bool pages_group(struct pages *pages)
{
    const struct layout_axes *layout = &pages->layout;
    pages->series_groups = group_cells(pages->series_of, pages->series_first, pages->axes,
                                       layout->series, layout->series_count);
    pages->figure_groups = group_cells(pages->figure_of, pages->figure_first, pages->axes,
                                       layout->figures, layout->figure_count);
    return pages->series_groups >= 0 && pages->figure_groups >= 0;
}

enum status pages_open(struct pages *pages, const struct axes *axes,
                       const struct layout_axes *layout, struct error *err)
{
    size_t cells = axes->run->count + 1;
    *pages = (struct pages){.axes = axes, .layout = *layout};
    pages->series_of = malloc(cells * sizeof *pages->series_of);
    pages->figure_of = malloc(cells * sizeof *pages->figure_of);
    pages->series_first = malloc(cells * sizeof *pages->series_first);
    pages->figure_first = malloc(cells * sizeof *pages->figure_first);
    struct panel *panels = malloc(2 * cells * sizeof *panels);
    int *series = malloc(cells * sizeof *series);
    bool done = pages->series_of && pages->figure_of && pages->series_first &&
                pages->figure_first && panels && series && pages_group(pages);
    for (int f = 0; done && f < pages->figure_groups; f++)
        done = pages_add(pages, panels, series, f);
    free(panels);
    free(series);
    if (done)
        return OK;
    pages_release(pages);
    return fail(err, E_RUN, "no memory to lay out %zu cells", axes->run->count);
}

void pages_release(struct pages *pages)
{
    free(pages->series_of);
    free(pages->figure_of);
    free(pages->series_first);
    free(pages->figure_first);
    free(pages->page);
    *pages = (struct pages){0};
}
