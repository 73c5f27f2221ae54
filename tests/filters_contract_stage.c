/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/filters_contract.h"

enum { GUARD_BYTES = 256, GUARD_FRONT = 4096, GUARD_PATTERN = 0xa5, GUARD_DIRT = 0x5a };

static void guarded_open(struct guarded *block, uint64_t bytes, int content)
{
    uint64_t whole = (GUARD_FRONT + bytes + GUARD_BYTES + GUARD_FRONT - 1) / GUARD_FRONT;
    block->bytes = bytes;
    block->whole = aligned_alloc(GUARD_FRONT, whole * GUARD_FRONT);
    block->inside = block->whole + GUARD_FRONT;
    memset(block->inside - GUARD_BYTES, GUARD_PATTERN, bytes + 2 * GUARD_BYTES);
    memset(block->inside, content, bytes);
}

static bool guarded_close(struct guarded *block)
{
    bool intact = true;
    for (unsigned i = 0; i < GUARD_BYTES; i++)
        intact &= block->inside[-1 - (int)i] == GUARD_PATTERN &&
                  block->inside[block->bytes + i] == GUARD_PATTERN;
    free(block->whole);
    return intact;
}

static void stage_note(struct stage *stage, const char *what, unsigned column)
{
    if (!stage->trouble[0])
        snprintf(stage->trouble, sizeof stage->trouble, "column %u: %s", column, what);
}

static const uint64_t *stage_spy(struct digests *self, unsigned column, const uint32_t *which,
                                 size_t count, uint64_t *out)
{
    struct stage *stage = (struct stage *)((char *)self - offsetof(struct stage, spy));
    if (column >= stage->layout.columns)
        stage_note(stage, "is not among those of the layout", column);
    if (count > self->count)
        stage_note(stage, "more digests asked for than there are keys", column);
    for (size_t i = 0; which && i < count; i++)
        if (which[i] >= self->count || (i && which[i] <= which[i - 1]))
            stage_note(stage, "keys out of range or not ascending", column);
    if (column == 0 && !which && count) { /* digests may also stand in the source's own memory */
        const uint64_t *from = digests_column(stage->asked, 0, NULL, count, stage->own);
        memset(out, GUARD_DIRT, count * sizeof *out);
        return from;
    }
    return digests_column(stage->asked, column, which, count, out);
}

static struct digests *stage_move(struct stage *stage, uint64_t seed, uint64_t first, size_t count)
{
    stage->asked = source_move(stage->c->source, seed, first, count);
    stage->spy = (struct digests){stage_spy, count, stage->asked->bits};
    return &stage->spy;
}

static enum status stage_check_layout(const struct stage *stage, struct error *err)
{
    const struct layout *layout = &stage->layout;
    const char *name = stage->c->ops->name;
    if (layout->bytes_max < layout->bytes)
        return fail(err, E_CHECK, "%s: bytes_max is below bytes", name);
    if (layout->bytes_max > layout->bytes && !(stage->c->ops->capabilities & CAN_GROW))
        return fail(err, E_CHECK, "%s: it wants an arena, but cannot grow", name);
    if (layout->alignment == 0 || layout->alignment > GUARD_FRONT ||
        (layout->alignment & (layout->alignment - 1)))
        return fail(err, E_CHECK, "%s: alignment %zu is no power of two up to 4096", name,
                    layout->alignment);
    if (layout->batch < 1 || layout->batch > SOURCE_BATCH_MAX)
        return fail(err, E_CHECK, "%s: batches of %zu keys", name, layout->batch);
    if (layout->columns > layout->params.digest_columns)
        return fail(err, E_CHECK, "%s: %u columns of %u", name, layout->columns,
                    layout->params.digest_columns);
    return OK;
}

