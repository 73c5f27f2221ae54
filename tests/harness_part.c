/* SPDX-License-Identifier: MIT
 *
 * harness_part.c: trials.part: what a run that died left is taken as far as it is sound.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/file.h"
#include "tests/harness_files.h"
#include "tests/harness_lab.h"

static const char part_grid[] =
    "grid: {filter: [classic, scalable_linear, hyperloglog], hash: xxh3_64, keys: random64,"
    " m: 128, n: [20, 600], k: 3}\ntrials: 3\nqueries: 50\n";

static struct part *part_start(const struct lab *lab, const char *folder, bool fresh,
                               uint64_t *found)
{
    struct part *part;
    struct error error;
    enum status status = part_open(&part, folder, lab->plan, lab->results, found, fresh, &error);
    cr_assert_eq(status, OK, "%s", error.text);
    return part;
}

/* A finished trials.part in the folder; the tables that belong to it. */
static char *part_whole(const char *folder)
{
    struct lab lab;
    uint64_t found;
    lab_open(&lab, part_grid);
    struct part *part = part_start(&lab, folder, false, &found);
    cr_assert_eq(found, 0);
    lab_run(&lab, 2, UINT64_MAX, part);
    part_close(part);
    char *tables = lab_tables(&lab);
    lab_close(&lab);
    return tables;
}

/* Where row r starts; row 0 is behind the two lines of the head. */
static size_t part_row(const char *bytes, size_t r)
{
    const char *at = bytes;
    for (size_t line = 0; line < r + 2; line++)
        at = strchr(at, '\n') + 1;
    return (size_t)(at - bytes);
}

/* Opens what is there, runs what is missing: the tables are those of the whole run. */
static uint64_t part_finish(const char *folder, const char *tables)
{
    struct lab lab;
    uint64_t found;
    lab_open(&lab, part_grid);
    struct part *part = part_start(&lab, folder, false, &found);
    lab_run(&lab, 2, UINT64_MAX, part);
    cr_assert_eq(lab.report.trials, lab.plan->result_count - found);
    part_close(part);
    char *again = lab_tables(&lab);
    same_text(tables, again, "resumed");
    free(again);
    lab_close(&lab);
    return found;
}

/* How many trials are taken; those are the trials of `whole`. */
static uint64_t part_taken(const char *folder, const struct lab *whole)
{
    struct lab lab;
    uint64_t found, done = 0;
    lab_open(&lab, part_grid);
    part_close(part_start(&lab, folder, false, &found));
    for (size_t r = 0; r < lab.plan->result_count; r++) {
        const struct trial_result *a = &lab.results[r], *b = &whole->results[r];
        done += a->done;
        if (a->done)
            cr_assert(a->seed == b->seed && a->false_positives == b->false_positives &&
                      a->bits_digest == b->bits_digest && a->keys_digest == b->keys_digest &&
                      a->measure_count == b->measure_count && a->queries == b->queries &&
                      a->memory_bytes == b->memory_bytes && a->bits_set == b->bits_set);
    }
    cr_assert_eq(done, found);
    lab_close(&lab);
    return found;
}

static size_t part_rows_within(const char *bytes, size_t rows, size_t size)
{
    size_t r = 0;
    while (r < rows && part_row(bytes, r + 1) <= size)
        r++;
    return r;
}

Test(harness_part, cut_anywhere)
{
    char *folder = folder_new();
    size_t size;
    struct lab whole;
    uint64_t rows;
    char *tables = part_whole(folder), *bytes = file_load(folder, "trials.part", &size);
    lab_open(&whole, part_grid);
    part_close(part_start(&whole, folder, false, &rows));
    cr_assert_eq(rows, whole.plan->result_count);
    cr_assert_eq(part_row(bytes, rows), size);
    /* Every place of the second row and every 11th of the others, their ends among them. */
    for (size_t cut = 0; cut <= size; cut++) {
        bool end = cut == size || bytes[cut] == '\n' || (cut && bytes[cut - 1] == '\n');
        if (!end && cut % 11 && (cut < part_row(bytes, 1) || cut > part_row(bytes, 2)))
            continue;
        file_save(folder, "trials.part", bytes, cut);
        cr_assert_eq(part_taken(folder, &whole), part_rows_within(bytes, rows, cut), "cut at %zu",
                     cut);
        if (cut % 1000 == 0) {
            file_save(folder, "trials.part", bytes, cut);
            part_finish(folder, tables);
            cr_assert_eq(part_finish(folder, tables), rows);
        }
    }
    lab_close(&whole);
    free(tables);
    free(bytes);
    folder_remove(folder);
}

