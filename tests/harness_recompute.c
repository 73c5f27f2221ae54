/* SPDX-License-Identifier: MIT
 *
 * harness_recompute.c: cells.csv is a function of the printed trials.csv (and measures.csv) and the
 * experiment: whoever has the tables can make it again.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_lab.h"

static const char recompute_grid[] =
    "grid: {filter: [classic, double_hashing, blocked, scalable_exponential, hyperloglog, "
    "\"null\"],"
    " hash: [murmur3_x64_128, fnv1a_64], keys: random64, m: [300, 512], n: 50, k: [1, 4]}\n"
    "trials: 6\nqueries: 777\n";

static void recompute_read_trials(struct lab *lab, const char *folder)
{
    char *text = file_load(folder, "trials.csv", NULL), *next = strchr(text, '\n') + 1;
    size_t rows = 0;
    for (; *next; rows++) {
        char *fields[TRIAL_COLUMNS];
        const struct cell *cell;
        uint64_t trial;
        struct trial_result result;
        cr_assert_eq(row_split(next, fields, TRIAL_COLUMNS, &next), TRIAL_COLUMNS);
        cr_assert(trial_row_parse(fields, lab->plan, &cell, &trial, &result));
        lab->results[cell->first_result + trial] = result;
    }
    cr_assert_eq(rows, lab->plan->result_count);
    free(text);
}

static void recompute_read_measures(struct lab *lab, const char *folder)
{
    char *path = path_of(folder, "measures.csv");
    struct csv *table = csv_read(path);
    for (size_t r = 0; r < csv_rows(table); r++) {
        const struct cell *cell = plan_find(lab->plan, csv_text(table, r, "cell_id"));
        trial_measure_add(&lab->results[cell->first_result + csv_integer(table, r, "trial")],
                          csv_text(table, r, "measure"), csv_number(table, r, "value"), NULL);
    }
    csv_free(table);
    free(path);
}

Test(harness_recompute, every_table_from_the_printed_rows)
{
    char *folder = folder_new();
    struct lab ran, read;
    lab_open(&ran, recompute_grid);
    lab_open(&read, recompute_grid);
    lab_run(&ran, 2, UINT64_MAX, NULL);
    lab_write(&ran, folder);
    recompute_read_trials(&read, folder);
    recompute_read_measures(&read, folder);
    char *a = folder_tables(folder), *b = lab_tables(&read);
    same_text(a, b, "recomputed");
    free(a);
    free(b);
    lab_close(&ran);
    lab_close(&read);
    folder_remove(folder);
}

static void recompute_field(const struct csv *cells, size_t row, const char *column, double value)
{
    char text[32] = "";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.6g", value);
    cr_assert_str_eq(csv_text(cells, row, column), text, "%s of %s", column,
                     csv_text(cells, row, "filter"));
}

/* By hand, from the rows alone: sums, and means of what is printed. */
static void recompute_cell(const struct csv *cells, size_t row, const struct csv *trials)
{
    double hits = 0, missed = 0, asked = 0, bits = 0, plain = 0, scheme = 0, memory = 0, count = 0;
    for (size_t t = 0; t < csv_rows(trials); t++) {
        if (strcmp(csv_text(trials, t, "cell_id"), csv_text(cells, row, "cell_id")) != 0)
            continue;
        count++;
        hits += csv_number(trials, t, "false_positives");
        missed += csv_number(trials, t, "false_negatives");
        asked += csv_number(trials, t, "queries");
        bits += csv_number(trials, t, "bits_set");
        plain += csv_number(trials, t, "fpr_bits");
        scheme += csv_number(trials, t, "fpr_scheme");
        memory = fmax(memory, csv_number(trials, t, "memory_bytes"));
        double queries = csv_number(trials, t, "queries");
        recompute_field(trials, t, "fpr", csv_number(trials, t, "false_positives") / queries);
    }
    cr_assert_eq(count, csv_number(cells, row, "trials"));
    recompute_field(cells, row, "fpr", hits / asked);
    recompute_field(cells, row, "fpr_bits", plain / count);
    recompute_field(cells, row, "fpr_scheme", scheme / count);
    cr_assert_eq(csv_number(cells, row, "memory_bytes"), memory);
    if (!csv_empty(cells, row, "m_actual"))
        recompute_field(cells, row, "fill", bits / count / csv_number(cells, row, "m_actual"));
    if (isnan(asked))
        return;
    cr_assert_eq(csv_number(cells, row, "false_positives"), hits);
    cr_assert_eq(csv_number(cells, row, "false_negatives"), missed);
    cr_assert_eq(csv_number(cells, row, "queries"), asked);
    cr_assert_eq(csv_number(cells, row, "queries_per_trial") * count, asked);
}

Test(harness_recompute, sums_and_means_by_hand)
{
    char *folder = folder_new(), *cells_path = path_of(folder, "cells.csv"),
         *trials_path = path_of(folder, "trials.csv");
    struct lab lab;
    lab_open(&lab, recompute_grid);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    lab_write(&lab, folder);
    struct csv *cells = csv_read(cells_path), *trials = csv_read(trials_path);
    cr_assert_eq(csv_rows(cells), lab.plan->cell_count);
    for (size_t row = 0; row < csv_rows(cells); row++)
        recompute_cell(cells, row, trials);
    csv_free(cells);
    csv_free(trials);
    lab_close(&lab);
    free(cells_path);
    free(trials_path);
    folder_remove(folder);
}
