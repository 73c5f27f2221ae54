/* SPDX-License-Identifier: MIT
 *
 * probe_profile.c: the probe profile of whole experiments: sound where the hash is, alarmed where
 * it is not although no false positive was ever seen, and of no effect on any other table.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/run.h"
#include "harness/stats/stats.h"
#include "harness/table/file.h"
#include "harness/table/probes.h"
#include "harness/workload/probes.h"
#include "tests/experiment_text.h"

static const struct plan_limits profile_limits = {UINT64_MAX, 1, 1};

static void profile_open(struct run *run, const char *text)
{
    struct error err;
    stats_init();
    cr_assert_eq(experiment_text_read(&run->experiment, text, strlen(text), NULL, &err), OK, "%s",
                 err.text);
    cr_assert_eq(plan_make(&run->plan, run->experiment, &profile_limits, &err), OK, "%s", err.text);
}

static void profile_take(struct profile *profile, const struct plan *plan, unsigned threads)
{
    struct schedule schedule = {.threads = threads, .memory_bytes = UINT64_MAX, .quiet = true};
    struct error err;
    bool interrupted;
    cr_assert_eq(profile_run(profile, &interrupted, &schedule, plan, &err), OK, "%s", err.text);
    cr_assert_not(interrupted);
}

/* The greatest |z| of a cell's rows. */
static double profile_greatest(const struct profile *profile, const struct plan *plan, size_t cell)
{
    double greatest = 0;
    for (size_t row = 0; row < probes_rows(&plan->cells[cell]); row++)
        greatest = fmax(greatest, fabs(probes_score(&profile->cell[cell][row]).z));
    return greatest;
}

Test(profile, rows_are_each_probe_and_each_two)
{
    struct run run;
    profile_open(&run,
                 "name: x\nquestion: x\ngrid: {filter: [classic, scalable_linear, null],"
                 " hash: [xxh3_64], keys: [random64], m: [1000], n: [10], k: [1, 5, 32, 33]}\n");
    for (size_t c = 0; c < run.plan->cell_count; c++) {
        const struct cell *cell = &run.plan->cells[c];
        unsigned k = cell->layout.k, row = 0;
        if (strcmp(cell->ops->name, "classic") != 0) {
            cr_assert_eq(probes_rows(cell), 0);
            continue;
        }
        for (unsigned i = 0, j; i < k; i++, row++) {
            unsigned a;
            probes_of_row(&a, &j, cell, row);
            cr_assert(a == i && j == i);
        }
        for (unsigned i = 0; i < k && k <= 32; i++)
            for (unsigned j = i + 1; j < k; j++, row++) {
                unsigned a, b;
                probes_of_row(&a, &b, cell, row);
                cr_assert(a == i && b == j);
            }
        cr_assert_eq(probes_rows(cell), row);
    }
    run_close(&run);
}

/* 8 variants, at most 136 rows each: |z| < 6.5 in all of them but with probability 1e-7. */
Test(profile, finds_nothing_where_the_hash_is_sound)
{
    struct run run;
    struct profile profile;
    profile_open(&run,
                 "name: x\nquestion: x\ntrials: 4\nqueries: 20000\ngrid: {filter: [classic, "
                 "double_hashing, {name: double_hashing, force_odd: false}, enhanced_double, "
                 "partitioned, blocked, split_block, counting], hash: [murmur3_x64_128], keys: "
                 "[random64], m: [2^12], bits_per_key: [60], k: [16]}\n");
    cr_assert_eq(run.plan->cell_count, 8);
    profile_take(&profile, run.plan, 2);
    for (size_t c = 0; c < run.plan->cell_count; c++)
        cr_assert_lt(profile_greatest(&profile, run.plan, c), 6.5, "%s",
                     run.plan->cells[c].ops->name);
    profile_release(&profile);
    run_close(&run);
}

/* At 48 bits a key the rate is about 1e-9: the trials see no false positive, and the four tests of
 * a cell see nothing, or little. */
