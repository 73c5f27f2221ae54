/* SPDX-License-Identifier: MIT
 *
 * growth.c: growing filters as source 004 makes them: its capacities, one rate for all slices.
 */
#include "harness/claims/growth.h"

#include <inttypes.h>
#include <math.h>

#include "filters/theory/scalable.h"

enum { GROWTH_SLICES = 40 };

/* int(c0 (s len)) or int(c0 s^len), as the source writes them; the first slice has c0. */
static double growth_capacity(enum growth growth, double c0, double s, unsigned length)
{
    if (length == 0)
        return c0;
    return trunc(growth == GROWTH_LINEAR ? c0 * (s * length) : c0 * pow(s, length));
}

static enum status growth_capacities(struct finding *finding, enum growth growth, struct error *err)
{
    struct scalable_rule rule = {
        .growth = growth,
        .initial_capacity = 1000,
        .scale_factor = 2,
        .tightening = 1,
        .first_rate = 0.01,
        .slice_k = SLICE_K_CEIL,
    };
    bool same = true;
    for (unsigned i = 0; i < GROWTH_SLICES && (growth == GROWTH_LINEAR || i < 20); i++) {
        struct slice slice;
        enum status status = theory_scalable_slice(&slice, &rule, i, err);
        if (status)
            return status;
        double claimed = growth_capacity(growth, 1000, 2, i);
        same = same && (double)slice.capacity == claimed;
        if (i < 5)
            finding_say(finding, "%s%" PRIu64, i ? ", " : "", slice.capacity);
        if (i < 5)
            finding_computed(finding, "", claimed, 0, (double)slice.capacity);
    }
    finding_say(finding, ", ... for c0 = 1000, s = 2");
    finding_holds(finding, same, CLAIM_REFUTED);
    finding_how(finding, "capacities of the slices of scalable_%s",
                growth == GROWTH_LINEAR ? "linear" : "exponential");
    return OK;
}

enum status growth_linear(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                          struct error *err)
{
    (void)claim, (void)lab;
    return growth_capacities(finding, GROWTH_LINEAR, err);
}

enum status growth_exponential(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err)
{
    (void)claim, (void)lab;
    return growth_capacities(finding, GROWTH_EXPONENTIAL, err);
}

static const char growth_text[] =
    "name: claims-growth\n"
    "question: What does a growing filter's rate come to when every slice has the same?\n"
    "grid:\n"
    "  filter:\n"
    "    - {name: scalable_linear, initial_capacity: 1000, scale_factor: 2, tightening: 1,\n"
    "       target_rate: 0.01}\n"
    "    - {name: scalable_exponential, initial_capacity: 1000, scale_factor: 2, tightening: 1,\n"
    "       target_rate: 0.01}\n"
    "  hash: [murmur3_x64_128]\n"
    "  keys: [url]\n"
    "  n: [1000000]\n"
    "trials: 4\n"
    "queries: 100000\n"
    "seed: 1\n"
    "plots: [scalable-growth]\n"
    "scales:\n"
    "  quick: {trials: 1, queries: 20000}\n";

enum status growth_constant_rate(struct finding *finding, const struct claim *claim,
                                 struct claim_lab *lab, struct error *err)
{
    static const char *const filters[] = {"scalable_linear", "scalable_exponential"};
    const struct claim_run *run;
    enum status status = claim_lab_run(&run, lab, growth_text, err);
    for (int i = 0; !status && i < 2; i++) {
        struct cell_summary summary;
        const struct cell *cell = claim_cell(run, filters[i], 0, 0);
        status = claim_summary(&summary, run, cell, err);
        if (status)
            return status;
        double slices = trial_measure(claim_trials(run, cell), "slices", NAN);
        finding_measured(finding, filters[i], claim->value[0], summary.judgement.fpr,
                         summary.judgement.fpr_interval,
                         (summary.judgement.fpr - claim->value[0]) /
                             sqrt(summary.theory.model.variance / (double)summary.trials));
        finding_say(finding, "%s%.6g with %.0f slices (%s, expected %.9g)", i ? "; " : "",
                    summary.judgement.fpr, slices, filters[i], summary.theory.model.fpr);
    }
    finding_say(finding, " for 10^6 keys at 0.01: the sum over slices grows without bound");
    finding_how(finding, "bloomlab sweep sweeps/claims-growth.yaml; with tightening below 1 the "
                         "rate stays below target/(1 - tightening)");
    return status;
}

/* Slices and rate fall; the bytes depend on how full the last slice is. */
enum status growth_better(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                          struct error *err)
{
    static const char *const filters[] = {"scalable_linear", "scalable_exponential"};
    const struct claim_run *run;
    double slices[2] = {0}, rate[2] = {0}, bytes[2] = {0};
    (void)claim;
    enum status status = claim_lab_run(&run, lab, growth_text, err);
    for (int i = 0; !status && i < 2; i++) {
        struct cell_summary summary;
        const struct cell *cell = claim_cell(run, filters[i], 0, 0);
        status = claim_summary(&summary, run, cell, err);
        if (status)
            return status;
        slices[i] = trial_measure(claim_trials(run, cell), "slices", NAN);
        rate[i] = summary.judgement.fpr;
        bytes[i] = (double)summary.memory_bytes;
        finding_measured(finding, filters[i], NAN, rate[i], summary.judgement.fpr_interval, NAN);
    }
    finding_say(finding,
                "%.0f slices and a rate of %.6g where linear growth has %.0f and %.6g, for 10^6 "
                "keys at 0.01; %.0f and %.0f bytes, by how full the last slice is",
                slices[1], rate[1], slices[0], rate[0], bytes[1], bytes[0]);
    finding_holds(finding, slices[1] < slices[0] && rate[1] < rate[0], CLAIM_REFUTED);
    finding_how(finding, "bloomlab sweep sweeps/claims-growth.yaml");
    return status;
}
