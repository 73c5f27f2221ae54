/* SPDX-License-Identifier: MIT */
#include "harness/command/compare_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/stats.h"

#define LOADED_LABEL_COLUMNS                                                                       \
    "filter", "params", "hash", "family", "digest_bits", "reduction", "keys", "m", "n", "k"

const char *const loaded_label_names[LOADED_LABELS] = {LOADED_LABEL_COLUMNS};

enum trial_field {
    TRIAL_ID = LOADED_LABELS,
    TRIAL_NUMBER,
    TRIAL_SEED,
    TRIAL_QUERIES,
    TRIAL_HITS,
    TRIAL_FPR,
    TRIAL_BITS_SET,
    TRIAL_SCHEME,
    TRIAL_KEYS_DIGEST,
    TRIAL_BITS_DIGEST,
};
static const char *const trial_columns[] = {
    LOADED_LABEL_COLUMNS, "cell_id", "trial",    "seed",       "queries",
    "false_positives",    "fpr",     "bits_set", "fpr_scheme", "keys_digest",
    "bits_digest",        NULL};

enum cell_field {
    CELL_ID = LOADED_LABELS,
    CELL_TRIALS,
    CELL_QUERIES,
    CELL_HITS,
    CELL_FPR,
    CELL_INTERVAL,
    CELL_DEFF,
    CELL_TAU,
    CELL_FILL,
    CELL_BITS,
    CELL_SCHEME,
};
static const char *const cell_columns[] = {LOADED_LABEL_COLUMNS,
                                           "cell_id",
                                           "trials",
                                           "queries_per_trial",
                                           "false_positives",
                                           "fpr",
                                           "interval",
                                           "deff",
                                           "tau",
                                           "fill",
                                           "fpr_bits",
                                           "fpr_scheme",
                                           NULL};

/* ---- fields -----------------------------------------------------------------------------------
 */

static enum status loaded_bad(const char *name, size_t row, const char *column, const char *value,
                              struct error *err)
{
    return fail(err, E_INPUT, "%.60s, row %zu: column %s holds '%.60s'", name, row + 1, column,
                value);
}

static enum status loaded_count(uint64_t *value, const char *name, const struct frame *frame,
                                size_t row, int column, int base, struct error *err)
{
    char *end;
    const char *field = frame_text(frame, row, column);
    *value = strtoull(field, &end, base);
    if (end == field || *end || *field == '-')
        return loaded_bad(name, row, frame->names[column], field, err);
    return OK;
}

/* A number not below 0, or NaN where the field is empty. */
static enum status loaded_real(double *value, const char *name, const struct frame *frame,
                               size_t row, int column, struct error *err)
{
    const char *field = frame_text(frame, row, column);
    *value = frame_number(frame, row, column);
    if (*field && !(*value >= 0 && isfinite(*value)))
        return loaded_bad(name, row, frame->names[column], field, err);
    return OK;
}

/* Which column becomes which member. */
struct loaded_number {
    int column;
    size_t offset;
};

static enum status loaded_reals(void *out, const struct loaded_number *numbers, size_t count,
                                const char *name, const struct frame *frame, size_t row,
                                struct error *err)
{
    enum status status = OK;
    for (size_t i = 0; !status && i < count; i++)
        status = loaded_real((double *)((char *)out + numbers[i].offset), name, frame, row,
                             numbers[i].column, err);
    return status;
}

/* Hits among queries, and the rate that is printed beside them; the rate counts where they differ.
 */
static enum status loaded_hits(struct loaded *run, const char *name, const struct frame *frame,
                               size_t row, int hits_column, int rate_column, double queries,
                               double *hits, struct error *err)
{
    double rate;
    enum status status = loaded_real(hits, name, frame, row, hits_column, err);
    if (!status)
        status = loaded_real(&rate, name, frame, row, rate_column, err);
    if (status || !(queries > 0))
        return status;
    if (!(*hits <= queries))
        return loaded_bad(name, row, frame->names[hits_column], frame_text(frame, row, hits_column),
                          err);
    if (fabs(rate - *hits / queries) <= 1e-5 * rate)
        return OK;
    if (!*run->contradiction)
        snprintf(run->contradiction, sizeof run->contradiction,
                 "%.100s/%.60s, row %zu: column fpr holds %.20s, but false_positives %.0f of %.0f "
                 "queries make %.6g",
                 run->directory, name, row + 1, frame_text(frame, row, rate_column), *hits, queries,
                 *hits / queries);
    if (rate <= 1)
        *hits = round(rate * queries);
    return OK;
}

