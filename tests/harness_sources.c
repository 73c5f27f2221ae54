/* SPDX-License-Identifier: MIT
 *
 * harness_sources.c: published counts come out exactly.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

Test(harness_sources, sixteen_words_in_128_bits)
{
    static const unsigned hits[16] = {1282, 537, 380, 281, 250,  303,  344,  382,
                                      502,  533, 602, 914, 1004, 1136, 1104, 3201};
    char *folder = folder_new(), *trials_path = path_of(folder, "source-001/trials.csv"),
         *cells_path = path_of(folder, "source-001/cells.csv");
    struct program program;
    program_run(&program, NULL, "sweep", "experiments/source-001.yaml", "--out", folder,
                "--no-plots", "--quiet", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    struct csv *trials = csv_read(trials_path), *cells = csv_read(cells_path);
    cr_assert_eq(csv_rows(trials), 16);
    for (size_t i = 0; i < 16; i++) {
        cr_assert_eq(csv_integer(trials, i, "k"), i + 1);
        cr_assert_eq(csv_integer(trials, i, "false_positives"), hits[i], "k %zu", i + 1);
        cr_assert_eq(csv_integer(trials, i, "queries"), 10000);
        cr_assert_eq(csv_integer(trials, i, "false_negatives"), 0);
        cr_assert_eq(csv_integer(cells, i, "false_positives"), hits[i]);
        cr_assert_eq(csv_integer(trials, i, "n"), 16);
        /* Keys and hash are fixed: one filter, and no interval for others. */
        cr_assert(csv_empty(cells, i, "fpr_lo") && csv_empty(cells, i, "interval"));
    }
    cr_assert_eq(csv_integer(trials, 0, "bits_set"), 16);
    cr_assert_eq(csv_integer(trials, 4, "bits_set"), 60);
    cr_assert_eq(csv_integer(trials, 15, "bits_set"), 119);
    csv_free(trials);
    csv_free(cells);
    program_release(&program);
    free(trials_path);
    free(cells_path);
    folder_remove(folder);
}
