/* SPDX-License-Identifier: MIT
 *
 * harness_commands.c: the program's manners: lists, wrong words, wrong files, outputs that fail.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/filter.h"
#include "harness/command/command.h"
#include "hashes/hash.h"
#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

/* ---- list ------------------------------------------------------------------------------------ */

static struct csv *commands_list(const char *kind)
{
    struct program program;
    char *folder = folder_new(), *path = path_of(folder, "list.csv");
    program_run(&program, NULL, "list", kind, "--csv", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_eq(strncmp(program.out, "name,summary,source", 19), 0);
    file_save(folder, "list.csv", program.out, program.out_bytes);
    struct csv *table = csv_read(path); /* one field count */
    program_release(&program);
    free(path);
    folder_remove(folder);
    return table;
}

Test(harness_commands, lists)
{
    struct csv *table = commands_list("filters");
    cr_assert_eq(csv_rows(table), filter_count);
    for (size_t i = 0; i < filter_count; i++)
        cr_assert_str_eq(csv_text(table, i, "name"), filter_table[i]->name);
    csv_free(table);
    table = commands_list("hashes");
    cr_assert_eq(csv_rows(table), hash_count);
    for (size_t i = 0; i < hash_count; i++) {
        cr_assert_str_eq(csv_text(table, i, "name"), hash_table[i]->name);
        cr_assert_eq(csv_integer(table, i, "bits"), hash_table[i]->bits);
    }
    csv_free(table);
    table = commands_list("keys");
    cr_assert_geq(csv_rows(table), 8);
    csv_free(table);
    table = commands_list("experiments");
    cr_assert_geq(csv_rows(table), 2);
    for (size_t i = 0; i < csv_rows(table); i++)
        cr_assert_not(csv_empty(table, i, "summary"));
    csv_free(table);
}

Test(harness_commands, lists_for_readers)
{
    static const char *const kinds[] = {"filters", "hashes", "keys", "experiments"};
    for (size_t i = 0; i < 4; i++) {
        struct program program;
        struct csv *table = commands_list(kinds[i]);
        program_run(&program, NULL, "list", kinds[i], NULL);
        cr_assert_eq(program.status, 0);
        for (size_t r = 0; r < csv_rows(table); r++)
            cr_assert(strstr(program.out, csv_text(table, r, "name")) &&
                      strstr(program.out, csv_text(table, r, "summary")));
        program_release(&program);
        csv_free(table);
    }
}

/* ---- wrong words ----------------------------------------------------------------------------- */

Test(harness_commands, what_nobody_knows)
{
    static const char *const cases[][5] = {
        /* arguments, part of the sentence */
        {"swep", NULL, NULL, NULL, "swep"},
        {"sweep", NULL, NULL, NULL, "experiment file"},
        {"sweep", "--frobnicate", NULL, NULL, "--frobnicate"},
        {"sweep", "/nowhere/x.yaml", NULL, NULL, "/nowhere/x.yaml"},
        {"sweep", "x", "--shard", "4/3", "4"},
        {"sweep", "x", "--shard", "0/3", "0"},
        {"sweep", "x", "--shard", "1", "I/N"},
        {"sweep", "x", "--shard", "1/0", "0"},
        {"sweep", "x", "--threads", "0", "0"},
        {"sweep", "x", "--threads", "many", "many"},
        {"sweep", "x", "--memory", "1XiB", "1XiB"},
        {"sweep", "x", "--out", NULL, "--out needs a value"},
        {"sweep", "x", "--out", "", "--out is empty"},
        {"sweep", "x", "--fresh=yes", NULL, "--fresh takes no value"},
        {"sweep", "x", "-q", NULL, "-q"},
        {"list", NULL, NULL, NULL, "filters"},
        {"list", "cats", NULL, NULL, "cats"},
        {"list", "keys", "hashes", NULL, "hashes"},
        {"list", "keys", "--cvs", NULL, "--cvs"},
        {"predict", "--m", "5", NULL, "--filter"},
        {"predict", "--filter", "classic", NULL, "--m"},
        {"size", "many", NULL, NULL, "many"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program program;
        program_run(&program, NULL, cases[i][0], cases[i][1], cases[i][1] ? cases[i][2] : NULL,
                    cases[i][2] ? cases[i][3] : NULL, NULL);
        cr_assert_str_eq(program.out, "", "%s", cases[i][4]);
        cr_assert_eq(strncmp(program.err, "bloomlab", 8), 0, "%s", program.err);
        program_fails(&program, 2, cases[i][4]);
    }
}

Test(harness_commands, a_path_nobody_knows)
{
    struct program program;
    struct surroundings around = {.environment = {"BLOOMLAB_PATH=avx"}};
    program_run(&program, &around, "list", "filters", NULL);
    program_fails(&program, 2, "BLOOMLAB_PATH is 'avx'");
    around.environment[0] = "BLOOMLAB_PATH=portable";
    program_run(&program, &around, "list", "filters", NULL);
    cr_expect_eq(program.status, 0, "%s", program.err);
    program_release(&program);
}

Test(harness_commands, help_for_each)
{
    struct program program;
    program_run(&program, NULL, "--help", NULL);
    cr_assert_eq(program.status, 0);
    for (unsigned i = 0; i < command_table_count; i++)
        cr_assert(strstr(program.out, command_table[i]->name));
    program_release(&program);
    for (unsigned i = 0; i < command_table_count; i++) {
        program_run(&program, NULL, command_table[i]->name, "--help", NULL);
        cr_assert_eq(program.status, 0);
        cr_assert_str_eq(program.out, command_table[i]->help);
        cr_assert(strstr(program.out, command_table[i]->name));
        program_release(&program);
    }
    program_run(&program, NULL, NULL);
    program_fails(&program, 2, "usage");
}

/* ---- sweep without a run --------------------------------------------------------------------- */

Test(harness_commands, a_dry_run_writes_nothing)
{
    char *folder = folder_new();
    struct program program;
    program_run(&program, NULL, "sweep", "tests/data/small.yaml", "experiments/source-001.yaml",
                "--out", folder, "--dry-run", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert(strstr(program.out, "small: ") && strstr(program.out, "source-001: 16 cells"), "%s",
              program.out);
    cr_assert_eq(folder_count(folder), 0);
    program_release(&program);
    folder_remove(folder);
}

/* Is "FILE:LINE:COLUMN: " in the text? */
static bool commands_names_place(const char *text, const char *file)
{
    const char *at = strstr(text, file);
    at = at ? at + strlen(file) : "";
    unsigned line, column;
    int used = 0;
    return sscanf(at, ":%u:%u: %n", &line, &column, &used) == 2 && used > 0;
}

static void commands_refuses_file(const char *path, const char *folder)
{
    struct program program;
    program_run(&program, NULL, "sweep", "tests/data/small.yaml", path, "--out", folder, NULL);
    cr_assert(commands_names_place(program.err, path), "%s", program.err);
    cr_assert_eq(program.status, 2, "%s: %d", path, program.status);
    cr_assert_eq(folder_count(folder), 0, "something is written");
    program_release(&program);
}

Test(harness_commands, a_bad_experiment_costs_nothing)
{
    char *folder = folder_new();
    DIR *directory = opendir("tests/data/bad");
    size_t files = 0;
    cr_assert(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = path_of("tests/data/bad", entry->d_name);
        commands_refuses_file(path, folder);
        free(path);
        files++;
    }
    closedir(directory);
    cr_assert_gt(files, 10);
    folder_remove(folder);
}

Test(harness_commands, standard_input_and_names_given_twice)
{
    char *folder = folder_new(), *run = path_of(folder, "piped");
    struct program program;
    struct surroundings good = {.input = "name: piped\nquestion: y\ngrid: {filter: classic, hash:"
                                         " xxh64, keys: random64, m: 64, n: 5, k: 2}\ntrials: 2\n"
                                         "queries: 10\n"},
                        bad = {.input = "name: piped\nquestion: y\ngrid: {filter: classic}\n"},
                        unknown = {.input = "name: piped\nquestion: y\nworkload: naps\n"};
    program_run(&program, &good, "sweep", "-", "--out", folder, "--no-plots", "--quiet", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_str_eq(program.err, "");
    cr_assert(folder_has(run, "cells.csv"));
    program_release(&program);
    program_run(&program, &bad, "sweep", "-", "--out", folder, NULL);
    program_fails(&program, 2, "standard input:3:");
    program_run(&program, &unknown, "sweep", "-", "--out", folder, NULL);
    program_fails(&program, 2, "naps");
    program_run(&program, NULL, "sweep", "tests/data/small.yaml", "tests/data/small.yaml", "--out",
                folder, NULL);
    program_fails(&program, 2, "both have the name small");
    cr_assert_not(folder_has(folder, "small"));
    free(run);
    folder_remove(folder);
}

Test(harness_commands, a_folder_that_cannot_be)
{
    char *folder = folder_new(), *path = path_of(folder, "file/results");
    struct program program;
    file_save(folder, "file", "x", 1);
    program_run(&program, NULL, "sweep", "tests/data/small.yaml", "--out", path, "--quiet", NULL);
    program_fails(&program, 3, "file");
    free(path);
    folder_remove(folder);
}

/* ---- outputs that fail ----------------------------------------------------------------------- */

static void commands_output_fails(const struct surroundings *around)
{
    static const char *const arguments[][6] = {
        {"list", "filters", "--csv"},
        {"list", "hashes"},
        {"size", "--n", "5", "--p", "0.1"},
        {"hash", "xxh64"},
        {"sweep", "tests/data/small.yaml", "--dry-run"},
        {"predict", "--filter", "null", "--n=1..5000", "--csv"},
        {"--help"},
        {"sweep", "--help"},
    };
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        const char *const *a = arguments[i];
        struct program program;
        program_run(&program, around, a[0], a[1], a[2], a[3], a[4], NULL);
        program_fails(&program, 3, "cannot write standard output");
    }
}

Test(harness_commands, a_full_device)
{
    commands_output_fails(&(struct surroundings){.output = "/dev/full", .input = "a\n"});
}

Test(harness_commands, a_pipe_that_nobody_reads)
{
    commands_output_fails(&(struct surroundings){.closed_pipe = true, .input = "a\n"});
}
