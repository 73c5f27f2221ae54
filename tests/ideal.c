/* SPDX-License-Identifier: MIT */
#include "tests/ideal.h"

#include "hashes/mix.h"

static const uint64_t *ideal_column(struct digests *self, unsigned column, const uint32_t *which,
                                    size_t count, uint64_t *out)
{
    const struct ideal *ideal = (const struct ideal *)self;
    const uint64_t start = mix64(mix64(ideal->seed) ^ mix64(column + UINT64_C(0x9e3779b97f4a7c15)));
    for (size_t i = 0; i < count; i++) {
        uint64_t key = ideal->first + (which ? which[i] : i);
        out[i] = mix64(start + mix64(key * UINT64_C(0x9e3779b97f4a7c15) + 1)) >> (64 - self->bits);
    }
    return out;
}

void ideal_init(struct ideal *ideal, unsigned bits, uint64_t seed)
{
    *ideal = (struct ideal){.base = {.column = ideal_column, .bits = bits}, .seed = seed};
}

struct digests *ideal_move(struct ideal *ideal, uint64_t first, size_t count)
{
    ideal->first = first;
    ideal->base.count = count;
    return &ideal->base;
}
