/* SPDX-License-Identifier: MIT
 *
 * subject.h: one filter of a benchmark, built, and what is known of the answers it must give.
 *
 * A member must be found; of the strangers as many must be as the variant's own theory says. What
 * it answers once, before anything is timed, it must answer in every form and in every round.
 */
#ifndef BLOOMLAB_BENCH_SUBJECT_H
#define BLOOMLAB_BENCH_SUBJECT_H

#include "harness/bench/pool.h"
#include "harness/plan/plan.h"
#include "harness/trial/trial.h"

struct subject {
    const struct cell *cell;
    struct pool *pool;
    struct workspace space;
    struct filter filter;
    uint8_t *present[POOL_KINDS]; /* the answers: [i] of key i of the pool's list */
    double fpr_model;
    bool wrong;
    char why[256]; /* it is wrong: a sentence without the filter's name */
};

/* Builds the filter with the cell's n members, asks for every key of the pool and judges the
 * answers. E_RUN: no memory, the filter cannot take them. A wrong filter is no error: `wrong`. */
enum status subject_open(struct subject *subject, const struct plan *plan, const struct cell *cell,
                         struct pool *pool, struct error *err);
void subject_release(struct subject *subject); /* also after a failure */

/* Notes what is wrong, unless something was before. */
void subject_blame(struct subject *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How many keys first .. first + count - 1 of a list are present. */
uint64_t subject_hits(const struct subject *subject, enum pool_kind kind, size_t first,
                      size_t count);

#endif
