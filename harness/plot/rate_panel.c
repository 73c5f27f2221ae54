/* SPDX-License-Identifier: MIT */
#include "harness/plot/rate_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/scale.h"

/* A strip shows [1/2, 2] at most: what lies beyond gets a mark at its edge, so that 1 % stays
 * visible beside a factor of 5. Bars wider than this share of their ratio do not stretch it. */
static const double strip_lo = 0.5, strip_hi = 2, strip_precise = 0.3, strip_least = 0.02;
static const double rate_decades = 14;
static const double category_half = 0.3; /* categories are 1 apart */

/* One cell at its place. */
struct rate_point {
    double x;
    unsigned series; /* in the page */
    const struct run_cell *cell;
    double value[RATE_COLUMNS];
};

struct rate_points {
    struct rate_point *point;
    size_t count;
    unsigned series;
    struct scale x, rate, strip;
};

/* ---- from cells to points
 * ------------------------------------------------------------------------- */

static void point_strip(struct rate_point *point, const struct rate_style *style)
{
    const struct run_cell *cell = point->cell;
    double *v = point->value;
    if (style->strip) {
        style->strip(cell, &v[RATE_RATIO], &v[RATE_RATIO_LO], &v[RATE_RATIO_HI],
                     &v[RATE_MODEL_RATIO]);
        return;
    }
    if (!(cell->exact > 0))
        return;
    v[RATE_MODEL_RATIO] = cell->model / cell->exact;
    if (cell->zero_hits)
        return;
    v[RATE_RATIO] = cell->rate / cell->exact;
    v[RATE_RATIO_LO] = cell->rate_lo / cell->exact;
    v[RATE_RATIO_HI] = cell->rate_hi / cell->exact;
}

static void point_set(struct rate_point *point, const struct rate_style *style)
{
    const struct run_cell *cell = point->cell;
    double *v = point->value;
    for (int i = 0; i < RATE_COLUMNS; i++)
        v[i] = NAN;
    v[RATE_X] = point->x;
    v[RATE_MODEL] = cell->model;
    v[RATE_BITS] = cell->bits > 0 ? cell->bits : NAN;
    if (cell->zero_hits)
        v[RATE_UPPER] = cell->rate_hi;
    else if (cell->rate > 0)
        v[RATE_MEASURED] = cell->rate;
    if (cell->rate > 0 && !cell->zero_hits) {
        v[RATE_LO] = cell->rate_lo;
        v[RATE_HI] = cell->rate_hi;
    }
    point_strip(point, style);
}

static double point_place(const struct pages *pages, size_t cell, unsigned series,
                          const struct rate_style *style)
{
    const struct run_data *run = pages->axes->run;
    if (style->place)
        return style->place(run, &run->cells[cell]);
    if (pages->layout.x < 0)
        return series + 1;
    int value = axes_value(pages->axes, cell, pages->layout.x);
    return value == AXIS_MISSING ? NAN : pages->axes->axis[pages->layout.x].numbers[value];
}

