/* SPDX-License-Identifier: MIT */
#include "harness/plot/cell_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/stats.h"

/* Rows stand in the order of cells.csv, so the next cell is nearly always the one looked for. */
static size_t value_seek(const struct run_data *run, size_t from, const char *id)
{
    for (size_t step = 0; step < run->count; step++) {
        size_t c = (from + step) % run->count;
        if (strcmp(run->cells[c].id, id) == 0)
            return c;
    }
    return run->count;
}

static enum status values_read(struct cell_value **values, const struct run_data *run,
                               const char *table, const char *column, const char *name,
                               struct error *err)
{
    const char *wanted[] = {"cell_id", column, "value", NULL};
    struct frame frame;
    *values = NULL;
    enum status status = frame_read(&frame, run->directory, table, wanted, err);
    if (status)
        return status;
    *values = calloc(run->count + 1, sizeof **values);
    if (!*values)
        status = fail(err, E_RUN, "no memory for the values of %zu cells", run->count);
    for (size_t r = 0, c = 0; !status && r < frame.rows; r++) {
        double value = frame_number(&frame, r, 2);
        if (strcmp(frame_text(&frame, r, 1), name) != 0 || isnan(value))
            continue;
        size_t found = value_seek(run, c, frame_text(&frame, r, 0));
        if (found == run->count)
            continue;
        c = found;
        (*values)[c].sum += value;
        (*values)[c].squares += value * value;
        (*values)[c].count++;
        (*values)[c].positive += value > 0;
    }
    frame_release(&frame);
    return status;
}

enum status measures_read(struct cell_value **values, const struct run_data *run, const char *name,
                          struct error *err)
{
    return values_read(values, run, "measures.csv", "measure", name, err);
}

enum status estimates_read(struct cell_value **values, const struct run_data *run, const char *name,
                           struct error *err)
{
    return values_read(values, run, "estimates.csv", "estimate", name, err);
}

void cell_value_interval(const struct cell_value *value, double *lo, double *hi)
{
    *lo = *hi = NAN;
    if (value->count < 2)
        return;
    double mean = cell_value_mean(value);
    double variance =
        fmax(0, value->squares / value->count - mean * mean) * value->count / (value->count - 1);
    double half = stats_t_quantile(0.975, value->count - 1) * sqrt(variance / value->count);
    *lo = mean - half;
    *hi = mean + half;
}
