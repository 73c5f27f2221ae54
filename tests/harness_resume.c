/* SPDX-License-Identifier: MIT
 *
 * harness_resume.c: runs of the program that die, are interrupted, meet one another or a full disk.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/harness_files.h"
#include "tests/harness_program.h"

enum { MILLISECOND = 1000 };

/* Work in trials of milliseconds; how many trials, the machine decides. */
static const char resume_long[] =
    "name: long\nquestion: y\ngrid: {filter: [classic, blocked, counting], hash: murmur3_x64_128,"
    " keys: random64, m: [60000, 70000], n: 9000, k: [4, 11]}\nqueries: 100000\ntrials: %u\n";

static char *resume_file(const char *folder, const char *text)
{
    file_save(folder, "experiment.yaml", text, strlen(text));
    return path_of(folder, "experiment.yaml");
}

/* Waits until trials.part holds more than `size` bytes, or the run has ended without it. */
static size_t resume_grown(const char *part, size_t size)
{
    struct stat info = {0};
    for (int i = 0; i < 60 * 1000 && (stat(part, &info) != 0 || (size_t)info.st_size <= size); i++)
        usleep(MILLISECOND);
    cr_assert_gt((size_t)info.st_size, size, "no trial is written");
    return (size_t)info.st_size;
}

static unsigned long resume_number(const char *json, const char *key)
{
    const char *at = strstr(json, key);
    cr_assert(at, "no %s", key);
    return strtoul(at + strlen(key) + 2, NULL, 10);
}

struct resume_end {
    unsigned long now, all; /* trials it ran, of how many */
    double seconds;
};

/* Runs to the end; the tables. */
static char *resume_end(struct resume_end *end, const char *file, const char *folder)
{
    cr_assert_eq(program_wait(program_sweep_start(file, folder, "1")), 0);
    char *run = path_of(folder, "long"), *json = file_load(run, "provenance.json", NULL);
    end->now = resume_number(json, "\"trials_run_now\"");
    end->all = resume_number(json, "\"trials\"");
    end->seconds = strtod(strstr(json, "\"seconds\"") + 10, NULL);
    cr_assert_not(folder_has(run, "trials.part"));
    char *tables = folder_tables(run);
    free(json);
    free(run);
    return tables;
}

/* A run of more than a second, so that it can be ended three times; its tables. */
static char *resume_whole(struct resume_end *end, char **file, const char *folder)
{
    for (unsigned trials = 4;; trials = (unsigned)(trials * (1 + 2 / end->seconds))) {
        char text[sizeof resume_long + 16];
        snprintf(text, sizeof text, resume_long, trials);
        *file = resume_file(folder, text);
        char *tables = resume_end(end, *file, folder);
        cr_assert_eq(end->now, end->all);
        if (end->seconds > 1.3)
            return tables;
        free(tables);
        free(*file);
    }
}

Test(harness_resume, killed_and_interrupted, .timeout = 300)
{
    static const struct {
        int signal, status, milliseconds;
    } ends[] = {{SIGKILL, 128 + SIGKILL, 1}, {SIGKILL, 128 + SIGKILL, 70}, {SIGINT, 130, 30}};
    char *folder = folder_new(), *other = folder_new(), *part = path_of(folder, "long/trials.part");
    char *file;
    struct resume_end end;
    char *whole = resume_whole(&end, &file, other);
    size_t size = 1000; /* more than the head */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        pid_t child = program_sweep_start(file, folder, "1");
        size = resume_grown(part, size);
        usleep((unsigned)ends[i].milliseconds * MILLISECOND);
        if (i == 2) { /* and while it runs: a second run in the same folder */
            struct program second;
            program_run(&second, NULL, "sweep", file, "--out", folder, NULL);
            program_fails(&second, 3, "another run");
        }
        kill(child, ends[i].signal);
        cr_assert_eq(program_wait(child), ends[i].status);
        cr_assert_not(folder_has(folder, "long/trials.csv"));
    }
    char *resumed = resume_end(&end, file, folder);
    cr_assert_lt(end.now, end.all);
    cr_assert_gt(end.now, 0);
    same_text(whole, resumed, "resumed");
    free(whole);
    free(resumed);
    free(part);
    free(file);
    folder_remove(folder);
    folder_remove(other);
}

static const char resume_short[] =
    "name: short\nquestion: y\ngrid: {filter: classic, hash: xxh64, keys: random64, m: 1..40,"
    " n: 9, k: 2}\ntrials: 2\nqueries: 50\n";

Test(harness_resume, what_another_plan_left)
{
    char *folder = folder_new(), *run = path_of(folder, "short");
    char *file = resume_file(folder, resume_short);
    struct program program;
    size_t size;
    cr_assert_eq(mkdir(run, 0777), 0);
    file_save(run, "trials.part", "not of this plan", 16);
    program_run(&program, NULL, "sweep", file, "--out", folder, "--quiet", "--no-plots", NULL);
    program_fails(&program, 2, "--fresh");
    char *kept = file_load(run, "trials.part", &size);
    cr_assert_str_eq(kept, "not of this plan");
    cr_assert_eq(folder_count(run), 1);
    program_run(&program, NULL, "sweep", file, "--out", folder, "--quiet", "--no-plots", "--fresh",
                NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert(folder_has(run, "cells.csv"));
    program_release(&program);
    free(kept);
    free(file);
    free(run);
    folder_remove(folder);
}

/* No file may grow beyond a limit: what a full disk does, without one. */
Test(harness_resume, a_disk_that_takes_no_more)
{
    char *folder = folder_new(), *run = path_of(folder, "short");
    char *file = resume_file(folder, resume_short);
    struct program program;
    struct surroundings full = {.file_bytes = 2000};
    program_run(&program, &full, "sweep", file, "--out", folder, "--quiet", "--no-plots", NULL);
    program_fails(&program, 3, "trials.part");
    cr_assert_eq(folder_count(run), 1, "a table is written");
    program_run(&program, NULL, "sweep", file, "--out", folder, "--quiet", "--no-plots", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    free(file);
    free(run);
    folder_remove(folder);
}

Test(harness_resume, a_table_that_cannot_be_written_leaves_the_old_one)
{
    /* Theory only: trials.csv is short, cells.csv is not. */
    char *folder = folder_new(), *run = path_of(folder, "short"), text[512];
    snprintf(text, sizeof text, "%s", resume_short);
    strcpy(strstr(text, "trials: 2"), "trials: 0\n");
    char *file = resume_file(folder, text);
    struct program program;
    struct surroundings full = {.file_bytes = 4000};
    program_run(&program, NULL, "sweep", file, "--out", folder, "--quiet", "--no-plots", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    char *before = folder_tables(run);
    program_run(&program, &full, "sweep", file, "--out", folder, "--quiet", "--no-plots", NULL);
    program_fails(&program, 3, "cells.csv");
    char *after = folder_tables(run);
    same_text(before, after, "tables");
    cr_assert_not(folder_has(run, "cells.csv.new"));
    free(before);
    free(after);
    free(file);
    free(run);
    folder_remove(folder);
}
