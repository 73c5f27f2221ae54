/* SPDX-License-Identifier: MIT
 *
 * judge_cells.h: simulated cells for the judge: classic filters under ideal digests, sound or with
 * one fault planted. Bits are thrown one by one, hits drawn from the binomial law, so that neither
 * a filter nor a hash is involved.
 */
#ifndef BLOOMLAB_TESTS_JUDGE_CELLS_H
#define BLOOMLAB_TESTS_JUDGE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include <gsl/gsl_rng.h>

#include "harness/judge/judge.h"

enum { CELL_TRIALS_MAX = 64 };

struct cell_setup {
    unsigned m, n, k;
    unsigned trials;
    uint64_t queries;
    double repeated;   /* fault: this share of throws repeats the position before */
    double probes;     /* fault: queries hit this share more often than the filter says */
    bool ignores_seed; /* fault: every trial is the first */
};

struct simulated_cell {
    uint64_t hits[CELL_TRIALS_MAX], bits_set[CELL_TRIALS_MAX];
    double f[CELL_TRIALS_MAX];
    struct evidence evidence; /* points into this struct */
};

/* Theory of the classic filter at the setup: evidence without trials. */
struct evidence cell_theory(const struct cell_setup *setup);

/* Fills the trials; theory is that of the setup. */
void cell_simulate(struct simulated_cell *cell, const struct cell_setup *setup,
                   const struct evidence *theory, gsl_rng *rng);

#endif
