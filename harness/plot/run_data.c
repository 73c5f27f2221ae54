/* SPDX-License-Identifier: MIT */
#include "harness/plot/run_data.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot/cell_values.h"
#include "harness/plot/json.h"
#include "harness/table/file.h"

/* Where a column of cells.csv goes. */
struct cell_column {
    const char *name;
    size_t offset;
};
#define AT(member) offsetof(struct run_cell, member)

static const struct cell_column text_columns[] = {
    {"cell_id", AT(id)},          {"filter", AT(filter)},   {"params", AT(params)},
    {"hash", AT(hash)},           {"family", AT(family)},   {"digest_bits", AT(digest_bits)},
    {"reduction", AT(reduction)}, {"keys", AT(keys)},       {"interval", AT(interval)},
    {"model", AT(model_name)},    {"verdict", AT(verdict)}, {"explained_by", AT(explained_by)},
    {"flags", AT(flags)},
};

static const struct cell_column number_columns[] = {
    {"m", AT(m)},
    {"m_actual", AT(m_actual)},
    {"n", AT(n)},
    {"k", AT(k)},
    {"bits_per_key", AT(bits_per_key)},
    {"trials", AT(trials)},
    {"queries_per_trial", AT(queries_per_trial)},
    {"queries", AT(queries)},
    {"false_positives", AT(false_positives)},
    {"fpr", AT(fpr)},
    {"fpr_lo", AT(fpr_lo)},
    {"fpr_hi", AT(fpr_hi)},
    {"fill", AT(fill)},
    {"memory_bytes", AT(memory_bytes)},
    {"fpr_standard", AT(standard)},
    {"fpr_bloom", AT(bloom)},
    {"fpr_exact", AT(exact)},
    {"fpr_model", AT(model)},
    {"model_se", AT(model_se)},
    {"fpr_bits", AT(bits)},
    {"fpr_scheme", AT(scheme)},
    {"fpr_scheme_lo", AT(scheme_lo)},
    {"fpr_scheme_hi", AT(scheme_hi)},
    {"tau", AT(tau)},
    {"p_fill", AT(p_fill)},
    {"p_spread", AT(p_spread)},
    {"p_probe", AT(p_probe)},
    {"p_model", AT(p_model)},
};
enum {
    TEXT_COLUMNS = sizeof text_columns / sizeof text_columns[0],
    NUMBER_COLUMNS = sizeof number_columns / sizeof number_columns[0],
};

bool params_value(const char *params, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    while (*params) {
        size_t item = strcspn(params, ";");
        if (item > length && params[length] == '=' && memcmp(params, name, length) == 0) {
            snprintf(value, size, "%.*s", (int)(item - length - 1), params + length + 1);
            return true;
        }
        params += item + (params[item] == ';');
    }
    return false;
}

static void cell_set_rate(struct run_cell *cell)
{
    bool asked = cell->queries > 0 && !isnan(cell->fpr);
    cell->rate = asked ? cell->fpr : cell->scheme;
    cell->rate_lo = asked ? cell->fpr_lo : cell->scheme_lo;
    cell->rate_hi = asked ? cell->fpr_hi : cell->scheme_hi;
    cell->zero_hits = asked && cell->false_positives == 0;
}

static enum status run_data_cells(struct run_data *run, struct error *err)
{
    int text[TEXT_COLUMNS], number[NUMBER_COLUMNS];
    for (int c = 0; c < TEXT_COLUMNS; c++)
        if ((text[c] = frame_column(&run->table, text_columns[c].name)) < 0)
            return fail(err, E_INPUT, "cells.csv has no column %s", text_columns[c].name);
    for (int c = 0; c < NUMBER_COLUMNS; c++)
        if ((number[c] = frame_column(&run->table, number_columns[c].name)) < 0)
            return fail(err, E_INPUT, "cells.csv has no column %s", number_columns[c].name);
    run->cells = calloc(run->table.rows + 1, sizeof *run->cells);
    if (!run->cells)
        return fail(err, E_RUN, "no memory for %zu cells", run->table.rows);
    run->count = run->table.rows;
    for (size_t r = 0; r < run->count; r++) {
        char *cell = (char *)&run->cells[r];
        for (int c = 0; c < TEXT_COLUMNS; c++)
            *(const char **)(void *)(cell + text_columns[c].offset) =
                frame_text(&run->table, r, text[c]);
        for (int c = 0; c < NUMBER_COLUMNS; c++)
            *(double *)(void *)(cell + number_columns[c].offset) =
                frame_number(&run->table, r, number[c]);
        run->cells[r].row = r;
        cell_set_rate(&run->cells[r]);
    }
    return OK;
}

char *run_data_provenance(const struct run_data *run, const char *key)
{
    struct text value = {0};
    text_add(&value, "", 0);
    json_member(&value, run->provenance, key);
    return value.data;
}

/* The experiment as it was run; a text that cannot be read any more is no error. */
static void run_data_experiment(struct run_data *run)
{
    struct error unused;
    char *yaml = run_data_provenance(run, "yaml"), *scale = run_data_provenance(run, "scale");
    FILE *stream = yaml && *yaml ? fmemopen(yaml, strlen(yaml), "r") : NULL;
    if (stream) {
        experiment_read(&run->experiment, stream, "provenance.json", scale, &unused);
        fclose(stream);
    }
    free(yaml);
    free(scale);
}

