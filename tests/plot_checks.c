/* SPDX-License-Identifier: MIT
 *
 * plot_checks.c: the plots about the tests themselves, and the matrix of hashes, drawn from small
 * runs.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/run.h"
#include "harness/plot/plot.h"
#include "harness/stats/stats.h"
#include "tests/experiment_text.h"
#include "tests/harness_files.h"
#include "tests/harness_lab.h"
#include "tests/plot_support.h"

/* Runs an experiment with all its plots and pages; the folder of the run is the caller's. */
static char *ran(char **folder, const char *text, const char *scale)
{
    struct run run = {0};
    struct error error;
    stats_init();
    *folder = folder_new();
    struct run_options options = {
        .out = *folder,
        .scale = scale,
        .plots = true,
        .limits = lab_no_limits,
        .schedule = {.threads = 2, .memory_bytes = UINT64_MAX, .quiet = true},
    };
    cr_assert_eq(experiment_text_read(&run.experiment, text, strlen(text), scale, &error), OK, "%s",
                 error.text);
    cr_assert_eq(plan_make(&run.plan, run.experiment, &lab_no_limits, &error), OK, "%s",
                 error.text);
    cr_assert_eq(run_execute(&run, &options, &error), OK, "%s", error.text);
    char *path = path_of(*folder, run.experiment->name);
    run_close(&run);
    return path;
}

static void figure_there(const char *run, const char *family)
{
    static const char *const endings[] = {"svg", "png", "pdf"};
    char name[80];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s.%s", family, endings[i]);
        cr_expect(folder_has(run, name), "%s", name);
    }
}

static char *answer_of(const char *run)
{
    char *page = file_load(run, "index.html", NULL), *from = strstr(page, "class=\"answer\"");
    cr_assert_not_null(from);
    char *answer = strndup(from, (size_t)(strstr(from, "</div>") - from));
    free(page);
    return answer;
}

Test(plot_checks, calibration_counts_what_it_shows)
{
    char *folder, *text = file_load("experiments/checks", "calibration.yaml", NULL);
    char *run = ran(&folder, text, "reduced"), *answer = answer_of(run);
    figure_there(run, "calibration");
    cr_expect(strstr(answer, "0 of 384 sound cells are FAIL"), "%s", answer);
    cr_expect(strstr(answer, "with 1 trial, "), "%s", answer);
    cr_expect(strstr(answer, "with 10 trials."), "%s", answer);
    free(answer);
    free(run);
    free(text);
    folder_remove(folder);
}

Test(plot_checks, power_says_the_mde_and_what_it_is_worth)
{
    char *folder, *text = file_load("experiments/checks", "power.yaml", NULL);
    char *run = ran(&folder, text, "reduced"), *answer = answer_of(run);
    figure_there(run, "power");
    cr_expect(strstr(answer, "with 100000 queries the mde is 3."), "%s", answer);
    cr_expect(strstr(answer, ", found in "), "%s", answer);
    free(answer);
    free(run);
    free(text);
    folder_remove(folder);
}

static const char matrix_text[] =
    "name: m\nquestion: q\ngrid:\n  filter: [classic, counting]\n  hash: [xxh3_64, djb2]\n"
    "  keys: [random64, decimal]\n  reduction: [mod, multiply_shift]\n  m: 4000\n  n: 500\n"
    "  k: 4\ntrials: 10\nqueries: 2000\nplots: [hash-matrix, attribution]\n";

/* The sum of both foldings is the number of bits that trials.csv says. */
Test(plot_checks, hashes_have_pages_with_their_bits)
{
    char *folder, *run = ran(&folder, matrix_text, NULL);
    char *page = file_load(run, "hash-djb2.html", NULL), *table = file_load(run, "matrix.md", NULL);
    char *sound = file_load(run, "hash-xxh3_64.html", NULL), *index = answer_of(run);
    figure_there(run, "hash-matrix");
    figure_there(run, "attribution");
    cr_expect(strstr(table, "| xxh3_64 | PP | PP |"), "%s", table);
    cr_expect(strstr(table, "| djb2 | F"), "%s", table);
    cr_expect(strstr(table, "## counting"), "%s", table);
    cr_expect(strstr(index, "No FAIL on any keys: xxh3_64."), "%s", index);
    cr_expect(strstr(index, "djb2 fails on"), "%s", index);
    cr_expect_not_null(strstr(page, "<td class=\"FAIL\">FAIL "));
    cr_expect_eq(occurrences(page, "<svg") + occurrences(sound, "<svg"),
                 2 * (strstr(page, "Trial 0") != NULL) + 2 * (strstr(sound, "Trial 0") != NULL));
    cr_expect(strstr(page, "Trial 0 run again: ") || strstr(page, "no array of bits"));
    free(index);
    free(sound);
    free(table);
    free(page);
    free(run);
    folder_remove(folder);
}

/* A run of another kind has no matrix, and one whose cells have no hash an empty one. */
Test(plot_checks, no_matrix_where_none_is_asked_for)
{
    char *folder, *run = ran(&folder,
                             "name: m\nquestion: q\ngrid: {filter: classic, hash: xxh3_64, keys: "
                             "random64, m: 999, n: 50, k: 2}\ntrials: 3\nqueries: 500\n"
                             "plots: [attribution]\n",
                             NULL);
    cr_expect_not(folder_has(run, "matrix.md"));
    cr_expect_not(folder_has(run, "hash-xxh3_64.html"));
    figure_there(run, "attribution");
    free(run);
    folder_remove(folder);
    run = ran(&folder,
              "name: m\nquestion: q\ngrid: {filter: 'null', hash: xxh3_64, keys: random64, n: 50}\n"
              "trials: 3\nqueries: 500\nplots: [hash-matrix, attribution, power, calibration]\n",
              NULL);
    cr_expect(folder_has(run, "index.html"));
    free(run);
    folder_remove(folder);
}
