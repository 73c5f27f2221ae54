/* SPDX-License-Identifier: MIT
 *
 * command_verify.c: one changed field anywhere is found, and named by row and column.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/tables.h"
#include "tests/command_tables.h"
#include "tests/harness_lab.h"

static const char verify_grid[] =
    "grid: {filter: [classic, blocked, counting, scalable_linear], hash: [murmur3_x64_128],"
    " keys: random64, m: [512], n: [60], k: [3]}\n"
    "trials: 4\nqueries: 500\nseed: 11\n";

/* The exit status, and one or two things that the sentence says. */
static void verify_says(const char *run, int status, const char *part, const char *other,
                        const char *option)
{
    struct program program;
    program_run(&program, NULL, "verify", run, option, NULL);
    cr_expect_eq(program.status, status, "status %d, not %d: %s", program.status, status,
                 program.err);
    cr_expect(strstr(program.err, part), "'%s' does not say '%s'", program.err, part);
    cr_expect(strstr(program.err, other), "'%s' does not say '%s'", program.err, other);
    program_release(&program);
}

static void verify_status(const char *run, int status, const char *part, const char *option)
{
    verify_says(run, status, part, "", option);
}

Test(command_verify, a_good_run)
{
    char *folder = folder_new(), *run = run_new(folder, "out", verify_grid, NULL);
    verify_status(run, 0, "", "--all");
    free(run);
    folder_remove(folder);
}

/* The last digit becomes another one; an empty field gets a number. */
static void verify_change(const char *run, const char *table, size_t row, const char *column)
{
    char *value = field_get(run, table, row, column), changed[128];
    size_t size = strlen(value);
    snprintf(changed, sizeof changed, "%s", size ? value : "1");
    if (size)
        changed[size - 1] = (char)(changed[size - 1] == '3' ? '4' : '3');
    field_set(run, table, row, column, changed);
    free(value);
}

static const struct {
    const char *table, *column;
    size_t row;
} verify_fields[] = {
    {"trials.csv", "seed", 3},           {"trials.csv", "m_actual", 0},
    {"trials.csv", "queries", 1},        {"trials.csv", "false_positives", 5},
    {"trials.csv", "bits_set", 9},       {"trials.csv", "fpr", 2},
    {"trials.csv", "fpr_scheme", 8},     {"trials.csv", "wilson_hi", 15},
    {"trials.csv", "memory_bytes", 4},   {"trials.csv", "keys_digest", 6},
    {"trials.csv", "bits_digest", 12},   {"trials.csv", "false_negatives", 7},
    {"cells.csv", "false_positives", 1}, {"cells.csv", "fpr_hi", 2},
    {"cells.csv", "p_probe", 3},         {"estimates.csv", "value", 7},
    {"measures.csv", "value", 11},       {"best_k.csv", "trials", 0},
};

Test(command_verify, one_changed_field)
{
    char *folder = folder_new(), *run = run_new(folder, "out", verify_grid, NULL);
    for (size_t i = 0; i < sizeof verify_fields / sizeof *verify_fields; i++) {
        const char *table = verify_fields[i].table, *column = verify_fields[i].column;
        char name[32], where[64];
        snprintf(name, sizeof name, "copy%zu", i);
        char *copy = run_copy(run, folder, name);
        if (verify_fields[i].row >= rows_of(copy, table)) { /* best_k.csv may have none */
            free(copy);
            continue;
        }
        verify_change(copy, table, verify_fields[i].row, column);
        snprintf(where, sizeof where, "%s, row %zu", table, verify_fields[i].row + 1);
        verify_says(copy, 1, where, column, NULL);
        sums_renew(copy); /* and the forger has thought of the sums */
        verify_status(copy, 1, column, "--all");
        free(copy);
    }
    free(run);
    folder_remove(folder);
}

/* Tables that follow from each other and have their sums: only running the trial tells. */
Test(command_verify, a_forged_run)
{
    char *folder = folder_new(), *run = run_new(folder, "out", verify_grid, NULL);
    struct lab lab;
    lab_open(&lab, verify_grid);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    lab.results[6].false_positives++;
    trial_result_finish(&lab.results[6]);
    lab_write(&lab, run);
    sums_renew(run);
    verify_status(run, 0, "", "--rows=0");
    verify_status(run, 1, "trials.csv, row 7", "--all");
    verify_status(run, 1, "false_positives is", "--all");
    lab_close(&lab);
    free(run);
    folder_remove(folder);
}

Test(command_verify, cut_files)
{
    static const struct {
        const char *file, *part;
        int keep; /* percent of its bytes */
        int status;
    } cuts[] = {
        {"trials.csv", "cut short", 97, 1},      {"trials.csv", "trials.csv", 50, 1},
        {"trials.csv", "header row", 0, 1},      {"cells.csv", "cells.csv", 99, 1},
        {"cells.csv", "cells.csv", 30, 1},       {"measures.csv", "measures.csv", 60, 1},
        {"provenance.json", "cut short", 99, 2}, {"provenance.json", "cut short", 40, 2},
        {"provenance.json", "cut short", 0, 2},  {"estimates.csv", "estimates.csv", 70, 1},
    };
    char *folder = folder_new(), *run = run_new(folder, "out", verify_grid, NULL);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        char name[32];
        size_t size;
        snprintf(name, sizeof name, "copy%zu", i);
        char *copy = run_copy(run, folder, name), *text = file_load(copy, cuts[i].file, &size);
        file_save(copy, cuts[i].file, text, size * (size_t)cuts[i].keep / 100);
        verify_status(copy, cuts[i].status, cuts[i].part, NULL);
        free(text);
        free(copy);
    }
    verify_status(folder, 2, "no finished run", NULL);
    free(run);
    folder_remove(folder);
}

/* The same --seed draws the same rows: a forged row is found by both or by neither. */
Test(command_verify, drawn_rows)
{
    char *folder = folder_new(), *run = run_new(folder, "out", verify_grid, NULL);
    struct lab lab;
    unsigned found = 0, again = 0;
    lab_open(&lab, verify_grid);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    lab.results[3].keys_digest++;
    lab_write(&lab, run);
    sums_renew(run);
    for (int i = 0; i < 24; i++) {
        char seed[16];
        struct program program;
        snprintf(seed, sizeof seed, "%d", i / 2);
        program_run(&program, NULL, "verify", run, "--rows", "8", "--seed", seed, NULL);
        *(i % 2 ? &again : &found) += program.status == 1;
        program_release(&program);
    }
    /* Half of 16 rows: 20 draws find it 10 times, 3 to 17 with probability 1 - 4e-4 (fixed seeds).
     */
    cr_expect_eq(found, again);
    cr_expect(found >= 3 && found <= 17, "found %u times of 20", found);
    lab_close(&lab);
    free(run);
    folder_remove(folder);
}