Test(harness_part, a_flipped_bit)
{
    char *folder = folder_new();
    size_t size;
    struct error error;
    struct lab whole;
    uint64_t rows;
    char *tables = part_whole(folder), *bytes = file_load(folder, "trials.part", &size);
    lab_open(&whole, part_grid);
    part_close(part_start(&whole, folder, false, &rows));
    size_t from = part_row(bytes, 2), to = part_row(bytes, 3);
    for (size_t at = from; at < to; at++) {
        char flip = (char)(1 << at % 8);
        bytes[at] ^= flip;
        file_save(folder, "trials.part", bytes, size);
        bytes[at] ^= flip;
        uint64_t taken = part_taken(folder, &whole);
        /* In the checksum itself a digit may turn into its capital: the row is sound. */
        bool checksum = to - at <= 9;
        cr_assert(taken == 2 || (checksum && taken == rows), "byte %zu: %lu taken", at - from,
                  taken);
    }
    part_finish(folder, tables);
    /* The head is the plan's name: with one bit wrong it is another plan's. */
    for (size_t at = 0; at < part_row(bytes, 0); at += 5) {
        struct lab lab;
        struct part *part;
        uint64_t found;
        lab_open(&lab, part_grid);
        bytes[at] ^= 1;
        file_save(folder, "trials.part", bytes, size);
        bytes[at] ^= 1;
        cr_assert_eq(part_open(&part, folder, lab.plan, lab.results, &found, false, &error),
                     E_INPUT);
        cr_assert_null(part);
        lab_close(&lab);
    }
    lab_close(&whole);
    free(tables);
    free(bytes);
    folder_remove(folder);
}

Test(harness_part, rows_twice_and_rubbish_behind)
{
    char *folder = folder_new();
    size_t size;
    char *tables = part_whole(folder), *bytes = file_load(folder, "trials.part", &size);
    size_t row = part_row(bytes, 0), rest = size - row;
    char *twice = malloc(size + rest + 4096);
    memcpy(twice, bytes, size);
    memcpy(twice + size, bytes + row, rest);
    memset(twice + size + rest, 0, 4096); /* a file system's zeros after a crash */
    file_save(folder, "trials.part", twice, size + rest + 4096);
    cr_assert_eq(part_finish(folder, tables), 18);
    memset(twice + size, '\n', 4096);
    file_save(folder, "trials.part", twice, size + 4096);
    cr_assert_eq(part_finish(folder, tables), 18);
    free(twice);
    free(tables);
    free(bytes);
    folder_remove(folder);
}

Test(harness_part, of_another_plan)
{
    char *folder = folder_new();
    size_t size, kept;
    struct lab other;
    struct part *part;
    struct error error;
    uint64_t found;
    free(part_whole(folder));
    char *bytes = file_load(folder, "trials.part", &size), text[sizeof part_grid + 16];
    snprintf(text, sizeof text, "%sseed: 2\n", part_grid);
    lab_open(&other, text);
    cr_assert_eq(part_open(&part, folder, other.plan, other.results, &found, false, &error),
                 E_INPUT);
    cr_assert_null(part);
    cr_assert(strstr(error.text, "trials.part") && strstr(error.text, "--fresh"), "%s", error.text);
    char *after = file_load(folder, "trials.part", &kept);
    cr_assert(kept == size && memcmp(after, bytes, size) == 0, "something is lost");
    part_close(part_start(&other, folder, true, &found));
    cr_assert_eq(found, 0);
    free(after);
    free(bytes);
    lab_close(&other);
    folder_remove(folder);
}

Test(harness_part, one_run_at_a_time)
{
    char *folder = folder_new();
    struct lab lab;
    struct part *second;
    struct error error;
    uint64_t found;
    lab_open(&lab, part_grid);
    struct part *first = part_start(&lab, folder, false, &found);
    for (int fresh = 0; fresh < 2; fresh++) {
        cr_assert_eq(part_open(&second, folder, lab.plan, lab.results, &found, fresh, &error),
                     E_RUN);
        cr_assert_null(second);
        cr_assert(strstr(error.text, "another run"), "%s", error.text);
    }
    lab_run(&lab, 1, UINT64_MAX, first);
    part_close(first);
    part_close(part_start(&lab, folder, false, &found));
    cr_assert_eq(part_remove(folder, &error), OK);
    cr_assert_eq(part_remove(folder, &error), OK);
    cr_assert_not(folder_has(folder, "trials.part"));
    lab_close(&lab);
    folder_remove(folder);
}

/* Measures of every size come back as they are printed: 1234567.8 is printed with 6 digits. */
Test(harness_part, measures_come_back_as_printed)
{
    static const double values[] = {1234567.8, 1e15,   123456789012345, 1e300, 0.1 + 0.2, 1e-300,
                                    -0.0,      -2.5e7, INFINITY,        NAN,   123456.7};
    enum { COUNT = sizeof values / sizeof *values };
    char *folder = folder_new(), name[8];
    struct lab lab, again;
    uint64_t found;
    const char *text = "grid: {filter: classic, hash: xxh64, keys: random64, m: 64, n: 9, k: 1}\n"
                       "trials: 1\nqueries: 10\n";
    lab_open(&lab, text);
    lab_run(&lab, 1, UINT64_MAX, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "v%zu", i);
        trial_measure_add(&lab.results[0], name, values[i], NULL);
    }
    trial_result_finish(&lab.results[0]);
    struct part *part = part_start(&lab, folder, false, &found);
    struct text row = {0};
    part_trial(&row, lab.plan, &lab.plan->cells[0], 0, &lab.results[0]);
    part_add(part, &row);
    text_release(&row);
    cr_assert_eq(part_flush(part, true, NULL), OK);
    part_close(part);
    lab_open(&again, text);
    part_close(part_start(&again, folder, false, &found));
    cr_assert_eq(found, 1);
    char *a = lab_tables(&lab), *b = lab_tables(&again);
    same_text(a, b, "measures");
    cr_assert(strstr(a, ",v8,inf\n") && strstr(a, ",v9,\n") && strstr(a, ",v6,0\n"));
    free(a);
    free(b);
    lab_close(&lab);
    lab_close(&again);
    folder_remove(folder);
}
