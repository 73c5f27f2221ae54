/* SPDX-License-Identifier: MIT
 *
 * judge_rules.c: what a judgement says when things are missing, when nothing was hit, and how its
 * numbers hang together.
 */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "harness/judge/thresholds.h"
#include "tests/judge_cells.h"
#include "tests/near.h"

static void sound_cell(struct simulated_cell *cell, struct cell_setup setup)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 5);
    struct evidence theory = cell_theory(&setup);
    cell_simulate(cell, &setup, &theory, rng);
    gsl_rng_free(rng);
}

static const struct cell_setup usual = {
    .m = 1024, .n = 100, .k = 7, .trials = 10, .queries = 20000};

Test(judge, verdicts_have_names, .init = stats_init)
{
    cr_assert(!strcmp(judge_verdict_name(VERDICT_NONE), ""));
    cr_assert(!strcmp(judge_verdict_name(VERDICT_FAIL), "FAIL"));
    cr_assert(!strcmp(judge_verdict_name(VERDICT_WEAK), "WEAK"));
}

Test(judge, the_four_terms_add_up, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    double bits[CELL_TRIALS_MAX];
    sound_cell(&cell, usual);
    for (unsigned t = 0; t < usual.trials; t++) /* as if the scheme had doubled the rate */
        bits[t] = cell.f[t] / 1.89;
    cell.evidence.fpr_bits = bits;
    judge_cell(&j, &cell.evidence, false);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += j.term[i];
        cr_assert(j.term_interval[i].lo <= j.term[i] && j.term[i] <= j.term_interval[i].hi);
    }
    NEAR(sum, log(j.fpr / cell.evidence.fpr_standard), 1e-12);
    NEAR(exp(j.term[2]), 1.89, 1e-12);
    NEAR(j.term_interval[2].hi, j.term[2], 1e-9); /* paired: a constant factor has no error */
    cr_assert(strstr(j.explained_by, "measured/standard = "), "%s", j.explained_by);
    cr_assert(strstr(j.explained_by, ", arrangement x1.89"), "%s", j.explained_by);
    NEAR(j.ratio, j.fpr / cell.evidence.model.fpr, 1e-15);
    NEAR(j.ratio_interval.hi, j.fpr_interval.hi / cell.evidence.model.fpr, 1e-12);
    cr_assert(!strcmp(j.interval, "wilson_cluster") && j.deff > 1 && j.tau > 0);
}

Test(judge, no_hits_give_a_limit, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = usual;
    setup.k = 1, setup.n = 1, setup.queries = 10;
    sound_cell(&cell, setup);
    memset(cell.hits, 0, sizeof cell.hits);
    judge_cell(&j, &cell.evidence, false);
    cr_assert(j.fpr == 0 && j.ratio == 0 && j.fpr_interval.lo == 0 && j.fpr_interval.hi > 0);
    cr_assert(j.ratio_interval.lo == 0 && j.ratio_interval.hi > 1);
    cr_assert(isnan(j.term[3]) && isnan(j.term_interval[3].lo) && j.term_interval[3].hi > 0);
    cr_assert(!strncmp(j.explained_by, "no hits; measured/standard at most ", 35), "%s",
              j.explained_by);
    cr_assert(strstr(j.explained_by, "hash at most x"), "%s", j.explained_by);
    cr_assert(j.verdict == VERDICT_WEAK);
}

/* 20 expected hits, none seen: the sum of all trials tells, each alone would not. */
Test(judge, no_hits_where_many_belong_is_a_failure, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = usual;
    setup.queries = 300;
    sound_cell(&cell, setup);
    memset(cell.hits, 0, sizeof cell.hits);
    judge_cell(&j, &cell.evidence, false);
    cr_assert(j.verdict == VERDICT_FAIL && j.probe.z < -5 && j.probe.p < 1e-8);
}

Test(judge, without_queries_the_scheme_speaks, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    sound_cell(&cell, usual);
    cell.evidence.queries = 0;
    cell.evidence.hits = NULL;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(isnan(j.fpr) && isnan(j.probe.p) && isnan(j.mde) && isnan(j.fpr_interval.lo));
    cr_assert(j.fill_test.p > 0 && j.spread.p > 0 && j.model_test.p > 1e-3 &&
              j.verdict == VERDICT_PASS);
    NEAR(j.ratio, j.fpr_scheme / cell.evidence.model.fpr, 1e-15);
    cr_assert(j.ratio_interval.lo < 1.1 && j.ratio_interval.hi > 0.9);
    cr_assert(!strncmp(j.explained_by, "scheme/standard = ", 18) && !strstr(j.explained_by, "hash"),
              "%s", j.explained_by);
    cell.evidence.model.fpr *= 1.5;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(JUDGE_TESTS * j.model_test.p < JUDGE_FAIL_P && j.verdict == VERDICT_FAIL);
}

