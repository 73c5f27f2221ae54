/* SPDX-License-Identifier: MIT
 *
 * identify.c: what a cell is, in words; its id, and the seeds that come from it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "filters/theory/width.h"
#include "harness/plan/build.h"
#include "hashes/mix.h"

void cell_hash_format(const struct cell *cell, char text[CELL_HASH_MAX])
{
    text[0] = '\0';
    if (cell->hash)
        snprintf(text, CELL_HASH_MAX, "%s%s%s", cell->hash->hash->name,
                 cell->hash->second ? "+" : "", cell->hash->second ? cell->hash->second->name : "");
}

/* What only cells that have it say of themselves: ids of all others stay what they were. */
static void cell_extras_format(char *text, size_t size, const struct cell *cell,
                               const struct param_spec *specs)
{
    int used = 0;
    char own[CELL_PARAMS_MAX];
    text[0] = '\0';
    if (cell->fault.kind != FAULT_NONE)
        used = snprintf(text, size, " fault=%s:%.17g", fault_name(cell->fault.kind),
                        cell->fault.share);
    if (cell->replica)
        used += snprintf(text + used, size - (size_t)used, " replica=%" PRIu64, cell->replica);
    params_format(cell->own, specs, own, sizeof own);
    if (*own)
        snprintf(text + used, size - (size_t)used, " own=%s", own);
}

/* Everything that makes this cell another one than its neighbours, in words. */
void cell_identify(struct cell *cell, const struct experiment *experiment)
{
    char hash[CELL_HASH_MAX], seed[32] = "", extras[CELL_PARAMS_MAX + 96], text[2048];
    const struct layout *layout = &cell->layout;
    cell_hash_format(cell, hash);
    cell_extras_format(extras, sizeof extras, cell, workload_params(experiment->workload));
    if (experiment->hash_seed_fixed)
        snprintf(seed, sizeof seed, "%" PRIu64, experiment->hash_seed);
    snprintf(text, sizeof text,
             "workload=%s filter=%s params=%s hash=%s family=%s digest_bits=%u reduction=%s "
             "keys=%s m=%" PRIu64 " n=%" PRIu64 " k=%u hash_seed=%s%s",
             workload_name(experiment->workload), cell->ops->name, cell->params, hash,
             cell->hash ? family_name(cell->hash->family) : "", cell->digest_bits,
             cell->ops->axes & AXIS_REDUCTION ? reduction_name(layout->params.reduction) : "",
             key_source_identity(cell->source->source), layout->params.m, cell->n, layout->params.k,
             seed, extras);
    snprintf(cell->id, sizeof cell->id, "%016" PRIx64, (uint64_t)XXH3_64bits(text, strlen(text)));
}

uint64_t cell_trial_seed(const struct experiment *experiment, const struct cell *cell,
                         uint64_t trial)
{
    uint64_t seed = mix64(mix64(experiment->seed + UINT64_C(0x9e3779b97f4a7c15)) ^ trial);
    if (experiment->independent)
        seed = mix64(seed ^ strtoull(cell->id, NULL, 16));
    return seed;
}

struct digest_family cell_family(const struct experiment *experiment, const struct cell *cell,
                                 uint64_t trial_seed)
{
    char name[CELL_HASH_MAX + 16], hash[CELL_HASH_MAX];
    cell_hash_format(cell, hash);
    snprintf(name, sizeof name, "%s/%s", hash, family_name(cell->hash->family));
    return (struct digest_family){
        .family = cell->hash->family,
        .hash = cell->hash->hash,
        .second = cell->hash->second,
        .digest_bits = cell->digest_bits,
        .seed_fixed = experiment->hash_seed_fixed,
        .hash_seed = experiment->hash_seed_fixed
                         ? experiment->hash_seed
                         : mix64(trial_seed ^ (uint64_t)XXH3_64bits(name, strlen(name))),
    };
}

double cell_width_floor(const struct cell *cell)
{
    unsigned digests = cell->hash->family == FAMILY_EXPANDED ? 1 : cell->layout.columns;
    return theory_width_floor(cell->digest_bits, digests, cell->n);
}
