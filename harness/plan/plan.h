/* SPDX-License-Identifier: MIT
 *
 * plan.h: from an experiment to its cells.
 *
 * The product of a grid's axes is walked once; an axis a variant does not use collapses; a
 * combination the variant cannot have goes to the list of skipped ones with a reason. Planning
 * allocates no filter: a cell of a terabyte is planned as fast as one of 64 bits.
 */
#ifndef BLOOMLAB_PLAN_H
#define BLOOMLAB_PLAN_H

#include "harness/experiment/experiment.h"

enum { CELL_ID_SIZE = 17, CELL_PARAMS_MAX = 256, CELL_HASH_MAX = 64, CELL_KEYS_MAX = 256 };

/* An opened key source, shared by the cells that name it. */
struct plan_source {
    struct key_source *source;
    char name[CELL_KEYS_MAX]; /* the column `keys` */
};

struct cell {
    char id[CELL_ID_SIZE]; /* 16 hexadecimal digits: a hash of the canonical text */
    const struct filter_ops *ops;
    const struct hash_choice *hash; /* NULL: the variant uses no hash */
    const struct plan_source *source;
    struct layout layout; /* layout.params holds the axes as asked for */
    unsigned digest_bits; /* kept of the hash; layout.params has the width the variant is given */
    uint64_t n;
    uint64_t members; /* keys asked of the source: n; more where the workload needs them, or the
                         fault is in the bits */
    uint64_t replica; /* 0: the cell is there once */
    struct planted_fault fault;
    struct param_value own[PARAMS_MAX]; /* of the workload, in the order of its params */
    uint64_t extra_bytes;               /* memory the workload needs beside the filter */
    bool altered; /* the filter in the end is not what n insertions make: theory of it is off */
    double bits_per_key; /* as asked for, else positions per key; NaN when n is 0 */
    uint64_t trials;
    uint64_t queries; /* per trial, after a finite set has set its limit */
    bool queries_reduced;
    size_t group;        /* cells of one group share keys and digests */
    size_t first_result; /* index of trial 0 among the results of the plan */
    char params[CELL_PARAMS_MAX];
};

/* Cells that share (keys, hash, family, digest_bits): one set of digests a trial serves them all.
 */
struct plan_group {
    size_t *cells;
    size_t count;
    uint64_t trials;           /* most of any of its cells */
    uint64_t members, queries; /* most of any of its cells */
    unsigned columns;
};

struct skipped_cell {
    struct cell cell; /* as far as it was planned; no id */
    char reason[256];
};

struct plan {
    const struct experiment *experiment;
    struct plan_source *sources;
    size_t source_count;
    struct cell *cells;
    size_t cell_count;
    size_t *by_id; /* indices of the cells, in the order of their ids */
    struct skipped_cell *skipped;
    size_t skipped_count;
    struct plan_group *groups;
    size_t group_count;
    size_t result_count; /* trials of all cells together */
    uint64_t digest;     /* of everything that decides the results: guards a resumed run */
};

struct plan_limits {
    uint64_t memory_bytes;  /* a cell that needs more is skipped; UINT64_MAX: no limit */
    unsigned shard, shards; /* 1 of 1: everything */
};

/* E_INPUT: a file of keys that cannot be read, too many cells. On failure *out is NULL. */
enum status plan_make(struct plan **out, const struct experiment *experiment,
                      const struct plan_limits *limits, struct error *err);
void plan_free(struct plan *plan);

/* The cell of that id, or NULL. */
const struct cell *plan_find(const struct plan *plan, const char *id);

/* Drops every cell c with keep[c] false; the others keep their order and get new places among the
 * results. E_RUN: no memory, plan unchanged. */
enum status plan_keep(struct plan *plan, const bool *keep, struct error *err);

/* The column `hash`: a name, or A+B for a pair; "" when the variant uses none. */
void cell_hash_format(const struct cell *cell, char text[CELL_HASH_MAX]);

/* Seeds. A row's seed depends on the experiment's and the trial (and, in an independent experiment,
 * on the cell); keys and hash seeds come from it: never from filter, m, n or k. */
uint64_t cell_trial_seed(const struct experiment *experiment, const struct cell *cell,
                         uint64_t trial);
struct digest_family cell_family(const struct experiment *experiment, const struct cell *cell,
                                 uint64_t trial_seed);

/* The rate that the width of the digests alone sets: a query whose digests all equal a member's. */
double cell_width_floor(const struct cell *cell);

/* Trials and queries for a promised precision: P(|fpr/p - 1| <= relative_error) >= confidence.
 * STATISTICS 4: Q = sqrt((p - p^2)/tau^2 * n), T = z^2 (tau^2 + (p - p^2)/Q)/(relative_error p)^2,
 * z the two-sided normal quantile and 1 % more.
 */
enum status plan_precision(uint64_t *trials, uint64_t *queries, const struct filter_ops *ops,
                           const struct layout *layout, uint64_t n, double relative_error,
                           double confidence, struct error *err);

#endif
