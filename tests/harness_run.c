/* SPDX-License-Identifier: MIT
 *
 * harness_run.c: a run from its plan to its folder, inside the test.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/run.h"
#include "harness/stats/stats.h"
#include "harness/table/file.h"
#include "harness/workload/workload.h"
#include "tests/broken/broken.h"
#include "tests/harness_files.h"
#include "tests/harness_lab.h"

static volatile sig_atomic_t run_interrupt;

static const char run_grid[] = "grid: {filter: classic, hash: xxh3_64, keys: random64, m: 2^13,"
                               " n: 1024, k: 5}\ntrials: 4\nqueries: 100\n";

static struct run_options run_options(const char *folder)
{
    return (struct run_options){
        .out = folder,
        .limits = lab_no_limits,
        .schedule = {.threads = 2,
                     .memory_bytes = UINT64_MAX,
                     .quiet = true,
                     .interrupt = &run_interrupt},
    };
}

static void run_plan(struct run *run, const struct filter_ops *ops)
{
    struct error error;
    stats_init();
    run->experiment = lab_experiment(run_grid);
    if (ops)
        run->experiment->grids[0].filters[0].ops = ops;
    cr_assert_eq(plan_make(&run->plan, run->experiment, &lab_no_limits, &error), OK);
}

/* A false negative fails the run, and the tables are there to look at. */
Test(harness_run, a_false_negative)
{
    char *folder = folder_new(), *x = path_of(folder, "x");
    struct run run;
    struct error error;
    struct run_options options = run_options(folder);
    run_plan(&run, &broken_loses_key);
    cr_assert_eq(run_execute(&run, &options, &error), E_CHECK);
    cr_assert(strstr(error.text, "false negatives") && strstr(error.text, "broken_loses_key"), "%s",
              error.text);
    cr_assert(folder_has(x, "trials.csv") && folder_has(x, "provenance.json"));
    cr_assert_not(folder_has(x, "trials.part"));
    run_close(&run);
    free(x);
    folder_remove(folder);
}

Test(harness_run, an_interrupted_one_keeps_its_trials_and_no_table)
{
    char *folder = folder_new(), *x = path_of(folder, "x");
    struct run run;
    struct error error;
    struct run_options options = run_options(folder);
    run_plan(&run, NULL);
    run_interrupt = 1;
    cr_assert_eq(run_execute(&run, &options, &error), OK);
    cr_assert_eq(folder_count(x), 1);
    cr_assert(folder_has(x, "trials.part"));
    run_interrupt = 0;
    cr_assert_eq(run_execute(&run, &options, &error), OK);
    cr_assert(folder_has(x, "cells.csv"));
    cr_assert_not(folder_has(x, "trials.part"));
    run_close(&run);
    free(x);
    folder_remove(folder);
}

/* The sums of the tables in provenance.json are those of the files. */
Test(harness_run, provenance_tells_what_ran)
{
    static const char *const tables[] = {"trials.csv", "cells.csv", "estimates.csv", "measures.csv",
                                         "skipped.csv"};
    char *folder = folder_new(), *x = path_of(folder, "x"), sum[SHA256_TEXT_SIZE], line[128];
    struct run run;
    struct error error;
    struct run_options options = run_options(folder);
    run_plan(&run, NULL);
    cr_assert_eq(run_execute(&run, &options, &error), OK);
    char *json = file_load(x, "provenance.json", NULL);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(file_sha256(sum, x, tables[i], &error), OK);
        snprintf(line, sizeof line, "\"%s\": \"%s\"", tables[i], sum);
        cr_assert(strstr(json, line), "%s", line);
    }
    static const char *const parts[] = {"\"seed\": 1,",
                                        "\"trials\": 4,",
                                        "\"trials_run_now\": 4,",
                                        "\"shard\": \"1/1\"",
                                        "\"question\": \"y\"",
                                        "\"commit\": ",
                                        "grid: {filter: classic, hash: xxh3_64"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_assert(strstr(json, parts[i]), "no %s", parts[i]);
    free(json);
    run_close(&run);
    free(x);
    folder_remove(folder);
}

Test(harness_run, a_workload_without_an_implementation_is_refused_at_once)
{
    char *folder = folder_new(), *path = path_of(folder, "x.yaml");
    struct run run = {0};
    struct error error;
    struct run_options options = run_options(folder);
    for (int w = 0; w < WORKLOAD_COUNT; w++) {
        char text[512];
        int size = snprintf(text, sizeof text,
                            "name: x\nquestion: y\nworkload: %s\ngrid: {filter: counting, hash:"
                            " xxh64, keys: random64, m: 64, n: 5, k: 2}\n",
                            workload_name((enum workload)w));
        file_save(folder, "x.yaml", text, (size_t)size);
        enum status status = run_open(&run, path, &options, &error);
        cr_assert_eq(status, workload_find((enum workload)w) ? OK : E_INPUT);
        run_close(&run);
    }
    cr_assert_eq(folder_count(folder), 1);
    free(path);
    folder_remove(folder);
}
