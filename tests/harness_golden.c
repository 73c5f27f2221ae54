/* SPDX-License-Identifier: MIT
 *
 * harness_golden.c: recorded rows, so that no seed changes its meaning by accident: every filter,
 * hash, family and kind of key. They do not depend on the machine. Where a change is meant:
 *
 *     build/bloomlab sweep tests/data/harness/golden.yaml --out tests/data/harness --no-plots
 *
 * and only trials.csv and skipped.csv are kept.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/harness_files.h"
#include "tests/harness_program.h"

Test(harness_golden, rows_are_as_recorded)
{
    char *folder = folder_new(), *run = path_of(folder, "golden");
    struct program program;
    program_run(&program, NULL, "sweep", "tests/data/harness/golden.yaml", "--out", folder,
                "--no-plots", "--quiet", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    static const char *const tables[] = {"trials.csv", "skipped.csv"};
    for (size_t i = 0; i < 2; i++) {
        char *now = file_load(run, tables[i], NULL),
             *recorded = file_load("tests/data/harness/golden", tables[i], NULL);
        same_text(now, recorded, tables[i]);
        free(now);
        free(recorded);
    }
    free(run);
    folder_remove(folder);
}
