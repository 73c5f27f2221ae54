/* SPDX-License-Identifier: MIT
 *
 * layout_axes.c: which axis of a grid goes along x, which makes panels, series and further figures.
 */
#include <string.h>

#include "harness/plot/axes.h"

/* Between axes of equally many values the earlier goes along x. */
static const char *const layout_preference[] = {"k", "bits_per_key", "n", "m", "digest_bits"};
enum { LAYOUT_PREFERENCES = sizeof layout_preference / sizeof layout_preference[0] };

static int layout_rank(const struct axis *axis)
{
    for (int i = 0; i < LAYOUT_PREFERENCES; i++)
        if (strcmp(axis->name, layout_preference[i]) == 0)
            return i;
    return LAYOUT_PREFERENCES;
}

/* The free numeric axis with most values that `used` does not hold; parameters only if asked for.
 */
static int layout_widest(const struct axes *axes, const bool *used, bool parameters)
{
    int best = -1;
    for (unsigned a = 0; a < axes->count; a++) {
        const struct axis *axis = &axes->axis[a];
        if (used[a] || !axis->free || !axis->numeric || axis->count < 2 ||
            (axis->parameter && !parameters))
            continue;
        if (best < 0 || axis->count > axes->axis[best].count ||
            (axis->count == axes->axis[best].count &&
             layout_rank(axis) < layout_rank(&axes->axis[best])))
            best = (int)a;
    }
    return best;
}

/* A place outside the panel: a column of panels, then a row, then further figures. */
static void layout_move_out(struct layout_axes *out, int axis)
{
    if (out->column < 0)
        out->column = axis;
    else if (out->row < 0)
        out->row = axis;
    else
        out->figures[out->figure_count++] = axis;
}

static void layout_drop(struct layout_axes *out, unsigned place)
{
    memmove(&out->series[place], &out->series[place + 1],
            (--out->series_count - place) * sizeof out->series[0]);
}

/* Which of the series' axes leaves: the smallest whose leaving is enough, else the largest. */
static unsigned layout_leaver(const struct layout_axes *out, const struct axes *axes)
{
    size_t best_count = 0;
    unsigned best = 0;
    bool enough = false;
    for (unsigned i = 0; i < out->series_count; i++) {
        struct layout_axes without = *out;
        layout_drop(&without, i);
        size_t count = axes->axis[out->series[i]].count;
        bool does = axes_count(axes, without.series, without.series_count) <= SERIES_MAX;
        if (best_count == 0 || (does && (!enough || count < best_count)) ||
            (!does && !enough && count > best_count)) {
            best = i;
            best_count = count;
            enough = does;
        }
    }
    return best;
}

static void layout_thin_out(struct layout_axes *out, const struct axes *axes)
{
    while (out->series_count > 1 && axes_count(axes, out->series, out->series_count) > SERIES_MAX) {
        unsigned leaver = layout_leaver(out, axes);
        layout_move_out(out, out->series[leaver]);
        layout_drop(out, leaver);
    }
}

void axes_lay_out(struct layout_axes *out, const struct axes *axes, const char *x,
                  const char *series)
{
    bool used[AXES_MAX] = {false};
    int wanted = series ? axes_find(axes, series) : -1;
    *out = (struct layout_axes){.x = -1, .column = -1, .row = -1};
    out->x = x ? axes_find(axes, x) : -1;
    if (out->x < 0)
        out->x = layout_widest(axes, used, true);
    if (out->x >= 0)
        used[out->x] = true;
    if (wanted >= 0 && !used[wanted] && axes->axis[wanted].free) {
        used[wanted] = true;
        out->series[out->series_count++] = wanted;
    }
    for (int a; (a = layout_widest(axes, used, false)) >= 0;) {
        used[a] = true;
        layout_move_out(out, a);
    }
    for (unsigned a = axes->count; a-- > 0;) /* the filter before its parameters */
        if (axes->axis[a].free && !used[a])
            out->series[out->series_count++] = (int)a;
    layout_thin_out(out, axes);
}
