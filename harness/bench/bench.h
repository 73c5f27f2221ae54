/* SPDX-License-Identifier: MIT
 *
 * bench.h: times of the filters of a plan: what one key costs, against what memory itself costs.
 *
 * A plan's cells are the filters; its trials and queries do not matter here. Cells of about one
 * size (SIZES_ALIKE) are measured together, in turns (turns.h), beside the floors of that size.
 */
#ifndef BLOOMLAB_BENCH_BENCH_H
#define BLOOMLAB_BENCH_BENCH_H

#include "harness/bench/turns.h"

/* The largest of them is at most so many times the smallest. */
#define SIZES_ALIKE 1.05

struct bench_options {
    struct turns_options turns;
    uint64_t max_bytes; /* larger filters are left out */
    bool quiet;
};

/* Appends the rows of every cell that holds keys and answers membership, in the order of their
 * sizes. E_CHECK: a filter gave wrong answers; the others have their rows. E_INPUT: there is no
 * cell to measure. Interrupted: OK, rows of the sizes that were finished. */
enum status bench_run(struct timings *timings, const struct plan *plan,
                      const struct bench_options *options, struct error *err);

#endif