static enum status run_data_about(struct run_data *run, struct error *err)
{
    char path[PATH_MAX];
    struct text text = {0};
    snprintf(path, sizeof path, "%s/provenance.json", run->directory);
    if (file_read(&text, path, NULL) != OK)
        text_printf(&text, "{}");
    run->provenance = text.data;
    if (!run->provenance)
        return fail(err, E_RUN, "no memory for provenance.json");
    run->name = run_data_provenance(run, "experiment");
    run->question = run_data_provenance(run, "question");
    run->seed = run_data_provenance(run, "seed");
    run->commit = run_data_provenance(run, "commit");
    if (!run->name || !run->question || !run->seed || !run->commit)
        return fail(err, E_RUN, "no memory for provenance.json");
    const char *named =
        frame_text(&run->table, 0, run->count ? frame_column(&run->table, "experiment") : -1);
    if (!*named && strrchr(run->directory, '/'))
        named = strrchr(run->directory, '/') + 1;
    if (!*run->name && *named) {
        free(run->name);
        run->name = strdup(named);
    }
    run_data_experiment(run);
    return run->name ? OK : fail(err, E_RUN, "no memory for a name");
}

static bool run_data_has(const char *directory, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", directory, name) < PATH_MAX &&
           access(path, R_OK) == 0;
}

static const char *const run_tables[RUN_KINDS] = {
    [RUN_SWEEP] = "cells.csv",
    [RUN_CLAIMS] = "claims.csv",
    [RUN_BENCH] = "timings.csv",
};

/* RUN_KINDS: there is no run. */
static int run_data_kind(const char *directory)
{
    int kind = 0;
    while (kind < RUN_KINDS && !run_data_has(directory, run_tables[kind]))
        kind++;
    return kind;
}

bool run_data_there(const char *directory)
{
    return run_data_kind(directory) < RUN_KINDS;
}

/* Every trial tells the parameters of its workload as measures. */
static enum status run_data_own(struct run_data *run, struct error *err)
{
    enum status status = OK;
    run->own = run->experiment ? workload_params(run->experiment->workload) : NULL;
    for (unsigned i = 0; run->own && run->own[i].name && !status; i++) {
        struct cell_value *values;
        status = measures_read(&values, run, run->own[i].name, err);
        for (size_t c = 0; !status && c < run->count; c++)
            run->cells[c].own[i] = cell_value_mean(&values[c]);
        free(values);
    }
    return status;
}

double run_cell_own(const struct run_data *run, const struct run_cell *cell, const char *name)
{
    for (unsigned i = 0; run->own && run->own[i].name; i++)
        if (strcmp(run->own[i].name, name) == 0)
            return cell->own[i];
    return NAN;
}

enum status run_data_open(struct run_data **out, const char *directory, struct error *err)
{
    struct run_data *run = *out = calloc(1, sizeof *run);
    if (!run)
        return fail(err, E_RUN, "no memory for a run");
    run->directory = directory;
    int kind = run_data_kind(directory);
    run->kind = kind < RUN_KINDS ? (enum run_kind)kind : RUN_SWEEP;
    enum status status = OK;
    if (run->kind != RUN_BENCH)
        status = frame_read(&run->table, directory, run_tables[run->kind], NULL, err);
    if (!status && run->kind == RUN_SWEEP)
        status = run_data_cells(run, err);
    if (!status)
        status = run_data_about(run, err);
    if (!status)
        status = run_data_own(run, err);
    if (status) {
        run_data_close(run);
        *out = NULL;
    }
    return status;
}

void run_data_close(struct run_data *run)
{
    if (!run)
        return;
    experiment_free(run->experiment);
    free(run->name);
    free(run->question);
    free(run->seed);
    free(run->commit);
    free(run->provenance);
    free(run->cells);
    frame_release(&run->table);
    free(run);
}

struct run_data *run_data_select(const struct run_data *run,
                                 bool (*keep)(const struct run_cell *cell), struct error *err)
{
    struct run_data *selected = calloc(1, sizeof *selected);
    unsigned columns = run->table.columns;
    if (selected) {
        *selected = *run;
        selected->cells = calloc(run->count + 1, sizeof *selected->cells);
        selected->table.fields = calloc((run->count + 1) * columns, sizeof(char *));
    }
    if (!selected || !selected->cells || !selected->table.fields) {
        run_data_select_free(selected);
        fail(err, E_RUN, "no memory for %zu cells", run->count);
        return NULL;
    }
    selected->count = 0;
    for (size_t c = 0; c < run->count; c++) {
        if (!keep(&run->cells[c]))
            continue;
        selected->cells[selected->count] = run->cells[c];
        memcpy(&selected->table.fields[selected->count * columns], &run->table.fields[c * columns],
               columns * sizeof(char *));
        selected->count++;
    }
    selected->table.rows = selected->count;
    return selected;
}

void run_data_select_free(struct run_data *selected)
{
    if (!selected)
        return;
    free(selected->cells);
    free(selected->table.fields);
    free(selected);
}
