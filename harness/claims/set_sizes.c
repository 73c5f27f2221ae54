/* SPDX-License-Identifier: MIT */
#include "harness/claims/set_sizes.h"

#include <math.h>
#include <stdlib.h>

#include "filters/theory/cardinality.h"

static const char set_sizes_text[] = "name: claims-sets-of-keys\n"
                                     "question: Do the bits of AND and OR tell how many keys two "
                                     "sets have in common, and together?\n"
                                     "workload: set_operations\n"
                                     "grid:\n"
                                     "  filter: [classic]\n"
                                     "  hash: [{name: murmur3_x86_32, family: seeded}]\n"
                                     "  keys: [url]\n"
                                     "  m: [9586]\n"
                                     "  n: [1000]\n"
                                     "  k: [7]\n"
                                     "  overlap: [0, 0.5]\n"
                                     "trials: 400\n"
                                     "queries: 1000\n"
                                     "seed: 1\n"
                                     "scales:\n"
                                     "  quick: {trials: 100}\n";
static const char set_sizes_how[] = "bloomlab sweep sweeps/claims-sets-of-keys.yaml";

/* A measure of every trial of a cell, from malloc. */
static double *set_sizes_measure(const struct claim_run *run, const struct cell *cell,
                                 const char *name)
{
    double *value = malloc((size_t)cell->trials * sizeof *value);
    for (uint64_t t = 0; value && t < cell->trials; t++)
        value[t] = trial_measure(&claim_trials(run, cell)[t], name, NAN);
    return value;
}

/* The cell with an overlap, or without. */
static const struct cell *set_sizes_cell(const struct claim_run *run, bool overlap)
{
    for (size_t c = 0; c < run->plan->cell_count; c++) {
        const struct cell *cell = &run->plan->cells[c];
        if ((trial_measure(claim_trials(run, cell), "true_intersection", 0) > 0) == overlap)
            return cell;
    }
    return NULL;
}

static enum status set_sizes_mean(struct finding *finding, const char *name, double claimed,
                                  const struct claim_run *run, const struct cell *cell,
                                  const char *measure, struct error *err)
{
    double *value = set_sizes_measure(run, cell, measure);
    if (!value)
        return fail(err, E_RUN, "no memory for the measures of %s", run->experiment->name);
    finding_mean(finding, name, claimed, value, (size_t)cell->trials);
    free(value);
    return OK;
}

/* Bits that keys of one set alone and of the other alone both set are no common keys. */
enum status set_sizes_intersection(struct finding *finding, const struct claim *claim,
                                   struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    (void)claim;
    enum status status = claim_lab_run(&run, lab, set_sizes_text, err);
    if (status)
        return status;
    const struct cell *apart = set_sizes_cell(run, false), *common = set_sizes_cell(run, true);
    double shared = trial_measure(claim_trials(run, common), "true_intersection", NAN);
    status = set_sizes_mean(finding, "by AND's bits, 0 in common", 0, run, apart,
                            "intersection_naive", err);
    if (!status)
        status = set_sizes_mean(finding, "by AND's bits, half in common", shared, run, common,
                                "intersection_naive", err);
    if (!status)
        status = set_sizes_mean(finding, "by inclusion and exclusion, half in common", NAN, run,
                                common, "intersection_unclamped", err);
    if (status)
        return status;
    const struct layout *layout = &apart->layout;
    double expected = theory_cardinality_at(
        layout->m, layout->k,
        theory_fill_intersection(layout->m, layout->k, apart->n, apart->n, 0));
    const struct reading *reading = finding->reading;
    finding_say(
        finding,
        "%.6g for two sets of 1000 with none in common (%.9g expected), %.6g with %.0f; right "
        "is inclusion and exclusion: %.6g",
        reading[0].value, expected, reading[1].value, shared, reading[2].value);
    finding_how(finding, "%s: intersection_naive, intersection_unclamped", set_sizes_how);
    return OK;
}

enum status set_sizes_union(struct finding *finding, const struct claim *claim,
                            struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    (void)claim;
    enum status status = claim_lab_run(&run, lab, set_sizes_text, err);
    if (status)
        return status;
    const struct cell *apart = set_sizes_cell(run, false), *common = set_sizes_cell(run, true);
    double sum = 2 * (double)common->n;
    double truth = trial_measure(claim_trials(run, common), "true_union", NAN);
    finding_computed(finding, "a + b, half in common", sum, 0, truth);
    status = set_sizes_mean(finding, "by OR's bits, half in common", NAN, run, common, "n_or", err);
    if (!status)
        status =
            set_sizes_mean(finding, "by OR's bits, none in common", NAN, run, apart, "n_or", err);
    if (status)
        return status;
    finding_say(finding,
                "%.0f for two sets of 1000 with 500 in common, where a + b = %.0f; the bits of OR "
                "tell %.6g (and %.6g where none is in common: there a + b is right)",
                truth, sum, finding->reading[1].value, finding->reading[2].value);
    finding_how(finding, "%s: true_union, n_or", set_sizes_how);
    return OK;
}
