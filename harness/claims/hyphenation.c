/* SPDX-License-Identifier: MIT
 *
 * hyphenation.c: 50,000 hard words of 500,000 in 288,539 bits, k = 4. A disk read is a hard word,
 * or an easy one that the filter takes for hard. Each trial draws the hard words anew.
 */
#include "harness/claims/hyphenation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char hyphenation_text[] =
    "name: claims-hyphenation\n"
    "question: How many disk reads does a filter of the 50,000 hard words leave of 500,000?\n"
    "grid:\n"
    "  - filter: [classic]\n"
    "    hash: [murmur3_x64_128, murmur2, fnv1a_64, djb2_mix, xxh3_64, sha256]\n"
    "    keys: [word_forms]\n"
    "    m: [288539]\n"
    "    n: [50000]\n"
    "    k: [4]\n"
    "  - filter: [double_hashing]\n"
    "    hash: [{pair: [fnv1a_32, djb2_mix]}]\n"
    "    keys: [word_forms]\n"
    "    m: [288539]\n"
    "    n: [50000]\n"
    "    k: [4]\n"
    "trials: 50\n"
    "queries: 450000\n"
    "seed: 1\n"
    "scales:\n"
    "  full: {trials: 200}\n"
    "  quick: {trials: 4}\n";

static const char hyphenation_hash[] = "murmur3_x64_128";

/* Disk reads of each trial, from malloc. */
static double *hyphenation_count(const struct claim_run *run, const struct cell *cell)
{
    double *reads = malloc((size_t)cell->trials * sizeof *reads);
    for (uint64_t t = 0; reads && t < cell->trials; t++)
        reads[t] = (double)(cell->n + claim_trials(run, cell)[t].false_positives);
    return reads;
}

static enum status hyphenation_measure(struct finding *finding, const char *name, double claimed,
                                       const struct claim_run *run, const struct cell *cell,
                                       struct error *err)
{
    double *reads = hyphenation_count(run, cell);
    if (!reads)
        return fail(err, E_RUN, "no memory for %llu numbers", (unsigned long long)cell->trials);
    finding_mean(finding, name, claimed, reads, (size_t)cell->trials);
    free(reads);
    return OK;
}

enum status hyphenation_reads(struct finding *finding, const struct claim *claim,
                              struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    struct cell_theory theory;
    enum status status = claim_lab_run(&run, lab, hyphenation_text, err);
    if (status)
        return status;
    const struct cell *cell = claim_cell_of_hash(run, hyphenation_hash);
    theory_of_layout(&theory, cell->ops, &cell->layout, cell->n);
    status = hyphenation_measure(finding, "disk reads", claim->value[0], run, cell, err);
    if (status)
        return status;
    const struct reading *reading = &finding->reading[0];
    finding_say(finding,
                "%.6g disk reads of 500000, mean of %llu random choices of the hard words (z = "
                "%.2f); expected %.9g",
                reading->value, (unsigned long long)cell->trials, reading->z,
                (double)cell->n + (double)cell->queries * theory.exact);
    finding_how(finding, "bloomlab sweep sweeps/claims-hyphenation.yaml, %s: n and false_positives",
                hyphenation_hash);
    return OK;
}

enum status hyphenation_hashes(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = claim_lab_run(&run, lab, hyphenation_text, err);
    for (size_t c = 0; !status && c < run->plan->cell_count; c++) {
        char hash[CELL_HASH_MAX];
        const struct cell *cell = &run->plan->cells[c];
        cell_hash_format(cell, hash);
        status = hyphenation_measure(finding, hash, claim->value[0], run, cell, err);
    }
    finding_how(finding,
                "bloomlab sweep sweeps/claims-hyphenation.yaml; the pair by double hashing");
    return status;
}
