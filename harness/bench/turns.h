/* SPDX-License-Identifier: MIT
 *
 * turns.h: filters of one size, measured in turns.
 *
 * In each round every measurement (a filter, an operation, a hit ratio, a source of digests, a
 * path) takes its turn once, the two floors among them, each round from another starting point.
 * What slows the machine for a while thus slows all alike, and shows as a spread between rounds. A
 * turn of a small filter asks for all its keys once before the clock starts; one of a filter that
 * no cache holds asks for other keys than the turn before. A round before the first warms up and
 * tells how often a turn must be repeated to last long enough.
 */
#ifndef BLOOMLAB_BENCH_TURNS_H
#define BLOOMLAB_BENCH_TURNS_H

#include <signal.h>

#include "harness/bench/timings.h"
#include "harness/schedule/progress.h"
#include "machine/path.h"

struct turns_options {
    unsigned rounds;       /* timed ones: 1 .. TURNS_ROUNDS_MAX */
    double turn_ns;        /* what a turn shall last at least */
    unsigned key_shift;    /* 2^key_shift times fewer keys than usual: 0 .. 8 */
    uint64_t memory_bytes; /* what filters and keys of one size may take */
    bool operations[OPERATION_COUNT];
    bool paths[PATH_COUNT];           /* none above path_machine() */
    volatile sig_atomic_t *interrupt; /* may be NULL */
};
enum { TURNS_ROUNDS_MAX = 1000 };

/* Measures the cells, all of about one size, and appends their rows. Where memory does not take all
 * of them together they are measured some after the others. *wrong: how many filters gave wrong
 * answers; they get no rows, and the first is told in err (E_CHECK is the caller's to return).
 * progress counts turns. */
enum status turns_measure(struct timings *timings, size_t *wrong, const struct plan *plan,
                          const size_t *cells, size_t count, const struct turns_options *options,
                          const struct counters *counters, struct progress *progress,
                          struct error *err);

/* How many turns that takes, the round before the first included. */
uint64_t turns_count(size_t cells, const struct turns_options *options);

#endif