/* ---- trials.csv -------------------------------------------------------------------------------
 */

static enum status loaded_trial_row(struct loaded *run, size_t row, struct error *err)
{
    static const struct loaded_number reals[] = {
        {TRIAL_QUERIES, offsetof(struct loaded_trial, queries)},
        {TRIAL_SCHEME, offsetof(struct loaded_trial, scheme)},
        {TRIAL_BITS_SET, offsetof(struct loaded_trial, bits_set)},
    };
    const struct frame *f = &run->trials;
    const char *name = run->trials_name;
    struct loaded_trial *trial = &run->trial[row];
    trial->id = frame_text(f, row, TRIAL_ID);
    trial->row = row;
    enum status status = loaded_count(&trial->trial, name, f, row, TRIAL_NUMBER, 10, err);
    if (!status)
        status = loaded_count(&trial->seed, name, f, row, TRIAL_SEED, 10, err);
    if (!status)
        status = loaded_count(&trial->keys_digest, name, f, row, TRIAL_KEYS_DIGEST, 16, err);
    if (!status)
        status = loaded_count(&trial->bits_digest, name, f, row, TRIAL_BITS_DIGEST, 16, err);
    if (!status)
        status = loaded_reals(trial, reals, sizeof reals / sizeof *reals, name, f, row, err);
    if (!status)
        status = loaded_hits(run, name, f, row, TRIAL_HITS, TRIAL_FPR, trial->queries, &trial->hits,
                             err);
    return status;
}

static int compare_trials(const void *a, const void *b)
{
    const struct loaded_trial *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    return order ? order : (x->trial > y->trial) - (x->trial < y->trial);
}

/* Sums over the trials of a cell, of_trial .. of_trial + trial_count - 1. */
static enum status loaded_cell_sum(struct loaded_cell *cell, struct error *err)
{
    size_t count = cell->trial_count;
    double *rate = malloc(2 * count * sizeof *rate), *scheme = rate + count;
    if (!rate)
        return fail(err, E_RUN, "no memory for %zu trials", count);
    double queries = 0;
    cell->hits = 0;
    for (size_t t = 0; t < count; t++) {
        const struct loaded_trial *trial = &cell->of_trial[t];
        bool asked = trial->queries > 0;
        queries += asked ? trial->queries : 0;
        cell->hits += asked ? trial->hits : 0;
        rate[t] = asked ? trial->hits / trial->queries : NAN;
        scheme[t] = trial->scheme;
    }
    cell->trials = (double)count;
    cell->queries = queries / (double)count;
    cell->scatter = stats_moments(rate, count).variance;
    struct moments f = stats_moments(scheme, count);
    cell->scheme = f.mean;
    cell->tau2 = f.variance;
    free(rate);
    return OK;
}

static int compare_rows(const void *a, const void *b)
{
    const struct loaded_cell *x = a, *y = b;
    return (x->of_trial->row > y->of_trial->row) - (x->of_trial->row < y->of_trial->row);
}

/* Sorted trials fall into cells; the cells are put back into the order of the file. */
static enum status loaded_group(struct loaded *run, struct error *err)
{
    size_t rows = run->trials.rows;
    qsort(run->trial, rows, sizeof *run->trial, compare_trials);
    for (size_t first = 0, end; first < rows; first = end) {
        struct loaded_cell *cell = &run->cell[run->count++];
        *cell = (struct loaded_cell){.id = run->trial[first].id,
                                     .of_trial = &run->trial[first],
                                     .fill = NAN,
                                     .bits = NAN,
                                     .theory_tau2 = NAN};
        for (end = first; end < rows && strcmp(run->trial[end].id, cell->id) == 0; end++)
            if (end > first && run->trial[end].trial == run->trial[end - 1].trial)
                return fail(err, E_INPUT, "%.60s: trial %" PRIu64 " of cell %.20s is there twice",
                            run->trials_name, run->trial[end].trial, cell->id);
        cell->trial_count = end - first;
        for (int l = 0; l < LOADED_LABELS; l++)
            cell->label[l] = frame_text(&run->trials, cell->of_trial->row, l);
        enum status status = loaded_cell_sum(cell, err);
        if (status)
            return status;
    }
    qsort(run->cell, run->count, sizeof *run->cell, compare_rows);
    return OK;
}

