/* SPDX-License-Identifier: MIT
 *
 * probes.h: the single probes of one trial's queries: how often each hits by itself, and each two
 * together.
 *
 * A filter at a rate of 1e-12 shows no false positive in any run one can wait for, but half of its
 * probes hit. So they tell whether a hash serves it.
 */
#ifndef BLOOMLAB_WORKLOAD_PROBES_H
#define BLOOMLAB_WORKLOAD_PROBES_H

#include "harness/trial/trial.h"

enum { PROBES_PAIRS_K_MAX = 32 }; /* a filter of more probes is looked at probe by probe only */

/* Of probe i alone (i = j), or of probes i < j both. */
struct probe_count {
    uint64_t hits;
    double rate; /* probability under ideal digests, given this very filter */
};

/* How many counts a cell has: k, and k (k - 1)/2 where k <= PROBES_PAIRS_K_MAX; 0: its variant
 * tells no probes, or no query is asked. First the single ones, then pairs in the order of (i, j).
 */
size_t probes_rows(const struct cell *cell);

/* Which probes count number `row` is about. */
void probes_of_row(unsigned *i, unsigned *j, const struct cell *cell, size_t row);

/* Inserts the members of a trial and profiles its queries: fills probes_rows(cell) counts. */
enum status probes_run(struct probe_count *counts, const struct cell *cell, struct trial_keys *keys,
                       struct workspace *space, struct error *err);

#endif
