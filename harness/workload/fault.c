/* SPDX-License-Identifier: MIT */
#include "harness/workload/fault.h"

#include <math.h>

#include "hashes/mix.h"

/* Apart from everything keys and hash seeds are drawn from. */
static const uint64_t fault_stream = UINT64_C(0x6c616e7465646661);
static const uint64_t fault_weyl = UINT64_C(0x9e3779b97f4a7c15);

/* How many of `count` draws fall below the probability. */
static uint64_t fault_draw(uint64_t seed, uint64_t count, double probability)
{
    uint64_t drawn = 0, state = mix64(seed ^ fault_stream);
    uint64_t below = probability < 1 ? (uint64_t)ldexp(probability, 53) : UINT64_C(1) << 53;
    for (uint64_t i = 0; i < count; i++)
        drawn += mix64(state += fault_weyl) >> 11 < below;
    return drawn;
}

enum status fault_apply(struct trial_result *result, const struct cell *cell, struct error *err)
{
    double f = result->fpr_scheme, share = cell->fault.share;
    if (cell->fault.kind == FAULT_NONE)
        return OK;
    if (cell->fault.kind == FAULT_BITS)
        return trial_measure_add(result, "planted_bits", share, err);
    if (f > 0 && f < 1)
        result->false_positives += fault_draw(
            result->seed, result->queries - result->false_positives, share * f / (1 - f));
    return trial_measure_add(result, "planted_probes", share, err);
}
