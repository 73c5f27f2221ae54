/* SPDX-License-Identifier: MIT
 *
 * harness_plan.c: from the product of the axes to cells: which there are, and what they are called.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "tests/harness_lab.h"

Test(harness_plan, an_unused_axis_collapses)
{
    struct lab lab;
    lab_open(&lab,
             "grid: {filter: [classic, split_block, scalable_linear, hyperloglog, null],"
             " hash: [murmur3_x64_128, xxh3_64], keys: random64, n: 100, m: [1024, 2048, 4096],"
             " reduction: [mod, multiply_shift], digest_bits: [native, 48], k: [1..5]}");
    for (size_t f = 0; f < filter_count; f++) {
        const struct filter_ops *ops = filter_table[f];
        size_t hashes = ops->axes & AXIS_HASH ? 4 : 1, ms = ops->axes & AXIS_M ? 3 : 1,
               reductions = ops->axes & AXIS_REDUCTION ? 2 : 1, ks = ops->axes & AXIS_K ? 5 : 1;
        size_t expected = hashes * ms * reductions * ks;
        if (lab_count(&lab, ops->name))
            cr_assert_eq(lab_count(&lab, ops->name), expected, "%s", ops->name);
    }
    cr_assert_eq(lab_count(&lab, "classic"), 4 * 3 * 2 * 5);
    cr_assert_eq(lab_count(&lab, "split_block"), 4 * 3 * 2);
    cr_assert_eq(lab_count(&lab, "scalable_linear"), 4 * 2);
    cr_assert_eq(lab_count(&lab, "hyperloglog"), 4);
    cr_assert_eq(lab_count(&lab, "null"), 4);
    for (size_t c = 0; c < lab.plan->cell_count; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        cr_assert_eq(cell->layout.params.m > 0, (cell->ops->axes & AXIS_M) != 0);
        cr_assert_eq(cell->layout.params.k > 0, (cell->ops->axes & AXIS_K) != 0);
    }
    lab_close(&lab);
}

Test(harness_plan, a_cell_and_a_skipped_one_stand_once)
{
    struct lab lab;
    lab_open(&lab,
             "grid:\n"
             " - {filter: classic, hash: xxh3_64, keys: random64, m: [1000, 2000], n: 125, k: 3}\n"
             " - {filter: classic, hash: xxh3_64, keys: random64, m: [2000, 3000], n: 125, k: 3}\n"
             " - {filter: classic, hash: xxh3_64, keys: random64, m: 1000, bits_per_key: 8, k: 3}\n"
             " - {filter: classic, hash: xxh3_64, keys: random64, n: 125, bits_per_key: 8, k: 3}\n"
             " - {filter: partitioned, hash: xxh3_64, keys: random64, n: 1, m: 4, k: 5}\n"
             " - {filter: partitioned, hash: xxh3_64, keys: random64, n: 1, m: 4, k: 5}\n");
    cr_assert_eq(lab.plan->cell_count, 3);
    cr_assert_eq(lab.plan->skipped_count, 1);
    lab_close(&lab);
}

/* ---- ids ------------------------------------------------------------------------------------- */

Test(harness_plan, an_id_stays_what_it_was)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: [classic, blocked, null], hash: murmur3_x64_128, keys: random64,"
                   " m: 1024, n: 100, k: 7}");
    cr_assert_str_eq(lab_cell(&lab, "classic")->id, "7d46409306332bf1");
    cr_assert_str_eq(lab_cell(&lab, "blocked")->id, "ccbab8a45e31ccdc");
    cr_assert_str_eq(lab_cell(&lab, "null")->id, "6acfedaa026f56bc");
    lab_close(&lab);
}

/* Every cell of a is one of b. */
static void plan_within(const char *a, const char *b)
{
    struct lab small, large;
    lab_open(&small, a);
    lab_open(&large, b);
    for (size_t c = 0; c < small.plan->cell_count; c++) {
        const struct cell *one = &small.plan->cells[c], *other = plan_find(large.plan, one->id);
        cr_assert(other, "%s has another id", one->ops->name);
        cr_assert_eq(one->layout.params.m, other->layout.params.m);
        cr_assert_eq(one->layout.params.k, other->layout.params.k);
        cr_assert_eq(one->n, other->n);
        cr_assert_eq(one->ops, other->ops);
    }
    lab_close(&small);
    lab_close(&large);
}

