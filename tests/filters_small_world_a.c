/* SPDX-License-Identifier: MIT
 *
 * filters_small_world_a.c: at tiny m and k every key there can be, against a plain array of
 * positions: classic, double_hashing, enhanced_double, partitioned, counting.
 *
 * Digests have 8 bits. Each column takes, for every position, the smallest and the greatest digest
 * that is reduced to it; the reductions are written here a second time.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "hashes/mix.h"
#include "tests/given.h"

enum { WORLD_BITS = 8, WORLD_KEYS_MAX = 8192, WORLD_K_MAX = 16 };

enum world_law { WORLD_CLASSIC, WORLD_DOUBLE, WORLD_ENHANCED, WORLD_PARTITIONED };

struct world {
    enum world_law law;
    struct filter_params params;
    uint64_t range; /* what digests are reduced to: m, or a slice */
    bool odd;
    unsigned columns, keys;
    uint64_t digest[WORLD_KEYS_MAX * 4];
    unsigned position[WORLD_KEYS_MAX][WORLD_K_MAX];
};

static uint64_t world_reduce(enum reduction reduction, uint64_t digest, uint64_t range)
{
    if (reduction == REDUCE_MULTIPLY_SHIFT)
        return digest * range >> WORLD_BITS;
    return reduction == REDUCE_MASK ? (digest & (range - 1)) : digest % range;
}

static void world_positions(const struct world *w, const uint64_t *digest, unsigned *position)
{
    const uint64_t m = w->params.m, range = w->range;
    uint64_t d[4];
    for (unsigned i = 0; i < w->columns; i++)
        d[i] = world_reduce(w->params.reduction, digest[i], range);
    for (unsigned i = 0; i < w->params.k; i++) {
        uint64_t step = w->columns > 1 ? (w->odd ? d[1] | 1 : d[1]) : 0;
        switch (w->law) {
        case WORLD_CLASSIC:
            position[i] = (unsigned)d[i];
            break;
        case WORLD_PARTITIONED:
            position[i] = (unsigned)(i * range + d[i]);
            break;
        case WORLD_DOUBLE:
            position[i] = (unsigned)((d[0] + i * step) % m);
            break;
        case WORLD_ENHANCED:
            position[i] = (unsigned)((d[0] + i * step + ((uint64_t)i * i * i - i) / 6) % m);
            break;
        }
    }
}

/* All keys: every choice of one digest per column. */
static void world_people(struct world *w)
{
    uint64_t choice[512];
    unsigned choices = 0;
    for (uint64_t p = 0; p < w->range; p++) {
        uint64_t least = 256, greatest = 0;
        for (uint64_t d = 0; d < 256; d++)
            if (world_reduce(w->params.reduction, d, w->range) == p) {
                least = d < least ? d : least;
                greatest = d;
            }
        choice[choices++] = least;
        choice[choices++] = greatest;
    }
    w->keys = 1;
    for (unsigned i = 0; i < w->columns; i++)
        w->keys *= choices;
    cr_assert_leq(w->keys, WORLD_KEYS_MAX);
    for (unsigned key = 0, rest = 0; key < w->keys; key++) {
        rest = key;
        for (unsigned i = 0; i < w->columns; i++, rest /= choices)
            w->digest[key * w->columns + i] = choice[rest % choices];
        world_positions(w, &w->digest[key * w->columns], w->position[key]);
    }
}

static unsigned world_distinct(const struct world *w, unsigned key)
{
    uint64_t seen = 0;
    for (unsigned i = 0; i < w->params.k; i++)
        seen |= UINT64_C(1) << w->position[key][i];
    return (unsigned)__builtin_popcountll(seen);
}

/* The filter against the plain array (bit p of `bits`): its memory, its count, all its answers. */
static void world_compare(const struct world *w, struct plain_filter *plain, uint64_t bits)
{
    static uint8_t present[WORLD_KEYS_MAX];
    unsigned char memory[8];
    for (unsigned i = 0; i < 8; i++)
        memory[i] = (unsigned char)(bits >> (8 * i));
    cr_assert_arr_eq(plain->filter.memory, memory, plain->layout->bytes);
    cr_assert_eq(plain->filter.ops->count_bits(&plain->filter),
                 (uint64_t)__builtin_popcountll(bits));
    uint64_t hits = 0, expected = 0;
    for (unsigned first = 0; first < w->keys; first += FILTER_BATCH) {
        unsigned count = w->keys - first < FILTER_BATCH ? w->keys - first : FILTER_BATCH;
        struct given all =
            given_keys(&w->digest[first * w->columns], w->columns, count, WORLD_BITS);
        hits += plain_query(plain, present + first, &all.base);
    }
    for (unsigned key = 0; key < w->keys; key++) {
        bool there = true;
        for (unsigned i = 0; i < w->params.k; i++)
            there &= bits >> w->position[key][i] & 1;
        cr_assert_eq(present[key], there, "%s m %d k %u: key %u", plain->filter.ops->name,
                     (int)w->params.m, w->params.k, key);
        expected += there;
    }
    cr_assert_eq(hits, expected);
}

