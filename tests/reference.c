/* SPDX-License-Identifier: MIT
 *
 * reference.c: the quick experiments of the default sweep, run again: every table must have the
 * bytes that results/reference/ was made of. `make reference` makes it anew after a change that is
 * meant to change numbers.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/file.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

enum { REFERENCE_TABLES = 6 }; /* trials, cells, estimates, measures, skipped, best_k where it is */

/* Every line "SUM  NAME" of the reference against the table of that name. Returns how many. */
static unsigned compare_sums(const char *folder, const char *experiment)
{
    char reference[256];
    unsigned count = 0;
    snprintf(reference, sizeof reference, "results/reference/%s", experiment);
    char *sums = file_load(reference, "SHA256SUMS", NULL), *saved = NULL;
    char *run = path_of(folder, experiment);
    for (char *line = strtok_r(sums, "\n", &saved); line; line = strtok_r(NULL, "\n", &saved)) {
        char wanted[SHA256_TEXT_SIZE], name[64], found[SHA256_TEXT_SIZE];
        struct error error;
        cr_assert_eq(sscanf(line, "%64s %63s", wanted, name), 2, "%s: %s", experiment, line);
        cr_assert_eq(file_sha256(found, run, name, &error), OK, "%s", error.text);
        cr_expect_str_eq(found, wanted, "%s: %s has changed", experiment, name);
        count++;
    }
    free(run);
    free(sums);
    return count;
}

static void rerun(const char *experiment)
{
    struct program program;
    char file[256], *folder = folder_new();
    snprintf(file, sizeof file, "experiments/%s.yaml", experiment);
    program_run(&program, &(struct surroundings){0}, "sweep", file, "--out", folder, "--quiet",
                "--no-plots", NULL);
    cr_assert_eq(program.status, 0, "%s: %s", experiment, program.err);
    unsigned tables = compare_sums(folder, experiment);
    cr_expect_geq(tables, REFERENCE_TABLES - 1, "%s: only %u sums", experiment, tables);
    program_release(&program);
    folder_remove(folder);
}

Test(reference, source_001)
{
    rerun("source-001");
}
Test(reference, formula_error)
{
    rerun("formula-error");
}
Test(reference, counting_width)
{
    rerun("counting-width");
}
