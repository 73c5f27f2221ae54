/* SPDX-License-Identifier: MIT
 *
 * run_data.h: one finished run, as its tables tell it.
 */
#ifndef BLOOMLAB_PLOT_RUN_DATA_H
#define BLOOMLAB_PLOT_RUN_DATA_H

#include "harness/experiment/experiment.h"
#include "harness/plot/frame.h"

/* A row of cells.csv. Texts are "" and numbers NaN where the field is empty. */
struct run_cell {
    size_t row; /* in cells.csv, from 0; run_data_select keeps it */
    const char *id, *filter, *params, *hash, *family, *digest_bits, *reduction, *keys;
    const char *interval, *model_name, *verdict, *explained_by, *flags;
    double m, m_actual, n, k, bits_per_key, trials, queries_per_trial, queries, false_positives;
    double fpr, fpr_lo, fpr_hi, fill, memory_bytes, standard, bloom, exact, model, model_se, bits;
    double scheme, scheme_lo, scheme_hi, tau;
    double p_fill, p_spread, p_probe, p_model;
    double own[PARAMS_MAX]; /* of the workload, in the order of run_data.own */
    /* What stands for the cell's rate: the hits of its queries, or where none was asked fpr_scheme.
     */
    double rate, rate_lo, rate_hi;
    bool zero_hits; /* queries were asked and none was a hit: rate_hi is an upper limit */
};

/* What a folder holds, told by its first table: cells.csv, claims.csv, timings.csv. */
enum run_kind { RUN_SWEEP, RUN_CLAIMS, RUN_BENCH, RUN_KINDS };

struct run_data {
    const char *directory;
    enum run_kind kind;
    struct frame table; /* cells.csv or claims.csv, whole; of a benchmark empty */
    struct run_cell *cells;
    size_t count;
    char *provenance; /* the text of provenance.json; "{}" without one */
    char *name, *question, *seed, *commit;
    const struct param_spec *own;  /* parameters of the workload; NULL: none */
    struct experiment *experiment; /* NULL: its text is not there or cannot be read any more */
};

/* Is there a run in DIR, of any kind? */
bool run_data_there(const char *directory);

/* Reads the table and DIR/provenance.json (which may be missing); only sweeps have cells. E_INPUT:
 * no run there. `directory` must outlive it. On failure *out is NULL. */
enum status run_data_open(struct run_data **out, const char *directory, struct error *err);
void run_data_close(struct run_data *run);

/* The same run with only the cells that `keep` wants; it borrows everything from `run`. */
struct run_data *run_data_select(const struct run_data *run,
                                 bool (*keep)(const struct run_cell *cell), struct error *err);
void run_data_select_free(struct run_data *selected);

/* A parameter of the workload, by its name, in a cell; NaN: it has none of that name. */
double run_cell_own(const struct run_data *run, const struct run_cell *cell, const char *name);

/* The value of one member of provenance.json, from malloc; "" where there is none. */
char *run_data_provenance(const struct run_data *run, const char *key);

/* The value of "name=value;..." as text of at most size - 1 bytes; false where there is none. */
bool params_value(const char *params, const char *name, char *value, size_t size);

#endif
