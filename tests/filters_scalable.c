/* SPDX-License-Identifier: MIT
 *
 * scalable_linear and scalable_exponential: against plain arrays in a small world, against theory
 * with ideal digests, against published and oracle values, at the end of their memory.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/rig.h"

TestSuite(filters_scalable, .timeout = 120);

/* ---- small world: eight-bit digests, plain arrays ------------------------------------------- */

enum { WORLD_SLICES = 12, WORLD_M = 1024, WORLD_KEYS = 150, WORLD_QUERIES = 5000 };

/* What a scalable filter is, written down without batches, tables or bits. */
struct world {
    struct plain_slice {
        uint64_t capacity, m, keys;
        unsigned k;
        bool bit[WORLD_M];
    } slice[WORLD_SLICES];
    unsigned slices;
};

/* Sizes by the published rule, in plain arithmetic: s = 2, r = 0.5, P0 = 0.1. */
static void world_open(struct world *w, const struct rig *rig, bool linear)
{
    unsigned i = w->slices++;
    double c0 = (double)rig->params.own[0].integer, p = 0.1;
    double c = i == 0 ? c0 : linear ? c0 * 2 * i : c0 * (double)(1u << i);
    for (unsigned j = 0; j < i; j++)
        p /= 2;
    double m = ceil(-c * log(p) / (log(2) * log(2)));
    w->slice[i] = (struct plain_slice){
        .capacity = (uint64_t)c, .m = (uint64_t)m, .k = (unsigned)ceil(m / c * log(2))};
    cr_assert_leq(w->slice[i].m, WORLD_M);
}

static uint64_t world_position(const struct rig *rig, uint64_t m, uint64_t key, unsigned probe)
{
    uint64_t digest = rig->digest(rig->seed, key, probe) & 255;
    return rig->params.reduction == REDUCE_MOD ? digest % m : digest * m >> 8;
}

static void world_add(struct world *w, const struct rig *rig, bool linear, uint64_t key)
{
    struct plain_slice *last = w->slices ? &w->slice[w->slices - 1] : NULL;
    if (!last || last->keys == last->capacity) {
        world_open(w, rig, linear);
        last = &w->slice[w->slices - 1];
    }
    for (unsigned i = 0; i < last->k; i++)
        last->bit[world_position(rig, last->m, key, i)] = true;
    last->keys++;
}

static bool world_has(const struct world *w, const struct rig *rig, uint64_t key)
{
    for (unsigned s = 0; s < w->slices; s++) {
        bool all = true;
        for (unsigned i = 0; i < w->slice[s].k; i++)
            all &= w->slice[s].bit[world_position(rig, w->slice[s].m, key, i)];
        if (all)
            return true;
    }
    return false;
}

/* Every slice's size, keys and bits, and the answer for every key. */
static void world_compare(const struct world *w, struct rig *rig, uint8_t *present, size_t piece)
{
    uint64_t hits = 0, told = rig_query(rig, present, 0, WORLD_QUERIES, piece);
    cr_assert_eq(rig_measure(rig, "slices"), w->slices);
    for (unsigned s = 0; s < w->slices; s++) {
        char name[32];
        uint64_t bits = 0;
        for (uint64_t i = 0; i < w->slice[s].m; i++)
            bits += w->slice[s].bit[i];
        snprintf(name, sizeof name, "slice_%u_bits_set", s + 1);
        cr_assert_eq(rig_measure(rig, name), (double)bits, "%s", name);
        snprintf(name, sizeof name, "slice_%u_keys", s + 1);
        cr_assert_eq(rig_measure(rig, name), (double)w->slice[s].keys, "%s", name);
        snprintf(name, sizeof name, "slice_%u_m", s + 1);
        cr_assert_eq(rig_measure(rig, name), (double)w->slice[s].m, "%s", name);
        snprintf(name, sizeof name, "slice_%u_k", s + 1);
        cr_assert_eq(rig_measure(rig, name), (double)w->slice[s].k, "%s", name);
    }
    for (uint64_t key = 0; key < WORLD_QUERIES; key++) {
        bool has = world_has(w, rig, key);
        cr_assert_eq(present[key], has, "key %u", (unsigned)key);
        hits += has;
    }
    cr_assert_eq(told, hits);
}

