/* SPDX-License-Identifier: MIT
 *
 * blocked and split_block: against a plain array in a world of 2^16 keys, against their theory with
 * ideal digests for every reduction and width, against published and oracle values.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/rig.h"

TestSuite(filters_blocked, .timeout = 120);

static const enum reduction reductions[] = {REDUCE_MOD, REDUCE_MASK, REDUCE_MULTIPLY_SHIFT};

/* ---- small world: all joined digests of 16 bits, a plain array ------------------------------- */

enum { WORLD = 1 << 16, WORLD_MEMBERS = 40 };

static uint64_t world_block(enum reduction reduction, uint64_t digest, uint64_t blocks)
{
    return reduction == REDUCE_MULTIPLY_SHIFT ? digest * blocks >> 16 : digest % blocks;
}

/* Draw `draw` = 1 .. k of a digest, in [0, 2^log_bits): the top bits of A^draw times it. */
static uint64_t world_draw(uint64_t digest, unsigned draw, unsigned log_bits)
{
    uint64_t product = digest;
    for (unsigned i = 0; i < draw; i++)
        product *= UINT64_C(0xd1342543de82ef95);
    return product >> (64 - log_bits);
}

/* Positions of key `digest`: k of them. split: draw i falls into word i of the block. */
static void world_positions(uint64_t *position, const struct rig *rig, uint64_t block_bits,
                            bool split, uint64_t digest)
{
    uint64_t blocks = rig->layout.m / block_bits;
    uint64_t first = world_block(rig->params.reduction, digest, blocks) * block_bits;
    uint64_t part = split ? block_bits / 8 : block_bits;
    for (unsigned i = 0; i < rig->layout.k; i++)
        position[i] = first + (split ? i * part : 0) +
                      world_draw(digest, i + 1, (unsigned)__builtin_ctzll(part));
}

/* Member number i of the world: an odd multiplier of 16 bits steps through it. */
static uint64_t world_member(unsigned i)
{
    return (i * 40503u + 7) % WORLD;
}

static void world_fill(bool *plain, struct rig *rig, uint64_t block_bits, bool split)
{
    uint64_t position[FILTER_K_MAX];
    for (unsigned i = 0; i < WORLD_MEMBERS; i++) {
        rig_add(rig, world_member(i), 1);
        world_positions(position, rig, block_bits, split, world_member(i));
        for (unsigned j = 0; j < rig->layout.k; j++)
            plain[position[j]] = true;
    }
}

static void world_check(struct rig *rig, uint64_t block_bits, bool split)
{
    uint64_t position[FILTER_K_MAX], hits = 0, set = 0;
    bool *plain = calloc(rig->layout.m, sizeof *plain);
    uint8_t *present = malloc(WORLD);
    world_fill(plain, rig, block_bits, split);
    for (uint64_t i = 0; i < rig->layout.m; i++) {
        set += plain[i];
        cr_assert_eq(rig->filter.memory[i / 8] >> (i % 8) & 1, plain[i], "bit %llu",
                     (unsigned long long)i);
    }
    cr_assert_eq(rig->ops->count_bits(&rig->filter), set);
    uint64_t told = rig_query(rig, present, 0, WORLD, 0);
    for (uint64_t key = 0; key < WORLD; key++) {
        bool all = true;
        world_positions(position, rig, block_bits, split, key);
        for (unsigned j = 0; j < rig->layout.k; j++)
            all &= plain[position[j]];
        cr_assert_eq(present[key], all, "key %llu", (unsigned long long)key);
        hits += all;
    }
    cr_assert_eq(told, hits);
    cr_assert_geq(hits, WORLD_MEMBERS);
    free(plain);
    free(present);
}

static void world_run(const char *filter, const char *own, uint64_t block_bits, unsigned k)
{
    for (size_t r = 0; r < 3; r++) {
        struct rig rig;
        rig_params(&rig, filter, own, 4 * block_bits, 1, k);
        rig.params.digest_bits = 8;
        rig.params.reduction = reductions[r];
        rig.digest = rig_whole_world8;
        rig_open(&rig);
        cr_assert_eq(rig.layout.columns, 2);
        world_check(&rig, block_bits, strcmp(filter, "split_block") == 0);
        rig_close(&rig);
    }
}