static uint64_t world_insert(struct world *w, struct plain_filter *plain, unsigned key)
{
    struct given one = given_keys(&w->digest[key * w->columns], w->columns, 1, WORLD_BITS);
    plain_insert(plain, &one.base);
    uint64_t bits = 0;
    for (unsigned i = 0; i < w->params.k; i++)
        bits |= UINT64_C(1) << w->position[key][i];
    return bits;
}

/* Every key alone (every third in the larger worlds), then six keys together. */
static void world_live(struct world *w, const char *name)
{
    struct plain_filter plain;
    uint64_t bits = 0, degenerate = 0;
    const uint64_t least = w->params.k < w->params.m ? w->params.k : w->params.m;
    world_people(w);
    cr_assert_eq(plain_open(&plain, filter_find(name), &w->params, NULL), OK);
    for (unsigned key = 0; key<w->keys; key += w->keys> 300 ? 3 : 1) {
        plain.filter.ops->init(&plain.filter);
        world_compare(w, &plain, world_insert(w, &plain, key));
        if (w->law == WORLD_DOUBLE)
            cr_assert_eq(plain.filter.degenerate, world_distinct(w, key) < least);
    }
    plain.filter.ops->init(&plain.filter);
    for (unsigned i = 0; i < 6; i++) {
        unsigned key = (unsigned)(mix64(i + 1) % w->keys);
        bits |= world_insert(w, &plain, key);
        degenerate += world_distinct(w, key) < least;
        world_compare(w, &plain, bits);
    }
    if (w->law == WORLD_DOUBLE)
        cr_assert_eq(plain.filter.degenerate, degenerate);
    plain_close(&plain);
}

static struct world *world_new(enum world_law law, uint64_t m, unsigned k, enum reduction reduction,
                               unsigned columns)
{
    static struct world world;
    memset(&world, 0, sizeof world);
    world.law = law;
    world.range = m;
    world.columns = columns;
    world.params = (struct filter_params){.m = m,
                                          .n = 10,
                                          .k = k,
                                          .reduction = reduction,
                                          .digest_bits = WORLD_BITS,
                                          .digest_columns = columns};
    return &world;
}

static bool world_possible(enum reduction reduction, uint64_t range)
{
    return reduction != REDUCE_MASK || !(range & (range - 1));
}

Test(small_world, classic)
{
    for (unsigned r = 0; r < REDUCTION_COUNT; r++)
        for (uint64_t m = 1; m <= 9; m++)
            for (unsigned k = 1; k <= (m <= 4 ? 3 : 2); k++)
                if (world_possible((enum reduction)r, m))
                    world_live(world_new(WORLD_CLASSIC, m, k, (enum reduction)r, k), "classic");
}

Test(small_world, double_hashing)
{
    for (unsigned r = 0; r < REDUCTION_COUNT; r++)
        for (uint64_t m = 1; m <= 9; m++)
            for (unsigned k = 1; k <= 10; k++)
                for (unsigned force = 0; force < 2 && world_possible((enum reduction)r, m);
                     force++) {
                    struct world *w = world_new(WORLD_DOUBLE, m, k, (enum reduction)r, 2);
                    w->params.own[0].integer = force;
                    w->odd = force && !(m & (m - 1));
                    world_live(w, "double_hashing");
                }
}

Test(small_world, enhanced_double)
{
    for (unsigned r = 0; r < REDUCTION_COUNT; r++)
        for (uint64_t m = 1; m <= 9; m++)
            for (unsigned k = 1; k <= 12; k++)
                if (world_possible((enum reduction)r, m))
                    world_live(world_new(WORLD_ENHANCED, m, k, (enum reduction)r, 2),
                               "enhanced_double");
}

Test(small_world, partitioned)
{
    for (unsigned r = 0; r < REDUCTION_COUNT; r++)
        for (uint64_t m = 1; m <= 12; m++)
            for (unsigned k = 1; k <= 3 && k <= m; k++) {
                struct world *w = world_new(WORLD_PARTITIONED, m, k, (enum reduction)r, k);
                w->range = m / k;
                if (world_possible((enum reduction)r, m / k))
                    world_live(w, "partitioned");
            }
}

/* ---- counting ---------------------------------------------------------------------------------
 */

struct ledger {
    unsigned counter[64];
    unsigned max;
    uint64_t overflows, refused, inserted;
};

static void ledger_insert(struct ledger *ledger, const uint64_t *position, unsigned k)
{
    for (unsigned i = 0; i < k; i++)
        if (ledger->counter[position[i]] == ledger->max)
            ledger->overflows++;
        else
            ledger->counter[position[i]]++;
    ledger->inserted++;
}

static bool ledger_remove(struct ledger *ledger, const uint64_t *position, unsigned k)
{
    unsigned hits[64] = {0};
    for (unsigned i = 0; i < k; i++)
        hits[position[i]]++;
    for (unsigned p = 0; p < 64; p++)
        if (ledger->counter[p] < ledger->max && ledger->counter[p] < hits[p])
            return ledger->refused++, false;
    for (unsigned p = 0; p < 64; p++)
        if (ledger->counter[p] < ledger->max)
            ledger->counter[p] -= hits[p];
    ledger->inserted -= ledger->inserted > 0;
    return true;
}

