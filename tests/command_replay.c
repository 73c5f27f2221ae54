/* SPDX-License-Identifier: MIT
 *
 * command_replay.c: a cell is told with the right numbers.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/command_tables.h"

static const char replay_grid[] =
    "grid: {filter: [classic, partitioned, blocked, double_hashing, scalable_linear, \"null\"],"
    " hash: [murmur3_x64_128], keys: random64, m: [64], n: 4, k: [4]}\n"
    "trials: 3\nqueries: 1000\nseed: 2\n";

static void replay_says(const char *text, const char *part)
{
    cr_expect(strstr(text, part), "'%s' is not said in:\n%s", part, text);
}

/* The cell of a filter, told. */
static void replay_filter(struct program *program, const char *folder, const char *run,
                          const char *filter, const char *option)
{
    char *id =
        field_get(run, "cells.csv", row_where(run, "cells.csv", "filter", filter), "cell_id");
    program_run(program, NULL, "replay", id, "--in", folder, option, NULL);
    cr_assert_eq(program->status, 0, "%s", program->err);
    replay_says(program->out, id);
    cr_expect_not(strstr(program->out, "nan"), "%s", program->out);
    free(id);
}

/* (m, n, k) = (64, 4, 4): standard (1-e^(-1/4))^4, partitioned (1-(15/16)^4)^4. */
Test(command_replay, formulas_with_numbers)
{
    char *folder = folder_new(), *run = run_new(folder, "out", replay_grid, NULL);
    struct program program;
    replay_filter(&program, folder, run, "classic", NULL);
    replay_says(program.out, "= (1 - e^(-4*4/64))^4\n    = 0.0023940562");
    replay_says(program.out, "Bose et al., IPL 108, 2008");
    replay_says(program.out, "64 (1 - (1 - 1/64)^(4*4))");
    replay_says(program.out, "VERDICT");
    replay_says(program.out, "FAIL  P < 1e-06");
    replay_says(program.out, "the same as in trials.csv, to the last digit");
    program_release(&program);
    replay_filter(&program, folder, run, "partitioned", NULL);
    replay_says(program.out, "= (1 - (1 - 1/16)^4)^4\n    = 0.0026798307");
    program_release(&program);
    replay_filter(&program, folder, run, "blocked", NULL);
    replay_says(program.out, "sum_i Binomial(i; 4, 1/1) exact(512, i, 4)");
    replay_says(program.out, "m_actual = 512 positions: not what was asked for");
    program_release(&program);
    replay_filter(&program, folder, run, "double_hashing", NULL);
    replay_says(program.out, "inclusion and exclusion");
    program_release(&program);
    replay_filter(&program, folder, run, "scalable_linear", NULL);
    program_release(&program);
    replay_filter(&program, folder, run, "null", NULL);
    program_release(&program);
    free(run);
    folder_remove(folder);
}

/* Hits, bits and seed of every trial stand there as in trials.csv; with --trial only that one. */
Test(command_replay, trials)
{
    char *folder = folder_new(), *run = run_new(folder, "out", replay_grid, NULL), line[256];
    size_t first = row_where(run, "trials.csv", "filter", "classic");
    struct program all, one;
    replay_filter(&all, run, run, "classic", NULL);
    replay_filter(&one, run, run, "classic", "--trial=1");
    for (size_t t = 0; t < 3; t++) {
        char *seed = field_get(run, "trials.csv", first + t, "seed");
        char *bits = field_get(run, "trials.csv", first + t, "bits_set");
        char *hits = field_get(run, "trials.csv", first + t, "false_positives");
        snprintf(line, sizeof line, "%5zu %20s %10s %10s", t, seed, bits, hits);
        replay_says(all.out, line);
        cr_expect_eq(strstr(one.out, line) != NULL, t == 1, "trial %zu:\n%s", t, one.out);
        free(seed);
        free(bits);
        free(hits);
    }
    char *digest = field_get(run, "trials.csv", first + 1, "bits_digest");
    replay_says(one.out, digest);
    free(digest);
    program_release(&all);
    program_release(&one);
    free(run);
    folder_remove(folder);
}

Test(command_replay, what_cannot_be_told)
{
    char *folder = folder_new(), *run = run_new(folder, "out", replay_grid, NULL);
    char *id = field_get(run, "cells.csv", 0, "cell_id");
    struct program program;
    program_run(&program, NULL, "replay", "0123456789abcdef", "--in", folder, NULL);
    program_fails(&program, 2, "0123456789abcdef");
    program_run(&program, NULL, "replay", "cell", "--in", folder, NULL);
    program_fails(&program, 2, "16 hexadecimal digits");
    program_run(&program, NULL, "replay", id, "--in", folder, "--trial", "3", NULL);
    program_fails(&program, 2, "has 3 trials");
    program_run(&program, NULL, "replay", "--in", folder, NULL);
    program_fails(&program, 2, "a cell's id");
    field_set(run, "trials.csv", 1, "keys_digest", "0123456789abcdef");
    program_run(&program, NULL, "replay", id, "--in", folder, NULL);
    program_fails(&program, 1, "keys_digest is 0123456789abcdef");
    free(id);
    free(run);
    folder_remove(folder);
}