Test(filters_blocked, small_world)
{
    static const unsigned probes[] = {1, 2, 3, 4, 5, 8, 11};
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        world_run("blocked", "block_bits=64", 64, probes[i]);
        world_run("blocked", "", 512, probes[i]);
    }
    world_run("blocked", "block_bits=4096", 4096, 7);
    world_run("split_block", "", 256, 0);
    world_run("split_block", "block_bits=512", 512, 0);
}

Test(filters_blocked, batches_and_single_keys_agree)
{
    static const char *const names[] = {"blocked", "split_block"};
    for (size_t i = 0; i < 2; i++) {
        struct rig a, b;
        uint8_t pa[5000], pb[5000];
        rig_params(&a, names[i], "", UINT64_C(1) << 24, 5000, i ? 0 : 7); /* large: it prefetches */
        b = a;
        rig_open(&a);
        rig_open(&b);
        rig_add(&a, 0, 5000);
        rig_insert(&b, 0, 5000, 1, NULL);
        cr_assert_eq(memcmp(a.filter.memory, b.filter.memory, a.layout.bytes), 0);
        cr_assert_eq(a.filter.inserted, 5000);
        cr_assert_eq(rig_query(&a, pa, 2500, 5000, 0), rig_query(&b, pb, 2500, 5000, 1));
        cr_assert_eq(memcmp(pa, pb, sizeof pa), 0);
        cr_assert_eq(rig_query(&a, NULL, 0, 5000, 0), 5000);
        rig_close(&a);
        rig_close(&b);
    }
}

/* ---- ideal digests against theory ------------------------------------------------------------ */

struct setting {
    const char *filter, *own;
    unsigned block_bits, k, digest_bits;
    uint64_t blocks;
};

/* Loads half the bits; keys and seeds are fixed by the setting's number. */
static void score(const struct setting *s, enum reduction reduction, uint64_t number)
{
    struct rig rig;
    struct rig_scores scores;
    uint64_t m = s->blocks * s->block_bits;
    uint64_t n = (uint64_t)(0.69 * (double)m / (s->k ? s->k : 8));
    rig_params(&rig, s->filter, s->own, m, n, s->k);
    rig.params.digest_bits = s->digest_bits;
    rig.params.reduction = reduction;
    rig_open(&rig);
    rig_score(&scores, &rig, number << 32, 60, 5000);
    rig_close(&rig);
    const double z[] = {scores.fill, scores.spread, scores.rate, scores.probe};
    static const char *const names[] = {"fill", "spread", "rate", "probe"};
    for (size_t i = 0; i < 4; i++)
        cr_expect_lt(fabs(z[i]), 5, "%s %s, k %u, %u-bit digests, %llu blocks, %s: z %s = %.2f",
                     s->filter, s->own, s->k, s->digest_bits, (unsigned long long)s->blocks,
                     reduction_name(reduction), names[i], z[i]);
}

/* The bits inside a block must not know which block it is, whichever end of the digest names it,
 * and must spread for narrow digests too. A score of a correct filter passes 5 with
 * probability 5.7e-7. */
