/* SPDX-License-Identifier: MIT */
#include "harness/command/rerun.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/table/difference.h"
#include "harness/table/trials.h"
#include "harness/trial/trial.h"

void rerun_defaults(struct schedule *schedule)
{
    uint64_t physical = memory_physical();
    *schedule = (struct schedule){
        .threads = (unsigned)omp_get_max_threads(),
        .memory_bytes = physical / 10 * 9,
        .interrupt = &command_interrupted,
        .quiet = true,
    };
}

static enum status rerun_differs(const struct finished *run, const struct cell *cell,
                                 uint64_t trial, const char *table, const char *column,
                                 const char *is, const char *again, struct error *err)
{
    char is_shown[DIFFERENCE_FIELD_MAX], again_shown[DIFFERENCE_FIELD_MAX];
    return fail(err, E_CHECK,
                "%.100s/%s, row %zu (cell %s, trial %" PRIu64
                "): %s is %s, running the trial again gives %s",
                run->directory, table, cell->first_result + (size_t)trial + 1, cell->id, trial,
                column, field_show(is_shown, is), field_show(again_shown, again));
}

/* Both as rows of trials.csv, field by field. */
static enum status rerun_compare_row(const struct finished *run, const struct cell *cell,
                                     uint64_t trial, const struct trial_result *again,
                                     struct error *err)
{
    char *names[TRIAL_COLUMNS], *old[TRIAL_COLUMNS], *new[TRIAL_COLUMNS], *next;
    struct text header = {0}, old_row = {0}, new_row = {0};
    enum status status = OK;
    text_add(&header, trials_header, strlen(trials_header));
    trial_row(&old_row, run->plan, cell, trial, &run->results[cell->first_result + trial]);
    trial_row(&new_row, run->plan, cell, trial, again);
    if (header.failed || old_row.failed || new_row.failed)
        status = fail(err, E_RUN, "no memory to compare two rows");
    if (!status) {
        row_split(header.data, names, TRIAL_COLUMNS, &next);
        row_split(old_row.data, old, TRIAL_COLUMNS, &next);
        row_split(new_row.data, new, TRIAL_COLUMNS, &next);
    }
    for (int c = 0; !status && c < TRIAL_COLUMNS; c++)
        if (strcmp(old[c], new[c]) != 0)
            status = rerun_differs(run, cell, trial, "trials.csv", names[c], old[c], new[c], err);
    text_release(&header);
    text_release(&old_row);
    text_release(&new_row);
    return status;
}

/* The row of measures.csv that holds measure i of a trial. */
static size_t rerun_measure_row(const struct finished *run, const struct trial_result *result,
                                unsigned i)
{
    size_t row = i + 1;
    for (const struct trial_result *r = run->results; r < result; r++)
        row += r->measure_count;
    return row;
}

static enum status rerun_measure_differs(const struct finished *run, const struct cell *cell,
                                         uint64_t trial, unsigned i, const char *name,
                                         const char *is, const char *again, struct error *err)
{
    const struct trial_result *old = &run->results[cell->first_result + trial];
    return fail(err, E_CHECK,
                "%.100s/measures.csv, row %zu (cell %s, trial %" PRIu64
                "): measure %s has value %s, running the trial again gives %s",
                run->directory, rerun_measure_row(run, old, i), cell->id, trial, name, is, again);
}

static enum status rerun_compare_measures(const struct finished *run, const struct cell *cell,
                                          uint64_t trial, const struct trial_result *again,
                                          struct error *err)
{
    const struct trial_result *old = &run->results[cell->first_result + trial];
    unsigned most =
        old->measure_count > again->measure_count ? old->measure_count : again->measure_count;
    enum status status = OK;
    for (unsigned i = 0; !status && i < most; i++) {
        const struct trial_measure *a = i < old->measure_count ? &old->measures[i] : NULL;
        const struct trial_measure *b = i < again->measure_count ? &again->measures[i] : NULL;
        struct text is = {0}, must = {0};
        if (a)
            measure_value(&is, a->value);
        if (b)
            measure_value(&must, b->value);
        if (!a || !b || strcmp(a->name, b->name) != 0)
            status = rerun_measure_differs(run, cell, trial, i, a ? a->name : b->name,
                                           a ? is.data : "none", "another measure", err);
        else if (is.failed || must.failed)
            status = fail(err, E_RUN, "no memory to compare measures");
        else if (strcmp(is.data, must.data) != 0)
            status = rerun_measure_differs(run, cell, trial, i, a->name, is.data, must.data, err);
        text_release(&is);
        text_release(&must);
    }
    return status;
}

static enum status rerun_compare(const struct finished *run, const bool *chosen,
                                 const struct trial_result *again, struct error *err)
{
    for (size_t c = 0; c < run->plan->cell_count; c++) {
        const struct cell *cell = &run->plan->cells[c];
        for (uint64_t t = 0; t < cell->trials; t++) {
            size_t r = cell->first_result + (size_t)t;
            if (!chosen[r])
                continue;
            enum status status = rerun_compare_row(run, cell, t, &again[r], err);
            if (!status && run->measured)
                status = rerun_compare_measures(run, cell, t, &again[r], err);
            if (status)
                return status;
        }
    }
    return OK;
}

enum status rerun_trials(struct trial_result *again, const struct finished *run, const bool *chosen,
                         const struct schedule *schedule, struct error *err)
{
    struct schedule_report report;
    for (size_t r = 0; r < run->plan->result_count; r++)
        again[r].done = !chosen[r];
    enum status status = schedule_run(&report, schedule, run->plan, again, NULL, err);
    if (!status && !report.interrupted)
        status = rerun_compare(run, chosen, again, err);
    return status;
}

enum status rerun_check(const struct finished *run, const bool *chosen,
                        const struct schedule *schedule, struct error *err)
{
    size_t count = run->plan->result_count;
    struct trial_result *again = calloc(count ? count : 1, sizeof *again);
    if (!again)
        return fail(err, E_RUN, "no memory for %zu trials", count);
    enum status status = rerun_trials(again, run, chosen, schedule, err);
    for (size_t r = 0; r < count; r++)
        trial_result_release(&again[r]);
    free(again);
    return status;
}
