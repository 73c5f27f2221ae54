/* SPDX-License-Identifier: MIT
 *
 * command_merge.c: shards, merged, are the run of the whole to the byte.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/tables.h"
#include "tests/command_tables.h"

static const char merge_grid[] =
    "grid: {filter: [classic, double_hashing, blocked, counting, split_block],"
    " hash: [murmur3_x64_128, fnv1a_32], keys: [random64, {list: [a, b, c, d, e]}],"
    " m: [96, 256], n: [4, 40], k: [3]}\n"
    "trials: 3\nqueries: 200\nseed: 5\n";

struct merged {
    char *folder, *whole, *part[3];
};

static void merge_open(struct merged *m)
{
    *m = (struct merged){.folder = folder_new()};
    m->whole = run_new(m->folder, "whole", merge_grid, NULL);
    for (int i = 0; i < 3; i++) {
        char out[16], shard[16];
        snprintf(out, sizeof out, "part%d", i + 1);
        snprintf(shard, sizeof shard, "%d/3", i + 1);
        m->part[i] = run_new(m->folder, out, merge_grid, shard);
        cr_assert_gt(rows_of(m->part[i], "trials.csv"), 3);
    }
}

static void merge_close(struct merged *m)
{
    free(m->whole);
    for (int i = 0; i < 3; i++)
        free(m->part[i]);
    folder_remove(m->folder);
}

Test(command_merge, shards_are_the_whole)
{
    struct merged m;
    struct program program;
    merge_open(&m);
    char *out = path_of(m.folder, "all"), *all = path_of(out, "x");
    program_run(&program, NULL, "merge", out, m.part[2], m.part[0], m.part[1], NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    for (unsigned i = 0; table_name(i); i++) {
        char *a = file_load(m.whole, table_name(i), NULL), *b = file_load(all, table_name(i), NULL);
        same_text(a, b, table_name(i));
        free(a);
        free(b);
    }
    char *provenance = file_load(all, "provenance.json", NULL);
    for (int i = 0; i < 3; i++)
        cr_expect(strstr(provenance, m.part[i]), "%s is not listed", m.part[i]);
    free(provenance);
    program_run(&program, NULL, "verify", all, "--all", NULL);
    cr_expect_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    free(all);
    free(out);
    merge_close(&m);
}

Test(command_merge, parts_that_do_not_fit)
{
    struct merged m;
    struct program program;
    merge_open(&m);
    char *out = path_of(m.folder, "all");
    char *other = run_new(m.folder, "other",
                          "grid: {filter: classic, hash: murmur2, keys: random64,"
                          " m: 64, n: 9, k: 2}\ntrials: 2\nqueries: 9\n",
                          NULL);
    program_run(&program, NULL, "merge", out, m.part[0], m.part[2], NULL);
    program_fails(&program, 2, "shard 2/3");
    program_run(&program, NULL, "merge", out, m.part[0], m.part[1], m.part[2], m.part[1], NULL);
    program_fails(&program, 2, m.part[1]); /* a cell twice */
    program_run(&program, NULL, "merge", out, m.part[0], other, NULL);
    program_fails(&program, 2, "not of one experiment");
    program_run(&program, NULL, "merge", out, m.part[0], m.folder, NULL);
    program_fails(&program, 2, "no finished run");
    program_run(&program, NULL, "merge", out, NULL);
    program_fails(&program, 2, "merge needs");
    cr_expect_not(folder_has(m.folder, "all"));
    char *parent = path_of(m.folder, "part1");
    program_run(&program, NULL, "merge", parent, m.part[0], m.part[1], m.part[2], NULL);
    program_fails(&program, 2, "written over");
    field_set(m.part[1], "trials.csv", 2, "false_positives", "7");
    program_run(&program, NULL, "merge", out, m.part[0], m.part[1], m.part[2], NULL);
    program_fails(&program, 1, "SHA-256");
    free(parent);
    free(other);
    free(out);
    merge_close(&m);
}

Test(command_merge, part_of_the_whole)
{
    struct merged m;
    struct program program;
    merge_open(&m);
    char *out = path_of(m.folder, "two"), *two = path_of(out, "x");
    char *out3 = path_of(m.folder, "three"), *three = path_of(out3, "x");
    program_run(&program, NULL, "merge", "--partial", out, m.part[0], m.part[2], NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_expect(strstr(program.out, "are missing"), "%s", program.out);
    program_release(&program);
    cr_expect_eq(rows_of(two, "trials.csv"),
                 rows_of(m.part[0], "trials.csv") + rows_of(m.part[2], "trials.csv"));
    program_run(&program, NULL, "verify", two, "--all", NULL);
    cr_expect_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    /* What was merged merges on. */
    program_run(&program, NULL, "merge", out3, two, m.part[1], NULL);
    cr_expect_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    char *a = file_load(m.whole, "cells.csv", NULL), *b = file_load(three, "cells.csv", NULL);
    same_text(a, b, "cells.csv");
    free(a);
    free(b);
    free(two);
    free(out);
    free(three);
    free(out3);
    merge_close(&m);
}
