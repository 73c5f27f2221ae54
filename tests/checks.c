/* SPDX-License-Identifier: MIT
 *
 * checks.c: the experiments on the tests themselves, in their reduced forms: size and power are
 * what the full ones (make check-stats) show.
 *
 * Seeds are fixed. The bounds are such that another seed would break one in fewer than a million
 * times, unless said.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "harness/plan/theory_table.h"
#include "tests/harness_lab.h"

struct check {
    struct lab lab;
    struct cell_summary *summaries;
};

static void check_open(struct check *check, const char *file)
{
    struct error error;
    struct lab *lab = &check->lab;
    FILE *stream = fopen(file, "r");
    stats_init();
    cr_assert_not_null(stream, "%s cannot be read", file);
    *check = (struct check){.summaries = NULL};
    cr_assert_eq(experiment_read(&lab->experiment, stream, file, "reduced", &error), OK, "%s",
                 error.text);
    fclose(stream);
    cr_assert_eq(plan_make(&lab->plan, lab->experiment, &lab_no_limits, &error), OK, "%s",
                 error.text);
    lab->results = calloc(lab->plan->result_count + 1, sizeof *lab->results);
    lab_run(lab, 2, UINT64_MAX, NULL);
    check->summaries = calloc(lab->plan->cell_count, sizeof *check->summaries);
    struct theory_table theory;
    cr_assert_eq(theory_table_make(&theory, lab->plan, 2, &error), OK, "%s", error.text);
    for (size_t c = 0; c < lab->plan->cell_count; c++) {
        check->summaries[c].theory = *theory_table_of(&theory, c);
        cr_assert_eq(cell_summarise_known(&check->summaries[c], lab->plan, &lab->plan->cells[c],
                                          lab->results, &error),
                     OK, "%s", error.text);
    }
    theory_table_release(&theory);
}

static void check_close(struct check *check)
{
    free(check->summaries);
    lab_close(&check->lab);
}

/* ---- calibration ----------------------------------------------------------------------------- */

struct alarms {
    unsigned tested, hundredth, half;
};

static void alarms_take(struct alarms *alarms, struct test_result test)
{
    if (isnan(test.p))
        return;
    alarms->tested++;
    alarms->hundredth += test.p < 0.01 ? 1 : 0;
    alarms->half += test.p < 0.5 ? 1 : 0;
}

/* 384 sound cells of every filter. FAIL: each cell with probability below 1e-6, so 4e-4 for one. Of
 * Binomial(384, 0.01) 17 or more are seen with probability 5e-7; the p-values of small filters are
 * discrete and fall below 1/2 somewhat more seldom than half the time. */
Test(checks, sound_cells_raise_no_more_alarms_than_said)
{
    struct check check;
    struct alarms alarms[4] = {{0}};
    check_open(&check, "experiments/checks/calibration.yaml");
    size_t cells = check.lab.plan->cell_count;
    cr_assert_eq(cells, 384);
    for (size_t c = 0; c < cells; c++) {
        const struct judgement *j = &check.summaries[c].judgement;
        cr_expect_neq(j->verdict, VERDICT_FAIL, "cell %s", check.lab.plan->cells[c].id);
        alarms_take(&alarms[0], j->fill_test);
        alarms_take(&alarms[1], j->spread);
        alarms_take(&alarms[2], j->probe);
        alarms_take(&alarms[3], j->model_test);
    }
    for (int i = 0; i < 4; i++) {
        cr_expect_geq(alarms[i].tested, i == 1 ? 230 : 384);
        cr_expect_leq(alarms[i].hundredth, 16, "test %d: %u of %u below 0.01", i,
                      alarms[i].hundredth, alarms[i].tested);
        double share = (double)alarms[i].half / alarms[i].tested;
        cr_expect(share > 0.33 && share < 0.67, "test %d: %.3f below 1/2", i, share);
    }
    check_close(&check);
}

/* Of Binomial(384, 0.95) 341 or fewer are seen with probability 9e-7. The naive binomial, which
 * takes the queries of a filter for independent, must cover less: that is why it is not used. */
Test(checks, intervals_cover_where_the_naive_binomial_does_not)
{
    struct check check;
    unsigned covered = 0, naive = 0, cells = 0;
    check_open(&check, "experiments/checks/calibration.yaml");
    for (size_t c = 0; c < check.lab.plan->cell_count; c++) {
        const struct cell *cell = &check.lab.plan->cells[c];
        const struct cell_summary *s = &check.summaries[c];
        struct interval binomial = stats_wilson(s->hits, s->trials * cell->queries, 0.95);
        double rate = s->theory.model.fpr;
        cells++;
        covered += s->judgement.fpr_interval.lo <= rate && rate <= s->judgement.fpr_interval.hi;
        naive += binomial.lo <= rate && rate <= binomial.hi;
    }
    cr_expect_geq(covered, 342, "%u of %u", covered, cells);
    cr_expect_lt(naive, covered, "%u of %u", naive, cells);
    check_close(&check);
}

/* ---- power ----------------------------------------------------------------------------------- */

/* What 40 cells with one planted fault said. */
struct finds {
    unsigned cells, found, failed, by_fill, by_probe;
    double mde;
};

static struct finds finds_of(const struct check *check, enum fault_kind kind, double share)
{
    struct finds finds = {0};
    for (size_t c = 0; c < check->lab.plan->cell_count; c++) {
        const struct cell *cell = &check->lab.plan->cells[c];
        const struct judgement *j = &check->summaries[c].judgement;
        if (cell->fault.kind != kind || fabs(cell->fault.share - share) > 1e-9)
            continue;
        finds.cells++;
        finds.found += j->verdict == VERDICT_WARN || j->verdict == VERDICT_FAIL;
        finds.failed += j->verdict == VERDICT_FAIL;
        finds.by_fill += j->fill_test.p < 2.5e-4;
        finds.by_probe += j->probe.p < 2.5e-4;
        finds.mde += j->mde / 40;
        cr_expect(strstr(check->summaries[c].flags, "planted_fault"));
    }
    cr_assert_eq(finds.cells, 40);
    return finds;
}

