/* SPDX-License-Identifier: MIT
 *
 * judge_faults.c: each planted fault is found by the test that is there for it, and the faults
 * users met elsewhere are called by their name.
 */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "filters/theory/classic.h"
#include "harness/judge/thresholds.h"
#include "tests/judge_cells.h"
#include "tests/near.h"

static bool fails(struct test_result test)
{
    return JUDGE_TESTS * test.p < JUDGE_FAIL_P;
}

static bool calm(struct test_result test)
{
    return JUDGE_TESTS * test.p > JUDGE_WARN_P;
}

static const struct cell_setup sound = {
    .m = 4096, .n = 512, .k = 6, .trials = 30, .queries = 100000};

static void judged(struct judgement *out, struct simulated_cell *cell, struct cell_setup setup)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 99);
    struct evidence theory = cell_theory(&setup);
    cell_simulate(cell, &setup, &theory, rng);
    judge_cell(out, &cell->evidence, false);
    gsl_rng_free(rng);
}

Test(judge, nothing_planted_nothing_found, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    judged(&j, &cell, sound);
    cr_assert(j.verdict == VERDICT_PASS && j.mde < 1.25 && j.mde > 1);
    cr_assert(calm(j.fill_test) && calm(j.spread) && calm(j.probe) && calm(j.model_test));
}

Test(judge, repeated_positions_fail_by_the_fill, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = sound;
    setup.repeated = 0.05;
    judged(&j, &cell, setup);
    cr_assert(fails(j.fill_test) && j.fill_test.z < 0 && calm(j.probe) && calm(j.spread));
    cr_assert(j.verdict == VERDICT_FAIL);
    cr_assert(strstr(j.explained_by, "filling x0.8"), "%s", j.explained_by);
    cr_assert(strstr(j.explained_by, "hash x1.00"), "%s", j.explained_by);
}

Test(judge, biased_queries_fail_by_the_probe, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct cell_setup setup = sound;
        setup.probes = sign * 0.05;
        judged(&j, &cell, setup);
        cr_assert(fails(j.probe) && j.probe.z * sign > 0 && calm(j.fill_test) && calm(j.spread));
        cr_assert(j.verdict == VERDICT_FAIL);
        cr_assert(strstr(j.explained_by, sign > 0 ? "hash x1.05 (95 %" : "hash x0.95 (95 %"), "%s",
                  j.explained_by);
    }
}

/* Significant, but within 2 %: worth a warning, no failure. */
Test(judge, a_tiny_bias_seen_by_many_queries_is_no_failure, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = sound;
    setup.queries = 20000000;
    setup.probes = 0.005;
    judged(&j, &cell, setup);
    cr_assert(fails(j.probe) && j.verdict == VERDICT_WARN);
}

Test(judge, an_ignored_seed_fails_by_the_spread, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = sound;
    setup.ignores_seed = true;
    for (setup.trials = 6; setup.trials <= 30; setup.trials += 24) {
        judged(&j, &cell, setup);
        cr_assert(fails(j.spread) && j.spread.z < 0 && calm(j.fill_test));
        cr_assert(j.trials_alike && j.verdict == VERDICT_FAIL && isfinite(j.spread.z));
        cr_assert(isnan(j.fpr_interval.lo) && j.interval[0] == '\0' &&
                  isnan(j.term_interval[3].lo) && isnan(j.fpr_scheme_interval.lo));
    }
    setup.trials = 2, setup.queries = 1000000; /* X alike is no proof then, H neither, both are */
    judged(&j, &cell, setup);
    cr_assert(j.trials_alike && j.verdict == VERDICT_WARN);
}

Test(judge, a_wrong_model_fails_by_the_model, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    for (double factor = 0.9; factor < 1.2; factor += 0.2) {
        judged(&j, &cell, sound);
        cell.evidence.model.fpr *= factor;
        judge_cell(&j, &cell.evidence, false);
        cr_assert(fails(j.model_test) && j.model_test.z * (1 - factor) > 0);
        cr_assert(j.verdict == VERDICT_FAIL && calm(j.probe) && calm(j.fill_test));
    }
    /* The same from a simulation that admits an error of 5 %: no longer. */
    cell.evidence.model.se = 0.05 * cell.evidence.model.fpr;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(calm(j.model_test) && j.verdict == VERDICT_PASS);
}

/* Nearly 4 % above the model, at more than 5 standard errors: it could still be below 2 %. */
Test(judge, a_significant_effect_must_be_surely_large, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = sound;
    setup.trials = 60;
    judged(&j, &cell, setup);
    cell.evidence.model.fpr = j.fpr / 1.039;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(fails(j.model_test) && j.verdict == VERDICT_WARN, "z %g %s", j.model_test.z,
              judge_verdict_name(j.verdict));
    cell.evidence.model.fpr = j.fpr / 1.06;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(j.verdict == VERDICT_FAIL);
}