enum status loaded_trials(struct loaded *run, struct error *err)
{
    enum status status =
        frame_read(&run->trials, run->directory, run->trials_name, trial_columns, err);
    if (status)
        return status;
    run->trial = calloc(run->trials.rows + 1, sizeof *run->trial);
    run->cell = calloc(run->trials.rows + 1, sizeof *run->cell);
    if (!run->trial || !run->cell)
        return fail(err, E_RUN, "no memory for %zu trials", run->trials.rows);
    for (size_t row = 0; !status && row < run->trials.rows; row++)
        status = loaded_trial_row(run, row, err);
    return status ? status : loaded_group(run, err);
}

/* ---- cells.csv --------------------------------------------------------------------------------
 */

static enum status loaded_cell_row(struct loaded *run, struct loaded_cell *cell, size_t row,
                                   struct error *err)
{
    static const struct loaded_number reals[] = {
        {CELL_TRIALS, offsetof(struct loaded_cell, trials)},
        {CELL_QUERIES, offsetof(struct loaded_cell, queries)},
        {CELL_FILL, offsetof(struct loaded_cell, fill)},
        {CELL_BITS, offsetof(struct loaded_cell, bits)},
        {CELL_SCHEME, offsetof(struct loaded_cell, scheme)},
        {CELL_TAU, offsetof(struct loaded_cell, tau2)},
    };
    const struct frame *f = &run->cells;
    const char *name = run->cells_name;
    double deff;
    *cell = (struct loaded_cell){.id = frame_text(f, row, CELL_ID), .scatter = NAN};
    for (int l = 0; l < LOADED_LABELS; l++)
        cell->label[l] = frame_text(f, row, l);
    enum status status = loaded_reals(cell, reals, sizeof reals / sizeof *reals, name, f, row, err);
    if (!status)
        status = loaded_real(&deff, name, f, row, CELL_DEFF, err);
    if (status)
        return status;
    cell->queries = cell->queries > 0 ? cell->queries : 0;
    cell->tau2 *= cell->tau2;
    cell->theory_tau2 = NAN;
    double rate = cell->scheme * (1 - cell->scheme);
    if (strcmp(frame_text(f, row, CELL_INTERVAL), "wilson_model") == 0 && cell->queries > 1)
        cell->theory_tau2 = (deff - 1) * rate / (cell->queries - 1);
    return loaded_hits(run, name, f, row, CELL_HITS, CELL_FPR, cell->trials * cell->queries,
                       &cell->hits, err);
}

/* What cells.csv says of a cell whose trials were read too. */
static void loaded_agree(struct loaded *run, size_t row, const struct loaded_cell *summary)
{
    struct loaded_cell none = {0};
    struct loaded_cell *cell = (struct loaded_cell *)loaded_find(run, summary->id);
    if (cell)
        cell->theory_tau2 = summary->theory_tau2;
    else
        cell = &none;
    double hits = summary->trials * summary->queries > 0 ? summary->hits : 0;
    if (!*run->contradiction && (cell->trials != summary->trials || cell->hits != hits))
        snprintf(run->contradiction, sizeof run->contradiction,
                 "%.100s: cells.csv, row %zu (cell %.20s) has %.0f false_positives in %.0f trials, "
                 "trials.csv has %.0f in %.0f",
                 run->directory, row + 1, summary->id, hits, summary->trials, cell->hits,
                 cell->trials);
}

enum status loaded_cells(struct loaded *run, struct error *err)
{
    bool alone = !run->cell;
    enum status status =
        frame_read(&run->cells, run->directory, run->cells_name, cell_columns, err);
    if (!status && alone) {
        run->cell = calloc(run->cells.rows + 1, sizeof *run->cell);
        if (!run->cell)
            status = fail(err, E_RUN, "no memory for %zu cells", run->cells.rows);
    }
    for (size_t row = 0; !status && row < run->cells.rows; row++) {
        struct loaded_cell summary;
        status = loaded_cell_row(run, &summary, row, err);
        if (!status && alone)
            run->cell[run->count++] = summary;
        else if (!status)
            loaded_agree(run, row, &summary);
    }
    return status;
}