Test(judge, without_trials_there_is_theory_only, .init = stats_init)
{
    struct judgement j;
    struct evidence evidence = cell_theory(&usual);
    judge_cell(&j, &evidence, true);
    cr_assert(j.verdict == VERDICT_NONE && isnan(j.fpr) && isnan(j.fill) && isnan(j.fill_test.z));
    NEAR(j.fill_expected, evidence.fill.mean / 1024, 1e-15);
    cr_assert(j.explained_by[0] == '\0' && j.interval[0] == '\0');
}

Test(judge, without_theory_the_probe_is_left, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    sound_cell(&cell, usual);
    struct evidence *e = &cell.evidence;
    e->fill = (struct moments){NAN, NAN};
    e->model = (struct model){.fpr = NAN, .se = NAN, .variance = NAN, .variance_se = NAN};
    e->fpr_standard = e->fpr_exact = NAN;
    e->fill_is_throws = false;
    e->m = 0, e->k = 0, e->throws = 0;
    judge_cell(&j, e, false);
    cr_assert(isnan(j.fill_test.p) && isnan(j.spread.p) && isnan(j.model_test.p));
    cr_assert(j.probe.p > 1e-3 && j.verdict == VERDICT_PASS && isnan(j.ratio) && isnan(j.fill));
    cr_assert(j.explained_by[0] == '\0' && !strcmp(j.interval, "wilson_cluster"));
    e->trials = 1;
    judge_cell(&j, e, false);
    cr_assert(j.interval[0] == '\0' && isnan(j.fpr_interval.lo) && isnan(j.tau));
}

/* tau^2 unknown: Student's test, which warns but does not condemn. */
Test(judge, a_model_without_a_variance_warns, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    struct cell_setup setup = usual;
    setup.trials = 30;
    sound_cell(&cell, setup);
    cell.evidence.model.variance = NAN;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(j.model_test.p > 1e-3 && j.verdict == VERDICT_PASS);
    cell.evidence.model.fpr *= 2;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(JUDGE_TESTS * j.model_test.p < JUDGE_FAIL_P && j.model_test.z < 0 &&
              j.verdict == VERDICT_WARN);
}

/* All filters full, which theory expects of nearly all of them: nothing to warn of. */
static void full_cell(struct simulated_cell *cell, double rate, double variance)
{
    struct cell_setup setup = usual;
    setup.trials = 20;
    sound_cell(cell, setup);
    struct evidence *e = &cell->evidence;
    for (size_t t = 0; t < 20; t++) {
        cell->f[t] = 1;
        cell->hits[t] = e->queries;
        cell->bits_set[t] = (uint64_t)e->m;
    }
    e->fill_is_throws = false;
    e->model.fpr = rate, e->model.variance = variance, e->model.variance_se = 0;
}

Test(judge, full_filters_are_no_surprise_where_most_are, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    full_cell(&cell, 0.996585, 0.003);
    judge_cell(&j, &cell.evidence, false);
    cr_expect_gt(j.model_test.p, 0.5, "p = %g", j.model_test.p);
    full_cell(&cell, 0.999557, 0);
    judge_cell(&j, &cell.evidence, false);
    cr_expect_gt(j.model_test.p, 0.5, "no scatter: p = %g", j.model_test.p);
    full_cell(&cell, 0.5, 0.001);
    judge_cell(&j, &cell.evidence, false);
    cr_expect_lt(j.model_test.p, 1e-6, "half expected: p = %g", j.model_test.p);
}

/* Keys and hash are fixed: ten trials are one, ten times over. */
Test(judge, repeated_trials_count_once, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement ten, one;
    struct cell_setup setup = usual;
    setup.ignores_seed = true;
    sound_cell(&cell, setup);
    cell.evidence.replicates = false;
    judge_cell(&ten, &cell.evidence, false);
    cell.evidence.trials = 1;
    judge_cell(&one, &cell.evidence, false);
    cr_assert(ten.fill_test.p == one.fill_test.p && ten.probe.p == one.probe.p);
    cr_assert(isnan(ten.spread.p) && !ten.trials_alike && isnan(ten.fpr_interval.lo) &&
              ten.interval[0] == '\0' && ten.fpr == one.fpr);
}