enum status stage_open(struct stage *stage, const struct contract_case *c, uint64_t n,
                       struct error *err)
{
    memset(stage, 0, sizeof *stage);
    stage->c = c;
    struct filter_params params = c->params;
    params.n = n ? n : 1;
    enum status status = c->ops->plan(&stage->layout, &params, err);
    if (!status)
        status = stage_check_layout(stage, err);
    if (status)
        return status;
    guarded_open(&stage->memory, stage->layout.bytes, GUARD_DIRT);
    guarded_open(&stage->arena_block, stage->layout.bytes_max - stage->layout.bytes, 0);
    guarded_open(&stage->scratch, stage->layout.scratch_bytes, GUARD_DIRT);
    stage->own = malloc(SOURCE_BATCH_MAX * sizeof *stage->own);
    stage->arena = (struct arena){stage->arena_block.inside, stage->arena_block.bytes, 0};
    stage->filter = (struct filter){
        .ops = c->ops,
        .layout = &stage->layout,
        .memory = stage->memory.inside,
        .arena = c->ops->capabilities & CAN_GROW ? &stage->arena : NULL,
        .inserted = 77, /* as dirty as the memory: init must clean it */
    };
    c->ops->init(&stage->filter);
    if (stage->filter.inserted == 0)
        return OK;
    return stage_close(stage, fail(err, E_CHECK, "%s: init leaves inserted", c->ops->name), err);
}

enum status stage_close(struct stage *stage, enum status status, struct error *err)
{
    const char *name = stage->c->ops->name;
    bool memory = guarded_close(&stage->memory);
    bool arena = guarded_close(&stage->arena_block);
    bool scratch = guarded_close(&stage->scratch);
    free(stage->own);
    if (status)
        return status;
    if (!memory || !arena || !scratch)
        return fail(err, E_CHECK, "%s: bytes outside its %s were written", name,
                    !memory ? "memory" : (!arena ? "arena" : "scratch"));
    if (stage->trouble[0])
        return fail(err, E_CHECK, "%s: %s", name, stage->trouble);
    return OK;
}

enum status stage_insert(struct stage *stage, uint64_t seed, uint64_t first, uint64_t count,
                         uint64_t piece, struct error *err)
{
    uint64_t most = piece ? piece : stage->layout.batch;
    for (uint64_t done = 0; done < count || count == 0; done += most) {
        size_t take = (size_t)(count - done < most ? count - done : most);
        enum status status =
            stage->c->ops->insert(&stage->filter, stage_move(stage, seed, first + done, take),
                                  stage->scratch.inside, err);
        if (status || count == 0)
            return status;
    }
    return OK;
}

uint64_t stage_query(struct stage *stage, uint8_t *answer, uint64_t seed, uint64_t first,
                     uint64_t count, uint64_t piece)
{
    uint64_t most = piece ? piece : stage->layout.batch, hits = 0;
    for (uint64_t done = 0; done < count; done += most) {
        size_t take = (size_t)(count - done < most ? count - done : most);
        hits += stage->c->ops->query(&stage->filter, answer ? answer + done : NULL,
                                     stage_move(stage, seed, first + done, take),
                                     stage->scratch.inside);
    }
    return hits;
}

uint64_t stage_remove(struct stage *stage, uint8_t *answer, uint64_t seed, uint64_t first,
                      uint64_t count, uint64_t piece)
{
    uint64_t most = piece ? piece : stage->layout.batch, gone = 0;
    for (uint64_t done = 0; done < count; done += most) {
        size_t take = (size_t)(count - done < most ? count - done : most);
        gone += stage->c->ops->remove(&stage->filter, answer ? answer + done : NULL,
                                      stage_move(stage, seed, first + done, take),
                                      stage->scratch.inside);
    }
    return gone;
}

bool stage_equal(const struct stage *a, const struct stage *b)
{
    return a->layout.bytes == b->layout.bytes && a->arena.used == b->arena.used &&
           memcmp(a->memory.inside, b->memory.inside, a->layout.bytes) == 0 &&
           memcmp(a->arena_block.inside, b->arena_block.inside, a->arena.used) == 0;
}