/* Batches of `piece` keys span slices; both orders of lookup must answer alike. */
static void world_run(bool linear, const char *lookup, enum reduction reduction, size_t piece)
{
    struct rig rig;
    struct world *w = calloc(1, sizeof *w);
    uint8_t *present = malloc(WORLD_QUERIES);
    char own[96];
    snprintf(own, sizeof own, "initial_capacity=5;target_rate=0.1;lookup=%s", lookup);
    rig_params(&rig, linear ? "scalable_linear" : "scalable_exponential", own, 0, WORLD_KEYS, 0);
    rig.params.digest_bits = 8;
    rig.params.reduction = reduction;
    rig_open(&rig);
    cr_assert_eq(rig_insert(&rig, 0, WORLD_KEYS, piece, NULL), OK);
    for (uint64_t key = 0; key < WORLD_KEYS; key++)
        world_add(w, &rig, linear, key);
    world_compare(w, &rig, present, piece);
    free(w);
    free(present);
    rig_close(&rig);
}

Test(filters_scalable, small_world)
{
    static const size_t pieces[] = {1, 7, 64, 0};
    for (size_t i = 0; i < 4; i++)
        for (int linear = 0; linear < 2; linear++) {
            world_run(linear, "newest_first", REDUCE_MOD, pieces[i]);
            world_run(linear, "oldest_first", REDUCE_MOD, pieces[i]);
            world_run(linear, "newest_first", REDUCE_MULTIPLY_SHIFT, pieces[i]);
        }
}

/* ---- growth ---------------------------------------------------------------------------------- */

struct growth_case {
    const char *filter, *own;
    double slices, capacity, slices_for_a_million;
};

Test(filters_scalable, slices_open_when_a_key_finds_the_last_one_full)
{
    static const struct growth_case cases[] = {
        {"scalable_linear", "scale_factor=1", 2, 2000, 46},
        {"scalable_exponential", "scale_factor=2", 2, 3000, 10},
        {"scalable_exponential", "scale_factor=4", 2, 5000, 6},
    };
    for (size_t i = 0; i < 3; i++) {
        struct rig rig;
        struct error err;
        rig_params(&rig, cases[i].filter, cases[i].own, 0, 1001, 0);
        rig_open(&rig);
        cr_assert_eq(rig_measure(&rig, "slices"), 1);
        rig_add(&rig, 0, 1000);
        cr_assert_eq(rig_measure(&rig, "slices"), 1);
        cr_assert_eq(rig_measure(&rig, "total_capacity"), 1000);
        rig_add(&rig, 1000, 1);
        cr_assert_eq(rig_measure(&rig, "slices"), cases[i].slices);
        cr_assert_eq(rig_measure(&rig, "total_capacity"), cases[i].capacity);
        cr_assert_eq(rig_query(&rig, NULL, 0, 1001, 0), 1001);
        rig_close(&rig);
        rig_params(&rig, cases[i].filter, cases[i].own, 0, 1000000, 0);
        cr_assert_eq(rig_plan(&rig, &err), OK);
        rig_open(&rig);
        rig_add(&rig, 0, 1000000);
        cr_assert_eq(rig_measure(&rig, "slices"), cases[i].slices_for_a_million);
        cr_assert_eq(rig.arena.used, rig.layout.bytes_max - rig.layout.bytes);
        rig_close(&rig);
    }
}

/* Bytes of the memory and the arena are exactly what n keys need: one slice more does not open. */
Test(filters_scalable, the_end_of_memory_is_an_error)
{
    static const char *const names[] = {"scalable_linear", "scalable_exponential"};
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        struct error err = {0};
        rig_params(&rig, names[i], "initial_capacity=100;scale_factor=1", 0, 200, 0);
        rig_open(&rig);
        rig_add(&rig, 0, 200);
        cr_assert_eq(rig.arena.used, rig.arena.bytes);
        cr_assert_eq(rig_insert(&rig, 200, 1, 0, &err), E_RUN);
        cr_assert_not_null(strstr(err.text, "200"), "%s", err.text);
        cr_assert_eq(rig.filter.inserted, 200);
        cr_assert_eq(rig_query(&rig, NULL, 0, 200, 0), 200);
        rig.arena.bytes -= 64;
        rig_empty(&rig, 5);
        cr_assert_eq(rig_insert(&rig, 0, 150, 0, &err), E_RUN);
        cr_assert_not_null(strstr(err.text, "arena"), "%s", err.text);
        cr_assert_eq(rig.filter.inserted, 100, "the keys before it are in");
        cr_assert_eq(rig_query(&rig, NULL, 0, 100, 0), 100);
        rig.arena.bytes = 0;
        rig_empty(&rig, 6);
        cr_assert_eq(rig_query(&rig, NULL, 0, 100, 0), 0);
        cr_assert_eq(rig_insert(&rig, 0, 1, 0, &err), E_RUN);
        rig_close(&rig);
    }
}

