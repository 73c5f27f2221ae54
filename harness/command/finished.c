/* SPDX-License-Identifier: MIT */
#include "harness/command/finished.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/difference.h"
#include "harness/table/tables.h"

enum { MEASURE_COLUMNS = 5 };

/* ---- the plan ---------------------------------------------------------------------------------
 */

static enum status finished_experiment(struct finished *run, struct error *err)
{
    const struct record *record = &run->record;
    char name[256];
    FILE *stream = *record->yaml ? fmemopen(record->yaml, strlen(record->yaml), "rb") : NULL;
    if (!stream && *record->yaml)
        return fail(err, E_RUN, "no memory to read an experiment: %s", strerror(errno));
    if (!stream)
        return fail(err, E_INPUT, "%s/provenance.json holds no experiment", run->directory);
    snprintf(name, sizeof name, "%.200s/provenance.json, yaml", run->directory);
    enum status status = experiment_read(&run->experiment, stream, name, record->scale, err);
    fclose(stream);
    return status;
}

/* A merged run may lack cells: their ids stand in `missing`, between quotes. */
static enum status finished_drop_missing(struct finished *run, struct error *err)
{
    struct plan *plan = run->plan;
    const char *at = run->record.missing;
    bool *keep = malloc(plan->cell_count + 1);
    if (!keep)
        return fail(err, E_RUN, "no memory for a plan of %zu cells", plan->cell_count);
    memset(keep, true, plan->cell_count);
    while ((at = strchr(at, '"'))) {
        char id[CELL_ID_SIZE] = "";
        strncat(id, ++at, CELL_ID_SIZE - 1);
        const struct cell *cell = plan_find(plan, id);
        if (cell)
            keep[cell - plan->cells] = false;
        at = strchr(at, '"');
        if (!at++)
            break;
    }
    enum status status = plan_keep(plan, keep, err);
    free(keep);
    return status;
}

enum status finished_open(struct finished *run, const char *directory, struct error *err)
{
    *run = (struct finished){.directory = directory};
    enum status status = record_read(&run->record, directory, err);
    if (status)
        return status;
    struct plan_limits limits = {.memory_bytes = run->record.memory_bytes,
                                 .shard = run->record.shard,
                                 .shards = run->record.shards};
    status = finished_experiment(run, err);
    if (!status)
        status = plan_make(&run->plan, run->experiment, &limits, err);
    if (!status && *run->record.missing)
        status = finished_drop_missing(run, err);
    if (status)
        finished_close(run);
    return status;
}

void finished_close(struct finished *run)
{
    for (size_t r = 0; run->results && r < run->plan->result_count; r++)
        trial_result_release(&run->results[r]);
    free(run->results);
    plan_free(run->plan);
    experiment_free(run->experiment);
    record_release(&run->record);
    *run = (struct finished){0};
}

/* ---- trials.csv -------------------------------------------------------------------------------
 */

static enum status finished_table(struct text *text, const struct finished *run, const char *name,
                                  struct error *err)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", run->directory, name) >= sizeof path)
        return fail(err, E_INPUT, "the path %.60s... is too long", run->directory);
    return file_read(text, path, err);
}

static enum status finished_fault(struct finished *run, const struct cell *cell, uint64_t trial,
                                  size_t row, const char *column, const char *is, const char *must,
                                  struct error *err)
{
    char is_shown[DIFFERENCE_FIELD_MAX], must_shown[DIFFERENCE_FIELD_MAX];
    return fail(err, E_CHECK,
                "%.100s/trials.csv, row %zu (cell %s, trial %" PRIu64
                "): column %s holds '%s' where the plan and the row's other columns make '%s'",
                run->directory, row, cell->id, trial, column, field_show(is_shown, is),
                field_show(must_shown, must));
}

/* The first field that is not what it must be; a row's fields are `fields`, `result` what they
 * say (or would have to say, where they could not be read). */
static enum status finished_compare(struct finished *run, char **fields, const struct cell *cell,
                                    uint64_t trial, const struct trial_result *result, size_t row,
                                    bool readable, struct error *err)
{
    char *must[TRIAL_COLUMNS], *names[TRIAL_COLUMNS], *next, header[1024];
    struct text text = {0};
    enum status status = OK;
    snprintf(header, sizeof header, "%s", trials_header);
    row_split(header, names, TRIAL_COLUMNS, &next);
    trial_row(&text, run->plan, cell, trial, result);
    if (text.failed || row_split(text.data, must, TRIAL_COLUMNS, &next) != TRIAL_COLUMNS)
        status = fail(err, E_RUN, "no memory to check trials.csv");
    for (int c = 0; !status && c < TRIAL_COLUMNS; c++) {
        /* What an unreadable row should measure nobody knows: only its identity is compared. */
        bool identity = c < 14 || c == 15 || c == 16;
        if ((readable || identity) && strcmp(fields[c], must[c]) != 0)
            status = finished_fault(run, cell, trial, row, names[c], fields[c], must[c], err);
    }
    for (int c = 0; !status && !readable && c < TRIAL_COLUMNS; c++)
        if (c > 16 && fields[c][strspn(fields[c], "0123456789abcdef.+-")])
            status = finished_fault(run, cell, trial, row, names[c], fields[c], "a number", err);
    if (!status && !readable)
        status = finished_fault(run, cell, trial, row, "false_positives to bits_digest", "?",
                                "numbers", err);
    text_release(&text);
    return status;
}