Test(judge, flags_warn_and_few_hits_are_weak, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    sound_cell(&cell, usual);
    judge_cell(&j, &cell.evidence, true);
    cr_assert(j.verdict == VERDICT_WARN);
    struct cell_setup setup = usual;
    setup.queries = 300;
    sound_cell(&cell, setup);
    judge_cell(&j, &cell.evidence, false);
    cr_assert(j.verdict == VERDICT_WEAK && j.mde > JUDGE_WEAK_MDE);
}

/* At the rate mde * f the queries find the difference with power 80 %: exact binomial laws. */
Test(judge, mde_is_what_its_name_says, .init = stats_init)
{
    const uint64_t queries[] = {20, 300, 3000, 100000};
    for (int i = 0; i < 4; i++) {
        struct simulated_cell cell;
        struct judgement j;
        struct cell_setup setup = usual;
        setup.trials = 1, setup.queries = queries[i];
        sound_cell(&cell, setup);
        judge_cell(&j, &cell.evidence, false);
        double f = cell.f[0];
        uint64_t critical = (uint64_t)((double)queries[i] * f) + 1;
        while (JUDGE_TESTS * stats_binomial_mid_p(critical, queries[i], f) >= JUDGE_WARN_P)
            critical++;
        struct mid_tails tails = stats_binomial_tails(critical, queries[i], j.mde * f);
        double power =
            exp(tails.log_above) + exp(stats_binomial_log(critical, queries[i], j.mde * f)) / 2;
        cr_assert(fabs(power - 0.8) < 0.01, "Q %lu: mde %g, power %g", queries[i], j.mde, power);
    }
}

/* Sampled rates carry their error: a hash is not blamed for 256 steps out of a million. */
Test(judge, the_error_of_sampled_rates_counts, .init = stats_init)
{
    struct simulated_cell cell;
    struct judgement j;
    double se[CELL_TRIALS_MAX];
    struct cell_setup setup = usual;
    setup.queries = 1000000;
    sound_cell(&cell, setup);
    for (unsigned t = 0; t < setup.trials; t++) {
        cell.f[t] *= 1.05; /* as if all were sampled a little high */
        se[t] = 0.05 * cell.f[t];
    }
    judge_cell(&j, &cell.evidence, false);
    cr_assert(j.verdict == VERDICT_FAIL);
    cell.evidence.fpr_scheme_se = se;
    judge_cell(&j, &cell.evidence, false);
    cr_assert(JUDGE_TESTS * j.probe.p > JUDGE_WARN_P, "p %g", j.probe.p);
    cell.evidence.queries = 1000; /* few hits: the saddlepoint knows the error too */
    for (unsigned t = 0; t < setup.trials; t++)
        cell.hits[t] = 8, se[t] = cell.f[t];
    judge_cell(&j, &cell.evidence, false);
    cr_assert(j.probe.p > 0.1 && j.probe.p <= 1);
}

/* An empty filter, and one of k = 0 probes: rates of exactly 0 and 1. */
Test(judge, certain_rates, .init = stats_init)
{
    struct judgement j;
    uint64_t hits[2] = {0, 0}, bits[2] = {0, 0};
    double f[2] = {0, 0};
    struct evidence e = {.trials = 2,
                         .queries = 50,
                         .hits = hits,
                         .bits_set = bits,
                         .fpr_scheme = f,
                         .fpr_bits = f,
                         .m = 64,
                         .k = 3,
                         .throws = 0,
                         .fill_is_throws = true,
                         .replicates = true,
                         .model = {.name = "exact"}};
    judge_cell(&j, &e, false);
    cr_assert(j.verdict == VERDICT_PASS && j.fill_test.p == 1 && j.probe.p == 1 &&
              j.model_test.p == 1 && isnan(j.mde) && isnan(j.ratio) && !j.trials_alike);
    hits[1] = 1;
    judge_cell(&j, &e, false);
    cr_assert(j.verdict == VERDICT_FAIL && isfinite(j.probe.z));
    hits[0] = hits[1] = 50;
    f[0] = f[1] = 1;
    e.k = 0, e.model.fpr = e.fpr_exact = e.fpr_standard = 1;
    judge_cell(&j, &e, false);
    cr_assert(j.verdict == VERDICT_PASS && j.fpr == 1 && j.ratio == 1 && j.probe.p == 1);
    cr_assert(strstr(j.explained_by, "measured/standard = 1.00"), "%s", j.explained_by);
}
