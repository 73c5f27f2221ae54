/* SPDX-License-Identifier: MIT
 *
 * Every path the machine has (machine/path.h), on every filter, against the portable one: the same
 * bits, the same counters, the same answers in all forms. Random digests of several widths, batches
 * whose sizes divide nothing, filters in and out of the cache.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/answer.h"
#include "filters/loops.h"
#include "hashes/mix.h"
#include "machine/path.h"
#include "tests/filters_contract.h"

TestSuite(filters_paths, .timeout = 120);

/* Digests of keys first, first + 1, ...: column c of key i is a fixed function of both. */
struct path_digests {
    struct digests base;
    uint64_t first;
};

static const uint64_t *path_column(struct digests *self, unsigned column, const uint32_t *which,
                                   size_t count, uint64_t *out)
{
    const struct path_digests *digests = (const struct path_digests *)self;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = digests->first + (which ? which[i] : i);
        out[i] = mix64(key * 1024 + column) >> (64 - self->bits);
    }
    return out;
}

struct path_case {
    const struct filter_ops *ops;
    struct filter_params params;
};

/* A filter and what it answered. */
struct path_run {
    struct layout layout;
    struct filter filter;
    struct arena arena;
    unsigned char *memory, *arena_memory;
    void *scratch;
    uint8_t *present;
    uint32_t *which;
    uint64_t hits, listed;
};

enum { PATH_KEYS = 1400, PATH_STRANGERS = 1400 };

static const size_t path_pieces[] = {512, 1, 7, 8, 9, 63, 64, 65, 100, 511, 0, 17};

static bool path_open(struct path_run *run, const struct path_case *c)
{
    memset(run, 0, sizeof *run);
    if (c->ops->plan(&run->layout, &c->params, NULL))
        return false;
    uint64_t grows = run->layout.bytes_max - run->layout.bytes;
    run->memory = aligned_alloc(4096, (run->layout.bytes / 4096 + 1) * 4096);
    run->arena_memory = aligned_alloc(4096, (grows / 4096 + 1) * 4096);
    memset(run->arena_memory, 0, grows);
    run->scratch = aligned_alloc(4096, (run->layout.scratch_bytes / 4096 + 1) * 4096);
    run->present = calloc(PATH_KEYS + PATH_STRANGERS, 1);
    run->which = calloc(PATH_KEYS + PATH_STRANGERS, sizeof *run->which);
    run->arena = (struct arena){run->arena_memory, grows, 0};
    run->filter = (struct filter){
        .ops = c->ops,
        .layout = &run->layout,
        .memory = run->memory,
        .arena = c->ops->capabilities & CAN_GROW ? &run->arena : NULL,
    };
    c->ops->init(&run->filter);
    return true;
}

static void path_close(struct path_run *run)
{
    free(run->memory);
    free(run->arena_memory);
    free(run->scratch);
    free(run->present);
    free(run->which);
}

static size_t path_piece(const struct path_run *run, unsigned turn, size_t left)
{
    size_t piece = path_pieces[turn % (sizeof path_pieces / sizeof *path_pieces)];
    piece = piece < run->layout.batch ? piece : run->layout.batch;
    return piece < left ? piece : left;
}

static void path_insert(struct path_run *run, struct path_digests *keys)
{
    unsigned turn = 0;
    for (size_t first = 0; first < PATH_KEYS; first += keys->base.count) {
        keys->first = first;
        keys->base.count = path_piece(run, turn++, PATH_KEYS - first);
        cr_assert_eq(run->filter.ops->insert(&run->filter, &keys->base, run->scratch, NULL), OK);
    }
}

/* Members and strangers, in the three forms. */
static void path_query(struct path_run *run, struct path_digests *keys)
{
    const struct filter_ops *ops = run->filter.ops;
    unsigned turn = 0;
    for (size_t first = 0; first < PATH_KEYS + PATH_STRANGERS; first += keys->base.count) {
        keys->first = first;
        keys->base.count = path_piece(run, turn++, PATH_KEYS + PATH_STRANGERS - first);
        uint64_t hits = ops->query(&run->filter, NULL, &keys->base, run->scratch);
        uint64_t marked = ops->query(&run->filter, run->present + first, &keys->base, run->scratch);
        uint32_t *list = run->which + run->listed;
        uint64_t listed = filter_match(&run->filter, list, &keys->base, run->scratch);
        cr_assert_eq(hits, marked);
        cr_assert_eq(hits, listed);
        size_t at = 0;
        for (uint32_t i = 0; i < keys->base.count; i++)
            if (run->present[first + i])
                cr_assert(at < listed && list[at++] == i);
        run->hits += hits;
        run->listed += listed;
    }
}