static enum status finished_row(struct finished *run, char **at, const struct cell *cell,
                                uint64_t trial, struct error *err)
{
    char *fields[TRIAL_COLUMNS];
    const struct cell *found;
    uint64_t number;
    struct trial_result *result = &run->results[cell->first_result + trial];
    size_t row = cell->first_result + (size_t)trial + 1;
    if (!**at)
        return fail(err, E_CHECK, "%.100s/trials.csv ends after row %zu; the plan has %zu rows",
                    run->directory, row - 1, run->plan->result_count);
    int count = row_split(*at, fields, TRIAL_COLUMNS, at);
    if (count != TRIAL_COLUMNS)
        return fail(err, E_CHECK,
                    "%.100s/trials.csv, row %zu (cell %s, trial %" PRIu64
                    ") is cut short or broken: it has not %d fields",
                    run->directory, row, cell->id, trial, TRIAL_COLUMNS);
    bool readable = trial_row_parse(fields, run->plan, &found, &number, result) && found == cell &&
                    number == trial;
    if (!readable)
        *result = (struct trial_result){.seed = cell_trial_seed(run->experiment, cell, trial),
                                        .queries = cell->queries};
    trial_result_finish(result);
    run->fault = readable ? cell : NULL;
    run->fault_trial = trial;
    enum status status = finished_compare(run, fields, cell, trial, result, row, readable, err);
    if (!status)
        run->fault = NULL;
    return status;
}

static enum status finished_header(const struct finished *run, const char *name, struct error *err)
{
    return fail(err, E_CHECK,
                "%.100s/%s does not start with the header row that this program writes: it is cut "
                "short, or of another version (commit %.60s)",
                run->directory, name, *run->record.commit ? run->record.commit : "unknown");
}

static enum status finished_trials(struct finished *run, struct error *err)
{
    struct text text;
    enum status status = finished_table(&text, run, "trials.csv", err);
    if (status)
        return status;
    char *at = text.data + strlen(trials_header);
    if (strncmp(text.data, trials_header, strlen(trials_header)) != 0)
        status = finished_header(run, "trials.csv", err);
    for (size_t c = 0; !status && c < run->plan->cell_count; c++)
        for (uint64_t t = 0; !status && t < run->plan->cells[c].trials; t++)
            status = finished_row(run, &at, &run->plan->cells[c], t, err);
    if (!status && at != text.data + text.size)
        status = fail(err, E_CHECK, "%.100s/trials.csv goes on after row %zu, the plan's last",
                      run->directory, run->plan->result_count);
    text_release(&text);
    return status;
}

/* ---- measures.csv -----------------------------------------------------------------------------
 */

static enum status finished_measure_fault(const struct finished *run, size_t row,
                                          const char *column, const char *is, struct error *err)
{
    char is_shown[DIFFERENCE_FIELD_MAX];
    return fail(err, E_CHECK,
                "%.100s/measures.csv, row %zu: column %s holds '%s', which this run does not write",
                run->directory, row, column, field_show(is_shown, is));
}

/* Takes one row; *last: the place of the trial before it, rows come in the trials' order. */
static enum status finished_measure(struct finished *run, char **fields, size_t row, size_t *last,
                                    struct error *err)
{
    char *end;
    const struct cell *cell = plan_find(run->plan, fields[1]);
    if (strcmp(fields[0], run->experiment->name) != 0)
        return finished_measure_fault(run, row, "experiment", fields[0], err);
    if (!cell)
        return finished_measure_fault(run, row, "cell_id", fields[1], err);
    uint64_t trial = strtoull(fields[2], &end, 10);
    if (!isdigit((unsigned char)fields[2][0]) || *end || trial >= cell->trials)
        return finished_measure_fault(run, row, "trial", fields[2], err);
    if (cell->first_result + trial < *last)
        return fail(err, E_CHECK,
                    "%.100s/measures.csv, rows %zu and %zu: columns cell_id and trial are not in "
                    "the order of trials.csv",
                    run->directory, row - 1, row);
    *last = cell->first_result + (size_t)trial;
    double value = strtod(fields[4], &end);
    struct text again = {0};
    measure_value(&again, value);
    bool same = !again.failed && strcmp(again.data, fields[4]) == 0;
    text_release(&again);
    if (!same || *end || end == fields[4])
        return finished_measure_fault(run, row, "value", fields[4], err);
    return trial_measure_add(&run->results[*last], fields[3], value, err);
}

static enum status finished_measures(struct finished *run, struct error *err)
{
    struct text text;
    size_t last = 0;
    enum status status = finished_table(&text, run, "measures.csv", err);
    if (status)
        return status;
    char *at = text.data + strlen(measures_header);
    if (strncmp(text.data, measures_header, strlen(measures_header)) != 0)
        status = finished_header(run, "measures.csv", err);
    for (size_t row = 1; !status && *at; row++) {
        char *fields[MEASURE_COLUMNS];
        if (row_split(at, fields, MEASURE_COLUMNS, &at) != MEASURE_COLUMNS)
            status = fail(err, E_CHECK,
                          "%.100s/measures.csv, row %zu is cut short or broken: it has not %d "
                          "fields",
                          run->directory, row, MEASURE_COLUMNS);
        else
            status = finished_measure(run, fields, row, &last, err);
    }
    text_release(&text);
    return status;
}

enum status finished_read(struct finished *run, struct error *err)
{
    size_t count = run->plan->result_count;
    run->results = calloc(count ? count : 1, sizeof *run->results);
    if (!run->results)
        return fail(err, E_RUN, "no memory for %zu trials", count);
    enum status status = finished_trials(run, err);
    if (!status)
        status = finished_measures(run, err);
    run->measured = status == OK;
    return status;
}
