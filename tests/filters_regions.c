/* SPDX-License-Identifier: MIT
 *
 * Insertion region by region (filters/regions.h) and by several threads (pass_insert_threads)
 * leaves the bits and the counts of insertion key by key, for every filter that has it.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "filters/regions.h"
#include "harness/workload/pass.h"
#include "tests/keys_support.h"
#include "tests/rig.h"

TestSuite(filters_regions, .timeout = 120);

/* Every variant, all loops of each, in and out of the cache; n: many keys a place, so that counters
 * overflow. */
static const struct regions_case {
    const char *filter, *own;
    uint64_t m;
    unsigned k, digest_bits;
} regions_cases[] = {
    {"classic", "", 1000, 7, 64},
    {"classic", "", 10000019, 3, 64},
    {"classic", "", 4096, 2, 8}, /* digests that all pick few regions */
    {"double_hashing", "", 1021, 7, 64},
    {"double_hashing", "", 1000, 7, 64},
    {"double_hashing", "", 1 << 15, 7, 32},
    {"double_hashing", "force_odd=false", 1024, 5, 16},
    {"enhanced_double", "", 20011, 19, 64},
    {"partitioned", "", 20011, 7, 64},
    {"blocked", "block_bits=64", 30000, 3, 64},
    {"blocked", "block_bits=512", 1 << 24, 7, 32},
    {"blocked", "block_bits=4096", 100000, 7, 20},
    {"split_block", "block_bits=256", 20000, 8, 64},
    {"split_block", "block_bits=512", 20000, 8, 17},
    {"counting", "counter_bits=2", 1000, 4, 64},
    {"counting", "counter_bits=3", 20011, 4, 64},
    {"counting", "counter_bits=4", 1000, 7, 64},
    {"counting", "counter_bits=8", 600, 7, 64},
    {"counting", "counter_bits=4", 5000000, 7, 64},
    {"hyperloglog", "precision=4", 1, 1, 64},
    {"hyperloglog", "precision=14", 1, 1, 32},
};
enum { REGIONS_CASES = sizeof regions_cases / sizeof *regions_cases };
enum { REGIONS_KEYS = 9001, REGIONS_ROOM = 32 * FILTER_BATCH };

static void regions_rig(struct rig *rig, const struct regions_case *c)
{
    rig_params(rig, c->filter, c->own, c->m, REGIONS_KEYS, c->k);
    rig->params.digest_bits = c->digest_bits;
    rig->params.reduction = REDUCE_MOD;
    rig_open(rig);
}