static void path_remove(struct path_run *run, struct path_digests *keys)
{
    unsigned turn = 0;
    for (size_t first = 0; first < PATH_KEYS / 2; first += keys->base.count) {
        keys->first = first;
        keys->base.count = path_piece(run, turn++, PATH_KEYS / 2 - first);
        run->filter.ops->remove(&run->filter, NULL, &keys->base, run->scratch);
    }
}

static bool path_do(struct path_run *run, const struct path_case *c, enum filter_path path)
{
    struct path_digests keys = {.base = {.column = path_column, .bits = c->params.digest_bits}};
    path_limit(path);
    bool open = path_open(run, c);
    if (open) {
        path_insert(run, &keys);
        if (c->ops->query)
            path_query(run, &keys);
        if (c->ops->remove)
            path_remove(run, &keys);
    }
    path_limit(PATH_AVX512);
    return open;
}

static void path_compare(const struct path_case *c, const struct path_run *plain,
                         enum filter_path path)
{
    struct path_run run;
    char text[256];
    filter_params_format(&c->params, c->ops, text, sizeof text);
    cr_assert(path_do(&run, c, path));
#define PATH_EQUAL(what, a, b)                                                                     \
    cr_assert((a) == (b), "%s of %s %s: m %llu, k %u, %u bits, %s", what, c->ops->name, text,      \
              (unsigned long long)c->params.m, c->params.k, c->params.digest_bits,                 \
              path_name(path))
    PATH_EQUAL("bits", memcmp(run.memory, plain->memory, plain->layout.bytes), 0);
    PATH_EQUAL("arena", run.arena.used, plain->arena.used);
    PATH_EQUAL("arena bits", memcmp(run.arena_memory, plain->arena_memory, plain->arena.used), 0);
    PATH_EQUAL("inserted", run.filter.inserted, plain->filter.inserted);
    PATH_EQUAL("overflows", run.filter.overflows, plain->filter.overflows);
    PATH_EQUAL("refused", run.filter.refused, plain->filter.refused);
    PATH_EQUAL("degenerate", run.filter.degenerate, plain->filter.degenerate);
    PATH_EQUAL("hits", run.hits, plain->hits);
    PATH_EQUAL("bytes", memcmp(run.present, plain->present, PATH_KEYS + PATH_STRANGERS), 0);
    PATH_EQUAL("list", memcmp(run.which, plain->which, plain->hits * sizeof *plain->which), 0);
#undef PATH_EQUAL
    path_close(&run);
}

/* Returns 1 when there is such a filter. */
static unsigned path_check(const struct path_case *c)
{
    struct path_run plain;
    if (!path_do(&plain, c, PATH_PORTABLE))
        return 0;
    if (c->ops->query && (c->ops->axes & AXIS_M) && c->params.digest_bits > 16)
        for (unsigned i = 0; i < PATH_KEYS; i++)
            cr_assert(plain.present[i], "%s: key %u is lost", c->ops->name, i);
    for (enum filter_path path = PATH_AVX2; path <= path_machine(); path++)
        path_compare(c, &plain, path);
    path_close(&plain);
    return 1;
}

/* ---- the grid -------------------------------------------------------------------------------- */

static unsigned path_widths(struct path_case *c, unsigned step)
{
    static const unsigned widths[] = {64, 40, 16, 32, 8};
    unsigned checked = 0;
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i += step) {
        c->params.digest_bits = widths[i];
        for (int kind = 0; kind < REDUCTION_COUNT; kind++) {
            c->params.reduction = (enum reduction)kind;
            checked += path_check(c);
        }
    }
    return checked;
}

static unsigned path_sizes(struct path_case *c)
{
    static const uint64_t sizes[] = {1000, 20011, 1 << 15, 3 << 13, 1 << 24, 10000019};
    static const unsigned probes[] = {1, 2, 7, 8, 9, 16, 19};
    unsigned checked = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bool large = sizes[i] > 8 * LOOPS_PREFETCH_BYTES;
        for (unsigned j = 0; j < sizeof probes / sizeof *probes; j += large ? 3 : 1) {
            c->params.m = sizes[i];
            c->params.k = probes[j];
            checked += path_widths(c, large ? 3 : 1);
            if (!(c->ops->axes & AXIS_K))
                break;
        }
    }
    return checked;
}

