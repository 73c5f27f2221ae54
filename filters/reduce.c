/* SPDX-License-Identifier: MIT */
#include "filters/reduce.h"

#include <inttypes.h>
#include <string.h>

static const char *const reduction_names[REDUCTION_COUNT] = {
    [REDUCE_MOD] = "mod",
    [REDUCE_MASK] = "mask",
    [REDUCE_MULTIPLY_SHIFT] = "multiply_shift",
};

const char *reduction_name(enum reduction kind)
{
    return reduction_names[kind];
}

bool reduction_find(const char *name, enum reduction *kind)
{
    for (int i = 0; i < REDUCTION_COUNT; i++)
        if (strcmp(name, reduction_names[i]) == 0)
            return *kind = (enum reduction)i, true;
    return false;
}

enum status reducer_init(struct reducer *reducer, enum reduction kind, uint64_t range,
                         unsigned digest_bits, const char *what, struct error *err)
{
    if (range == 0)
        return fail(err, E_IMPOSSIBLE, "%s is 0; it must be at least 1", what);
    if (kind == REDUCE_MASK && (range & (range - 1)))
        return fail(err, E_IMPOSSIBLE, "reduction mask needs a power of two, but %s is %" PRIu64,
                    what, range);
    *reducer = (struct reducer){
        .kind = kind,
        .shift = 64 - digest_bits,
        .range = range,
        .inverse = UINT64_MAX / range,
    };
    return OK;
}