static int point_compare(const void *a, const void *b)
{
    const struct rate_point *x = a, *y = b;
    if (x->series != y->series)
        return (x->series > y->series) - (x->series < y->series);
    if (x->x != y->x)
        return (x->x > y->x) - (x->x < y->x);
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* A cell that has no such axis is the same all along x: one point at each end. */
static void points_stretch(struct rate_points *points, size_t placed)
{
    struct extent extent;
    extent_init(&extent);
    for (size_t i = 0; i < placed; i++)
        extent_take(&extent, points->point[i].x);
    size_t kept = placed;
    for (size_t i = placed; i < points->count; i++) {
        struct rate_point point = points->point[i];
        if (extent_empty(&extent))
            continue;
        point.x = extent.lo;
        points->point[kept++] = point;
    }
    size_t lone = kept - placed;
    for (size_t i = 0; i < lone && extent.hi > extent.lo; i++) {
        points->point[kept] = points->point[placed + i];
        points->point[kept++].x = extent.hi;
    }
    points->count = kept;
}

static enum status points_collect(struct rate_points *points, const struct pages *pages,
                                  const struct page *page, const struct panel *panel,
                                  const struct rate_style *style, struct error *err)
{
    size_t cells = pages->axes->run->count, nowhere = 0;
    points->series = page->series_count;
    points->point = malloc((2 * cells + 1) * sizeof *points->point);
    struct rate_point *lone = malloc((cells + 1) * sizeof *lone);
    if (!points->point || !lone) {
        free(lone);
        return fail(err, E_RUN, "no memory for %zu points", cells);
    }
    for (size_t c = 0; c < cells; c++)
        for (unsigned s = 0; s < page->series_count; s++) {
            if (!page_has(pages, page, panel, page->series[s], c))
                continue;
            struct rate_point point = {
                point_place(pages, c, s, style), s, &pages->axes->run->cells[c], {0}};
            if (!isnan(point.x))
                points->point[points->count++] = point;
            else if (!style->place)
                lone[nowhere++] = point;
        }
    size_t placed = points->count;
    memcpy(points->point + placed, lone, nowhere * sizeof *lone);
    free(lone);
    points->count += nowhere;
    points_stretch(points, placed);
    qsort(points->point, points->count, sizeof *points->point, point_compare);
    for (size_t i = 0; i < points->count; i++)
        point_set(&points->point[i], style);
    return OK;
}

/* ---- scales
 * ---------------------------------------------------------------------------------------- */

static void points_scale_rate(struct rate_points *points)
{
    struct extent seen, theory;
    extent_init(&seen);
    extent_init(&theory);
    for (size_t i = 0; i < points->count; i++) {
        const double *v = points->point[i].value;
        extent_take(&seen, v[RATE_MEASURED]);
        extent_take(&seen, v[RATE_HI]);
        extent_take(&seen, v[RATE_LO] > v[RATE_MEASURED] / 10 ? v[RATE_LO] : NAN);
        extent_take(&seen, v[RATE_UPPER]);
        extent_take(&seen, v[RATE_UPPER] / 3);
        extent_take(&theory, points->point[i].cell->exact);
        extent_take(&theory, points->point[i].cell->standard);
    }
    if (extent_empty(&seen) || seen.hi <= 0)
        seen = theory;
    else if (!extent_empty(&theory) && theory.hi > 0) {
        /* theory is shown two decades below what was seen, not further */
        extent_take(&seen, fmax(theory.lo_positive, seen.lo_positive / 100));
        extent_take(&seen, fmin(theory.hi, seen.hi * 100));
    }
    scale_log(&points->rate, &seen, rate_decades);
    for (size_t i = 0; i < points->count; i++) /* a bar down to 0 leaves the box */
        if (points->point[i].value[RATE_LO] <= 0)
            points->point[i].value[RATE_LO] = points->rate.lo / 10;
}

static void strip_take(struct extent *extent, double value, bool bounded)
{
    if (!bounded)
        extent_take(extent, value);
    else if (isfinite(value))
        extent_take(extent, fmin(fmax(value, strip_lo), strip_hi));
}

static void points_scale_strip(struct rate_points *points, bool bounded)
{
    struct extent extent;
    extent_init(&extent);
    extent_take(&extent, bounded ? 1 - strip_least : 0);
    extent_take(&extent, bounded ? 1 + strip_least : 0);
    for (size_t i = 0; i < points->count; i++) {
        const double *v = points->point[i].value;
        bool precise = v[RATE_RATIO_HI] - v[RATE_RATIO_LO] < strip_precise * fabs(v[RATE_RATIO]);
        strip_take(&extent, precise ? v[RATE_RATIO_LO] : NAN, bounded);
        strip_take(&extent, precise ? v[RATE_RATIO_HI] : NAN, bounded);
        strip_take(&extent, precise || isnan(v[RATE_RATIO_LO]) ? v[RATE_RATIO] : NAN, bounded);
        strip_take(&extent, v[RATE_MODEL_RATIO], bounded);
    }
    scale_linear(&points->strip, &extent);
    for (size_t i = 0; i < points->count; i++) {
        double *v = points->point[i].value, room = 0.05 * (points->strip.hi - points->strip.lo);
        if (v[RATE_RATIO] > points->strip.hi)
            v[RATE_ABOVE] = points->strip.hi - room;
        if (v[RATE_RATIO] < points->strip.lo)
            v[RATE_BELOW] = points->strip.lo + room;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The least distance between neighbours on x (their ratio's logarithm where x is logarithmic), as a
 * share of the whole: how far series may stand aside. */
static double points_distance(const struct rate_points *points)
{
    double *x = malloc((points->count + 1) * sizeof *x), least = INFINITY;
    for (size_t i = 0; x && i < points->count; i++)
        x[i] = points->x.base ? log(points->point[i].x) : points->point[i].x;
    if (x)
        qsort(x, points->count, sizeof *x, compare_doubles);
    for (size_t i = 1; x && i < points->count; i++)
        if (x[i] > x[i - 1])
            least = fmin(least, x[i] - x[i - 1]);
    free(x);
    return isfinite(least) ? least : 0;
}

static void points_scale_x(struct rate_points *points, bool categories)
{
    struct extent extent;
    extent_init(&extent);
    for (size_t i = 0; i < points->count; i++)
        extent_take(&extent, points->point[i].x);
    scale_x(&points->x, &extent);
    if (categories)
        points->x = (struct scale){0.4, points->series + 0.6, 0};
    double least = categories ? 0 : points_distance(points),
           room = points->series > 1 ? 0.4 * least : 0;
    if (points->x.base) { /* for those that stand aside */
        points->x.lo = fmin(points->x.lo, extent.lo * exp(-room));
        points->x.hi = fmax(points->x.hi, extent.hi * exp(room));
    } else {
        points->x.lo = fmin(points->x.lo, extent.lo - room);
        points->x.hi = fmax(points->x.hi, extent.hi + room);
    }
    for (size_t i = 0; i < points->count; i++) {
        struct rate_point *point = &points->point[i];
        double aside = least * 0.6 / points->series * (point->series - (points->series - 1) / 2.0);
        point->value[RATE_X_ASIDE] = points->x.base ? point->x * exp(aside) : point->x + aside;
    }
}

/* ---- into the figure
 * -------------------------------------------------------------------------------- */

/* The series whose cells' theory is drawn in black: the classic filter's, else the one with most
 * points. */
static unsigned points_theory_series(const struct rate_points *points)
{
    size_t count[SERIES_MAX] = {0};
    unsigned best = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct rate_point *point = &points->point[i];
        count[point->series] += point->cell->exact > 0;
        if (strcmp(point->cell->filter, "classic") == 0 && point->cell->exact > 0)
            count[point->series] += points->count;
    }
    for (unsigned s = 1; s < points->series; s++)
        if (count[s] > count[best])
            best = s;
    return best;
}

static void theory_row(struct figure *figure, const struct rate_point *point, double aside)
{
    figure_row(figure, (double[]){point->x + aside, point->cell->standard, point->cell->exact}, 3);
}

/* Where categories stand side by side, each has its own theory: a short line across. */
static void points_write_theory(struct figure *figure, const struct rate_points *points,
                                bool categories)
{
    unsigned theory = points_theory_series(points);
    for (size_t i = 0; i < points->count; i++) {
        const struct rate_point *point = &points->point[i];
        if (categories) {
            theory_row(figure, point, -category_half);
            theory_row(figure, point, category_half);
            figure_row(figure, (double[]){NAN, NAN, NAN}, 3);
        } else if (point->series == theory) {
            theory_row(figure, point, 0);
        }
    }
    figure_set_end(figure, 3);
}

/* The lines of a category, and no point. */
static void category_row(struct figure *figure, const struct rate_point *point, double aside)
{
    double value[RATE_COLUMNS];
    for (int i = 0; i < RATE_COLUMNS; i++)
        value[i] = NAN;
    value[RATE_X] = point->x + aside;
    value[RATE_MODEL_RATIO] = point->value[RATE_MODEL_RATIO];
    value[RATE_BITS] = point->value[RATE_BITS];
    figure_row(figure, value, RATE_COLUMNS);
}

static void points_write(struct figure *figure, const struct rate_points *points, bool categories)
{
    points_write_theory(figure, points, categories);
    for (unsigned s = 0; s < points->series; s++) {
        for (size_t i = 0; i < points->count; i++) {
            const struct rate_point *point = &points->point[i];
            if (point->series != s)
                continue;
            if (categories)
                category_row(figure, point, -category_half);
            figure_row(figure, point->value, RATE_COLUMNS);
            if (categories)
                category_row(figure, point, category_half);
        }
        figure_set_end(figure, RATE_COLUMNS);
    }
}

unsigned rate_extra_count(const struct rate_style *style)
{
    unsigned count = 0;
    while (style->extras && count < RATE_EXTRAS_MAX && style->extras[count].name)
        count++;
    return count;
}

static void extra_write(struct figure *figure, const struct rate_points *points,
                        const struct rate_extra *extra)
{
    enum { STEPS = 60 };
    const struct run_cell *cell = points->count ? points->point[0].cell : NULL;
    size_t count = !cell ? 0 : extra->points ? points->count : STEPS + 1;
    double width = points->x.base ? log(points->x.hi / points->x.lo) : points->x.hi - points->x.lo;
    for (size_t i = 0; i < count; i++) {
        double part = width * (double)i / STEPS, rate = NAN, strip = NAN;
        double x = extra->points    ? points->point[i].x
                   : points->x.base ? points->x.lo * exp(part)
                                    : points->x.lo + part;
        extra->at(cell, x, &rate, &strip);
        figure_row(figure, (double[]){x, rate > 0 ? rate : NAN, strip}, 3);
    }
    figure_set_end(figure, 3);
}

enum status rate_panel_add(struct figure *figure, const struct pages *pages,
                           const struct page *page, unsigned panel, const struct rate_style *style,
                           struct error *err)
{
    struct rate_points points = {0};
    char text[SCALE_STATEMENTS_SIZE];
    enum status status = points_collect(&points, pages, page, &page->panels[panel], style, err);
    if (status) {
        free(points.point);
        return status;
    }
    bool categories = !style->place && pages->layout.x < 0;
    points_scale_x(&points, categories);
    points_scale_rate(&points);
    points_scale_strip(&points, !style->strip);
    points_write(figure, &points, categories);
    for (unsigned e = 0; e < rate_extra_count(style); e++)
        extra_write(figure, &points, &style->extras[e]);
    if (rate_extra_count(style) == 0)
        figure_set_end(figure, 3);
    page_panel_label(text, sizeof text, pages, &page->panels[panel]);
    figure_element(figure, "panel_title", panel + 1, text);
    scale_statements(text, sizeof text, &points.x, 'x');
    if (categories)
        snprintf(text, sizeof text, "set xrange [0.4:%g]; unset xtics", points.series + 0.6);
    figure_element(figure, "panel_x", panel + 1, text);
    scale_statements(text, sizeof text, &points.rate, 'y');
    figure_element(figure, "panel_rate", panel + 1, text);
    scale_statements(text, sizeof text, &points.strip, 'y');
    figure_element(figure, "panel_strip", panel + 1, text);
    free(points.point);
    return OK;
}
