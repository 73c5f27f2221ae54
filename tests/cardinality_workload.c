/* SPDX-License-Identifier: MIT
 *
 * cardinality_workload.c: the workload cardinality, from its experiment to its tables.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/workload/workload.h"
#include "tests/harness_lab.h"

TestSuite(cardinality_workload, .timeout = 120);

static const char cardinality_grid[] =
    "workload: cardinality\n"
    "grid:\n"
    "  filter: [classic, blocked, {name: hyperloglog, precision: 10}, \"null\"]\n"
    "  hash: [murmur3_x64_128, murmur3_x86_32]\n"
    "  keys: [random64]\n"
    "  m: [8192]\n"
    "  n: [0, 1, 1000]\n"
    "  k: [1]\n"
    "trials: 3\n"
    "queries: 0\n";

Test(cardinality_workload, trials_tell_the_error)
{
    struct lab lab;
    lab_open(&lab, cardinality_grid);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 3 * 2 * 3, "%zu", lab.plan->cell_count);
    for (size_t c = 0; c < lab.plan->cell_count; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        for (uint64_t t = 0; t < cell->trials; t++) {
            const struct trial_result *result = &lab.results[cell->first_result + t];
            double estimate = trial_measure(result, "cardinality", NAN);
            double error = trial_measure(result, "relative_error", NAN);
            cr_assert_eq(result->false_negatives, 0);
            cr_assert_eq(result->queries, 0);
            if (cell->n == 0) {
                cr_assert_eq(estimate, 0);
                cr_assert(isnan(error));
                continue;
            }
            cr_assert_float_eq(error, estimate / (double)cell->n - 1, 1e-5);
            cr_assert_lt(fabs(error), 5 * 0.025, "%s %u: %g", cell->ops->name, (unsigned)cell->n,
                         error);
        }
    }
    lab_close(&lab);
}

/* What cannot count is skipped; every other cell has theory of its error. */
Test(cardinality_workload, tables)
{
    char *tables = lab_tables_of(cardinality_grid);
    cr_assert(strstr(tables, "null cannot tell how many keys it holds"));
    size_t biases = 0;
    for (const char *at = tables; (at = strstr(at, ",cardinality_bias,")); at++)
        biases++;
    cr_assert_eq(biases, 3 * 2 * 2, "%zu", biases);
    cr_assert(strstr(tables, ",cardinality_2007_sd,"));
    cr_assert_not(strstr(tables, "over_capacity"), "a sketch has no capacity");
    free(tables);
}

/* A filter that is full has an infinite estimate, and no error. */
Test(cardinality_workload, full_filters)
{
    struct lab lab;
    lab_open(&lab, "workload: cardinality\n"
                   "grid: {filter: [classic], hash: [xxh3_64], keys: [random64], m: [64], n: "
                   "[1000], k: [4]}\n"
                   "trials: 1\nqueries: 0\n");
    lab_run(&lab, 1, UINT64_MAX, NULL);
    cr_assert_eq(trial_measure(&lab.results[0], "cardinality", NAN), INFINITY);
    cr_assert(isnan(trial_measure(&lab.results[0], "relative_error", NAN)));
    lab_close(&lab);
}

/* 300 trials of each: the mean within 5 of its standard errors of what the tables say. */
Test(cardinality_workload, theory_of_the_tables_holds)
{
    struct lab lab;
    lab_open(&lab, "workload: cardinality\n"
                   "grid: {filter: [classic, partitioned, split_block, {name: hyperloglog, "
                   "precision: 8}], hash: [xxh3_64], keys: [decimal], m: [4096], n: [900], k: "
                   "[3]}\n"
                   "trials: 300\nqueries: 0\n");
    lab_run(&lab, 2, UINT64_MAX, NULL);
    for (size_t c = 0; c < lab.plan->cell_count; c++) {
        const struct cell *cell = &lab.plan->cells[c];
        struct formula bias, sd;
        double sum = 0;
        cr_assert(workload_find(WORKLOAD_CARDINALITY)->formula(cell, 0, &bias));
        cr_assert(workload_find(WORKLOAD_CARDINALITY)->formula(cell, 1, &sd));
        for (uint64_t t = 0; t < cell->trials; t++)
            sum += trial_measure(&lab.results[cell->first_result + t], "relative_error", NAN);
        cr_expect_lt(fabs(sum / 300 - bias.value), 5 * sd.value / sqrt(300) + 1e-3, "%s: %g",
                     cell->ops->name, sum / 300);
    }
    lab_close(&lab);
}
