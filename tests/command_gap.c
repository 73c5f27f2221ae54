/* SPDX-License-Identifier: MIT
 *
 * command_gap.c: `predict --gap`: the smallest m, found again by looking at every one.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "filters/theory/partitioned.h"
#include "harness/command/gap.h"
#include "hashes/family.h"
#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"

/* The table for a variant with P = gap; param NULL: its defaults. */
static struct csv *gap_table(double gap, const char *filter, double bits_per_key, unsigned k,
                             const char *param, const char *value)
{
    struct error err;
    struct text text = {0};
    struct gap_request request = {
        .ops = filter_find(filter),
        .params = {.digest_bits = 64, .digest_columns = FAMILY_UNLIMITED},
        .bits_per_key = bits_per_key,
        .k = k,
        .gap = gap,
        .csv = true,
    };
    filter_params_defaults(&request.params, request.ops);
    if (param)
        cr_assert_eq(filter_params_set(&request.params, request.ops, param, value, &err), OK);
    cr_assert_eq(gap_find(&text, &request, &err), OK, "%s", err.text);
    char *folder = folder_new(), *path = path_of(folder, "gap.csv");
    file_save(folder, "gap.csv", text.data, text.size);
    struct csv *table = csv_read(path);
    text_release(&text);
    free(path);
    folder_remove(folder);
    return table;
}

static size_t gap_row(const struct csv *table, uint64_t m)
{
    for (size_t row = 0; row < csv_rows(table); row++)
        if (csv_integer(table, row, "m") == m)
            return row;
    cr_assert_fail("no m %llu", (unsigned long long)m);
    return 0;
}

/* Rows of exact rates, and the classic ones beside them: m/n = 8, k = 4 and 5. */
Test(command_gap, double_hashing_against_exact_rationals)
{
    struct csv *oracle = csv_read("tests/data/double_hashing.csv");
    unsigned checked = 0;
    for (unsigned k = 4; k <= 5; k++) {
        struct csv *table = gap_table(0.1, "double_hashing", 8, k, NULL, NULL);
        for (size_t i = 0; i < csv_rows(oracle); i++) {
            uint64_t m = csv_integer(oracle, i, "m");
            if (!csv_is(oracle, i, "scheme", "double_odd") || csv_integer(oracle, i, "k") != k ||
                csv_integer(oracle, i, "n") * 8 != m)
                continue;
            double gap =
                csv_number(oracle, i, "p_exact") / csv_number(oracle, i, "p_exact_independent") - 1;
            double said = csv_number(table, gap_row(table, m), "gap");
            cr_expect_lt(fabs(said / gap - 1), 1e-5, "m %llu k %u: %.8g, not %.8g",
                         (unsigned long long)m, k, said, gap);
            checked++;
        }
        csv_free(table);
    }
    cr_expect_geq(checked, 4, "%u rows", checked);
    csv_free(oracle);
}

/* The gap falls like C/m; at the answer it is within, at half of it not. */
Test(command_gap, falls_like_one_over_m)
{
    struct csv *table = gap_table(0.01, "double_hashing", 12, 8, NULL, NULL);
    size_t last = csv_rows(table) - 1, at = gap_row(table, csv_integer(table, 0, "smallest_m"));
    double scaled = csv_number(table, last, "gap_times_m");
    cr_expect(csv_is(table, at, "within", "1") && csv_is(table, at - 1, "within", "0"));
    cr_expect_lt(csv_number(table, at, "gap"), 0.01);
    cr_expect_gt(csv_number(table, at - 1, "gap"), 0.01);
    for (size_t row = at; row <= last; row++) {
        cr_expect(csv_is(table, row, "within", "1"));
        cr_expect_lt(fabs(csv_number(table, row, "gap_times_m") / scaled - 1), 0.01);
    }
    cr_expect_gt(last, at + 2);
    csv_free(table);
}

/* Slices of floor(m/k) bits, n = round(m/c) keys. */
static double partitioned_gap(uint64_t m, double c, unsigned k)
{
    uint64_t n = (uint64_t)llround((double)m / c), slice = m / k;
    return theory_fpr_partitioned(slice, n, k) / theory_fpr_exact(slice * k, n, k) - 1;
}

/* The last m whose gap is above P, found by looking at every one up to 4096. */
Test(command_gap, between_powers_of_two)
{
    static const struct {
        double gap, c;
        unsigned k;
    } cases[] = {{0.02, 10, 6}, {0.01, 12, 8}, {0.005, 8, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct csv *table =
            gap_table(cases[i].gap, "partitioned", cases[i].c, cases[i].k, NULL, NULL);
        uint64_t smallest = 0;
        for (uint64_t m = 64; m <= 4096; m++)
            if (partitioned_gap(m, cases[i].c, cases[i].k) > cases[i].gap)
                smallest = m + 1;
        cr_expect_eq(csv_integer(table, 0, "smallest_m"), smallest, "%llu, not %llu",
                     (unsigned long long)csv_integer(table, 0, "smallest_m"),
                     (unsigned long long)smallest);
        csv_free(table);
    }
}

/* A block stays a block however many there are; classic is within from the start. */
Test(command_gap, never_and_always)
{
    struct csv *table = gap_table(0.01, "blocked", 10, 6, "block_bits", "512");
    cr_expect(csv_empty(table, 0, "smallest_m"));
    cr_expect_gt(csv_number(table, csv_rows(table) - 1, "gap"), 0.1);
    csv_free(table);
    table = gap_table(0.3, "blocked", 10, 6, "block_bits", "512");
    cr_expect_eq(csv_integer(table, 0, "smallest_m"), csv_integer(table, 0, "m"));
    csv_free(table);
    table = gap_table(1e-9, "classic", 10, 6, NULL, NULL);
    cr_expect_eq(csv_integer(table, 0, "smallest_m"), csv_integer(table, 0, "m"));
    csv_free(table);
}

Test(command_gap, what_cannot_be_asked)
{
    struct program program;
    program_run(&program, NULL, "predict", "--gap", "1%", "--filter", "classic", "--k", "3", NULL);
    program_fails(&program, 2, "--bits-per-key");
    program_run(&program, NULL, "predict", "--gap", "0", "--filter", "classic", "--k", "3", NULL);
    program_fails(&program, 2, "--gap is 0");
    program_run(&program, NULL, "predict", "--gap", "1%", "--filter", "hyperloglog",
                "--bits-per-key", "8", NULL);
    program_fails(&program, 2, "hyperloglog");
    program_run(&program, NULL, "predict", "--bits-per-key", "8", "--filter", "classic", "--k", "3",
                NULL);
    program_fails(&program, 2, "--bits-per-key goes with --gap");
    program_run(&program, NULL, "predict", "--gap", "1%", "--filter", "partitioned", "--m", "800",
                "--n", "100", "--k", "5", NULL);
    cr_expect_eq(program.status, 0, "%s", program.err);
    cr_expect(strstr(program.out, "8 positions per key") && strstr(program.out, "smallest m = "),
              "%s", program.out);
    program_release(&program);
}
