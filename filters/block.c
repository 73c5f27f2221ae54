/* SPDX-License-Identifier: MIT */
#include "filters/block.h"

#include <math.h>

#include <string.h>

#include "filters/bits.h"
#include "filters/loops.h"

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
        .bulk = regions_wanted(blocks * block_bytes) ? REGIONS_KEYS : FILTER_BATCH,
        .scratch_bytes = sizeof(struct block_scratch) +
                         regions_scratch_bytes(blocks * block_bytes, blocks * block_bytes),
        .geometry = {[BLOCK_BITS] = block_bits, [BLOCK_COUNT] = blocks},
    };
    enum status status = joined_check(params, variant, err);
    if (status)
        return status;
    return reducer_init(&layout->reducer, params->reduction, blocks,
                        joined_bits(params->digest_bits), "the number of blocks", err);
}

/* Blocks of count keys, as the first byte of each. */
static void block_start(const struct layout *layout, const uint64_t *digest, size_t count,
                        uint64_t *start)
{
    const unsigned log_bytes = (unsigned)__builtin_ctzll(layout->geometry[BLOCK_BITS]) - 3;
    reduce_batch(&layout->reducer, start, digest, count, log_bytes, 0);
    for (size_t i = 0; i < BLOCK_AHEAD; i++)
        start[count + i] = count ? start[count - 1] : 0;
}

const uint64_t *block_locate(const struct filter *f, struct digests *batch,
                             struct block_scratch *scratch)
{
    const uint64_t *digest = joined_load(batch, f->layout->params.digest_bits, &scratch->joined);
    block_start(f->layout, digest, batch->count, scratch->start);
    return digest;
}

static struct block_batch block_begin(const struct filter *f, const uint64_t *digest,
                                      const uint64_t *start, size_t count,
                                      struct block_scratch *scratch)
{
    memset(scratch->hits, 0, answer_words(count) * sizeof *scratch->hits);
    return (struct block_batch){
        .memory = f->memory,
        .digest = digest,
        .start = start,
        .count = count,
        .hits = scratch->hits,
        .k = f->layout->k,
        .block_bits = (unsigned)f->layout->geometry[BLOCK_BITS],
        .far = f->layout->bytes > LOOPS_PREFETCH_BYTES,
    };
}

/* ---- by regions ------------------------------------------------------------------------------ */

struct block_work {
    const struct filter *f;
    struct block_scratch *scratch;
    block_do *todo;
    uint64_t *alive; /* NULL: only the number is wanted, or the keys are inserted */
    uint64_t hits;
};

/* Entries are joined digests. */
static void block_work_off(void *context, const uint64_t *entry, const uint32_t *index,
                           size_t count)
{
    struct block_work *w = context;
    for (size_t first = 0; first < count; first += FILTER_BATCH) {
        size_t some = count - first < FILTER_BATCH ? count - first : FILTER_BATCH;
        uint64_t *start = w->scratch->later;
        block_start(w->f->layout, entry + first, some, start);
        struct block_batch b = block_begin(w->f, entry + first, start, some, w->scratch);
        w->todo(w->f, &b);
        w->hits += answer_count(b.hits, some);
        for (size_t word = 0; w->alive && word < answer_words(some); word++)
            for (uint64_t rest = b.hits[word]; rest; rest &= rest - 1) {
                uint32_t key = index[first + 64 * word + (size_t)__builtin_ctzll(rest)];
                w->alive[key / 64] |= UINT64_C(1) << key % 64;
            }
    }
}

static void block_by_regions(struct block_work *w, struct digests *batch)
{
    const struct layout *layout = w->f->layout;
    struct block_scratch *s = w->scratch;
    struct regions *r =
        regions_begin(s->queues, layout->bytes, w->alive != NULL, block_work_off, w);
    for (size_t first = 0; first < batch->count; first += FILTER_BATCH) {
        size_t some = batch->count - first < FILTER_BATCH ? batch->count - first : FILTER_BATCH;
        for (size_t i = 0; i < some; i++)
            s->which[i] = (uint32_t)(first + i);
        const uint64_t *digest =
            joined_load_some(batch, layout->params.digest_bits, s->which, some, &s->joined);
        block_start(layout, digest, some, s->start);
        regions_put(r, s->start, digest, s->which, some);
    }
    regions_finish(r);
}

/* ---- a batch --------------------------------------------------------------------------------- */

void block_insert(struct filter *f, struct digests *batch, void *scratch, block_do *set)
{
    struct block_scratch *s = scratch;
    if (batch->count > FILTER_BATCH) {
        struct block_work w = {.f = f, .scratch = s, .todo = set};
        block_by_regions(&w, batch);
    } else {
        const uint64_t *digest = block_locate(f, batch, s);
        struct block_batch b = block_begin(f, digest, s->start, batch->count, s);
        set(f, &b);
    }
    f->inserted += batch->count;
}

const uint64_t *block_ask(const struct filter *f, struct digests *batch, void *scratch,
                          block_do *test)
{
    struct block_scratch *s = scratch;
    if (batch->count > FILTER_BATCH) {
        struct regions *r = (struct regions *)s->queues;
        memset(r->alive, 0, sizeof r->alive);
        struct block_work w = {.f = f, .scratch = s, .todo = test, .alive = r->alive};
        block_by_regions(&w, batch);
        return r->alive;
    }
    const uint64_t *digest = block_locate(f, batch, s);
    struct block_batch b = block_begin(f, digest, s->start, batch->count, s);
    test(f, &b);
    return b.hits;
}

uint64_t block_ask_count(const struct filter *f, struct digests *batch, void *scratch,
                         block_do *test)
{
    if (batch->count <= FILTER_BATCH)
        return answer_count(block_ask(f, batch, scratch, test), batch->count);
    struct block_work w = {.f = f, .scratch = scratch, .todo = test};
    block_by_regions(&w, batch);
    return w.hits;
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
