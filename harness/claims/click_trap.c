/* SPDX-License-Identifier: MIT
 *
 * click_trap.c: where the article saves memory: 32 bits of hash for a day of 864,000,000 ids.
 *
 * Scaled down with the width of the digests, so that ids / 2^w stays what it is at the end of the
 * day; --scale full is the day itself. Cells, in the order of the text: a bit for each digest; one
 * digest spread over the probes of a 1 % filter; a digest for each probe; digests wide enough.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/claims/click_stream.h"
#include "harness/workload/workload.h"

enum trap_cell { TRAP_MAP, TRAP_ONE_DIGEST, TRAP_DIGESTS, TRAP_WIDE };
enum { TRAP_CELLS = TRAP_WIDE + 1 };

static const char *const trap_name[TRAP_CELLS] = {"a map of hashes", "one hash for all probes",
                                                  "a hash for each probe", "hashes of 128 bits"};

/* One grid of the trap: w, 2^w, ids, bits of a 1 % filter of as many. */
#define TRAP_GRID(w, map, n, m)                                                                    \
    "    - {filter: [classic], hash: [{name: murmur2, family: seeded}], keys: [uuid4],\n"          \
    "       digest_bits: [" w "], m: [" map "], n: [" n "], k: [1]}\n"                             \
    "    - {filter: [classic], hash: [{name: murmur2, family: expanded}], keys: [uuid4],\n"        \
    "       digest_bits: [" w "], m: [" m "], n: [" n "], k: [7]}\n"                               \
    "    - {filter: [classic], hash: [{name: murmur2, family: seeded}], keys: [uuid4],\n"          \
    "       digest_bits: [" w "], m: [" m "], n: [" n "], k: [7]}\n"                               \
    "    - {filter: [classic], hash: [murmur3_x64_128], keys: [uuid4],\n"                          \
    "       m: [" m "], n: [" n "], k: [7]}\n"

static const char trap_text[] =
    "name: claims-trap\n"
    "question: How many clicks does a hash of 32 bits lose in a day?\n"
    "workload: stream\n"
    "grid:\n" TRAP_GRID("22", "\"2^22\"", "843750",
                        "8087394") "trials: 4\n"
                                   "queries: 500000\n"
                                   "seed: 1\n"
                                   "scales:\n"
                                   "  full:\n"
                                   "    trials: 1\n"
                                   "    queries: 10000000\n"
                                   "    grid:\n" TRAP_GRID("32", "\"2^32\"", "864000000",
                                                           "8281490439") "  quick:\n"
                                                                         "    trials: 2\n"
                                                                         "    queries: 100000\n"
                                                                         "    grid:\n" TRAP_GRID(
                                                                             "18", "\"2^18\"",
                                                                             "52734", "505459");

/* Lost ids over the day, and at its end, summed over trials. */
struct trap {
    uint64_t ids, lost, queries, hits;
    double lost_expected, hits_expected; /* shares */
};

static void trap_read(struct trap *trap, const struct claim_run *run, enum trap_cell which)
{
    const struct cell *cell = &run->plan->cells[which];
    const struct workload_ops *workload = workload_find(run->experiment->workload);
    struct formula formula;
    *trap = (struct trap){.ids = 0};
    for (uint64_t t = 0; t < cell->trials; t++) {
        const struct trial_result *trial = &claim_trials(run, cell)[t];
        trap->ids += cell->n;
        trap->lost += (uint64_t)trial_measure(trial, "lost_keys", 0);
        trap->queries += trial->queries;
        trap->hits += trial->false_positives;
    }
    workload->formula(cell, 0, &formula);
    trap->lost_expected = formula.value;
    workload->formula(cell, 2, &formula);
    trap->hits_expected = formula.value;
}

static double trap_share(uint64_t part, uint64_t all)
{
    return (double)part / (double)all;
}

static void trap_say(struct finding *finding, const struct trap *trap, enum trap_cell which)
{
    finding_say(finding,
                "%s%s: %.4g of new ids at the end of the day, %.4g over it (theory %.4g, "
                "%.4g)",
                *finding->measured ? "; " : "", trap_name[which],
                trap_share(trap->hits, trap->queries), trap_share(trap->lost, trap->ids),
                trap->hits_expected, trap->lost_expected);
}

/* Nothing is claimed but that duplicates are dropped: a lost id is one too many. */
enum status click_trap_map(struct finding *finding, const struct claim *claim,
                           struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    struct trap trap;
    (void)claim;
    enum status status = claim_lab_run(&run, lab, trap_text, err);
    if (status)
        return status;
    trap_read(&trap, run, TRAP_MAP);
    finding_share(finding, "lost at the end of the day", NAN, trap.hits, trap.queries);
    finding_share(finding, "lost over the day", NAN, trap.lost, trap.ids);
    trap_say(finding, &trap, TRAP_MAP);
    finding_holds(finding, trap.lost == 0, CLAIM_REFUTED);
    finding_how(finding, "bloomlab sweep sweeps/claims-trap.yaml; scaled down unless --scale full");
    return OK;
}

/* The claim's value is the rate the filter is made for. */
enum status click_trap_filters(struct finding *finding, const struct claim *claim,
                               struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = claim_lab_run(&run, lab, trap_text, err);
    if (status)
        return status;
    for (enum trap_cell which = TRAP_ONE_DIGEST; which <= TRAP_WIDE; which++) {
        struct trap trap;
        trap_read(&trap, run, which);
        finding_share(finding, trap_name[which],
                      which == TRAP_WIDE ? trap.hits_expected : claim->value[0], trap.hits,
                      trap.queries);
        trap_say(finding, &trap, which);
    }
    finding_how(finding, "bloomlab sweep sweeps/claims-trap.yaml; scaled down unless --scale full");
    return OK;
}
