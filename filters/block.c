/* SPDX-License-Identifier: MIT */
#include "filters/block.h"

#include <math.h>
#include <string.h>

#include "filters/bits.h"
#include "filters/loops.h"
#include "filters/regions.h"
#include "filters/theory/cardinality.h"

const uint64_t block_odd[8] = {
    UINT64_C(0xd1342543de82ef95), UINT64_C(0xb1b9d47c9f8b8cb9), UINT64_C(0x739d9fcd088b9ead),
    UINT64_C(0x49136017ec40ddb1), UINT64_C(0xe7fc1700229b4705), UINT64_C(0x2d320d22823800e9),
    UINT64_C(0x35f577dd97c40e9d), UINT64_C(0xce3a3efbf07b1461),
};

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

const uint64_t *block_locate(const struct filter *f, struct digests *batch,
                             struct block_scratch *scratch)
{
    const struct layout *layout = f->layout;
    const uint64_t *digest = joined_load(batch, layout->params.digest_bits, &scratch->joined);
    const unsigned log_bytes = (unsigned)__builtin_ctzll(layout->geometry[BLOCK_BITS]) - 3;
    const size_t count = batch->count;
    reduce_batch(&layout->reducer, scratch->start, digest, count, log_bytes, 0);
    for (size_t i = 0; i < BLOCK_AHEAD && layout->bytes > LOOPS_PREFETCH_BYTES; i++)
        scratch->start[count + i] = count ? scratch->start[count - 1] : 0;
    return digest;
}

static struct block_batch block_begin(const struct filter *f, struct digests *batch,
                                      struct block_scratch *scratch)
{
    memset(scratch->hits, 0, sizeof scratch->hits);
    return (struct block_batch){
        .memory = f->memory,
        .digest = block_locate(f, batch, scratch),
        .start = scratch->start,
        .count = batch->count,
        .hits = scratch->hits,
        .k = f->layout->k,
        .block_bits = (unsigned)f->layout->geometry[BLOCK_BITS],
        .far = f->layout->bytes > LOOPS_PREFETCH_BYTES,
    };
}

void block_insert(struct filter *f, struct digests *batch, void *scratch, block_do *set)
{
    struct block_batch b = block_begin(f, batch, scratch);
    set(f, &b);
    f->inserted += batch->count;
}

const uint64_t *block_ask(const struct filter *f, struct digests *batch, void *scratch,
                          block_do *test)
{
    struct block_batch b = block_begin(f, batch, scratch);
    test(f, &b);
    return b.hits;
}

void block_scatter(struct filter *f, struct regions *queues, struct digests *batch, void *scratch)
{
    struct block_scratch *s = scratch;
    const uint64_t *digest = block_locate(f, batch, s);
    regions_put(queues, s->start, 0, digest, batch->count);
    f->inserted += batch->count;
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
