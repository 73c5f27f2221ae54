/* SPDX-License-Identifier: MIT
 *
 * power.c: cells with planted faults: how many of them were found, against the fault's size.
 *
 * Found: WARN or FAIL. Panels are the kinds of faults, series the queries of a cell. The fault of a
 * cell is a measure of its trials.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/axes.h"
#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/stats/stats.h"

enum { POWER_POINTS_MAX = 512 };

/* Cells that differ in their replica only. */
struct power_point {
    enum fault_kind kind;
    double queries, share;
    size_t cells, found, failed;
    double mde; /* sum over the cells, of excess over 1 */
};

struct power {
    struct power_point point[POWER_POINTS_MAX]; /* by kind, queries, share */
    unsigned count;
    double queries[SERIES_MAX]; /* increasing */
    unsigned queries_count;
};

static int power_compare(const void *a, const void *b)
{
    const struct power_point *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->queries != y->queries)
        return x->queries < y->queries ? -1 : 1;
    return (x->share > y->share) - (x->share < y->share);
}

static void power_take(struct power *power, const struct run_cell *cell, double mde,
                       const struct power_point *key)
{
    unsigned at = 0;
    while (at < power->count && power_compare(&power->point[at], key))
        at++;
    if (at == POWER_POINTS_MAX)
        return;
    if (at == power->count)
        power->point[power->count++] = *key;
    bool fails = strcmp(cell->verdict, "FAIL") == 0;
    power->point[at].cells++;
    power->point[at].failed += fails ? 1 : 0;
    power->point[at].found += fails || strcmp(cell->verdict, "WARN") == 0 ? 1 : 0;
    power->point[at].mde += mde - 1;
}

static enum fault_kind power_kind(const char *measure)
{
    return strcmp(measure, "planted_bits") == 0     ? FAULT_BITS
           : strcmp(measure, "planted_probes") == 0 ? FAULT_PROBES
                                                    : FAULT_NONE;
}

static void power_queries(struct power *power)
{
    for (unsigned i = 0; i < power->count; i++) {
        unsigned at = 0;
        while (at < power->queries_count && power->queries[at] != power->point[i].queries)
            at++;
        if (at == power->queries_count && at < SERIES_MAX)
            power->queries[power->queries_count++] = power->point[i].queries;
    }
}

/* measures.csv holds the cells in the order of cells.csv. */
static enum status power_read(struct power *power, const struct run_data *run, struct error *err)
{
    static const char *const wanted[] = {"cell_id", "trial", "measure", "value", NULL};
    struct frame frame;
    size_t cell = 0;
    int mde = frame_column(&run->table, "mde");
    *power = (struct power){0};
    enum status status = frame_read(&frame, run->directory, "measures.csv", wanted, err);
    if (status)
        return status;
    for (size_t r = 0; r < frame.rows; r++) {
        struct power_point key = {.kind = power_kind(frame_text(&frame, r, 2))};
        if (key.kind == FAULT_NONE || frame_number(&frame, r, 1) != 0)
            continue;
        while (cell < run->count && strcmp(run->cells[cell].id, frame_text(&frame, r, 0)) != 0)
            cell++;
        if (cell == run->count)
            break;
        key.queries = run->cells[cell].queries;
        key.share = frame_number(&frame, r, 3);
        power_take(power, &run->cells[cell], frame_number(&run->table, cell, mde), &key);
    }
    frame_release(&frame);
    qsort(power->point, power->count, sizeof power->point[0], power_compare);
    power_queries(power);
    return OK;
}

/* The smallest ratio that cells of so many queries say they find, less 1. NaN: there are none. */
static double power_mde(const struct power *power, enum fault_kind kind, double queries)
{
    double sum = 0, cells = 0;
    for (unsigned i = 0; i < power->count; i++)
        if (power->point[i].kind == kind && power->point[i].queries == queries) {
            sum += power->point[i].mde;
            cells += (double)power->point[i].cells;
        }
    return cells > 0 ? sum / cells : NAN;
}