Test(profile, finds_a_bad_hash_where_no_false_positive_is_seen)
{
    struct run run;
    struct profile profile;
    struct trial_result result;
    struct error err;
    profile_open(&run, "name: x\nquestion: x\ntrials: 2\nqueries: 20000\ngrid: {filter: "
                       "[enhanced_double, partitioned], hash: [fnv1a_32, djb2], keys: [random64], "
                       "m: [2^16], bits_per_key: [48], k: [16]}\n");
    profile_take(&profile, run.plan, 2);
    for (size_t c = 0; c < run.plan->cell_count; c++)
        cr_assert_gt(profile_greatest(&profile, run.plan, c), 8, "%s",
                     run.plan->cells[c].ops->name);
    cr_assert_eq(schedule_trial(&result, run.plan, &run.plan->cells[0], 0, &err), OK);
    cr_assert_eq(result.false_positives, 0);
    trial_result_release(&result);
    profile_release(&profile);
    run_close(&run);
}

/* z is a normal score, although filters of 64 bits differ by a tenth in their shares: the sum of
 * squares over 600 independent cells is chi-squared; 5.5 standard deviations (4e-8). */
Test(profile, scores_are_standard_whatever_the_spread_between_filters)
{
    struct run run;
    struct profile profile;
    double squares = 0;
    profile_open(&run, "name: x\nquestion: x\ntrials: 5\nqueries: 2000\nindependent: true\n"
                       "grid: {filter: [classic], hash: [xxh3_64], keys: [random64], "
                       "m: [\"64..663\"], n: [20], k: [2]}\n");
    size_t cells = run.plan->cell_count;
    profile_take(&profile, run.plan, 2);
    cr_assert_eq(cells, 600);
    for (size_t c = 0; c < cells; c++) {
        double z = probes_score(&profile.cell[c][2]).z;
        cr_assert_eq(profile.cell[c][2].queries, 10000);
        squares += z * z;
    }
    cr_assert_lt(fabs(squares - (double)cells), 5.5 * sqrt(2 * (double)cells), "%g", squares);
    profile_release(&profile);
    run_close(&run);
}

/* ---- on disk --------------------------------------------------------------------------------- */

static const char profile_small[] =
    "name: x\nquestion: x\ntrials: 3\nqueries: 1000\ngrid: {filter: [classic, blocked], hash: "
    "[fnv1a_32, xxh64], keys: [decimal], m: [2^12], bits_per_key: [10], k: [\"1..4\"]}\n";

static void profile_execute(const char *out, bool wanted, unsigned threads)
{
    struct run run;
    struct error err;
    struct run_options options = {
        .out = out,
        .limits = profile_limits,
        .schedule = {.threads = threads, .memory_bytes = 1 << 28, .quiet = true},
        .probe_profile = wanted,
    };
    profile_open(&run, profile_small);
    cr_assert_eq(run_execute(&run, &options, &err), OK, "%s", err.text);
    run_close(&run);
}

static void profile_same(const char *a, const char *b, const char *name)
{
    char path[2][128];
    struct text text[2];
    struct error err;
    snprintf(path[0], sizeof path[0], "%s/x/%s", a, name);
    snprintf(path[1], sizeof path[1], "%s/x/%s", b, name);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(file_read(&text[i], path[i], &err), OK, "%s", err.text);
    cr_assert_str_eq(text[0].data, text[1].data, "%s", name);
    for (int i = 0; i < 2; i++)
        text_release(&text[i]);
}

static void profile_forget(const char *directory)
{
    static const char *const names[] = {"trials.csv",   "cells.csv",   "estimates.csv",
                                        "measures.csv", "skipped.csv", "provenance.json",
                                        "probes.csv",   "best_k.csv"};
    char inner[80];
    struct error err;
    snprintf(inner, sizeof inner, "%s/x", directory);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        file_remove(inner, names[i], &err);
    rmdir(inner);
    cr_assert_eq(rmdir(directory), 0, "%s", directory);
}

Test(profile, changes_no_other_table_and_does_not_depend_on_threads)
{
    char with[] = "/tmp/bloomlab-test-XXXXXX", without[] = "/tmp/bloomlab-test-XXXXXX", path[64];
    cr_assert(mkdtemp(with) && mkdtemp(without));
    profile_execute(with, true, 1);
    profile_execute(without, true, 3);
    profile_same(with, without, "probes.csv");
    profile_execute(without, false, 2);
    snprintf(path, sizeof path, "%s/x/probes.csv", without);
    cr_assert_neq(access(path, F_OK), 0, "a profile nobody asked for stayed");
    profile_same(with, without, "trials.csv");
    profile_same(with, without, "cells.csv");
    profile_same(with, without, "estimates.csv");
    profile_same(with, without, "measures.csv");
    profile_forget(with);
    profile_forget(without);
}