/* All values of a filter's first parameter that matter for its loops. */
static unsigned path_filter(const struct filter_ops *ops)
{
    static const char *const blocks[] = {"64", "128", "256", "512", "1024", "4096", NULL};
    static const char *const counters[] = {"2", "3", "4", "8", NULL};
    static const char *const odd[] = {"true", "false", NULL};
    static const char *const none[] = {"", NULL};
    const char *name = ops->params ? ops->params[0].name : "";
    const char *const *values = strcmp(name, "block_bits") == 0     ? blocks
                                : strcmp(name, "counter_bits") == 0 ? counters
                                : strcmp(name, "force_odd") == 0    ? odd
                                                                    : none;
    unsigned checked = 0;
    for (unsigned i = 0; values[i]; i++) {
        struct path_case c = {.ops = ops, .params = {.n = PATH_KEYS, .digest_columns = 1024}};
        filter_params_defaults(&c.params, ops);
        if (values[i][0] && filter_params_set(&c.params, ops, name, values[i], NULL))
            continue;
        checked += path_sizes(&c);
    }
    return checked;
}

#define PATH_TEST(variant, least)                                                                  \
    Test(filters_paths, variant)                                                                   \
    {                                                                                              \
        const struct filter_ops *ops = filter_find(#variant);                                      \
        unsigned checked = path_filter(ops);                                                       \
        cr_assert(checked >= least, "%s: only %u filters", ops->name, checked);                    \
    }

PATH_TEST(classic, 100)
PATH_TEST(double_hashing, 100)
PATH_TEST(enhanced_double, 100)
PATH_TEST(partitioned, 100)
PATH_TEST(counting, 400)
PATH_TEST(blocked, 400)
PATH_TEST(split_block, 80)

/* Whatever is not named above. */
Test(filters_paths, others)
{
    const char *named = " classic double_hashing enhanced_double partitioned counting blocked "
                        "split_block ";
    for (size_t i = 0; i < filter_count; i++) {
        char name[64];
        snprintf(name, sizeof name, " %s ", filter_table[i]->name);
        if (!strstr(named, name))
            path_filter(filter_table[i]);
    }
}

/* ---- path.h and answer.h --------------------------------------------------------------------- */

Test(filters_paths, names_and_ceiling)
{
    for (int i = 0; i < PATH_COUNT; i++) {
        enum filter_path path;
        cr_assert(path_find(path_name((enum filter_path)i), &path) && (int)path == i);
        path_limit((enum filter_path)i);
        cr_assert(path_current() <= path_machine() && path_current() <= (enum filter_path)i);
    }
    enum filter_path path;
    cr_assert_not(path_find("sse9", &path));
    path_limit(PATH_PORTABLE);
    cr_assert_eq(path_current(), PATH_PORTABLE);
    path_limit(PATH_AVX512);
    cr_assert_eq(path_current(), path_machine());
}

/* Bitmaps of every density and of lengths that divide nothing. */
Test(filters_paths, answer_forms)
{
    uint64_t bitmap[9];
    uint8_t present[520];
    uint32_t which[520];
    for (unsigned round = 0; round < 2000; round++) {
        size_t count = mix64(round) % 513;
        memset(bitmap, 0, sizeof bitmap);
        for (size_t i = 0; i < count; i++)
            if (mix64(round * 1000 + i + 1) % 100 < round % 101)
                bitmap[i / 64] |= UINT64_C(1) << i % 64;
        for (enum filter_path path = PATH_PORTABLE; path <= path_machine(); path++) {
            path_limit(path);
            memset(present, 0xaa, sizeof present);
            memset(which, 0xaa, sizeof which);
            uint64_t hits = answer_count(bitmap, count), seen = 0;
            cr_assert_eq(answer_bytes(present, bitmap, count), hits);
            cr_assert_eq(answer_list(which, bitmap, count), hits);
            for (uint32_t i = 0; i < count; i++) {
                cr_assert_eq(present[i], bitmap[i / 64] >> (i % 64) & 1);
                if (present[i])
                    cr_assert_eq(which[seen++], i);
            }
            cr_assert_eq(seen, hits);
            cr_assert(present[count] == 0xaa && which[hits] == 0xaaaaaaaa);
        }
    }
    path_limit(PATH_AVX512);
}
