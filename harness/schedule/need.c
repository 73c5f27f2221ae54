/* SPDX-License-Identifier: MIT */
#include "harness/schedule/need.h"

#include "harness/workload/pass.h"

/* Keys of a trial from which further threads may help with it. */
#define TRIAL_SHARED_KEYS (UINT64_C(1) << 20)

uint64_t need_key_bytes(const struct need *need, const struct digest_family *family, bool remember)
{
    const struct key_source *source = need->cell->source->source;
    return digest_source_bytes(source, family, need->members, need->columns, need->batch,
                               remember) +
           digest_source_bytes(source, family, need->queries, need->columns, need->batch, remember);
}

unsigned need_threads(const struct need *need, unsigned threads, size_t tasks)
{
    uint64_t each = threads / tasks;
    if (need->cells > 1 || need->members + need->queries < TRIAL_SHARED_KEYS)
        return 1;
    return (unsigned)(each < PASS_THREADS_MAX ? each : PASS_THREADS_MAX);
}

uint64_t need_threads_bytes(const struct need *need, const struct digest_family *family,
                            unsigned threads)
{
    if (threads <= 1)
        return 0;
    const struct layout *layout = &need->cell->layout;
    uint64_t keys = need->members > need->queries ? need->members : need->queries;
    return pass_threads_bytes(layout, keys, threads) +
           (threads - 1) * (layout->scratch_bytes + need_key_bytes(need, family, false));
}