Test(filters_scalable, equal_contents_are_equal_bytes)
{
    struct rig a, b;
    rig_params(&a, "scalable_exponential", "initial_capacity=100", 0, 5000, 0);
    b = a;
    rig_open(&a);
    rig_open(&b);
    rig_add(&a, 0, 5000);
    rig_insert(&b, 0, 5000, 13, NULL);
    cr_assert_eq(memcmp(a.filter.memory, b.filter.memory, a.layout.bytes), 0);
    cr_assert_eq(memcmp(a.arena.base, b.arena.base, a.arena.bytes), 0);
    rig_close(&a);
    rig_close(&b);
}

/* Members of the first slice are found there at once, or after the younger slices said no: what a
 * lookup costs is what it asks. */
Test(filters_scalable, lookup_order)
{
    uint64_t asked[2];
    for (int newest = 0; newest < 2; newest++) {
        struct rig rig;
        rig_params(&rig, "scalable_linear", newest ? "" : "lookup=oldest_first", 0, 6000, 0);
        rig_open(&rig);
        rig_add(&rig, 0, 6000);
        rig.asked = 0;
        cr_assert_eq(rig_query(&rig, NULL, 0, 1000, 0), 1000);
        asked[newest] = rig.asked;
        rig_close(&rig);
    }
    cr_assert_eq(asked[0], 1000 * 7, "k = 7 digests of each key, no more");
    cr_assert_gt(asked[1], 1000 * (7 + 2));
}

/* ---- ideal digests against theory ------------------------------------------------------------ */

/* A score of a correct filter passes 5 with probability 5.7e-7. */
static void score(const char *filter, const char *own, enum reduction reduction,
                  unsigned digest_bits, uint64_t n, uint64_t number)
{
    struct rig rig;
    struct rig_scores scores;
    rig_params(&rig, filter, own, 0, n, 0);
    rig.params.reduction = reduction;
    rig.params.digest_bits = digest_bits;
    rig_open(&rig);
    rig_score(&scores, &rig, number << 32, 60, 5000);
    rig_close(&rig);
    const double z[] = {scores.fill, scores.spread, scores.rate, scores.probe};
    static const char *const names[] = {"fill", "spread", "rate", "probe"};
    for (size_t i = 0; i < 4; i++)
        cr_expect_lt(fabs(z[i]), 5, "%s %s, n %u: z %s = %.2f", filter, own, (unsigned)n, names[i],
                     z[i]);
}

Test(filters_scalable, ideal_digests_agree_with_theory)
{
    const char *linear = "scalable_linear", *exponential = "scalable_exponential";
    const char *own = "initial_capacity=100;target_rate=0.05";
    score(linear, own, REDUCE_MOD, 64, 100, 1);
    score(linear, own, REDUCE_MOD, 32, 1300, 2);
    score(linear, "initial_capacity=100;total_rate=0.1;slice_k=best", REDUCE_MULTIPLY_SHIFT, 40,
          1000, 3);
    score(exponential, own, REDUCE_MULTIPLY_SHIFT, 64, 1300, 4);
    score(exponential, "initial_capacity=64;scale_factor=4;tightening=1;target_rate=0.1",
          REDUCE_MOD, 32, 1000, 5);
}

Test(filters_scalable, cardinality)
{
    struct rig rig;
    rig_params(&rig, "scalable_exponential", "", 0, 20000, 0);
    rig_open(&rig);
    cr_assert_eq(rig.ops->cardinality(&rig.filter), 0);
    cr_assert_eq(rig.ops->fpr_bits(&rig.filter), 0);
    rig_add(&rig, 0, 20000);
    /* Below 0.3 % of n at a slice's sd of sqrt(m (e^t - t - 1))/k, t = ln 2: 5 sd of the sum. */
    cr_assert_lt(fabs(rig.ops->cardinality(&rig.filter) - 20000), 200);
    memset(rig.arena.base, 0xff, rig.arena.bytes);
    cr_assert_eq(rig.ops->count_bits(&rig.filter) >= rig.layout.m, true);
    rig_close(&rig);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void oracle_row(const struct csv *table, size_t row)
{
    static const char *const columns[][2] = {
        {"fpr_bloom", "fpr_bloom"},
        {"fpr_standard", "fpr_standard"},
        {"fpr_exact", "fpr_exact"},
        {"fpr_all_full", "scalable_all_full"},
        {"nominal_compound", "scalable_nominal"},
        {"union_bound", "scalable_union_bound"},
        {"almeida_bound", "scalable_almeida_bound"},
    };
    struct rig rig;
    struct error err;
    struct model model;
    char filter[32], own[160];
    const char *mode = csv_text(table, row, "error_mode");
    uint64_t n = csv_integer(table, row, "n");
    snprintf(filter, sizeof filter, "scalable_%s", csv_text(table, row, "growth"));
    snprintf(own, sizeof own, "initial_capacity=%s;scale_factor=%s;target_rate=%s;tightening=%s",
             csv_text(table, row, "c0"), csv_text(table, row, "s"), csv_text(table, row, "P0"),
             strcmp(mode, "constant") == 0 ? "1" : mode + 1);
    rig_params(&rig, filter, own, 0, n, 0);
    cr_assert_eq(rig_plan(&rig, &err), OK, "row %zu: %s", row, err.text);
    cr_assert_eq(rig.layout.m, csv_integer(table, row, "total_bits"), "row %zu", row);
    cr_assert_eq(rig.layout.k, 0);
    cr_assert_geq(rig.layout.columns, csv_integer(table, row, "k_last"));
    rig.ops->expected_fpr(&rig.layout, n, &model);
    cr_assert_str_eq(model.name, "compound");
    cr_assert_eq(model.fpr, rig_formula(&rig, n, "fpr_exact"));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        double value = rig_formula(&rig, n, columns[i][1]);
        if (csv_empty(table, row, columns[i][0]))
            continue;
        cr_assert_lt(csv_error(value, csv_number(table, row, columns[i][0])), 1e-11, "row %zu %s",
                     row, columns[i][0]);
    }
}