Test(filters_blocked, ideal_digests_agree_with_theory)
{
    static const struct setting settings[] = {
        {"blocked", "", 512, 6, 64, 4},
        {"blocked", "", 512, 6, 64, 64},
        {"blocked", "", 512, 6, 32, 4},
        {"blocked", "", 512, 6, 32, 64},
        {"blocked", "", 512, 1, 16, 16},
        {"blocked", "", 512, 6, 16, 16},
        {"blocked", "", 512, 6, 16, 64},
        {"blocked", "", 512, 11, 40, 16},
        {"blocked", "", 512, 16, 64, 64},
        {"blocked", "block_bits=64", 64, 4, 64, 64},
        {"blocked", "block_bits=64", 64, 4, 16, 64},
        {"blocked", "block_bits=4096", 4096, 7, 32, 4},
        {"split_block", "", 256, 0, 64, 4},
        {"split_block", "", 256, 0, 32, 64},
        {"split_block", "", 256, 0, 16, 16},
        {"split_block", "block_bits=512", 512, 0, 64, 64},
        {"split_block", "block_bits=512", 512, 0, 20, 16},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (size_t r = 0; r < 3; r++)
            score(&settings[i], reductions[r], 3 * i + r + 1);
}

/* Ten blocks: no power of two, few enough for their loads to be far from Poisson. */
Test(filters_blocked, ten_blocks)
{
    static const struct setting ten = {"blocked", "", 512, 6, 64, 10};
    score(&ten, REDUCE_MOD, 1001);
    score(&ten, REDUCE_MULTIPLY_SHIFT, 1002);
}

/* ---- values ---------------------------------------------------------------------------------- */

static double model_of(struct rig *rig, const char *filter, const char *own, uint64_t m, uint64_t n,
                       unsigned k)
{
    struct error err;
    struct model model;
    rig_params(rig, filter, own, m, n, k);
    cr_assert_eq(rig_plan(rig, &err), OK, "%s", err.text);
    rig->ops->expected_fpr(&rig->layout, n, &model);
    cr_assert_str_eq(model.name, "binomial_blocks");
    return model.fpr;
}

Test(filters_blocked, m_is_rounded_up_and_theory_uses_what_is_there)
{
    struct rig asked, rounded;
    double p = model_of(&asked, "blocked", "", 1000, 100, 7);
    cr_assert_eq(asked.layout.m, 1024);
    cr_assert_eq(asked.layout.params.m, 1000);
    cr_assert_eq(asked.layout.bytes, 128);
    cr_assert_eq(asked.layout.alignment, 64);
    cr_assert_eq(p, model_of(&rounded, "blocked", "", 1024, 100, 7));
    model_of(&asked, "blocked", "block_bits=4096", 1, 100, 7);
    cr_assert_eq(asked.layout.m, 4096);
    cr_assert_eq(asked.layout.alignment, 512);
    model_of(&asked, "split_block", "", 257, 100, 0);
    cr_assert_eq(asked.layout.m, 512);
    cr_assert_eq(asked.layout.k, 8);
}

Test(filters_blocked, known_rates)
{
    struct rig rig;
    cr_assert_float_eq(model_of(&rig, "blocked", "", 5120, 512, 6), 0.0095528, 5e-8);
    cr_assert_float_eq(rig_formula(&rig, 512, "blocked_binomial_bloom"), 0.009465, 5e-7);
    model_of(&rig, "blocked", "", 512 * 1000, 51200, 6); /* 10 bits per key */
    cr_assert_float_eq(rig_formula(&rig, 51200, "blocked_poisson_bloom"), 0.009576, 5e-7);
    cr_assert_float_eq(rig_formula(&rig, 51200, "blocked_poisson_exact"), 0.009665, 5e-7);
    model_of(&rig, "blocked", "block_bits=64", 64000, 8000, 4); /* 8 bits per key */
    cr_assert_float_eq(rig_formula(&rig, 8000, "blocked_poisson_bloom"), 0.03259, 5e-6);
    cr_assert_float_eq(rig_formula(&rig, 8000, "blocked_poisson_exact"), 0.03354, 5e-6);
    model_of(&rig, "split_block", "", 256000, 32000, 0);
    cr_assert_float_eq(rig_formula(&rig, 32000, "split_poisson"), 0.033212, 5e-7);
    cr_assert_float_eq(rig_formula(&rig, 16000, "split_poisson"), 0.0013156, 5e-8);
}

/* Every row of the oracle that a variant here can have: model and formulas through the plan. */
Test(filters_blocked, oracle)
{
    struct csv *table = csv_read("tests/data/blocked.csv");
    size_t seen = 0;
    for (size_t row = 0; row < csv_rows(table); row += 7) {
        uint64_t bits = csv_integer(table, row, "B"), n = csv_integer(table, row, "n");
        bool split = csv_is(table, row, "scheme", "split_block_8x32");
        struct rig rig;
        char own[32];
        if (strncmp(csv_text(table, row, "scheme"), "blocked", 7) != 0 && !split)
            continue;
        snprintf(own, sizeof own, "block_bits=%llu", (unsigned long long)bits);
        double p = model_of(&rig, split ? "split_block" : "blocked", own, 2048 * bits, n,
                            split ? 0 : (unsigned)csv_integer(table, row, "k"));
        cr_assert_lt(csv_error(p, csv_number(table, row, "binom_exact")), 1e-11, "row %zu", row);
        cr_assert_lt(
            csv_error(rig_formula(&rig, n, split ? "split_poisson" : "blocked_poisson_exact"),
                      csv_number(table, row, "pois_exact")),
            1e-11, "row %zu", row);
        seen++;
    }
    csv_free(table);
    cr_assert_gt(seen, 50);
}

/* The estimator undoes the mean: the mean of 200 estimates is within 5 standard errors of n, each
 * of standard deviation sd X / (dE[X]/dn), and 5 of them are below 0.5 % of n. */
static void cardinality_run(const char *filter, const char *own, unsigned k)
{
    struct rig rig;
    struct moments fill, more;
    const unsigned n = 6000, trials = 200;
    double sum = 0;
    rig_params(&rig, filter, own, 1 << 16, n, k);
    rig_open(&rig);
    cr_assert_eq(rig.ops->cardinality(&rig.filter), 0);
    rig.ops->expected_fill(&rig.layout, n, &fill);
    rig.ops->expected_fill(&rig.layout, n + 1, &more);
    double se = sqrt(fill.variance / trials) / (more.mean - fill.mean);
    for (unsigned t = 0; t < trials; t++) {
        rig_empty(&rig, 300 + t);
        rig_add(&rig, 0, n);
        sum += rig.ops->cardinality(&rig.filter) - n;
    }
    cr_expect_lt(fabs(sum / trials), 5 * se, "%s %s: off by %.2f", filter, own, sum / trials);
    cr_expect_lt(5 * se, 0.005 * n);
    memset(rig.filter.memory, 0xff, rig.layout.bytes);
    cr_assert_eq(rig.ops->cardinality(&rig.filter), INFINITY);
    cr_assert_eq(rig.ops->fpr_scheme(&rig.filter).value, 1);
    cr_assert_eq(rig_measure(&rig, "full_blocks"), rig_measure(&rig, "blocks"));
    rig_close(&rig);
}

Test(filters_blocked, cardinality)
{
    cardinality_run("blocked", "block_bits=64", 6);
    cardinality_run("split_block", "", 0);
}

/* ---- what is refused ------------------------------------------------------------------------- */

Test(filters_blocked, impossible_plans)
{
    struct rig rig;
    struct error err;
    rig_params(&rig, "blocked", "block_bits=96", 1000, 1, 1);
    cr_assert_eq(rig_plan(&rig, &err), E_INPUT);
    cr_assert_not_null(strstr(err.text, "96"));
    rig_params(&rig, "split_block", "block_bits=384", 1000, 1, 0);
    cr_assert_eq(rig_plan(&rig, &err), E_INPUT);
    rig_params(&rig, "blocked", "", 512 * 3, 1, 1);
    rig.params.reduction = REDUCE_MASK;
    cr_assert_eq(rig_plan(&rig, &err), E_IMPOSSIBLE);
    cr_assert_not_null(strstr(err.text, "number of blocks"));
    rig_params(&rig, "blocked", "", 1024, 1, 1);
    rig.params.digest_bits = 32;
    rig.params.digest_columns = 1;
    cr_assert_eq(rig_plan(&rig, &err), E_IMPOSSIBLE);
    rig.params.digest_bits = 33;
    cr_assert_eq(rig_plan(&rig, &err), OK);
    cr_assert_eq(rig.layout.columns, 1);
}

Test(filters_blocked, merge)
{
    struct rig a, b, both, other;
    struct error err;
    rig_params(&a, "blocked", "", 1 << 14, 900, 6);
    b = both = a;
    rig_params(&other, "blocked", "block_bits=256", 1 << 14, 900, 6);
    rig_open(&a);
    rig_open(&b);
    rig_open(&both);
    rig_open(&other);
    rig_add(&a, 0, 600);
    rig_add(&b, 300, 600);
    rig_add(&both, 0, 900);
    unsigned char *before = malloc(a.layout.bytes);
    memcpy(before, a.filter.memory, a.layout.bytes);
    cr_assert_eq(a.ops->merge(&a.filter, &other.filter, MERGE_UNION, &err), E_INPUT);
    cr_assert_eq(memcmp(before, a.filter.memory, a.layout.bytes), 0);
    cr_assert_eq(other.ops->count_bits(&other.filter), 0);
    cr_assert_eq(a.ops->merge(&a.filter, &b.filter, MERGE_UNION, &err), OK);
    cr_assert_eq(memcmp(both.filter.memory, a.filter.memory, a.layout.bytes), 0);
    free(before);
    rig_close(&a);
    rig_close(&b);
    rig_close(&both);
    rig_close(&other);
}
