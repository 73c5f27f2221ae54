/* SPDX-License-Identifier: MIT
 *
 * schedule_threads.c: one trial of one cell that several threads share leaves the tables of one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/schedule/need.h"
#include "tests/harness_lab.h"

static char *tables_by(const char *filter, const char *sizes, unsigned threads)
{
    char text[512];
    struct lab lab;
    snprintf(text, sizeof text,
             "grid: {filter: [%s], hash: [murmur3_x64_128], keys: [random64], %s, "
             "k: [5]}\ntrials: 1\nqueries: 1048577\nseed: 3\n",
             filter, sizes);
    lab_open(&lab, text);
    lab_run(&lab, threads, UINT64_C(1) << 32, NULL);
    char *tables = lab_tables(&lab);
    lab_close(&lab);
    return tables;
}

static void threads_alike(const char *filter, const char *sizes)
{
    char *one = tables_by(filter, sizes, 1);
    for (unsigned threads = 2; threads <= 5; threads += 3) {
        char *several = tables_by(filter, sizes, threads);
        cr_expect_str_eq(several, one, "%s, %s, %u threads", filter, sizes, threads);
        free(several);
    }
    free(one);
}

Test(schedule_threads, one_trial_of_one_cell)
{
    static const char *const filters[] = {"classic", "partitioned", "blocked", "counting"};
    for (int i = 0; i < 4; i++)
        threads_alike(filters[i], "m: [2^20], n: [100001]");
}

/* Of few members one thread searches the first queries for collisions until there are enough
 * suspects: in the first cell never, in the second after a few batches. */
Test(schedule_threads, few_members_of_one_cell)
{
    threads_alike("classic", "m: [2^14], n: [1000]");
    threads_alike("classic", "m: [2^13], n: [5000]");
}

Test(schedule_threads, who_gets_them)
{
    struct need need = {.members = 1, .queries = UINT64_C(1) << 20, .cells = 1};
    cr_expect_eq(need_threads(&need, 4, 1), 4);
    cr_expect_eq(need_threads(&need, 4, 2), 2);
    cr_expect_leq(need_threads(&need, 4, 5), 1);
    need.queries = 1000;
    cr_expect_eq(need_threads(&need, 4, 1), 1, "few keys");
    need = (struct need){.members = 1, .queries = UINT64_C(1) << 20, .cells = 2};
    cr_expect_eq(need_threads(&need, 4, 1), 1, "cells that share their keys");
}