Test(harness_plan, ids_do_not_depend_on_order_or_neighbours)
{
    const char *one = "grid: {filter: [classic, blocked], hash: [xxh3_64, murmur2], n: [10, 20],"
                      " m: [100, 200], keys: [random64, uuid4], k: [1..4], reduction: [mod]}",
               *turned = "grid: {k: [4, 2, 1, 3], m: [200, 100], reduction: mod, n: [20, 10],"
                         " keys: [uuid4, random64], filter: [blocked, classic],"
                         " hash: [murmur2, xxh3_64]}",
               *more = "grid: {filter: [classic, partitioned, blocked], hash: [xxh3_64, murmur2,"
                       " fnv1a_32], n: [5, 10, 20, 40], m: [50, 100, 200, 400],"
                       " keys: [random64, uuid4, url], k: [1..9], reduction: [multiply_shift, mod],"
                       " digest_bits: [16, native]}\n"
                       "trials: 7\nqueries: 5\nseed: 99\nindependent: true\nplots: [fill]\n";
    plan_within(one, turned);
    plan_within(turned, one);
    plan_within(one, more);
}

Test(harness_plan, what_makes_another_cell)
{
    static const char *const texts[] = {
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 512, n: 10, k: 2}",
        "grid: {filter: counting, hash: xxh3_64, keys: random64, m: 512, n: 10, k: 2}",
        "grid: {filter: {name: counting, counter_bits: 2}, hash: xxh3_64, keys: random64, m: 512,"
        " n: 10, k: 2}",
        "grid: {filter: classic, hash: xxh64, keys: random64, m: 512, n: 10, k: 2}",
        "grid: {filter: classic, hash: {name: xxh3_64, family: salted}, keys: random64, m: 512,"
        " n: 10, k: 2}",
        "grid: {filter: classic, hash: {pair: [xxh3_64, xxh64]}, keys: random64, m: 512, n: 10,"
        " k: 2}",
        "grid: {filter: classic, hash: {pair: [xxh64, xxh3_64]}, keys: random64, m: 512, n: 10,"
        " k: 2}",
        "grid: {filter: classic, hash: xxh3_64, keys: uuid4, m: 512, n: 10, k: 2}",
        "grid: {filter: classic, hash: xxh3_64, keys: {list: [a, b, c, d, e, f, g, h, i, j, k]},"
        " m: 512, n: 10, k: 2}",
        "grid: {filter: classic, hash: xxh3_64, keys: {list: [a, b, c, d, e, f, g, h, i, j, l]},"
        " m: 512, n: 10, k: 2}",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 512, n: 10, k: 2,"
        " reduction: mask}",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 512, n: 10, k: 2,"
        " digest_bits: 40}",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 513, n: 10, k: 2}",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 512, n: 11, k: 2}",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 512, n: 10, k: 3}",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 512, n: 10, k: 2}\nhash_seed: 0",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 512, n: 10, k: 2}\nhash_seed: 1",
    };
    enum { COUNT = sizeof texts / sizeof *texts };
    char ids[COUNT][CELL_ID_SIZE];
    for (size_t i = 0; i < COUNT; i++) {
        struct lab lab;
        lab_open(&lab, texts[i]);
        cr_assert_eq(lab.plan->cell_count, 1, "%s", texts[i]);
        strcpy(ids[i], lab.plan->cells[0].id);
        cr_assert_eq(strspn(ids[i], "0123456789abcdef"), 16);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(ids[i], ids[j], "%s\n%s", texts[i], texts[j]);
        lab_close(&lab);
    }
}

Test(harness_plan, cells_are_found_by_their_ids)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: classic, hash: xxh3_64, keys: random64, m: [1..200], n: 10,"
                   " k: [1, 2]}");
    cr_assert_eq(lab.plan->cell_count, 400);
    for (size_t c = 0; c < 400; c++)
        cr_assert_eq(plan_find(lab.plan, lab.plan->cells[c].id), &lab.plan->cells[c]);
    cr_assert_null(plan_find(lab.plan, "0000000000000000"));
    cr_assert_null(plan_find(lab.plan, "ffffffffffffffff"));
    cr_assert_null(plan_find(lab.plan, ""));
    lab_close(&lab);
}

/* ---- numbers --------------------------------------------------------------------------------- */