Test(filters_scalable, oracle)
{
    struct csv *table = csv_read("tests/data/scalable.csv");
    for (size_t row = 0; row < csv_rows(table); row++)
        oracle_row(table, row);
    cr_assert_gt(csv_rows(table), 80);
    csv_free(table);
}

/* Eight full slices at P = 0.01, r = 0.5. */
Test(filters_scalable, what_the_first_slice_gets)
{
    static const struct {
        const char *own;
        double compound;
    } cases[] = {
        {"total_rate=0.01", 0.009928},
        {"", 0.019790},
        {"target_rate=0.01", 0.019790},
        {"tightening=1", 0.077255},
    };
    for (size_t i = 0; i < 4; i++) {
        struct rig rig;
        struct error err;
        char text[256];
        rig_params(&rig, "scalable_exponential", cases[i].own, 0, 255000, 0);
        cr_assert_eq(rig_plan(&rig, &err), OK, "%s", err.text);
        cr_assert_float_eq(rig_formula(&rig, 255000, "scalable_nominal"), cases[i].compound, 5e-7,
                           "%s", cases[i].own);
        cr_assert_eq(isnan(rig_formula(&rig, 255000, "scalable_almeida_bound")) != 0, i == 3);
        filter_params_format(&rig.layout.params, rig.ops, text, sizeof text);
        cr_assert_not_null(strstr(text, i ? "target_rate=0.01" : "total_rate=0.01"), "%s", text);
        cr_assert_null(strstr(text, i ? "total_rate" : "target_rate"), "%s", text);
        rig.params = rig.layout.params; /* what is in force can be planned again */
        cr_assert_eq(rig_plan(&rig, &err), OK, "%s", err.text);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(const char *filter, const char *own, uint64_t n, enum status status,
                    const char *says)
{
    struct rig rig;
    struct error err = {0};
    rig_params(&rig, filter, own, 0, n, 0);
    cr_assert_eq(rig_plan(&rig, &err), status, "%s %s: %s", filter, own, err.text);
    cr_assert_eq(err.status, status);
    cr_assert_not_null(strstr(err.text, says), "%s", err.text);
}

Test(filters_scalable, impossible_plans)
{
    struct rig rig;
    struct error err;
    const char *linear = "scalable_linear", *exponential = "scalable_exponential";
    refused(linear, "target_rate=0.01;total_rate=0.02", 1, E_INPUT, "both");
    refused(linear, "total_rate=0.02;tightening=1", 1, E_INPUT, "tightening");
    refused(linear, "target_rate=0", 1, E_INPUT, "target_rate");
    refused(linear, "target_rate=1", 1, E_INPUT, "target_rate");
    refused(exponential, "total_rate=1", 1, E_INPUT, "total_rate");
    refused(exponential, "tightening=0", 1, E_INPUT, "tightening");
    refused(linear, "scale_factor=0", 1, E_INPUT, "scale_factor");
    refused(linear, "initial_capacity=1", 100000, E_IMPOSSIBLE, "scalable_linear: slice");
    rig_params(&rig, linear, "", 0, 1000, 0);
    rig.params.reduction = REDUCE_MASK;
    cr_assert_eq(rig_plan(&rig, &err), E_IMPOSSIBLE);
    cr_assert_not_null(strstr(err.text, "m of slice 1"), "%s", err.text);
    rig.params.reduction = REDUCE_MOD;
    rig.params.digest_columns = 2;
    cr_assert_eq(rig_plan(&rig, &err), E_IMPOSSIBLE);
    cr_assert_not_null(strstr(err.text, "7 digests"), "%s", err.text);
}
