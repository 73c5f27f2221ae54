/* SPDX-License-Identifier: MIT
 *
 * advise.h: which filter costs least, for n keys and a given cost of a miss.
 *
 * A lookup of a key that is not there costs lookup_ns, and what a false positive makes one do in
 * vain: cost = lookup_ns + rate * miss_cost (H. Lang, T. Neumann, A. Kemper, P. Boncz,
 * "Performance-Optimal Filtering: Bloom Overtakes Cuckoo at High Throughput", PVLDB 12(5), 2019).
 * Times come from a table of measured ones, rates from each variant's own model. A time belongs to
 * (variant, k, bytes): between two measured sizes it runs straight in the logarithm of the bytes.
 */
#ifndef BLOOMLAB_BENCH_ADVISE_H
#define BLOOMLAB_BENCH_ADVISE_H

#include "harness/bench/timings.h"

/* The times of one variant and k: points at increasing sizes. */
enum { LOOKUP_POINTS_MAX = 64, LOOKUP_RATES_MAX = 64 };
struct lookup {
    const struct timing *row; /* one of them */
    unsigned k;
    unsigned count;
    double bytes[LOOKUP_POINTS_MAX], ns[LOOKUP_POINTS_MAX];
    /* Rates of the model that were asked for before: some take long. */
    struct {
        uint64_t m, n;
        double fpr;
    } rate[LOOKUP_RATES_MAX];
    unsigned rate_count;
};

struct lookups {
    struct lookup *lookup;
    size_t count;
    char operation[TIMING_NAME_MAX], digests[TIMING_NAME_MAX]; /* whose times these are */
};

/* Times of lookups of absent keys: of the match list, else of result bytes, else counts; with
 * digests computed where there are such rows; of rows that agree in variant, k and size the fastest
 * (of several paths). A row without k has the best of the standard formula at its bits per key.
 * E_INPUT: a filter that is unknown or answers no membership queries, a k outside
 * [1, FILTER_K_MAX], more than LOOKUP_POINTS_MAX sizes of one, no such rows. To be released in
 * either case. */
enum status lookups_open(struct lookups *lookups, const struct timings *timings, struct error *err);
void lookups_release(struct lookups *lookups);

/* Beyond its measured sizes a k changes as the variant's most widely measured one does; beyond
 * those not at all. */
double lookup_ns(const struct lookups *lookups, const struct lookup *lookup, double bytes);

struct advice_request {
    uint64_t n;
    double miss_cost_ns;
    double bits; /* memory it may take in all */
    double fpr;  /* rate it must reach; NaN: any */
};

struct candidate {
    char filter[TIMING_NAME_MAX], params[CELL_PARAMS_MAX];
    uint64_t m, bytes;
    unsigned k;
    double bits_per_key; /* positions per key */
    double fpr;          /* of the model */
    double lookup_ns, cost_ns;
};

/* For each variant and k the size, of whole numbers of positions per key and what fills the memory,
 * that costs least; the cheapest first. *candidates from malloc. *count may be 0. E_RUN: no memory.
 */
enum status advise(struct candidate **candidates, size_t *count, struct lookups *lookups,
                   const struct advice_request *request, struct error *err);

#endif