/* Two filters with as many bits happen: P(X_1 = X_2) = 1/(2 sd sqrt(pi)), 1.6 % here. */
Test(judge, two_equal_counts_are_a_coincidence, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = sound;
    setup.trials = 2;
    judged(&j, &cell, setup);
    cell.bits_set[1] = cell.bits_set[0];
    judge_cell(&j, &cell.evidence, false);
    double chance = 1 / (2 * sqrt(M_PI * cell.evidence.fill.variance));
    cr_assert(chance > 0.01 && j.spread.p > chance / 2 && j.spread.p < 3 * chance, "%g %g",
              j.spread.p, chance);
    cr_assert(!j.trials_alike);
}

/* A law of f that is only fitted, few trials, wide scatter: at most WARN. */
Test(judge, a_doubtful_law_warns_at_most, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = {.m = 256, .n = 22, .k = 8, .trials = 5, .queries = 100000};
    judged(&j, &cell, setup);
    cell.evidence.fill_is_throws = false;
    cell.evidence.model.fpr /= 8;
    cell.evidence.model.variance /= 64;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(fails(j.model_test) && j.verdict == VERDICT_WARN);
    cell.evidence.fill_is_throws = true;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(fails(j.model_test) && j.verdict == VERDICT_FAIL);
}

/* ---- one filter each, with the numbers of published faults ---------------------------------- */

static void one_filter(struct judgement *out, struct cell_setup setup, uint64_t bits, uint64_t hits)
{
    double f = pow((double)bits / setup.m, setup.k);
    struct evidence evidence = cell_theory(&setup);
    evidence.trials = 1;
    evidence.queries = setup.queries;
    evidence.bits_set = &bits;
    evidence.hits = &hits;
    evidence.fpr_scheme = evidence.fpr_bits = &f;
    judge_cell(out, &evidence, false);
}

Test(judge, djb2_of_decimals, .init = stats_init)
{
    struct judgement j;
    struct cell_setup setup = {.m = 35937, .n = 1000, .k = 1, .queries = 9000};
    one_filter(&j, setup, 1000, 9000);
    NEAR(j.fill_expected * 35937, 986.2, 1e-4);
    NEAR(j.fill_sd_expected * 35937, 3.6, 0.02);
    cr_assert(fails(j.probe) && !fails(j.fill_test) && j.fill_test.z > 3.5);
    cr_assert(j.verdict == VERDICT_FAIL && isfinite(j.probe.z) && j.probe.z > 200);
    setup.k = 7;
    one_filter(&j, setup, 1000, 9000);
    NEAR(j.fill_expected * 35937, 6360, 1e-3);
    cr_assert(fails(j.probe) && fails(j.fill_test) && j.fill_test.z < 0);
    cr_assert(j.verdict == VERDICT_FAIL);
}

Test(judge, fnv1a_paired_with_itself, .init = stats_init)
{
    struct judgement j;
    struct cell_setup setup = {.m = 9586, .n = 1000, .k = 7, .queries = 40000};
    one_filter(&j, setup, 4258, 462);
    NEAR(j.fpr_scheme * 40000, 136.5, 1e-3);
    cr_assert(fails(j.fill_test) && fails(j.probe) && !fails(j.model_test));
    cr_assert(j.verdict == VERDICT_FAIL);
}

Test(judge, impossible_counts, .init = stats_init)
{
    struct judgement j;
    struct cell_setup one = {.m = 8, .n = 1, .k = 1, .queries = 100};
    one_filter(&j, one, 1, 13);
    cr_assert(j.fill_test.z == 0 && j.fill_test.p == 1 && j.verdict != VERDICT_FAIL);
    one_filter(&j, one, 2, 25); /* one throw cannot set two bits */
    cr_assert(j.fill_test.p == 0 && j.fill_test.z == STATS_Z_IMPOSSIBLE);
    cr_assert(j.verdict == VERDICT_FAIL);
    struct cell_setup two = {.m = 8, .n = 1, .k = 2, .queries = 100};
    one_filter(&j, two, 3, 14);
    cr_assert(fails(j.fill_test) && isfinite(j.fill_test.z) && j.verdict == VERDICT_FAIL);
    struct cell_setup full = {.m = 64, .n = 10000, .k = 4, .queries = 1000};
    one_filter(&j, full, 64, 999); /* every bit set, and yet a miss */
    cr_assert(j.probe.p == 0 && j.probe.z == -STATS_Z_IMPOSSIBLE);
}

/* A blocked filter against the classic filter's mean and variance: z = -276, finite and no NaN. */
Test(judge, scores_far_out_stay_numbers, .init = stats_init)
{
    struct judgement j;
    struct cell_setup setup = {.m = 1 << 20, .n = 100000, .k = 7, .queries = 1000};
    struct moments fill = theory_fill(1 << 20, 700000);
    one_filter(&j, setup, (uint64_t)(fill.mean - 276 * sqrt(fill.variance)), 0);
    NEAR(j.fill_test.z, -276, 1e-4);
    cr_assert(j.fill_test.p == 0 && j.verdict == VERDICT_FAIL);
}
