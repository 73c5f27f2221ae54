/* SPDX-License-Identifier: MIT
 *
 * turns_parts.h: what the files that measure in turns share.
 */
#ifndef BLOOMLAB_BENCH_TURNS_PARTS_H
#define BLOOMLAB_BENCH_TURNS_PARTS_H

#include "harness/bench/stretch.h"
#include "harness/bench/subject.h"
#include "harness/bench/turns.h"

/* Keys of a list: more than a branch predictor learns by heart; for filters that no second-level
 * cache holds so many that a third-level one has forgotten them when they come again. */
enum { TURNS_KEYS_NEAR = 1 << 16, TURNS_KEYS_FAR = 1 << 19, TURNS_WINDOW_FAR = 1 << 17 };
enum { TURNS_WINDOW_DEPENDENT = 1 << 13, TURNS_PASSES_MAX = 10000 };
#define TURNS_NEAR_BYTES (UINT64_C(2) << 20)

enum { TURNS_FLOOR_LINES, TURNS_FLOOR_DEPENDENT, TURNS_FLOORS };

/* One thing that takes its turn in every round. */
struct turn {
    struct subject *subject; /* NULL: a floor */
    enum operation operation;
    int floor;
    enum pool_kind kind;
    bool computed;
    enum filter_path path;
    size_t window;
    unsigned passes;
    double *ns; /* of each round, a key */
    struct counts counts;
    double counted; /* keys */
};

struct turns {
    const struct turns_options *options;
    const struct counters *counters;
    const struct plan *plan;
    struct pool *pools; /* one for each group of the plan that is used */
    size_t *pool_group;
    size_t pool_count;
    struct subject *subjects;
    size_t subject_count;
    struct workspace spare; /* for what is inserted under the clock; the floors read its memory */
    uint64_t spare_bytes;
    uint64_t *random; /* of the floors */
    struct answers answers;
    size_t keys;
    struct turn *turn;
    size_t turn_count;
    volatile size_t zero;
    volatile uint64_t sink;
};

/* Takes a turn. Round 0 is the one before the first: it only warms up and sets turn->passes. */
void turn_take(struct turns *turns, struct turn *turn, unsigned round);

/* Builds the filters of the cells, their keys, and lines up what takes turns. turns_close frees it,
 * also after a failure. */
enum status turns_open(struct turns *turns, const size_t *cells, size_t count, struct error *err);
void turns_close(struct turns *turns);

/* Keys in a list, for cells of one size. */
size_t turns_keys(const struct plan *plan, const size_t *cells, size_t count, unsigned key_shift);

/* How many turns a filter has in a round. */
size_t turns_of_filter(const struct turns_options *options);

#endif
