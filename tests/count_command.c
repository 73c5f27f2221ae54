/* SPDX-License-Identifier: MIT
 *
 * count_command.c: `bloomlab count`: streams of every shape, intervals, words it does not take.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/stream/distinct.h"
#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

TestSuite(count_command, .timeout = 120);

/* Runs count with --csv and the options; the row becomes a table. */
static struct csv *count_table(const struct surroundings *around, const char *a, const char *b,
                               const char *c, const char *d)
{
    struct program program;
    char *folder = folder_new(), *path = path_of(folder, "count.csv");
    program_run(&program, around, "count", "--csv", "--exact", a, b, c, d, NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    file_save(folder, "count.csv", program.out, program.out_bytes);
    struct csv *table = csv_read(path);
    cr_assert_eq(csv_rows(table), 1);
    program_release(&program);
    free(path);
    folder_remove(folder);
    return table;
}

static void count_is(const char *input, size_t bytes, const char *option, unsigned lines,
                     unsigned distinct)
{
    struct surroundings around = {.input = input, .input_bytes = bytes};
    struct csv *table = count_table(&around, option, NULL, NULL, NULL);
    cr_assert_eq(csv_integer(table, 0, "lines"), lines, "%s", input);
    cr_assert_eq(csv_integer(table, 0, "exact"), distinct, "%s", input);
    cr_assert_eq(llround(csv_number(table, 0, "distinct")), distinct, "%s", input);
    cr_assert_leq(csv_number(table, 0, "lo"), distinct);
    cr_assert_geq(csv_number(table, 0, "hi"), distinct);
    csv_free(table);
}

Test(count_command, streams_of_every_shape)
{
    count_is("", 0, NULL, 0, 0);
    count_is("\n", 0, NULL, 1, 1);
    count_is("a", 0, NULL, 1, 1);
    count_is("a\nb\na\nc", 0, NULL, 4, 3);
    count_is("a\r\na\nb\r\n\n\n", 0, NULL, 5, 3);
    count_is("a\0b\na\0b\na\0c\n", 12, NULL, 3, 2);
    count_is("a\nb\0a\nb\0c", 9, "--null", 3, 2);
    count_is("a\nb\na\n", 0, "--hash=murmur2", 3, 2);
    count_is("a\nb\na\n", 0, "--seed=18446744073709551615", 3, 2);
}

Test(count_command, one_value_a_million_times)
{
    enum { TIMES = 1000000, SIZE = 6 };
    char *text = malloc((size_t)TIMES * SIZE);
    for (size_t i = 0; i < TIMES; i++)
        memcpy(text + i * SIZE, "value\n", SIZE);
    struct surroundings around = {.input = text, .input_bytes = (size_t)TIMES * SIZE};
    struct program program;
    program_run(&program, &around, "count", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_eq(strncmp(program.out, "1 distinct of 1000000 lines\n95 % interval: 1 to 1\n", 50),
                 0, "%s", program.out);
    program_release(&program);
    free(text);
}

/* 1000 lines and 64 registers: the estimate of seed 1 is above the lines, and stays as it is. */
Test(count_command, estimates_above_the_lines_are_told)
{
    char text[4000], *end = text;
    for (unsigned i = 1; i <= 1000; i++)
        end += sprintf(end, "%u\n", i);
    struct program program;
    program_run(&program, &(struct surroundings){.input = text}, "count", "--precision=6",
                "--seed=1", NULL);
    unsigned estimate, lines;
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_eq(sscanf(program.out,
                        "%u distinct estimated, from %u lines: no more than these can be\n",
                        &estimate, &lines),
                 2, "%s", program.out);
    cr_expect_eq(lines, 1000);
    cr_expect_gt(estimate, lines);
    program_release(&program);
}

Test(count_command, nothing_at_all)
{
    struct program program;
    program_run(&program, NULL, "count", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_eq(strncmp(program.out, "0 distinct of 0 lines\n95 % interval: 0 to 0\n", 44), 0,
                 "%s", program.out);
    program_release(&program);
}

/* The numbers from .. to - 1, a line each. */
static char *numbers(unsigned from, unsigned to, size_t *bytes)
{
    char *text = malloc((size_t)(to - from) * 11 + 1);
    *bytes = 0;
    for (unsigned i = from; i < to; i++)
        *bytes += (size_t)sprintf(text + *bytes, "%u\n", i);
    return text;
}

/* Two files and standard input, which overlap. */
Test(count_command, several_files_are_one_stream)
{
    size_t bytes;
    char *folder = folder_new(), *a = path_of(folder, "a"), *b = path_of(folder, "b");
    char *text = numbers(0, 3000, &bytes);
    file_save(folder, "a", text, bytes);
    free(text);
    text = numbers(2000, 5000, &bytes);
    file_save(folder, "b", text, bytes);
    free(text);
    struct surroundings around = {.input = "17\nx\n4999\n"};
    struct csv *table = count_table(&around, a, b, "-", "--precision=18");
    cr_assert_eq(csv_integer(table, 0, "lines"), 6003);
    cr_assert_eq(csv_integer(table, 0, "exact"), 5001);
    cr_assert_float_eq(csv_number(table, 0, "distinct"), 5001, 5 * 5001 * 0.0015);
    cr_assert(csv_is(table, 0, "params", "precision=18"));
    csv_free(table);
    free(a);
    free(b);
    folder_remove(folder);
}

Test(count_command, a_line_of_a_megabyte)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(2 * SIZE + 4);
    memset(text, 'x', 2 * SIZE + 4);
    text[SIZE] = text[2 * SIZE + 1] = '\n';
    text[2 * SIZE + 3] = '\n';
    struct surroundings around = {.input = text, .input_bytes = 2 * SIZE + 4};
    struct csv *table = count_table(&around, NULL, NULL, NULL, NULL);
    cr_assert_eq(csv_integer(table, 0, "lines"), 3);
    cr_assert_eq(csv_integer(table, 0, "exact"), 2);
    cr_assert_eq(llround(csv_number(table, 0, "distinct")), 2);
    csv_free(table);
    free(text);
}

Test(count_command, sizes)
{
    static const struct {
        const char *option, *more;
        const char *params;
        unsigned long long m, bytes;
    } cases[] = {
        {"--relative-error=1%", NULL, "precision=14", 16384, 12288},
        {"--relative-error=0.008125", NULL, "precision=14", 16384, 12288},
        {"--relative-error=0.8%", NULL, "precision=15", 32768, 24576},
        {"--relative-error=1", NULL, "precision=4", 16, 12},
        {"--method=bloom", "--bits=2^16", "", 65536, 8192},
        {"--precision=4", NULL, "precision=4", 16, 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct surroundings around = {.input = "a\nb\n"};
        struct csv *table = count_table(&around, cases[i].option, cases[i].more, NULL, NULL);
        cr_assert(csv_is(table, 0, "params", cases[i].params), "%s", cases[i].option);
        cr_assert_eq(csv_integer(table, 0, "m"), cases[i].m);
        cr_assert_eq(csv_integer(table, 0, "memory_bytes"), cases[i].bytes);
        csv_free(table);
    }
}

Test(count_command, a_full_filter_says_so)
{
    size_t bytes;
    char *text = numbers(0, 1000, &bytes);
    struct surroundings around = {.input = text, .input_bytes = bytes};
    struct csv *table = count_table(&around, "--method=bloom", "--bits=64", "--hashes=3", NULL);
    cr_assert_eq(csv_number(table, 0, "distinct"), INFINITY);
    cr_assert_eq(csv_number(table, 0, "lo"), 22);
    cr_assert_eq(csv_number(table, 0, "hi"), 1000);
    cr_assert(csv_empty(table, 0, "relative_error"));
    csv_free(table);
    free(text);
}

Test(count_command, what_it_does_not_take)
{
    static const char *const cases[][5] = {
        {"--precision", "3", NULL, NULL, "between 4 and 18"},
        {"--precision", "19", NULL, NULL, "between 4 and 18"},
        {"--relative-error", "0.002", NULL, NULL, "between 0.00203125 and 1"},
        {"--precision", "14", "--relative-error", "1%", "say the same"},
        {"--method", "guess", NULL, NULL, "hyperloglog or bloom, not guess"},
        {"--method", "bloom", NULL, NULL, "needs --bits"},
        {"--bits", "100", NULL, NULL, "need --method bloom"},
        {"--method=bloom", "--bits=100", "--precision", "5", "HyperLogLog's"},
        {"--hash", "md5", NULL, NULL, "there is no hash md5"},
        {"--hash", "murmur3_x86_32", "--bogus", NULL, "no option --bogus"},
        {"/nonexistent/file", NULL, NULL, NULL, "cannot read /nonexistent/file"},
        {"--hash", "fmix64", NULL, NULL, "standard input, line 2: fmix64 takes ids of 8 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program program;
        struct surroundings around = {.input = "12345678\n123456789\n"};
        program_run(&program, &around, "count", cases[i][0], cases[i][1], cases[i][2], cases[i][3],
                    NULL);
        program_fails(&program, 2, cases[i][4]);
    }
}

Test(count_command, a_pipe_that_nobody_reads)
{
    struct surroundings around = {.input = "a\n", .closed_pipe = true};
    struct program program;
    program_run(&program, &around, "count", NULL);
    program_fails(&program, 3, "cannot write standard output");
}

/* ---- the interval -----------------------------------------------------------------------------
 */

static struct distinct_count counted(FILE *file, const char *filter, uint64_t m, unsigned k,
                                     uint64_t seed)
{
    struct distinct distinct = {0};
    struct stream_reader reader;
    struct error err;
    struct filter_params params = {
        .m = m, .n = 1, .k = k, .digest_bits = 64, .digest_columns = FAMILY_UNLIMITED};
    struct distinct_settings settings = {
        .ops = filter_find(filter),
        .family = {.family = FAMILY_SEEDED,
                   .hash = hash_find("xxh3_64"),
                   .digest_bits = 64,
                   .hash_seed = seed},
    };
    filter_params_defaults(&params, settings.ops);
    cr_assert_eq(settings.ops->plan(&settings.layout, &params, &err), OK);
    cr_assert_eq(distinct_open(&distinct, &settings, &err), OK);
    cr_assert_eq(lseek(fileno(file), 0, SEEK_SET), 0);
    stream_reader_open(&reader, fileno(file), "the file", STREAM_LINES);
    cr_assert_eq(distinct_read(&distinct, &reader, NULL, &err), OK);
    struct distinct_count count = distinct_count(&distinct);
    stream_reader_release(&reader);
    distinct_release(&distinct);
    return count;
}

/* 400 seeds: of intervals that hold the truth with 95 % fewer than 92 % or more than 98.5 % do so
 * with probability under 1e-3 each; seeds are fixed. Each line stands twice, so that the number of
 * lines cuts nothing off. */
Test(count_command, intervals_cover)
{
    static const struct {
        const char *filter;
        uint64_t m;
        unsigned k;
    } cases[] = {{"hyperloglog", 0, 0}, {"classic", 8192, 1}, {"classic", 30000, 4}};
    size_t bytes;
    FILE *file = tmpfile();
    char *text = numbers(0, 6000, &bytes);
    fwrite(text, 1, bytes, file);
    fwrite(text, 1, bytes, file);
    fflush(file);
    free(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned covers = 0;
        for (uint64_t seed = 1; seed <= 400; seed++) {
            struct distinct_count count =
                counted(file, cases[i].filter, cases[i].m, cases[i].k, seed);
            covers += count.lo <= 6000 && 6000 <= count.hi;
            cr_assert_leq(count.hi, 12000);
        }
        cr_expect_geq(covers, 368, "%s m %u: %u of 400", cases[i].filter, (unsigned)cases[i].m,
                      covers);
        cr_expect_leq(covers, 394, "%s m %u: %u of 400", cases[i].filter, (unsigned)cases[i].m,
                      covers);
    }
    fclose(file);
}
