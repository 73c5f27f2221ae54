/* SPDX-License-Identifier: MIT
 *
 * rig.h: one filter set up for a test, with digests that a function of key number and column gives.
 * Whatever cannot be set up fails the running test.
 */
#ifndef BLOOMLAB_TESTS_RIG_H
#define BLOOMLAB_TESTS_RIG_H

#include "filters/filter.h"

/* Digest `column` of key number `key` before it is cut to the width of the rig's digests. */
typedef uint64_t rig_digest(uint64_t seed, uint64_t key, unsigned column);

rig_digest rig_ideal; /* independent, uniform on 64 bits */

/* Key number i has the joined digest i: columns of eight bits are cut from it. */
rig_digest rig_whole_world8;

struct rig {
    const struct filter_ops *ops;
    struct filter_params params;
    struct layout layout;
    struct filter filter;
    struct arena arena;
    void *scratch;
    rig_digest *digest; /* rig_ideal unless changed */
    uint64_t seed;
    struct digests batch; /* the batch in work: keys first .. */
    uint64_t first;
    uint64_t asked; /* digests the filter asked for so far */
};

/* "name=value;name=value" for own, "" for defaults; 64 bits and 4096 columns of digests, mod. */
void rig_params(struct rig *rig, const char *filter, const char *own, uint64_t m, uint64_t n,
                unsigned k);

enum status rig_plan(struct rig *rig, struct error *err);

/* Plans and opens an empty filter; what plan refuses fails the test. */
void rig_open(struct rig *rig);
void rig_empty(struct rig *rig, uint64_t seed); /* the same filter without keys */
void rig_close(struct rig *rig);

/* Makes the next of `left` keys from `first` on rig->batch, at most `piece` (0: what the layout
 * likes); how many. */
size_t rig_next(struct rig *rig, uint64_t first, uint64_t left, size_t piece);

/* Keys first .. first + count - 1, in batches of `piece` keys (0: what the layout likes). */
enum status rig_insert(struct rig *rig, uint64_t first, uint64_t count, size_t piece,
                       struct error *err);
void rig_add(struct rig *rig, uint64_t first, uint64_t count); /* the same; must succeed */
uint64_t rig_query(struct rig *rig, uint8_t *present, uint64_t first, uint64_t count, size_t piece);

/* A measure by name; NaN: there is none. */
double rig_measure(const struct rig *rig, const char *name);

/* A formula for n keys by name; NaN: there is none. */
double rig_formula(const struct rig *rig, uint64_t n, const char *name);

/* Numbers of keys that no test inserts. */
#define RIG_STRANGERS (UINT64_C(1) << 40)

/* What `trials` filters of n ideal keys show beside their own theory, as normal scores: each
 * exceeds 5 in absolute value with probability 5.7e-7 when the filter does what theory says. */
struct rig_scores {
    double fill;   /* mean of X against expected_fill */
    double spread; /* its variance, likewise (chi-squared, by its first two moments) */
    double rate;   /* mean of fpr_scheme against expected_fpr */
    double probe;  /* hits of `queries` strangers a filter against fpr_scheme */
};

void rig_score(struct rig_scores *scores, struct rig *rig, uint64_t seed, unsigned trials,
               uint64_t queries);

#endif
