/* SPDX-License-Identifier: MIT
 *
 * deletion_workload.c: keys lost in trials against theory, what the harness makes of a filter that
 * is no longer what n insertions make, and parameters of a workload from the text to the tables.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/params.h"
#include "filters/theory/churn.h"
#include "filters/theory/deletion.h"
#include "harness/workload/workload.h"
#include "tests/experiment_text.h"
#include "tests/harness_lab.h"

#define CELLS                                                                                      \
    "workload: deletion\ngrid:\n  hash: murmur3_x64_128\n  keys: random64\n  m: 1024\n  n: 100\n"  \
    "  k: 7\n"

/* Mean of a measure over a cell's trials, and the standard error of that. */
struct mean {
    double value, error;
};

static struct mean mean_of(const struct lab *lab, const struct cell *cell, const char *name)
{
    double sum = 0, squares = 0, n = (double)cell->trials;
    for (uint64_t t = 0; t < cell->trials; t++) {
        double value = trial_measure(&lab->results[cell->first_result + t], name, NAN);
        sum += value;
        squares += value * value;
    }
    return (struct mean){sum / n, sqrt((squares / n - sum / n * sum / n) / (n - 1))};
}

static double formula_of(const struct cell *cell, const char *name)
{
    struct formula formula;
    const struct workload_ops *workload = workload_find(WORKLOAD_DELETION);
    for (unsigned i = 0; workload->formula(cell, i, &formula); i++)
        if (strcmp(formula.name, name) == 0)
            return formula.value;
    return NAN;
}

/* Every cell: 400 trials, |z| < 5.5 each, some 30 numbers: a false alarm in 10^6 seeds. */
static void cell_agrees(const struct lab *lab, const struct cell *cell)
{
    struct mean lost = mean_of(lab, cell, "lost_keys"), harmful = mean_of(lab, cell, "harmful");
    double expected = formula_of(cell, "expected_lost_keys");
    cr_expect(fabs(lost.value - expected) < 5.5 * lost.error, "%s %s: %g +- %g lost, not %g",
              cell->ops->name, cell->params, lost.value, lost.error, expected);
    expected = formula_of(cell, "expected_harmful");
    cr_expect(fabs(harmful.value - expected) < 5.5 * harmful.error,
              "%s %s: %g +- %g harmful, not %g", cell->ops->name, cell->params, harmful.value,
              harmful.error, expected);
}

