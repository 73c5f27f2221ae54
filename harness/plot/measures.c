/* SPDX-License-Identifier: MIT
 *
 * measures.c: whatever else trials measured (measures.csv), against the longest axis of the grid:
 * the plot of runs that are not about false-positive rates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"

/* The first names the table has, but for those of single slices, of which there are many. */
struct measures {
    char name[CURVES_BOXES_MAX][64], label[CURVES_BOXES_MAX][128];
    struct cell_value *values[CURVES_BOXES_MAX];
    unsigned count;
};

static void measures_release(struct measures *measures)
{
    for (unsigned i = 0; i < measures->count; i++)
        free(measures->values[i]);
}

/* An estimate of the number of keys is shown as a share of it. */
static bool measures_of_n(const char *name)
{
    return strcmp(name, "cardinality") == 0;
}

static bool measures_known(const struct measures *measures, const char *name)
{
    for (unsigned i = 0; i < measures->count; i++)
        if (strcmp(measures->name[i], name) == 0)
            return true;
    return false;
}

static enum status measures_open(struct measures *measures, const struct run_data *run,
                                 struct error *err)
{
    static const char *const wanted[] = {"measure", NULL};
    struct frame frame;
    measures->count = 0;
    enum status status = frame_read(&frame, run->directory, "measures.csv", wanted, err);
    if (status)
        return status;
    for (size_t r = 0; !status && r < frame.rows && measures->count < CURVES_BOXES_MAX; r++) {
        const char *name = frame_text(&frame, r, 0);
        if (strncmp(name, "slice_", 6) == 0 || strcmp(name, "fpr_scheme_se") == 0 ||
            measures_known(measures, name))
            continue;
        unsigned i = measures->count;
        snprintf(measures->name[i], sizeof measures->name[i], "%s", name);
        enhanced_escape(measures->label[i], sizeof measures->label[i] - 8, name);
        strcat(measures->label[i], measures_of_n(name) ? " / n" : "");
        status = measures_read(&measures->values[i], run, name, err);
        measures->count += status == OK;
    }
    frame_release(&frame);
    if (status)
        measures_release(measures);
    return status;
}

static void measures_value(const void *context, const struct run_cell *cell, unsigned box,
                           unsigned kind, struct curve_point *point)
{
    const struct measures *measures = context;
    const struct cell_value *value = &measures->values[box][cell->row];
    (void)kind;
    point->y = cell_value_mean(value);
    cell_value_interval(value, &point->lo, &point->hi);
    if (!measures_of_n(measures->name[box]) || !(cell->n > 0))
        return;
    point->y /= cell->n;
    point->lo /= cell->n;
    point->hi /= cell->n;
    point->line = 1;
}

static enum status measures_draw(const struct run_data *run, struct error *err)
{
    struct measures measures;
    enum status status = measures_open(&measures, run, err);
    if (status)
        return status;
    struct curves_style style = {
        .family = "measures",
        .boxes = measures.count,
        .kinds = 1,
        .value = measures_value,
        .context = &measures,
        .caption = "Means over trials; bars: Student's 95 % intervals.",
    };
    for (unsigned i = 0; i < measures.count; i++)
        style.box_name[i] = measures.label[i];
    if (measures.count)
        status = curves_draw(run, &style, err);
    measures_release(&measures);
    return status;
}

const struct plot_family plot_measures = {
    .name = "measures",
    .summary = "further measures of the trials against the longest axis of the grid",
    .draw = measures_draw,
};
