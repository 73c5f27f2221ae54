/* SPDX-License-Identifier: MIT
 *
 * experiment.h: what a researcher's YAML file says, checked and with every list written out.
 *
 * Reading is through libyaml events, so that every complaint has a line and a column (both from 1;
 * a column is a character). Nothing is planned yet: whether a cell is possible is the plan's
 * question.
 *
 *   name      required: [a-z0-9][a-z0-9._-]{0,63}     question  required: text
 *   workload  membership (default), deletion, stream, cardinality, set_operations
 *   grid      required: a mapping of the axes below, or a list of such mappings
 *   trials    0 .. 10^7 (30); 0: theory only            seed      64 bits (1)
 *   queries   0 .. 10^12 (100000), or {relative_error: 2%, confidence: 95%} (95%)
 *   hash_seed 64 bits: the same in every trial          independent  true, false (false)
 *   plots     names of [a-z0-9-]                        scales    NAME: {trials, queries, grid}
 *
 * Axes of a grid. Each takes one value or a list; none is empty, none holds a value twice.
 *
 *   filter    NAME, {name: NAME, PARAMETER: value or list, ...}: the product, the last fastest
 *   hash      NAME, {name: NAME, family: seeded, split, salted or expanded},
 *             {pair: [NAME, NAME]}
 *   keys      NAME, {name: decimal, width: W}, {list: [..]}, {hex: [..]}, {strided64: S},
 *             {file: PATH, binary: true}, {decimal: a..b, width: W},
 *             {little_endian: a..b, bytes: B}, {members: KEYS, queries: KEYS}: both finite
 *   reduction    mod (default), mask, multiply_shift
 *   digest_bits  8 .. 64, native (default)
 *   m            1 .. 2^48
 *   n            0 .. 2^48
 *   bits_per_key 1e-6 .. 1e6
 *   k            1 .. 256, optimal (least standard estimate), best (least rate of the model)
 *   trials, queries: instead of the experiment's
 *   replica      1 .. 10^9: each value repeats the cells with keys and seeds of their own; needs
 *                `independent: true`
 *   fault        none, {bits: SHARES}, {probes: SHARES}: planted, to see whether it is found;
 *                harness/workload/fault.h; membership only
 * and the parameters of the workload, by the names it gives them: in its file of harness/workload/.
 *
 * Numbers and ranges: values.h. m counts positions, whatever unit it is written in: 4KiB is 4096.
 *
 * filter, hash and keys are required. n must be given, or m and bits_per_key, unless every key set
 * is {members, queries}. m or bits_per_key must be given when a filter uses axis M, k when one uses
 * axis K. m, n and bits_per_key together are refused; m and n are a product. The plan makes of
 *   m and bits_per_key c: n = round(m / c)              n and bits_per_key c: m = ceil(n c)
 *
 * A scale's keys replace the experiment's of the same name; trials and queries that stand in a grid
 * keep their precedence. Anchors, aliases, tags, merge keys, several documents, a key given twice,
 * nesting over 8, more than 1 MiB or 100000 values are refused.
 */
#ifndef BLOOMLAB_EXPERIMENT_H
#define BLOOMLAB_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "filters/filter.h"
#include "filters/theory/error.h"
#include "harness/keys/keys.h"
#include "harness/workload/workload.h"
#include "hashes/family.h"

#define EXPERIMENT_AXIS_MAX 1000000u  /* values of one axis */
#define EXPERIMENT_CELLS_MAX 2000000u /* cells of one experiment */

/* Their product, the queries of a cell, fits 64 bits. */
#define EXPERIMENT_TRIALS_MAX UINT64_C(10000000)
#define EXPERIMENT_QUERIES_MAX UINT64_C(1000000000000)

#define EXPERIMENT_BITS_PER_KEY_MIN 1e-6
#define EXPERIMENT_BITS_PER_KEY_MAX 1e6
#define EXPERIMENT_FAULT_MIN 1e-6
#define EXPERIMENT_REPLICA_MAX UINT64_C(1000000000)

