/* SPDX-License-Identifier: MIT
 *
 * pages.h: the cells of a grid dealt out to figures, panels and series.
 */
#ifndef BLOOMLAB_PLOT_PAGES_H
#define BLOOMLAB_PLOT_PAGES_H

#include "harness/plot/axes.h"

enum { PAGE_PANELS_MAX = 9, PAGE_LABEL_MAX = AXIS_LABEL_MAX };

struct panel {
    int column, row; /* values on the layout's axes; AXIS_MISSING where there is no such axis */
    size_t first;    /* a cell of it */
};

/* One figure. */
struct page {
    struct panel panels[PAGE_PANELS_MAX];
    unsigned panel_count, columns, rows;
    int series[SERIES_MAX]; /* groups, as in pages.series_of */
    unsigned series_count;
    int figure; /* group */
    char title[PAGE_LABEL_MAX];
};

struct pages {
    const struct axes *axes;
    struct layout_axes layout;
    int *series_of, *figure_of; /* group of each cell, numbered in the order of the axes' values */
    size_t *series_first;       /* a cell of each series */
    size_t *figure_first;
    int series_groups, figure_groups;
    struct page *page;
    size_t count;
};

enum status pages_open(struct pages *pages, const struct axes *axes,
                       const struct layout_axes *layout, struct error *err);
void pages_release(struct pages *pages);

/* Does the cell belong there? One that has no value on an axis of the panels belongs to every
 * panel. */
bool page_has(const struct pages *pages, const struct page *page, const struct panel *panel,
              int series, size_t cell);

/* At most PAGE_NAME_MAX characters. */
enum { PAGE_NAME_MAX = 90 };
void page_series_label(char *label, size_t size, const struct pages *pages, int series);
/* Of the longest of them. */
size_t page_series_longest(const struct pages *pages, const struct page *page);

/* One column of a journal for one panel whose series have short names, else two. */
double page_width_cm(const struct page *page, size_t longest);

void page_panel_label(char *label, size_t size, const struct pages *pages,
                      const struct panel *panel);

#endif
