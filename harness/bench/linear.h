/* SPDX-License-Identifier: MIT
 *
 * linear.h: does the cost of a sweep grow as its work does?
 *
 * Small experiments of classic filters, run whole by the schedule on one thread, in which one thing
 * grows over three decades: members (at 10 bits each), queries of a filter of 1000 keys, cells of a
 * grid. A row of timings.csv each: operation sweep_members, sweep_queries or sweep_cells; count,
 * how many; ns_per_key, the processor time for one of them.
 *
 * One step of each is run on all processors too: `threads` says how many, and ns_per_key is then
 * what passes on the clock. Members and queries are one trial that the threads share.
 */
#ifndef BLOOMLAB_BENCH_LINEAR_H
#define BLOOMLAB_BENCH_LINEAR_H

#include "harness/bench/machine.h"
#include "harness/bench/turns.h"

enum linear { LINEAR_MEMBERS, LINEAR_QUERIES, LINEAR_CELLS };
enum { LINEAR_COUNT = LINEAR_CELLS + 1 };
const char *linear_name(enum linear linear);

/* How many of them: LINEAR_STEPS counts, half a decade apart, from 10^3.5 members, 10^5 queries,
 * 10^1.5 cells up: below, what a run costs by itself would show. */
enum { LINEAR_STEPS = 7 };
uint64_t linear_amount(enum linear linear, unsigned step);

/* The step that is run on several threads: enough keys for a trial to be shared. */
unsigned linear_threads_step(enum linear linear);

/* Appends the rows of `options->rounds` rounds taken in turns. Interrupted: OK, no rows. */
enum status linear_run(struct timings *timings, const struct turns_options *options,
                       const struct machine *machine, bool quiet, struct error *err);

/* Is it a row of that kind, on one thread? */
bool linear_single(const struct timing *row, enum linear linear);

/* How many times as fast as one thread the several of *threads were, at the same count; NaN where
 * there are no such rows, or noisy ones. */
double linear_speedup(const struct timings *timings, enum linear linear, unsigned *threads);

/* The slope of log(time of all) against log(count) over the rows of one kind on one
 * thread: 1 is linear. Least
 * squares; NaN for fewer than two rows. */
double linear_slope(const struct timings *timings, enum linear linear);

#endif