#define EXPERIMENT_TRIALS_DEFAULT 30
#define EXPERIMENT_QUERIES_DEFAULT 100000
#define EXPERIMENT_SEED_DEFAULT 1
enum { EXPERIMENT_NAME_MAX = 64, EXPERIMENT_K_OPTIMAL = 0 };
#define EXPERIMENT_K_BEST UINT64_MAX

/* What is wrong with a cell, and by how much: of SHARE more keys, of SHARE more hits. */
enum fault_kind { FAULT_NONE, FAULT_BITS, FAULT_PROBES };
enum { FAULT_COUNT = FAULT_PROBES + 1 };

struct planted_fault {
    enum fault_kind kind;
    double share; /* EXPERIMENT_FAULT_MIN .. 1; of FAULT_NONE 0 */
};

struct u64_list {
    uint64_t *values;
    size_t count;
};

struct real_list {
    double *values;
    size_t count;
};

struct param_list {
    struct param_value *values;
    size_t count;
};

/* A variant with one set of own parameters: a list given for a parameter has become several. */
struct filter_choice {
    const struct filter_ops *ops;
    struct filter_params params; /* only `own` is set */
};

struct hash_choice {
    const struct hash *hash;
    const struct hash *second; /* of a pair, else NULL */
    enum family family;
};

/* One grid: the product of its axes. Where a list is empty the experiment did not give the axis. */
struct grid {
    struct filter_choice *filters;
    size_t filter_count;
    struct hash_choice *hashes;
    size_t hash_count;
    struct key_spec **keys;
    size_t keys_count;
    enum reduction reductions[REDUCTION_COUNT]; /* default: mod */
    size_t reduction_count;
    struct u64_list digest_bits; /* 0 stands for the family's own width (`native`); default: {0} */
    struct u64_list m;
    struct u64_list n;             /* given instead of m/bits_per_key, or beside bits_per_key */
    struct real_list bits_per_key; /* > 0 */
    struct u64_list k;             /* EXPERIMENT_K_OPTIMAL: `optimal`, EXPERIMENT_K_BEST: `best` */
    struct u64_list replica;       /* >= 1 */
    struct planted_fault *faults;
    size_t fault_count;
    struct param_list own[PARAMS_MAX]; /* of the workload, in the order of its params */
    /* Of the whole experiment unless the grid says its own: */
    uint64_t trials;       /* 0: theory only */
    uint64_t queries;      /* per trial; 0: none (fpr_scheme only) */
    double relative_error; /* planned precision; NaN when a number of queries is given */
    double confidence;     /* in (0, 1); NaN likewise */
};

struct experiment {
    char name[EXPERIMENT_NAME_MAX + 1]; /* [a-z0-9][a-z0-9._-]*: also the folder's name */
    char *question;
    enum workload workload;
    struct grid *grids; /* `grid:` is a mapping, or a list of them */
    size_t grid_count;
    uint64_t seed;
    bool hash_seed_fixed;
    uint64_t hash_seed;
    bool scaled;      /* the file has the scale that was asked for */
    bool independent; /* every cell has a key stream of its own */
    char **plots;     /* names of plot families; none: chosen from the grid */
    size_t plot_count;
    char *source; /* the whole text of the file, for provenance and for the canonical digest */
    size_t source_bytes;
};

const char *fault_name(enum fault_kind kind);

/* Reads one experiment, at most 1 MiB, from where the stream stands. `name` is what complaints call
 * the file. `scale` names an entry of the optional `scales:` mapping whose settings replace those
 * of the file ("" or NULL: none; a scale the file does not have is no error; all of them are
 * checked). E_INPUT: "NAME:LINE:COLUMN: sentence"; E_RUN: the stream cannot be read, no memory. On
 * failure *out is NULL. */
enum status experiment_read(struct experiment **out, FILE *stream, const char *name,
                            const char *scale, struct error *err);
void experiment_free(struct experiment *experiment);

#endif
