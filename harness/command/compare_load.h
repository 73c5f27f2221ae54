/* SPDX-License-Identifier: MIT
 *
 * compare_load.h: the cells of a run as `compare` needs them, from trials.csv, cells.csv or both.
 */
#ifndef BLOOMLAB_COMMAND_COMPARE_LOAD_H
#define BLOOMLAB_COMMAND_COMPARE_LOAD_H

#include <limits.h>
#include <stdint.h>

#include "harness/plot/frame.h"

/* Columns that name a cell. */
enum { LOADED_LABELS = 10, LOADED_K = 9 };
extern const char *const loaded_label_names[LOADED_LABELS];

struct loaded_trial {
    const char *id;
    size_t row; /* in the file */
    uint64_t trial, seed, keys_digest, bits_digest;
    double queries, hits, scheme, bits_set; /* NaN where empty */
};

/* Numbers are NaN where there are none. */
struct loaded_cell {
    const char *id;
    const char *label[LOADED_LABELS];
    double trials, queries, hits;        /* queries per trial (0: none), hits of all trials */
    double scatter;                      /* variance of the trials' rates; from trials only */
    double scheme, tau2, fill, bits;     /* fill and bits ((X/m)^k): from cells.csv only */
    double theory_tau2;                  /* where cells.csv took it from theory */
    const struct loaded_trial *of_trial; /* by trial number; NULL: only cells.csv was read */
    size_t trial_count;
};

struct loaded {
    const char *path;
    char directory[PATH_MAX], trials_name[NAME_MAX + 1],
        cells_name[NAME_MAX + 1]; /* "": not read */
    struct frame trials, cells;
    struct loaded_trial *trial;
    struct loaded_cell *cell; /* in the order of the table */
    size_t *by_id;            /* indices of cells, in the order of ids */
    size_t count;
    bool has_seed; /* of the experiment, from provenance.json */
    uint64_t seed;
    char commit[80];
    char contradiction[400]; /* the first place where the tables contradict themselves; "" */
};

/* path: the folder of a run, or one of its two tables. E_INPUT: neither is there, or a field is not
 * what its column holds. On failure there is nothing to release. */
enum status loaded_read(struct loaded *run, const char *path, struct error *err);
void loaded_release(struct loaded *run);

const struct loaded_cell *loaded_find(const struct loaded *run, const char *id); /* or NULL */

#endif