static void power_series(struct figure *figure, const struct power *power, enum fault_kind kind,
                         double queries)
{
    for (unsigned i = 0; i < power->count; i++) {
        const struct power_point *p = &power->point[i];
        if (p->kind != kind || p->queries != queries)
            continue;
        struct interval error = stats_wilson(p->found, p->cells, 0.95);
        double cells = (double)p->cells;
        double row[] = {100 * p->share, (double)p->found / cells, error.lo, error.hi,
                        (double)p->failed / cells};
        figure_row(figure, row, 5);
    }
    figure_set_end(figure, 5);
}

static void power_points(struct figure *figure, const struct power *power)
{
    static const enum fault_kind kinds[] = {FAULT_PROBES, FAULT_BITS};
    char name[64], number[32];
    double lo = INFINITY, hi = 0;
    figure_number(figure, "series", power->queries_count);
    figure_array(figure, "series_name", power->queries_count);
    figure_array(figure, "mde", power->queries_count);
    for (unsigned q = 0; q < power->queries_count; q++) {
        double mde = 100 * power_mde(power, FAULT_PROBES, power->queries[q]);
        snprintf(name, sizeof name, "mde[%u]", q + 1);
        figure_number(figure, name, mde);
        snprintf(number, sizeof number, "10^{%.4g}", log10(power->queries[q]));
        snprintf(name, sizeof name, "%s queries", number);
        figure_element(figure, "series_name", q + 1, name);
    }
    for (unsigned i = 0; i < power->count; i++) {
        lo = fmin(lo, 100 * power->point[i].share);
        hi = fmax(hi, 100 * power->point[i].share);
    }
    figure_number(figure, "share_lo", lo);
    figure_number(figure, "share_hi", hi);
    for (int k = 0; k < 2; k++)
        for (unsigned q = 0; q < power->queries_count; q++)
            power_series(figure, power, kinds[k], power->queries[q]);
}

static enum status power_draw(const struct run_data *run, struct error *err)
{
    struct figure figure;
    struct power power;
    stats_init();
    enum status status = power_read(&power, run, err);
    if (status || power.count == 0)
        return status;
    figure_open(&figure, run, "power", 1, "Planted faults: the share of cells that find them",
                FIGURE_TWO_COLUMNS_CM, false,
                "Full lines: WARN or FAIL, with 95 % intervals; dashed: FAIL. Vertical: the mde "
                "that these cells print, which they claim to find four times in five.");
    power_points(&figure, &power);
    status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

/* Of the share of finds; finite when all or none are. */
static double power_logit(const struct power_point *p)
{
    return log(((double)p->found + 0.5) / ((double)(p->cells - p->found) + 0.5));
}

/* The share of finds at the mde, which claims 80 %: between two faults its logit runs straight. */
static double power_at_mde(const struct power *power, double queries, double mde)
{
    const struct power_point *before = NULL;
    for (unsigned i = 0; i < power->count; i++) {
        const struct power_point *p = &power->point[i];
        if (p->kind != FAULT_PROBES || p->queries != queries)
            continue;
        double found = power_logit(p);
        if (before && before->share <= mde && mde <= p->share) {
            double first = power_logit(before);
            double logit =
                first + (found - first) * log(mde / before->share) / log(p->share / before->share);
            return 1 / (1 + exp(-logit));
        }
        before = p;
    }
    return NAN;
}

static void power_answer(const struct run_data *run, struct text *out)
{
    struct power power;
    struct error unused;
    const char *separator = "Probes: ";
    if (power_read(&power, run, &unused) != OK)
        return;
    for (unsigned q = 0; q < power.queries_count; q++) {
        double mde = power_mde(&power, FAULT_PROBES, power.queries[q]);
        double found = power_at_mde(&power, power.queries[q], mde);
        if (isnan(mde))
            continue;
        text_printf(out, "%swith %.0f queries the mde is %.3g %%", separator, power.queries[q],
                    100 * mde);
        if (!isnan(found))
            text_printf(out, ", found in %.0f %% of the cells", 100 * found);
        separator = "; ";
    }
    if (*separator == ';')
        text_printf(out, ".");
}

const struct plot_family plot_power = {
    .name = "power",
    .summary = "share of planted faults that are found, against their size",
    .draw = power_draw,
    .answer = power_answer,
};
