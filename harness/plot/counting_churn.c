/* SPDX-License-Identifier: MIT
 *
 * counting_churn.c: counting filters through which keys pass: their rate, the counters that stick,
 * and members that are lost, against the keys that were ever in them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/churn.h"
#include "harness/plot/cell_values.h"
#include "harness/plot/curves.h"
#include "harness/plot/family.h"
#include "harness/stats/stats.h"

enum { CHURN_RATE, CHURN_STUCK, CHURN_BOXES };
static const double churn_least = 1e-7; /* of shares shown: fewer than one counter in 10^7 */

struct churns {
    const struct run_data *run;
    struct cell_value *stuck, *lost, *churn;
};

static void churns_release(struct churns *churns)
{
    free(churns->stuck);
    free(churns->lost);
    free(churns->churn);
}

static enum status churns_read(struct churns *churns, const struct run_data *run, struct error *err)
{
    *churns = (struct churns){.run = run};
    enum status status = measures_read(&churns->stuck, run, "saturated_counters", err);
    if (!status)
        status = measures_read(&churns->lost, run, "lost_keys", err);
    if (!status)
        status = measures_read(&churns->churn, run, "churn", err);
    if (status)
        churns_release(churns);
    return status;
}

/* 0: not a counting filter. */
static unsigned churn_bits(const struct run_cell *cell)
{
    char value[16];
    return params_value(cell->params, "counter_bits", value, sizeof value)
               ? (unsigned)strtoul(value, NULL, 10)
               : 0;
}

static bool churn_keep(const struct run_cell *cell)
{
    return churn_bits(cell) && cell->n > 0 && cell->trials > 0;
}

static double churn_load(const struct run_cell *cell)
{
    return cell->k * cell->n / cell->m_actual;
}

/* The rate that theory's share of counters that are not 0 gives. */
static double churn_rate(const struct run_cell *cell, double churn)
{
    return pow(theory_churn_fill(churn_load(cell), churn_bits(cell), churn, cell->n), cell->k);
}

/* False negatives of all cells, and members asked for. */
static void churn_lost(const struct churns *churns, const struct run_data *run, double *lost,
                       double *members)
{
    *lost = *members = 0;
    for (size_t c = 0; c < run->count; c++)
        if (churn_keep(&run->cells[c])) {
            *lost += churns->lost[c].sum;
            *members += churns->lost[c].count * run->cells[c].n;
        }
}

/* ---- the figure ------------------------------------------------------------------------------ */

/* events of so many chances, with Wilson's interval; an upper limit where there was none. */
static void churn_share(struct curve_point *point, double events, double chances)
{
    struct interval interval = stats_wilson((uint64_t)events, (uint64_t)chances, 0.95);
    if (events > 0) {
        point->y = events / chances;
        point->lo = interval.lo;
        point->hi = interval.hi;
    } else {
        point->upper = interval.hi;
    }
}

static void churn_value(const void *context, const struct run_cell *cell, unsigned box,
                        unsigned kind, struct curve_point *point)
{
    const struct churns *churns = context;
    const struct cell_value *stuck = &churns->stuck[cell->row];
    double churn = cell_value_mean(&churns->churn[cell->row]);
    (void)kind;
    point->x = 1 + churn / cell->n;
    if (box == CHURN_RATE) {
        point->y = cell->rate;
        point->lo = cell->rate_lo;
        point->hi = cell->rate_hi;
        point->line = churn_rate(cell, churn);
    } else {
        churn_share(point, stuck->sum, stuck->count * cell->m_actual);
        point->line = theory_churn_stuck(churn_load(cell), churn_bits(cell), churn, cell->n);
    }
    if (point->line < churn_least)
        point->line = NAN;
}

static enum status counting_churn_draw(const struct run_data *run, struct error *err)
{
    struct churns churns;
    double lost, members;
    char caption[512];
    struct curves_style style = {
        .family = "counting-churn",
        .x = "churn",
        .series = "counter_bits",
        .x_label = "keys ever inserted / n",
        .boxes = CHURN_BOXES,
        .kinds = 1,
        .log_y = {true, true},
        .lo_y = {0, churn_least},
        .keep = churn_keep,
        .value = churn_value,
        .context = &churns,
        .in_place = {true, false},
        .rates = true,
        .caption = caption,
    };
    enum status status = churns_read(&churns, run, err);
    if (status)
        return status;
    churn_lost(&churns, run, &lost, &members);
    snprintf(caption, sizeof caption,
             "The oldest member makes room for a new one, n stay. A counter that reaches its top "
             "sticks there. Lines: counters on which a window of n keys ever put so many hits "
             "(scan statistic, Naus 1982), and the rate they cause; those of 4 and 8 bits lie on "
             "one another. Stuck: Wilson's 95 %% intervals; arrows: upper limits where there was "
             "none. Of %.3g members asked for, %.0f were lost.",
             members, lost);
    status = curves_draw(run, &style, err);
    churns_release(&churns);
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* After the longest churn, by width; and what was ever lost. */
static void counting_churn_answer(const struct run_data *run, struct text *out)
{
    struct churns churns;
    double most = 0, lost, members;
    unsigned said = 0;
    if (churns_read(&churns, run, NULL) != OK)
        return;
    for (size_t c = 0; c < run->count; c++)
        if (churn_keep(&run->cells[c]))
            most = fmax(most, cell_value_mean(&churns.churn[c]));
    churn_lost(&churns, run, &lost, &members);
    for (size_t c = 0; c < run->count && said < 8; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (!churn_keep(cell) || cell_value_mean(&churns.churn[c]) != most)
            continue;
        if (said++ == 0)
            text_printf(out, "After %.3g replacements in a filter of %.0f keys the rate is", most,
                        cell->n);
        text_printf(out, "%s %.3g with %u bits (%.3g expected; %.3g of the counters stuck)",
                    said > 1 ? "," : "", cell->rate, churn_bits(cell), churn_rate(cell, most),
                    cell_value_mean(&churns.stuck[c]) / cell->m_actual);
    }
    if (said)
        text_printf(out, ". Of %.3g members asked for, %.0f were lost.", members, lost);
    churns_release(&churns);
}

const struct plot_family plot_counting_churn = {
    .name = "counting-churn",
    .summary = "rate, stuck counters and lost keys of counting filters that keys pass through",
    .draw = counting_churn_draw,
    .answer = counting_churn_answer,
};
