/* SPDX-License-Identifier: MIT
 *
 * trial.h: one trial: the memory a thread works in, and what one repetition of a cell yields.
 */
#ifndef BLOOMLAB_TRIAL_H
#define BLOOMLAB_TRIAL_H

#include "harness/digest/digest.h"
#include "harness/plan/plan.h"

/* The first trials of a cell are searched for queries that collide with members: further ones would
 * say no more, and take as long. */
enum { TRIAL_COLLISION_SEARCHES = 4 };

enum { TRIAL_MEASURES_MAX = 1024, MEASURE_NAME_MAX = 32 };

struct trial_measure {
    char name[MEASURE_NAME_MAX];
    double value;
};

/* What one trial yields: the numbers of its row in trials.csv, and its measures. */
struct trial_result {
    bool done;
    uint64_t seed;
    uint64_t n_distinct;
    uint64_t queries;
    uint64_t false_positives, false_negatives;
    uint64_t bits_set;
    double fpr_bits;
    double fpr_scheme;
    double wilson_lo, wilson_hi, cp_lo, cp_hi; /* 95 %, of this filter's own rate */
    uint64_t memory_bytes;                     /* taken in fact: the arena's share included */
    uint64_t keys_digest, bits_digest;
    struct trial_measure *measures; /* malloc'ed, or NULL */
    unsigned measure_count;
};

void trial_result_release(struct trial_result *result);
enum status trial_measure_add(struct trial_result *result, const char *name, double value,
                              struct error *err);

/* The measure of that name, or `absent`. */
double trial_measure(const struct trial_result *result, const char *name, double absent);

/* Bytes of memory this machine has. */
uint64_t memory_physical(void);

/* Memory one thread reuses from trial to trial; grown, never shrunk. */
struct workspace {
    unsigned char *memory;
    uint64_t memory_room;
    unsigned char *arena_memory;
    uint64_t arena_room;
    unsigned char *extra;
    uint64_t extra_room;
    void *scratch;
    size_t scratch_room;
    struct arena arena;
};

/* Gives *filter the memory its layout asks for, and an arena where it grows. E_RUN: there is not so
 * much; more than the machine has is not tried. */
enum status workspace_filter(struct workspace *space, struct filter *filter,
                             const struct filter_ops *ops, const struct layout *layout,
                             struct error *err);

/* The cell's extra_bytes, aligned to a page: of filters beside the first, or what a workload likes;
 * not cleared. NULL: no memory. */
unsigned char *workspace_extra(struct workspace *space, uint64_t bytes);
void workspace_release(struct workspace *space);

/* XXH3 of a filter's memory and the arena's used part. */
uint64_t filter_digest(const struct filter *filter);

/* Keys and digests of one trial, shared by the cells of a group. */
struct trial_keys {
    struct digest_source members, queries;
    uint64_t seed, trial;
};

#endif