static void regions_same(const struct rig *a, const struct rig *b, const char *how, unsigned count)
{
#define REGIONS_EQUAL(what, x, y)                                                                  \
    cr_assert((x) == (y), "%s of %s %s, m %llu: %s, %u", what, a->ops->name, "",                   \
              (unsigned long long)a->params.m, how, count)
    REGIONS_EQUAL("bits", memcmp(a->filter.memory, b->filter.memory, a->layout.bytes), 0);
    REGIONS_EQUAL("inserted", a->filter.inserted, b->filter.inserted);
    REGIONS_EQUAL("overflows", a->filter.overflows, b->filter.overflows);
    REGIONS_EQUAL("degenerate", a->filter.degenerate, b->filter.degenerate);
    REGIONS_EQUAL("refused", a->filter.refused, b->filter.refused);
#undef REGIONS_EQUAL
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* Settles all regions, the last first; none may write outside. */
static void regions_work_off(struct regions *queues, struct rig *rig)
{
    const size_t bytes = rig->layout.bytes;
    const bool watch = bytes < 1 << 16;
    unsigned char *old = malloc(bytes);
    for (size_t r = queues->count; r-- > 0;) {
        size_t first = r << queues->shift, end = (r + 1) << queues->shift;
        if (rig->ops == filter_find("hyperloglog")) /* 96 bytes a line: see there */
            first = first * 3 / 2, end = end * 3 / 2;
        if (watch)
            memcpy(old, rig->filter.memory, bytes);
        regions_settle((const struct regions *const[]){queues}, 1, r, &rig->filter, rig->scratch);
        cr_assert(!watch || memcmp(old, rig->filter.memory, first < bytes ? first : bytes) == 0,
                  "%s before", rig->ops->name);
        cr_assert(!watch || end >= bytes ||
                      memcmp(old + end, rig->filter.memory + end, bytes - end) == 0,
                  "%s m %llu shift %u r %zu", rig->ops->name, (unsigned long long)rig->params.m,
                  queues->shift, r);
    }
    free(old);
    regions_empty(queues);
}

static void regions_insert(struct rig *rig, unsigned most)
{
    const size_t room = REGIONS_ROOM;
    struct regions *queues = malloc(sizeof *queues);
    void *memory = aligned_alloc(REGIONS_ALIGNMENT, regions_bytes(room));
    regions_init(queues, memory, room, &rig->layout, most);
    cr_assert(queues->count <= most && queues->count >= 1);
    for (uint64_t first = 0; first < REGIONS_KEYS; first += FILTER_BATCH) {
        uint64_t left = REGIONS_KEYS - first;
        rig_next(rig, first, left, FILTER_BATCH);
        if (!regions_have_room(queues, &rig->layout))
            regions_work_off(queues, rig);
        rig->ops->scatter(&rig->filter, queues, &rig->batch, rig->scratch);
    }
    regions_work_off(queues, rig);
    free(memory);
    free(queues);
}

Test(filters_regions, queues_leave_what_insert_leaves)
{
    static const unsigned most[] = {1, 2, 3, 7, REGIONS_MAX};
    for (unsigned i = 0; i < REGIONS_CASES; i++) {
        struct rig plain, other;
        regions_rig(&plain, &regions_cases[i]);
        regions_rig(&other, &regions_cases[i]);
        rig_add(&plain, 0, REGIONS_KEYS);
        cr_assert(plain.filter.inserted == REGIONS_KEYS);
        for (unsigned j = 0; j < sizeof most / sizeof *most; j++) {
            rig_empty(&other, other.seed);
            regions_insert(&other, most[j]);
            regions_same(&plain, &other, "regions", most[j]);
        }
        rig_close(&plain);
        rig_close(&other);
    }
}

/* What the cases are there for does happen in them; no variant but the growing ones and null is
 * without the two functions. */
Test(filters_regions, cases_are_what_they_should_be)
{
    uint64_t overflows = 0, degenerate = 0;
    bool seen[64] = {false};
    for (unsigned i = 0; i < REGIONS_CASES; i++) {
        struct rig rig;
        regions_rig(&rig, &regions_cases[i]);
        rig_add(&rig, 0, REGIONS_KEYS);
        overflows += rig.filter.overflows;
        degenerate += rig.filter.degenerate;
        for (size_t f = 0; f < filter_count; f++)
            seen[f] |= filter_table[f] == rig.ops;
        rig_close(&rig);
    }
    cr_assert(overflows > 1000 && degenerate > 10);
    for (size_t f = 0; f < filter_count; f++) {
        bool none = filter_table[f]->capabilities & CAN_GROW || !filter_table[f]->fpr_scheme ||
                    strcmp(filter_table[f]->name, "null") == 0;
        cr_assert_eq(seen[f], filter_table[f]->scatter != NULL, "%s", filter_table[f]->name);
        cr_assert(seen[f] || none, "%s", filter_table[f]->name);
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS_MOST = 7 };

struct threads_lab {
    struct key_source *keys;
    struct key_stream stream;
    struct digest_family family;
    struct digest_source sources[THREADS_MOST], *source[THREADS_MOST];
};

static void threads_open(struct threads_lab *lab, enum key_kind kind, const struct layout *layout,
                         uint64_t count)
{
    lab->keys = keys_open(key_spec_new(kind));
    key_stream_init(&lab->stream, lab->keys, 5);
    lab->family = (struct digest_family){.family = FAMILY_SEEDED,
                                         .hash = hash_find("xxh3_64"),
                                         .digest_bits = layout->params.digest_bits,
                                         .hash_seed = 77};
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        lab->source[i] = &lab->sources[i];
        cr_assert_eq(digest_source_init(lab->source[i], &lab->stream, KEY_MEMBER, &lab->family,
                                        count, layout->columns, FILTER_BATCH, i == 2, NULL),
                     OK);
    }
}

static void threads_close(struct threads_lab *lab)
{
    for (unsigned i = 0; i < THREADS_MOST; i++)
        digest_source_release(lab->source[i]);
    key_source_free(lab->keys);
}

/* Keys that were inserted and keys that were not. */
static void threads_count(struct threads_lab *lab, const struct rig *rig, unsigned threads,
                          uint64_t first, uint64_t end)
{
    uint64_t found = 1, from = first / 2;
    cr_assert_eq(
        pass_count_threads(&found, &rig->filter, lab->source, threads, from, end, NULL, NULL), OK);
    cr_assert_eq(found,
                 pass_query(&rig->filter, lab->source[1], from, end, NULL, NULL, rig->scratch));
    cr_assert(found >= end - first);
}

static void threads_check(const struct regions_case *c, enum key_kind kind, uint64_t first,
                          uint64_t end)
{
    static const unsigned threads[] = {1, 2, 3, THREADS_MOST};
    struct threads_lab lab;
    struct rig plain, other;
    struct key_digest digest;
    regions_rig(&plain, c);
    regions_rig(&other, c);
    threads_open(&lab, kind, &plain.layout, end);
    cr_assert_eq(key_digest_open(&digest, NULL), OK);
    cr_assert_eq(
        pass_insert(&plain.filter, lab.source[0], first, end, &digest, plain.scratch, NULL), OK);
    uint64_t expected = key_digest_close(&digest);
    for (unsigned i = 0; i < sizeof threads / sizeof *threads; i++) {
        rig_empty(&other, other.seed);
        cr_assert_eq(key_digest_open(&digest, NULL), OK);
        cr_assert_eq(
            pass_insert_threads(&other.filter, lab.source, threads[i], first, end, &digest, NULL),
            OK);
        cr_assert_eq(key_digest_close(&digest), expected);
        regions_same(&plain, &other, "threads", threads[i]);
        if (plain.ops->census)
            threads_count(&lab, &plain, threads[i], first, end);
    }
    threads_close(&lab);
    rig_close(&plain);
    rig_close(&other);
}

Test(filters_regions, threads_leave_what_one_leaves)
{
    for (unsigned i = 0; i < REGIONS_CASES; i++)
        threads_check(&regions_cases[i], i % 2 ? KEYS_URL : KEYS_RANDOM64, i * 100, REGIONS_KEYS);
}

/* More keys than queues hold: several rounds. */
Test(filters_regions, threads_in_rounds)
{
    static const struct regions_case classic = {"classic", "", 3000000, 7, 64},
                                     counting = {"counting", "counter_bits=4", 500000, 7, 64},
                                     split = {"split_block", "block_bits=512", 1 << 22, 8, 64};
    threads_check(&classic, KEYS_RANDOM64, 0, 400000);
    threads_check(&counting, KEYS_RANDOM64, 0, 200000);
    threads_check(&split, KEYS_RANDOM64, 3, 1200000);
}

Test(filters_regions, no_keys)
{
    threads_check(&regions_cases[0], KEYS_RANDOM64, 5, 5);
}
