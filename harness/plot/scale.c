/* SPDX-License-Identifier: MIT */
#include "harness/plot/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Labels an axis has room for; wide ones are like 10^{-16}. */
enum { SCALE_TICS_X = 9, SCALE_TICS_WIDE = 5, SCALE_TICS_Y = 5 };

static int scale_tics(char axis)
{
    return axis == 'x' ? SCALE_TICS_X : SCALE_TICS_Y;
}

void extent_init(struct extent *extent)
{
    *extent = (struct extent){INFINITY, -INFINITY, INFINITY, true};
}

void extent_take(struct extent *extent, double value)
{
    int exponent;
    if (!isfinite(value))
        return;
    extent->lo = fmin(extent->lo, value);
    extent->hi = fmax(extent->hi, value);
    if (value > 0)
        extent->lo_positive = fmin(extent->lo_positive, value);
    if (value <= 0 || frexp(value, &exponent) != 0.5)
        extent->powers_of_two = false;
}

void scale_linear(struct scale *scale, const struct extent *extent)
{
    *scale = (struct scale){0, 1, 0};
    if (extent_empty(extent))
        return;
    double room = 0.06 * (extent->hi - extent->lo);
    if (room <= 1e-9 * fabs(extent->hi))
        room = extent->hi != 0 ? 0.1 * fabs(extent->hi) : 1;
    scale->lo = extent->lo - room;
    scale->hi = extent->hi + room;
}

void scale_x(struct scale *scale, const struct extent *extent)
{
    scale_linear(scale, extent);
    if (extent_empty(extent) || extent->lo <= 0)
        return;
    double factor = extent->hi / extent->lo;
    if (factor < (extent->powers_of_two ? 16 : 50))
        return;
    double room = pow(factor, 0.05);
    *scale = (struct scale){extent->lo / room, extent->hi * room, extent->powers_of_two ? 2 : 10};
}

void scale_log(struct scale *scale, const struct extent *extent, double decades)
{
    *scale = (struct scale){1e-3, 1, 10};
    if (extent_empty(extent) || extent->hi <= 0)
        return;
    double lo = fmax(extent->lo_positive, extent->hi / pow(10, decades));
    double room = fmax(1.12, pow(extent->hi / lo, 0.05));
    scale->lo = lo / room;
    scale->hi = extent->hi * room;
}

/* 1, 2 or 5 times a power of ten, so that at most `most` of them fit. */
static double scale_step(double width, int most)
{
    static const double mantissa[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(width / most)));
    int i = 0;
    while (i < 3 && width / (mantissa[i] * power) > most)
        i++;
    return mantissa[i] * power;
}

/* Marks of a decade, the densest first. */
static const struct scale_marks {
    int count;
    double mark[5];
} scale_marks[] = {{5, {1, 1.5, 2, 3, 5}}, {3, {1, 2, 5}}, {2, {1, 3}}};
enum { SCALE_MARKS = sizeof scale_marks / sizeof scale_marks[0] };

static int scale_marks_seen(const struct scale *scale, const struct scale_marks *marks)
{
    int seen = 0;
    for (double e = floor(log10(scale->lo)); e <= log10(scale->hi); e++)
        for (int i = 0; i < marks->count; i++) {
            double mark = marks->mark[i] * pow(10, e);
            seen += mark >= scale->lo && mark <= scale->hi;
        }
    return seen;
}

/* Labels at the most marks of each decade that there is room for, where powers of ten alone would
 * be too few. */
static void scale_few_decades(char *text, size_t size, const struct scale *scale, char axis)
{
    int set = 0, seen = 0;
    while (set < SCALE_MARKS - 1 && scale_marks_seen(scale, &scale_marks[set]) > SCALE_TICS_Y)
        set++;
    const double *marks = scale_marks[set].mark;
    int count = scale_marks[set].count;
    size_t used = (size_t)snprintf(text, size, "; set format %c '%%g'; set %ctics (", axis, axis);
    for (double e = floor(log10(scale->lo)); e <= log10(scale->hi); e++)
        for (int i = 0; i < count; i++) {
            double mark = marks[i] * pow(10, e);
            if (mark < scale->lo || mark > scale->hi || used + 30 > size)
                continue;
            used += (size_t)snprintf(text + used, size - used, "%s%.3g", seen++ ? ", " : "", mark);
        }
    if (seen > 1) {
        snprintf(text + used, size - used, ")");
        return;
    }
    /* less than a factor of two: even steps */
    double step = scale_step(scale->hi - scale->lo, scale_tics(axis));
    used = (size_t)snprintf(text, size, "; set format %c '%%g'; set %ctics (", axis, axis);
    seen = 0;
    for (double i = ceil(scale->lo / step); i * step <= scale->hi && used + 30 < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.6g", seen++ ? ", " : "", i * step);
    snprintf(text + used, size - used, ")");
}

/* At powers of the base, every so manieth. gnuplot finds the exponent for a label by rounding down,
 * so the places are a hair above. */
static void scale_log_tics(char *text, size_t size, const struct scale *scale, char axis)
{
    double first = ceil(log(scale->lo) / log(scale->base) - 1e-9);
    double last = floor(log(scale->hi) / log(scale->base) + 1e-9);
    double room = axis == 'x' && scale->base == 10 ? SCALE_TICS_WIDE : scale_tics(axis);
    double every = ceil((last - first + 1) / room);
    int seen = 0;
    if (scale->base == 10 && last - first < 2) {
        scale_few_decades(text, size, scale, axis);
        return;
    }
    size_t used = (size_t)snprintf(text, size, "; set format %c '%d^{%%L}'; set %ctics (", axis,
                                   scale->base, axis);
    for (double e = ceil(first / every) * every; e <= last && used + 60 < size; e += every)
        used += (size_t)snprintf(text + used, size - used, "%s%.12g", seen++ ? ", " : "",
                                 pow(scale->base, e) * (1 + 1e-10));
    used += (size_t)snprintf(text + used, size - used, ")");
    if (scale->base == 10 && every <= 1)
        for (double e = first - 1; e <= last; e++)
            for (int i = 2; i < 10 && used + 60 < size; i++)
                used += (size_t)snprintf(text + used, size - used, "; set %ctics add (%.3g 1)",
                                         axis, i * pow(10, e));
}

void scale_statements(char *text, size_t size, const struct scale *scale, char axis)
{
    int used = snprintf(text, size, "unset logscale %c; set %crange [%.10g:%.10g]; unset m%ctics; ",
                        axis, axis, scale->lo, scale->hi, axis);
    if (used < 0 || (size_t)used >= size)
        return;
    if (scale->base) {
        int more =
            snprintf(text + used, size - (size_t)used, "set logscale %c %d", axis, scale->base);
        scale_log_tics(text + used + more, size - (size_t)(used + more), scale, axis);
    } else {
        snprintf(text + used, size - (size_t)used, "set format %c '%%g'; set %ctics %.10g", axis,
                 axis, scale_step(scale->hi - scale->lo, scale_tics(axis)));
    }
}
