/* SPDX-License-Identifier: MIT */
#include "filters/block.h"

#include <math.h>

#include "filters/bits.h"
#include "filters/theory/cardinality.h"

enum status block_plan(struct layout *layout, const struct filter_params *params,
                       unsigned block_bits, unsigned k, const char *variant, struct error *err)
{
    uint64_t blocks = params->m / block_bits + (params->m % block_bits != 0);
    unsigned block_bytes = block_bits / 8;
    *layout = (struct layout){
        .params = *params,
        .m = blocks * block_bits,
        .k = k,
        .bytes = blocks * block_bytes,
        .bytes_max = blocks * block_bytes,
        .alignment = block_bytes < 64 ? 64 : block_bytes,
        .columns = joined_columns(params->digest_bits),
        .batch = FILTER_BATCH,
        .scratch_bytes = sizeof(struct block_scratch),
        .geometry = {[BLOCK_BITS] = block_bits, [BLOCK_COUNT] = blocks},
    };
    enum status status = joined_check(params, variant, err);
    if (status)
        return status;
    return reducer_init(&layout->reducer, params->reduction, blocks,
                        joined_bits(params->digest_bits), "the number of blocks", err);
}

static inline __attribute__((always_inline)) void block_locate_as(enum reduction kind,
                                                                  const struct layout *layout,
                                                                  const uint64_t *digest,
                                                                  size_t count, uint64_t *start)
{
    uint64_t bytes = layout->geometry[BLOCK_BITS] / 8;
    for (size_t i = 0; i < count; i++)
        start[i] = reduce_as(kind, &layout->reducer, digest[i]) * bytes;
}

const uint64_t *block_locate(const struct filter *f, struct digests *batch,
                             struct block_scratch *scratch)
{
    const struct layout *layout = f->layout;
    const uint64_t *digest = joined_load(batch, layout->params.digest_bits, &scratch->joined);
    size_t count = batch->count;
    switch (layout->reducer.kind) {
    case REDUCE_MOD:
        block_locate_as(REDUCE_MOD, layout, digest, count, scratch->start);
        break;
    case REDUCE_MASK:
        block_locate_as(REDUCE_MASK, layout, digest, count, scratch->start);
        break;
    case REDUCE_MULTIPLY_SHIFT:
        block_locate_as(REDUCE_MULTIPLY_SHIFT, layout, digest, count, scratch->start);
        break;
    }
    for (size_t i = 0; i < BLOCK_AHEAD; i++)
        scratch->start[count + i] = count ? scratch->start[count - 1] : 0;
    return digest;
}

uint64_t block_count(const struct filter *f, uint64_t block)
{
    uint64_t bytes = f->layout->geometry[BLOCK_BITS] / 8;
    return bits_count(f->memory + block * bytes, bytes);
}

double block_cardinality(const struct filter *f, double touched)
{
    uint64_t set = f->ops->count_bits(f);
    if (set == 0)
        return 0;
    if (set == f->layout->m)
        return INFINITY;
    return log1p(-(double)set / (double)f->layout->m) / log1p(-touched);
}

struct moments block_expected_cardinality(const struct layout *layout, double touched,
                                          const struct moments *fill)
{
    return theory_cardinality_delta(layout->m, -1 / log1p(-touched), *fill);
}

bool block_measure(const struct filter *f, unsigned i, struct measure *measure)
{
    static const char *const names[] = {"blocks", "full_blocks", "fullest_block_bits"};
    if (i >= sizeof names / sizeof *names)
        return false;
    uint64_t blocks = f->layout->geometry[BLOCK_COUNT], full = 0, most = 0;
    for (uint64_t b = 0; i && b < blocks; b++) {
        uint64_t set = block_count(f, b);
        full += set == f->layout->geometry[BLOCK_BITS];
        most = set > most ? set : most;
    }
    uint64_t values[] = {blocks, full, most};
    *measure = (struct measure){.name = names[i], .value = (double)values[i]};
    return true;
}
