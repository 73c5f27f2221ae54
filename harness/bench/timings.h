/* SPDX-License-Identifier: MIT
 *
 * timings.h: rows of timings.csv: what a key costs, measured on one machine.
 */
#ifndef BLOOMLAB_BENCH_TIMINGS_H
#define BLOOMLAB_BENCH_TIMINGS_H

#include "harness/bench/counters.h"
#include "harness/bench/quartiles.h"
#include "harness/plan/plan.h"
#include "harness/table/text.h"

#define TIMINGS_FILE "timings.csv"

enum operation {
    OPERATION_INSERT,
    OPERATION_QUERY_BYTES,     /* one byte a key: 1 or 0 */
    OPERATION_QUERY_LIST,      /* the places of the keys that are present, ascending */
    OPERATION_QUERY_COUNT,     /* how many are present */
    OPERATION_QUERY_DEPENDENT, /* one by one, each key known only after the answer before */
};
enum { OPERATION_COUNT = OPERATION_QUERY_DEPENDENT + 1 };

const char *operation_name(enum operation operation);

enum { TIMING_NAME_MAX = 40 };

struct timing {
    char filter[TIMING_NAME_MAX], params[CELL_PARAMS_MAX];
    uint64_t bytes;
    double bits_per_key;
    char operation[TIMING_NAME_MAX]; /* operation_name, or a linear cost (linear.h) */
    double hit_ratio;                /* NaN of insert */
    char digests[TIMING_NAME_MAX], path[TIMING_NAME_MAX];
    unsigned threads;
    struct quartiles ns; /* a key */
    double floor_ns;     /* a line read, of query_dependent a dependent one */
    unsigned rounds;
    uint64_t count; /* keys of one turn; of a sweep what grows: members, queries or cells */
    bool noisy;
    struct counts per_key; /* NaN where the kernel tells none */
    char hash[CELL_HASH_MAX], family[TIMING_NAME_MAX], reduction[TIMING_NAME_MAX];
    char keys[CELL_KEYS_MAX];
    uint64_t m, n;
    unsigned k; /* 0: none */
    double fpr_model;
};

struct timings {
    struct timing *row;
    size_t count, room;
    bool failed; /* no memory for a row */
};

void timings_add(struct timings *timings, const struct timing *row);
void timings_release(struct timings *timings);

void timings_format(const struct timings *timings, struct text *text);

/* Reads a table as timings_format writes it, or one of others with at least filter, bytes,
 * operation and ns_per_key; further columns are passed over, missing ones are empty (numbers NaN,
 * counts 0). E_INPUT: no such file, one of those four missing, a number that is none or infinite,
 * a count that is none or above 2^53, a time below 0. */
enum status timings_read(struct timings *timings, const char *path, struct error *err);

#endif