Test(deletion_workload, lost_and_harmful_as_theory_says)
{
    struct lab lab;
    lab_open(&lab,
             CELLS "  filter: [classic, double_hashing, partitioned, {name: blocked, block_bits: "
                   "[128, 512]}, {name: split_block, block_bits: 256}]\n  removals: [1, "
                   "10]\ntrials: 400\nqueries: 0\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 12);
    for (size_t c = 0; c < lab.plan->cell_count; c++)
        cell_agrees(&lab, &lab.plan->cells[c]);
    lab_close(&lab);
}

/* Members in a plain array: who is harmful is counted by hand. */
Test(deletion_workload, a_small_world)
{
    struct lab lab;
    lab_open(&lab, "workload: deletion\ngrid:\n  hash: murmur3_x64_128\n  keys: random64\n  m: 64\n"
                   "  n: 8\n  k: 3\n  filter: classic\n  removals: [1, 8]\ntrials: 300\n"
                   "queries: 0\n");
    lab_run(&lab, 1, UINT64_MAX, NULL);
    const struct cell *one = &lab.plan->cells[0], *all = &lab.plan->cells[1];
    double some_lost = 0, harmful = 0;
    for (uint64_t t = 0; t < 300; t++) {
        const struct trial_result *a = &lab.results[one->first_result + t];
        const struct trial_result *b = &lab.results[all->first_result + t];
        some_lost += a->false_negatives > 0;
        harmful += trial_measure(a, "harmful", NAN) / 8;
        cr_assert_eq((double)a->false_negatives, trial_measure(a, "lost_keys", NAN));
        cr_assert(b->bits_set == 0 && b->false_negatives == 0, "all are gone");
        cr_assert_eq(trial_measure(a, "harmful", NAN), trial_measure(b, "harmful", NAN));
    }
    /* The removed key is any of the 8: 5.5 standard deviations of 300 draws. */
    cr_expect(fabs(some_lost - harmful) < 5.5 * sqrt(300 * 0.63 * 0.37), "%g of 300 against %g",
              some_lost, harmful);
    cr_expect(fabs(harmful / 300 - 0.62818) < 0.05, "%g harmful", harmful / 300);
    lab_close(&lab);
}

Test(deletion_workload, counting_loses_nobody_and_is_then_a_smaller_filter)
{
    struct lab lab;
    lab_open(&lab, CELLS "  filter: [counting, classic]\n  removals: [40]\ntrials: 20\nqueries: "
                         "2000\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    const struct cell *counting = lab_cell(&lab, "counting"), *classic = lab_cell(&lab, "classic");
    struct cell_summary summary = lab_summary(&lab, counting), bits = lab_summary(&lab, classic);
    double bits_set = 0;
    for (int t = 0; t < 20; t++)
        bits_set += (double)lab.results[counting->first_result + (size_t)t].bits_set;
    cr_expect_eq(summary.false_negatives, 0);
    cr_expect(bits.false_negatives > 0);
    /* 60 keys of 7 probes; the standard deviation of a filter's bits is below 9. */
    cr_expect(fabs(bits_set / 20 - 1024 * -expm1(420 * log1p(-1. / 1024))) < 5.5 * 9 / sqrt(20));
    cr_expect(isnan(summary.theory.model.fpr) && isnan(summary.theory.fill.mean));
    cr_expect(isnan(summary.judgement.fill_test.p) && isnan(summary.judgement.model_test.p));
    cr_expect(!isnan(summary.judgement.probe.p), "strangers can still be tested");
    cr_expect_neq(summary.judgement.verdict, VERDICT_FAIL);
    lab_close(&lab);
}

/* Saturated at 2 bits, never at 4: nobody is lost; counters stick as the scan statistic says. Stuck
 * ones are nearly independent: 6 standard deviations of a binomial law (2e-9), and 2 % for what
 * the theory leaves out. */
Test(deletion_workload, churn_wears_narrow_counters_out)
{
    struct lab lab;
    lab_open(&lab, "workload: deletion\ngrid:\n  hash: murmur3_x64_128\n  keys: random64\n  m: "
                   "20000\n  n: 2000\n  k: 7\n  filter: [{name: counting, counter_bits: [2, 3, "
                   "4]}]\n  removals: 0\n  churn: [0, 3000, 20000]\ntrials: 4\nqueries: 1000\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 9);
    for (size_t c = 0; c < 9; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        unsigned bits = 2 + (unsigned)cell->layout.params.own[0].integer;
        double stuck = 4 * mean_of(&lab, cell, "saturated_counters").value;
        double share = theory_churn_stuck(0.7, bits, cell->own[1].real, 2000);
        cr_expect(fabs(stuck - 8e4 * share) < 6 * sqrt(8e4 * share + 1) + 0.02 * 8e4 * share,
                  "%s, churn %g: %g stuck, not %g", cell->params, cell->own[1].real, stuck,
                  8e4 * share);
        for (int t = 0; t < 4; t++)
            cr_expect_eq(lab.results[cell->first_result + (size_t)t].false_negatives, 0);
        cr_expect_eq(cell->members, 2000 + (uint64_t)cell->own[1].integer);
    }
    lab_close(&lab);
}

Test(deletion_workload, cells_that_cannot_be)
{
    struct lab lab;
    lab_open(&lab, CELLS "  filter: [hyperloglog, classic, counting]\n  removals: [101]\n  churn: "
                         "[5]\ntrials: 1\n");
    cr_expect(strstr(lab_skipped(&lab, "hyperloglog")->reason, "neither removes keys"));
    cr_expect(strstr(lab_skipped(&lab, "classic")->reason, "removals 101 is more than n 100"));
    lab_close(&lab);
    lab_open(&lab, CELLS "  filter: [classic, counting]\n  churn: [5]\ntrials: 1\n");
    cr_expect(strstr(lab_skipped(&lab, "classic")->reason, "churn needs a filter that can remove"));
    cr_expect_eq(lab_count(&lab, "counting"), 1);
    lab_close(&lab);
}

/* ---- parameters of a workload ---------------------------------------------------------------- */

Test(deletion_workload, parameters_are_axes_and_part_of_the_id)
{
    struct lab lab, other;
    lab_open(&lab, CELLS "  filter: classic\n  removals: [1, 2..4, 8]\ntrials: 2\nqueries: 10\n");
    lab_open(&other, CELLS "  filter: classic\ntrials: 2\nqueries: 10\n");
    cr_assert_eq(lab.plan->cell_count, 5);
    for (size_t c = 1; c < 5; c++)
        cr_expect_str_neq(lab.plan->cells[c].id, lab.plan->cells[0].id);
    cr_expect_str_eq(lab.plan->cells[0].id, other.plan->cells[0].id, "the default is written out");
    cr_expect_eq(lab.plan->cells[3].own[0].integer, 4);
    cr_expect_eq(lab.plan->group_count, 1, "they share their keys");
    lab_run(&lab, 1, UINT64_MAX, NULL);
    for (size_t r = 0; r < lab.plan->result_count; r++)
        cr_expect_eq(trial_measure(&lab.results[r], "removals", -1),
                     lab.plan->cells[r / 2].own[0].real);
    lab_close(&lab);
    lab_close(&other);
}

Test(deletion_workload, mistakes_in_parameters_have_a_place)
{
    static const struct {
        const char *line, *said;
    } wrong[] = {
        {"  removal: 1\n", "Known: filter"}, {"  removals: [1, 1]\n", "twice"},
        {"  removals: -1\n", "removals"},    {"  removals: []\n", "empty"},
        {"  overlap: 0.5\n", "overlap"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        struct experiment *experiment;
        struct error error;
        int size = snprintf(text, sizeof text,
                            "name: x\nquestion: y\n" CELLS "  filter: classic\n%s", wrong[i].line);
        cr_expect_eq(experiment_text_read(&experiment, text, (size_t)size, NULL, &error), E_INPUT);
        cr_expect(strstr(error.text, ":11:"), "%s", error.text);
        cr_expect(strcasestr(error.text, wrong[i].said), "%s", error.text);
    }
}

/* What is declared for workloads is checked as what filters declare. No name is that of an axis. */
Test(deletion_workload, every_workload_declares_sound_parameters)
{
    static const char *const axes[] = {
        "filter",       "hash", "keys",   "reduction", "digest_bits", "m",    "n",
        "bits_per_key", "k",    "trials", "queries",   "replica",     "fault"};
    struct error error;
    for (int w = 0; w < WORKLOAD_COUNT; w++) {
        const struct param_spec *specs = workload_params((enum workload)w);
        cr_expect_eq(params_check(workload_name((enum workload)w), specs, &error), OK, "%s",
                     error.text);
        for (size_t i = 0; specs && specs[i].name; i++)
            for (size_t a = 0; a < sizeof axes / sizeof *axes; a++)
                cr_expect_str_neq(specs[i].name, axes[a]);
        if (workload_find((enum workload)w))
            cr_expect_str_eq(workload_find((enum workload)w)->name,
                             workload_name((enum workload)w));
    }
}