Test(harness_plan, sizes_from_bits_per_key)
{
    /* n = round(m / c), halves away from 0; m = ceil(n c). */
    static const struct {
        const char *axes;
        uint64_t m, n;
    } cases[] = {
        {"m: 1000, bits_per_key: 8", 1000, 125},      {"m: 1000, bits_per_key: 9.6", 1000, 104},
        {"m: 1000, bits_per_key: 16", 1000, 63},      {"m: 1, bits_per_key: 8", 1, 0},
        {"n: 1000, bits_per_key: 9.585", 9585, 1000}, {"n: 3, bits_per_key: 1.1", 4, 3},
        {"n: 1000, bits_per_key: 1/3", 334, 1000},    {"n: 0, bits_per_key: 8", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lab lab;
        char text[256];
        snprintf(text, sizeof text,
                 "grid: {filter: classic, hash: xxh3_64, keys: random64, k: 1, %s}", cases[i].axes);
        lab_open(&lab, text);
        cr_assert_eq(lab.plan->cells[0].layout.params.m, cases[i].m, "%s", cases[i].axes);
        cr_assert_eq(lab.plan->cells[0].n, cases[i].n, "%s", cases[i].axes);
        lab_close(&lab);
    }
}

Test(harness_plan, optimal_k_is_the_argmin_and_the_smaller_on_ties)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: [classic, partitioned], hash: xxh3_64, keys: random64,"
                   " m: [64, 1000, 1443, 2^20], bits_per_key: [0.1, 1, 1.5, 5.77, 8, 9.6, 20],"
                   " k: optimal}");
    cr_assert_gt(lab.plan->cell_count, 40);
    for (size_t c = 0; c < lab.plan->cell_count; c++) {
        const struct filter_params *p = &lab.plan->cells[c].layout.params;
        unsigned best = 1;
        for (unsigned k = 2; k <= 40; k++)
            if (theory_fpr_standard(p->m, p->n, k) < theory_fpr_standard(p->m, p->n, best))
                best = k;
        cr_assert_eq(p->k, best, "m %lu, n %lu: %u, not %u", p->m, p->n, p->k, best);
    }
    lab_close(&lab);
    /* 8 bits per key: 6, whose rate is 0.021577, and not 5, at 0.021679. */
    lab_open(&lab, "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 2^16,"
                   " bits_per_key: 8, k: [optimal, 6]}");
    cr_assert_eq(lab.plan->cell_count, 1);
    cr_assert_eq(lab.plan->cells[0].layout.k, 6);
    lab_close(&lab);
}

Test(harness_plan, explicit_sets_say_n_and_are_queried_whole)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: classic, hash: xxh3_64, m: 64, k: 2, queries: 7,"
                   " keys: {members: {list: [cat, dog, owl]}, queries: {decimal: 0..99}}}");
    const struct cell *cell = lab_cell(&lab, "classic");
    cr_assert_eq(cell->n, 3);
    cr_assert_eq(cell->queries, 100);
    cr_assert_not(cell->queries_reduced);
    lab_close(&lab);
}

Test(harness_plan, finite_sets_limit_the_queries)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: classic, hash: xxh3_64, keys: {decimal: 0..999}, m: 64, k: 2,"
                   " n: [900, 500, 1000], queries: 400}");
    cr_assert_eq(lab.plan->cell_count, 3);
    cr_assert_eq(lab.plan->cells[0].queries, 100);
    cr_assert(lab.plan->cells[0].queries_reduced);
    cr_assert_eq(lab.plan->cells[1].queries, 400);
    cr_assert_not(lab.plan->cells[1].queries_reduced);
    cr_assert_eq(lab.plan->cells[2].queries, 0);
    cr_assert(lab.plan->cells[2].queries_reduced);
    lab_close(&lab);
}

Test(harness_plan, a_promised_precision_is_planned)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: [classic, hyperloglog], hash: murmur3_x64_128, keys: random64,"
                   " m: 1024, n: 100, k: 7, queries: {relative_error: 2%, confidence: 95%}}");
    const struct cell *cell = lab_cell(&lab, "classic");
    /* STATISTICS: about 1500 trials of 954 queries. */
    cr_assert(cell->queries >= 940 && cell->queries <= 970, "%lu queries", cell->queries);
    cr_assert(cell->trials >= 1400 && cell->trials <= 1700, "%lu trials", cell->trials);
    cr_assert_eq(lab_cell(&lab, "hyperloglog")->queries, 0);
    lab_close(&lab);
}

