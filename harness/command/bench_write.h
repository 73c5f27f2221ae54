/* SPDX-License-Identifier: MIT
 *
 * bench_write.h: a benchmark from its plan to its tables and plots.
 */
#ifndef BLOOMLAB_COMMAND_BENCH_WRITE_H
#define BLOOMLAB_COMMAND_BENCH_WRITE_H

#include "harness/bench/bench.h"
#include "harness/command/run.h"

#define BENCH_QUESTION                                                                             \
    "What does a key cost in each filter, at each size, beside what memory itself costs?"

enum bench_part { BENCH_FILTERS, BENCH_LINEAR_COST };
enum { BENCH_PARTS = BENCH_LINEAR_COST + 1 };

struct bench_output {
    const char *out; /* results go to out/NAME */
    bool plots;
    bool part[BENCH_PARTS]; /* what is measured */
    int argc;               /* of the command line, for provenance */
    char **argv;
};

/* Measures, then writes timings.csv, provenance.json and the plots. E_CHECK, with everything
 * written: a filter gave wrong answers and has no rows. Interrupted: OK, nothing but the
 * folder written. */
enum status bench_write(const struct run *run, const struct bench_options *options,
                        const struct bench_output *output, struct error *err);

#endif
