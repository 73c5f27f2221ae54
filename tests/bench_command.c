/* SPDX-License-Identifier: MIT
 *
 * bench_command.c: `bloomlab bench` and `sweep --profile` as a user runs them.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

static const char bench_text[] =
    "name: mine\nquestion: q\ngrid:\n  filter: [classic, split_block]\n  hash: [xxh3_64]\n"
    "  keys: [uuid4]\n  m: [\"2^12\", \"2^13\"]\n  bits_per_key: [10]\n  k: [7]\n";

Test(bench_command, file)
{
    struct program program;
    char *folder = folder_new(), *file = path_of(folder, "mine.yaml");
    file_save(folder, "mine.yaml", bench_text, sizeof bench_text - 1);
    program_run(&program, NULL, "bench", file, "--out", folder, "--quick", "--rounds", "2",
                "--max-size", "512", "--filter", "classic", "--quiet", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    char *run = path_of(folder, "mine"), *path = path_of(run, "timings.csv");
    struct csv *table = csv_read(path);
    cr_assert_eq(csv_rows(table), 26);
    for (size_t r = 0; r < csv_rows(table); r++) {
        cr_expect_str_eq(csv_text(table, r, "filter"), "classic");
        cr_expect_eq(csv_integer(table, r, "bytes"), 512);
        cr_expect_eq(csv_integer(table, r, "rounds"), 2);
        cr_expect_str_eq(csv_text(table, r, "keys"), "uuid4");
        cr_expect_float_eq(csv_number(table, r, "ratio_to_floor"),
                           csv_number(table, r, "ns_per_key") / csv_number(table, r, "floor_ns"),
                           1e-3 * csv_number(table, r, "ratio_to_floor"));
    }
    csv_free(table);
    char *provenance = file_load(run, "provenance.json", NULL);
    static const char *const facts[] = {"\"cpu\"",          "\"cache_bytes\"", "\"governor\"",
                                        "\"compiler\"",     "\"flags\"",       "\"huge_pages\"",
                                        "\"load_average\"", "\"pinned_cpu\"",  "\"timings.csv\""};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        cr_expect(strstr(provenance, facts[i]) != NULL, "%s", facts[i]);
    cr_expect(folder_has(run, "bench-size.png"));
    cr_expect(folder_has(run, "index.html"));
    free(provenance);
    free(path);
    free(run);
    free(file);
    folder_remove(folder);
    program_release(&program);
}

Test(bench_command, bad_input)
{
    struct program program;
    program_run(&program, NULL, "bench", "--filter", "nope", NULL);
    program_fails(&program, 2, "there is no filter nope");
    program_run(&program, NULL, "bench", "--filter", "hyperloglog", NULL);
    program_fails(&program, 2, "answers no membership queries");
    program_run(&program, NULL, "bench", "--filter", "blocked:block_bits=100", NULL);
    program_fails(&program, 2, "block_bits");
    program_run(&program, NULL, "bench", "--filter", "blocked:block_bits", NULL);
    program_fails(&program, 2, "is not PARAMETER=VALUE");
    program_run(&program, NULL, "bench", "--path", "mmx", NULL);
    program_fails(&program, 2, "there is no path mmx");
    program_run(&program, NULL, "bench", "--rounds", "0", NULL);
    program_fails(&program, 2, "--rounds");
    program_run(&program, NULL, "bench", "--max-size", "0", NULL);
    program_fails(&program, 2, "--max-size is 0");
    program_run(&program, NULL, "bench", "--max-size", "1024TiB", NULL);
    program_fails(&program, 2, "this machine has memory for one of");
    program_run(&program, NULL, "bench", "--quick", "--out", "/dev/null/x", NULL);
    program_fails(&program, 3, "cannot make the folder /dev/null");
    program_run(&program, NULL, "bench", "--bits-per-key", "-1", NULL);
    program_fails(&program, 2, "--bits-per-key");
    program_run(&program, NULL, "bench", "--part", "all", NULL);
    program_fails(&program, 2, "bench has no part all");
    program_run(&program, NULL, "bench", "nowhere.yaml", NULL);
    program_fails(&program, 2, "nowhere.yaml");
    program_run(&program, NULL, "bench", "a.yaml", "b.yaml", NULL);
    program_fails(&program, 2, "not also b.yaml");
}

/* The profile changes no table, and names where time goes. */
Test(bench_command, profile)
{
    struct program program;
    char *folder = folder_new(), *plain = path_of(folder, "plain"), *seen = path_of(folder, "seen");
    program_run(&program, NULL, "sweep", "tests/data/small.yaml", "--out", plain, "--quiet",
                "--no-plots", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_expect_str_eq(program.out, "");
    program_release(&program);
    program_run(&program, NULL, "sweep", "tests/data/small.yaml", "--out", seen, "--quiet",
                "--no-plots", "--profile", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    static const char *const stages[] = {"keys", "digests", "insert", "query", "theory", "tables"};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        cr_expect(strstr(program.out, stages[i]) != NULL, "%s", stages[i]);
    char *a_folder = path_of(plain, "small"), *b_folder = path_of(seen, "small");
    char *a = folder_tables(a_folder), *b = folder_tables(b_folder);
    same_text(a, b, "tables with and without --profile");
    free(a);
    free(b);
    free(a_folder);
    free(b_folder);
    free(plain);
    free(seen);
    folder_remove(folder);
    program_release(&program);
}