/* The mde of these cells is 3.3 %: a fault of 3 % is found in about two thirds of them (10 or fewer
 * of 40: 1e-6), one of 0.7 % hardly ever, one of 5 % nearly always. */
Test(checks, probes_too_many_are_found_from_the_mde_on)
{
    struct check check;
    check_open(&check, "experiments/checks/power.yaml");
    struct finds tiny = finds_of(&check, FAULT_PROBES, 0.007);
    struct finds near = finds_of(&check, FAULT_PROBES, 0.03);
    struct finds clear = finds_of(&check, FAULT_PROBES, 0.05);
    struct finds gross = finds_of(&check, FAULT_PROBES, 0.1);
    cr_expect(near.mde > 1.030 && near.mde < 1.037, "%.4f", near.mde);
    cr_expect_leq(tiny.found, 6, "%u", tiny.found);
    cr_expect_eq(tiny.failed, 0);
    cr_expect(near.found > 10 && near.found < 40, "%u", near.found);
    cr_expect_geq(clear.found, 30, "%u", clear.found);
    cr_expect_eq(gross.failed, 40, "%u", gross.failed);
    cr_expect(gross.by_probe == 40 && gross.by_fill <= 1);
    check_close(&check);
}

/* Keys that nobody was told of: the fill tells, and the probes are as they should be. */
Test(checks, bits_too_many_are_found_by_the_fill)
{
    struct check check;
    check_open(&check, "experiments/checks/power.yaml");
    struct finds tiny = finds_of(&check, FAULT_BITS, 0.007);
    struct finds clear = finds_of(&check, FAULT_BITS, 0.05);
    cr_expect_leq(tiny.failed, 1);
    cr_expect_lt(tiny.found, 20, "%u", tiny.found);
    cr_expect_eq(clear.failed, 40, "%u", clear.failed);
    cr_expect(clear.by_fill == 40 && clear.by_probe <= 1);
    check_close(&check);
}

/* ---- what the plan makes of it --------------------------------------------------------------- */

#define CELLS                                                                                      \
    "grid:\n  filter: [classic, scalable_linear]\n  hash: xxh3_64\n  keys: random64\n  m: 1024\n"  \
    "  n: 100\n  k: 3\n"

static size_t groups_of_digest(const struct lab *lab)
{
    size_t different = 0;
    for (size_t a = 0; a < lab->plan->result_count; a++) {
        bool seen = false;
        for (size_t b = 0; b < a; b++)
            seen = seen || lab->results[a].keys_digest == lab->results[b].keys_digest;
        different += !seen;
    }
    return different;
}

Test(checks, replicas_have_keys_of_their_own)
{
    struct lab lab;
    lab_open(&lab, CELLS "  replica: 1..7\ntrials: 2\nqueries: 10\nindependent: true\n");
    cr_assert_eq(lab.plan->cell_count, 14);
    lab_run(&lab, 1, UINT64_MAX, NULL);
    cr_expect_eq(groups_of_digest(&lab), 28);
    lab_close(&lab);
}

Test(checks, a_cell_without_replica_or_fault_keeps_its_id)
{
    struct lab plain, more;
    lab_open(&plain, CELLS "independent: true\n");
    lab_open(&more, CELLS "  fault: [{bits: 10%}, none, {probes: 1/4}]\nindependent: true\n");
    cr_assert_eq(plain.plan->cell_count, 2);
    cr_assert_eq(more.plan->cell_count, 5);
    for (size_t c = 0; c < 2; c++)
        cr_expect_not_null(plan_find(more.plan, plain.plan->cells[c].id));
    cr_assert_eq(more.plan->skipped_count, 1);
    cr_expect(strstr(more.plan->skipped[0].reason, "grows"));
    lab_close(&plain);
    lab_close(&more);
}

/* 1000 keys with 10 % more: what 1100 keys set. 25 % more hits: the two counts are binomial with
 * one and the same f, and differ by less than 6 of their standard deviations. */
Test(checks, faults_are_as_large_as_said)
{
    struct lab lab;
    lab_open(&lab, "grid:\n  - {filter: classic, hash: xxh3_64, keys: random64, m: 4096, n: 1000, "
                   "k: 3, fault: [none, bits: 10%, probes: 25%]}\n"
                   "  - {filter: classic, hash: xxh3_64, keys: random64, m: 4096, n: 1100, k: 3}\n"
                   "trials: 1\nqueries: 200000\n");
    lab_run(&lab, 1, UINT64_MAX, NULL);
    const struct trial_result *r = lab.results;
    cr_assert_eq(lab.plan->cell_count, 4);
    cr_expect_eq(r[1].bits_set, r[3].bits_set);
    cr_expect_eq(r[1].n_distinct, 1000);
    cr_expect_eq(trial_measure(&r[1], "planted_bits", 0), 0.1);
    cr_expect_eq(r[2].bits_set, r[0].bits_set);
    cr_expect_eq(trial_measure(&r[2], "planted_probes", 0), 0.25);
    double f = r[0].fpr_scheme, more = (double)(r[2].false_positives - r[0].false_positives);
    double expected = 0.25 * f * 200000;
    cr_expect_lt(fabs(more - expected), 6 * sqrt(expected), "%.0f of %.0f", more, expected);
    lab_close(&lab);
}