/* ---- large and many -------------------------------------------------------------------------- */

Test(harness_plan, a_hundred_thousand_cells)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: classic, hash: xxh3_64, keys: random64, m: [1..10000], n: 1,"
                   " k: [1..10]}\ntrials: 1\nqueries: 1");
    cr_assert_eq(lab.plan->cell_count, 100000);
    cr_assert_eq(lab.plan->group_count, 1);
    lab_close(&lab);
}

Test(harness_plan, many_groups)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: classic, hash: [xxh3_64, xxh64, murmur64a, fnv1a_64, siphash24],"
                   " keys: [random64, uuid4, url, sequential64], m: 64, n: [1..40],"
                   " digest_bits: [8..60], k: 1}\ntrials: 1\nqueries: 1");
    cr_assert_eq(lab.plan->cell_count, 5 * 4 * 40 * 53);
    cr_assert_eq(lab.plan->group_count, 5 * 4 * 53);
    for (size_t g = 0; g < lab.plan->group_count; g++)
        cr_assert_eq(lab.plan->groups[g].count, 40);
    lab_close(&lab);
}

Test(harness_plan, sixteen_terabytes_are_planned_and_not_allocated)
{
    struct lab lab;
    lab_open(&lab, "grid: {filter: [classic, blocked, counting, partitioned], hash: xxh3_64,"
                   " keys: random64, m: 2^47, n: 2^43, k: 11}");
    cr_assert_eq(lab.plan->cell_count, 4);
    cr_assert_eq(lab_cell(&lab, "classic")->layout.bytes, UINT64_C(1) << 44);
    lab_close(&lab);
}

/* ---- shards ---------------------------------------------------------------------------------- */

static const char plan_shared[] = "grid: {filter: [classic, blocked, null, partitioned], hash: "
                                  "[xxh3_64, murmur2], keys: random64,"
                                  " m: [10..40], n: 5, k: [1, 20]}\n";

Test(harness_plan, shards_are_a_partition)
{
    struct lab whole, shard[3];
    size_t cells = 0, trials = 0;
    lab_open(&whole, plan_shared);
    for (unsigned i = 0; i < 3; i++) {
        lab_open_within(&shard[i], plan_shared, (struct plan_limits){UINT64_MAX, i + 1, 3});
        cr_assert_gt(shard[i].plan->cell_count, whole.plan->cell_count / 5);
        cells += shard[i].plan->cell_count;
        trials += shard[i].plan->result_count;
    }
    cr_assert_eq(cells, whole.plan->cell_count);
    cr_assert_eq(trials, whole.plan->result_count);
    for (size_t c = 0; c < whole.plan->cell_count; c++) {
        int found = 0;
        for (unsigned i = 0; i < 3; i++)
            found += plan_find(shard[i].plan, whole.plan->cells[c].id) != NULL;
        cr_assert_eq(found, 1);
    }
    for (unsigned i = 0; i < 3; i++)
        lab_close(&shard[i]);
    lab_close(&whole);
}

/* ---- the plan's digest ----------------------------------------------------------------------- */

static uint64_t plan_digest(const char *text, struct plan_limits limits)
{
    struct lab lab;
    lab_open_within(&lab, text, limits);
    uint64_t digest = lab.plan->digest;
    lab_close(&lab);
    return digest;
}

#define PLAN_GRID                                                                                  \
    "grid: {filter: classic, hash: xxh3_64, keys: random64, m: [64, 65], n: 5, k: 2}\n"

Test(harness_plan, the_digest_is_of_all_that_decides_the_results)
{
    uint64_t digest = plan_digest(PLAN_GRID, lab_no_limits);
    cr_assert_eq(digest, plan_digest(PLAN_GRID "plots: [fill]\n", lab_no_limits));
    cr_assert_eq(digest, plan_digest(PLAN_GRID "seed: 1\ntrials: 30\n", lab_no_limits));
    static const char *const others[] = {
        PLAN_GRID "seed: 2\n",
        PLAN_GRID "trials: 31\n",
        PLAN_GRID "queries: 99999\n",
        PLAN_GRID "independent: true\n",
        PLAN_GRID "hash_seed: 0\n",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: [64, 66], n: 5, k: 2}\n",
        "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 64, n: 5, k: 2}\n",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_neq(digest, plan_digest(others[i], lab_no_limits), "%s", others[i]);
}
