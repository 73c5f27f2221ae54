/* SPDX-License-Identifier: MIT */
#include "tests/judge_cells.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "filters/theory/classic.h"

struct evidence cell_theory(const struct cell_setup *setup)
{
    uint64_t throws = (uint64_t)setup->n * setup->k;
    double exact = theory_fpr_exact(setup->m, setup->n, setup->k);
    return (struct evidence){
        .m = setup->m,
        .k = setup->k,
        .fill = theory_fill(setup->m, throws),
        .fill_is_throws = true,
        .throws = throws,
        .model = {.fpr = exact,
                  .variance = theory_fpr_variance(setup->m, setup->n, setup->k),
                  .name = "exact"},
        .fpr_standard = theory_fpr_standard(setup->m, setup->n, setup->k),
        .fpr_exact = exact,
        .replicates = true,
    };
}

static uint64_t cell_throw(const struct cell_setup *setup, uint64_t throws, gsl_rng *rng)
{
    unsigned char set[setup->m];
    memset(set, 0, setup->m);
    uint64_t bits = 0;
    unsigned long at = 0;
    for (uint64_t i = 0; i < throws; i++) {
        if (setup->repeated == 0 || i == 0 || gsl_rng_uniform(rng) >= setup->repeated)
            at = gsl_rng_uniform_int(rng, setup->m);
        bits += !set[at];
        set[at] = 1;
    }
    return bits;
}

void cell_simulate(struct simulated_cell *cell, const struct cell_setup *setup,
                   const struct evidence *theory, gsl_rng *rng)
{
    for (unsigned t = 0; t < setup->trials; t++) {
        if (t > 0 && setup->ignores_seed) {
            cell->bits_set[t] = cell->bits_set[0];
            cell->hits[t] = cell->hits[0];
            cell->f[t] = cell->f[0];
            continue;
        }
        cell->bits_set[t] = cell_throw(setup, theory->throws, rng);
        cell->f[t] = pow((double)cell->bits_set[t] / setup->m, setup->k);
        cell->hits[t] = gsl_ran_binomial(rng, fmin(1, cell->f[t] * (1 + setup->probes)),
                                         (unsigned)setup->queries);
    }
    cell->evidence = *theory;
    cell->evidence.trials = setup->trials;
    cell->evidence.queries = setup->queries;
    cell->evidence.hits = cell->hits;
    cell->evidence.bits_set = cell->bits_set;
    cell->evidence.fpr_scheme = cell->f;
    cell->evidence.fpr_bits = cell->f;
}