/* Counter i of the documented layout, bit by bit. */
static unsigned ledger_read(const unsigned char *memory, unsigned bits, unsigned i)
{
    unsigned first = bits == 3 ? 64 * (i / 21) + 3 * (i % 21) : bits * i, value = 0;
    for (unsigned b = 0; b < bits; b++)
        value |= ((unsigned)memory[(first + b) / 8] >> ((first + b) % 8) & 1u) << b;
    return value;
}

static void ledger_compare(const struct ledger *ledger, struct plain_filter *plain, unsigned bits)
{
    uint64_t occupied = 0, saturated = 0;
    for (unsigned i = 0; i < plain->layout->m; i++) {
        cr_assert_eq(ledger_read(plain->filter.memory, bits, i), ledger->counter[i]);
        occupied += ledger->counter[i] != 0;
        saturated += ledger->counter[i] == ledger->max;
    }
    struct measure measure;
    cr_assert_eq(plain->filter.ops->count_bits(&plain->filter), occupied);
    cr_assert(plain->filter.ops->measure(&plain->filter, 1, &measure));
    cr_assert_str_eq(measure.name, "saturated_counters");
    cr_assert_float_eq(measure.value, (double)saturated, 0);
    cr_assert_eq(plain->filter.overflows, ledger->overflows);
    cr_assert_eq(plain->filter.refused, ledger->refused);
    cr_assert_eq(plain->filter.inserted, ledger->inserted);
}

/* Insertions and removals of random keys, one by one and five at a time. */
static void ledger_live(uint64_t m, unsigned k, unsigned choice, unsigned bits)
{
    struct filter_params params = {.m = m,
                                   .n = 100,
                                   .k = k,
                                   .digest_bits = WORLD_BITS,
                                   .digest_columns = k,
                                   .own = {{.integer = choice}}};
    struct plain_filter plain;
    struct ledger ledger = {.max = (1u << bits) - 1};
    cr_assert_eq(plain_open(&plain, filter_find("counting"), &params, NULL), OK);
    for (uint64_t turn = 0; turn < 300; turn++) {
        uint64_t digest[5 * 8], count = turn % 3 ? 1 : 5;
        bool insert = mix64(turn * 8 + 3) % 100 < 45;
        uint8_t removed[5];
        for (unsigned i = 0; i < count * k; i++)
            digest[i] = mix64(turn * 64 + i + 1000 * m) % m;
        struct given keys = given_keys(digest, k, count, WORLD_BITS);
        if (insert)
            plain_insert(&plain, &keys.base);
        else
            plain_remove(&plain, removed, &keys.base);
        for (unsigned i = 0; i < count; i++)
            if (insert)
                ledger_insert(&ledger, digest + i * k, k);
            else
                cr_assert_eq(removed[i], ledger_remove(&ledger, digest + i * k, k));
        ledger_compare(&ledger, &plain, bits);
    }
    plain_close(&plain);
}

Test(small_world, counting)
{
    static const unsigned bits[] = {2, 3, 4, 8};
    for (unsigned choice = 0; choice < 4; choice++)
        for (unsigned k = 1; k <= 8; k++) {
            for (uint64_t m = 1; m <= 7; m++)
                ledger_live(m, k, choice, bits[choice]);
            ledger_live(20, k, choice, bits[choice]);
            ledger_live(21, k, choice, bits[choice]);
            ledger_live(45, k, choice, bits[choice]);
        }
}

/* Union of counters: as if all keys had gone into one filter. */
Test(small_world, counting_union)
{
    static const unsigned bits[] = {2, 3, 4, 8};
    for (unsigned choice = 0; choice < 4; choice++)
        for (uint64_t m = 1; m <= 45; m += 4) {
            struct filter_params params = {.m = m,
                                           .n = 100,
                                           .k = 2,
                                           .digest_bits = WORLD_BITS,
                                           .digest_columns = 2,
                                           .own = {{.integer = choice}}};
            struct plain_filter side[2];
            struct ledger ledger = {.max = (1u << bits[choice]) - 1};
            for (unsigned s = 0; s < 2; s++) {
                uint64_t digest[40 * 2];
                cr_assert_eq(plain_open(&side[s], filter_find("counting"), &params, NULL), OK);
                for (unsigned i = 0; i < 80; i++)
                    digest[i] = mix64(s * 1000 + i + 7 * m) % m;
                struct given keys = given_keys(digest, 2, 40, WORLD_BITS);
                plain_insert(&side[s], &keys.base);
                for (unsigned i = 0; i < 40; i++)
                    ledger_insert(&ledger, digest + 2 * i, 2);
            }
            const struct filter_ops *ops = side[0].filter.ops;
            cr_assert_eq(ops->merge(&side[0].filter, &side[1].filter, MERGE_UNION, NULL), OK);
            ledger_compare(&ledger, &side[0], bits[choice]);
            plain_close(&side[0]);
            plain_close(&side[1]);
        }
}
