/* SPDX-License-Identifier: MIT
 *
 * filters_add.c: adding a stream of keys is asking for each and then inserting it, one by one, for
 * every variant, reduction and source of digests.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "harness/stream/add.h"
#include "tests/filters_contract.h"

enum { ADD_KEYS = 1200 };

/* The keys of the stream: repeats within a batch, across batches, and far back. */
static uint64_t add_key(uint64_t i)
{
    return i % 5 == 4 ? i - 4 : i % 7 == 6 ? i / 2 : i % 11 == 10 ? 3 : i;
}

/* Digests of keys add_key(first + i). */
struct add_stream {
    struct digests batch;
    struct digests *all; /* keys 0 .. ADD_KEYS - 1 */
    uint64_t first;
};

static const uint64_t *add_column(struct digests *self, unsigned column, const uint32_t *which,
                                  size_t count, uint64_t *out)
{
    struct add_stream *stream = (struct add_stream *)self;
    uint32_t key[FILTER_BATCH] = {0};
    for (size_t i = 0; i < count; i++)
        key[i] = (uint32_t)add_key(stream->first + (which ? which[i] : i));
    const uint64_t *digest = digests_column(stream->all, column, key, count, out);
    for (size_t i = 0; i < count; i++)
        out[i] = digest[i];
    return out;
}

static struct digests *add_move(struct add_stream *stream, uint64_t first, size_t count)
{
    stream->first = first;
    stream->batch.count = count;
    return &stream->batch;
}

/* In pieces of `piece` keys; answers how many were found, which[] of them. */
static uint64_t add_in_pieces(struct stage *stage, struct add_stream *stream, size_t piece,
                              uint8_t *present)
{
    struct error err = {.text = ""};
    uint64_t all = 0, found;
    for (uint64_t done = 0; done < ADD_KEYS; done += piece, all += found) {
        size_t count = ADD_KEYS - done < piece ? (size_t)(ADD_KEYS - done) : piece;
        cr_assert_eq(stream_add(&stage->filter, &found, present + done,
                                add_move(stream, done, count), stage->scratch.inside, &err),
                     OK, "%s", err.text);
    }
    return all;
}

/* Query, then insert, a key at a time. absent_only: what stream_add does without an add. */
static uint64_t add_one_by_one(struct stage *stage, struct add_stream *stream, bool absent_only,
                               uint8_t *present)
{
    const struct filter_ops *ops = stage->filter.ops;
    struct error err = {.text = ""};
    uint64_t all = 0;
    for (uint64_t i = 0; i < ADD_KEYS; i++) {
        struct digests *one = add_move(stream, i, 1);
        all += ops->query(&stage->filter, present + i, one, stage->scratch.inside);
        if (!present[i] || !absent_only)
            cr_assert_eq(ops->insert(&stage->filter, one, stage->scratch.inside, &err), OK, "%s",
                         err.text);
    }
    return all;
}

static void add_repeats_found(const struct contract_case *c, const uint8_t *present)
{
    bool seen[ADD_KEYS] = {false};
    for (uint64_t i = 0; i < ADD_KEYS; i++) {
        cr_expect(present[i] || !seen[add_key(i)], "%s: repeat %zu was not found", c->ops->name,
                  (size_t)i);
        seen[add_key(i)] = true;
    }
}

static void add_compare(const struct contract_case *c, size_t piece)
{
    struct stage added, plain;
    struct error err = {.text = ""};
    struct add_stream stream = {
        {add_column, 0, c->source->bits}, source_move(c->source, 1, 0, ADD_KEYS), 0};
    uint8_t fast[ADD_KEYS], slow[ADD_KEYS];
    if (stage_open(&added, c, ADD_KEYS, &err) == E_IMPOSSIBLE)
        return;
    cr_assert_eq(stage_open(&plain, c, ADD_KEYS, &err), OK, "%s", err.text);
    size_t batch = stream_batch(&added.layout);
    uint64_t a = add_in_pieces(&added, &stream, piece < batch ? piece : batch, fast);
    uint64_t b = add_one_by_one(&plain, &stream, !c->ops->add, slow);
    cr_expect_eq(a, b, "%s: %zu of %zu found", c->ops->name, (size_t)a, (size_t)b);
    cr_expect_arr_eq(fast, slow, ADD_KEYS, "%s, %s, %s: other answers in batches of %zu",
                     c->ops->name, c->source->name, reduction_name(c->params.reduction), piece);
    cr_expect(stage_equal(&added, &plain), "%s: other bits in batches of %zu", c->ops->name, piece);
    cr_expect_eq(added.filter.inserted, plain.filter.inserted, "%s: inserted", c->ops->name);
    cr_expect_eq(added.filter.overflows, plain.filter.overflows, "%s: overflows", c->ops->name);
    cr_expect_eq(added.filter.degenerate, plain.filter.degenerate, "%s: degenerate", c->ops->name);
    add_repeats_found(c, fast);
    stage_close(&plain, OK, &err);
    cr_expect_eq(stage_close(&added, OK, &err), OK, "%s", err.text);
}

static void add_compare_all(uint64_t m, unsigned k, size_t piece)
{
    for (unsigned s = 0; s < SOURCE_COUNT; s++) {
        struct source source;
        source_init(&source, s);
        for (size_t i = 0; i < filter_count; i++)
            for (unsigned r = 0; r < REDUCTION_COUNT && stream_can_add(filter_table[i]); r++) {
                struct contract_case c = {.ops = filter_table[i], .source = &source};
                c.params = (struct filter_params){
                    .m = c.ops->axes & AXIS_M ? m : 0,
                    .n = ADD_KEYS,
                    .k = c.ops->axes & AXIS_K ? k : 0,
                    .reduction = (enum reduction)r,
                    .digest_bits = source.bits,
                    .digest_columns = source.columns,
                };
                filter_params_defaults(&c.params, c.ops);
                add_compare(&c, piece);
            }
        source_release(&source);
    }
}

/* A third of the bits are set in the end: some keys are found that were never added. */
Test(filters_add, is_query_then_insert)
{
    add_compare_all(8192, 4, FILTER_BATCH);
    add_compare_all(8192, 1, 7);
}

Test(filters_add, beyond_the_cache)
{
    add_compare_all(UINT64_C(1) << 24, 4, FILTER_BATCH);
}

/* Positions that coincide within a key, in a filter of a few bits. */
Test(filters_add, crowded)
{
    add_compare_all(64, 16, 100);
}

Test(filters_add, no_keys)
{
    struct source source;
    source_init(&source, 0);
    struct contract_case c = {.ops = filter_find("classic"), .source = &source};
    c.params = (struct filter_params){
        .m = 64, .n = 1, .k = 3, .digest_bits = 64, .digest_columns = source.columns};
    struct stage stage;
    struct error err = {.text = ""};
    struct add_stream stream = {{add_column, 0, 64}, source_move(&source, 1, 0, ADD_KEYS), 0};
    uint8_t none;
    uint64_t found = 7;
    cr_assert_eq(stage_open(&stage, &c, 1, &err), OK);
    cr_expect_eq(stream_add(&stage.filter, &found, &none, add_move(&stream, 0, 0),
                            stage.scratch.inside, &err),
                 OK);
    cr_expect_eq(found, 0);
    cr_expect_eq(stage.filter.inserted, 0);
    cr_expect_eq(stage_close(&stage, OK, &err), OK, "%s", err.text);
    source_release(&source);
}
