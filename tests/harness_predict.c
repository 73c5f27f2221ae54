/* SPDX-License-Identifier: MIT
 *
 * harness_predict.c: `bloomlab predict` and `bloomlab size` beside tables computed elsewhere.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/harness_files.h"
#include "tests/harness_program.h"
#include "tests/near.h"

/* 12 significant digits. */
static const double predict_digits = 1e-11;

/* Standard output as a table. */
static struct csv *predict_table(struct program *program)
{
    cr_assert_eq(program->status, 0, "%s", program->err);
    char *folder = folder_new(), *path = path_of(folder, "out.csv");
    file_save(folder, "out.csv", program->out, program->out_bytes);
    struct csv *table = csv_read(path);
    program_release(program);
    free(path);
    folder_remove(folder);
    return table;
}

static struct csv *predict(const char *filter, const char *m, const char *n, const char *k,
                           const char *param)
{
    struct program program;
    program_run(&program, NULL, "predict", "--csv", "--filter", filter, "--m", m, "--n", n, "--k",
                k, param ? "--param" : NULL, param, NULL);
    return predict_table(&program);
}

Test(harness_predict, every_row_of_the_classic_oracle)
{
    struct csv *oracle = csv_read("tests/data/standard.csv");
    for (size_t r = 0; r < csv_rows(oracle); r++) {
        struct csv *table = predict("classic", csv_text(oracle, r, "m"), csv_text(oracle, r, "n"),
                                    csv_text(oracle, r, "k"), NULL);
        cr_assert_eq(csv_rows(table), 1);
        NEAR(csv_number(table, 0, "fpr_standard"), csv_number(oracle, r, "p_standard"),
             predict_digits);
        NEAR(csv_number(table, 0, "fpr_bloom"), csv_number(oracle, r, "p_bloom"), predict_digits);
        NEAR(csv_number(table, 0, "fpr_exact"), csv_number(oracle, r, "p_exact"), predict_digits);
        NEAR(csv_number(table, 0, "fpr_model"), csv_number(oracle, r, "p_exact"), predict_digits);
        NEAR(csv_number(table, 0, "expected_bits"), csv_number(oracle, r, "EX"), predict_digits);
        csv_free(table);
    }
    csv_free(oracle);
}

Test(harness_predict, partitioned_oracle)
{
    struct csv *oracle = csv_read("tests/data/partitioned.csv");
    for (size_t r = 0; r < csv_rows(oracle); r++) {
        struct csv *table = predict("partitioned", csv_text(oracle, r, "m"),
                                    csv_text(oracle, r, "n"), csv_text(oracle, r, "k"), NULL);
        cr_assert_str_eq(csv_text(table, 0, "m_actual"), csv_text(oracle, r, "m_used"));
        NEAR(csv_number(table, 0, "fpr_model"), csv_number(oracle, r, "p_floor"), predict_digits);
        csv_free(table);
    }
    csv_free(oracle);
}

Test(harness_predict, blocks_of_given_bits)
{
    struct csv *oracle = csv_read("tests/data/blocked.csv");
    size_t rows = 0;
    for (size_t r = 0; r < csv_rows(oracle); r += 9) {
        char m[32], param[32];
        if (strncmp(csv_text(oracle, r, "scheme"), "blocked_B", 9) != 0)
            continue;
        uint64_t bits = csv_integer(oracle, r, "B");
        snprintf(m, sizeof m, "%lu", bits * csv_integer(oracle, r, "nb"));
        snprintf(param, sizeof param, "block_bits=%lu", bits);
        struct csv *table =
            predict("blocked", m, csv_text(oracle, r, "n"), csv_text(oracle, r, "k"), param);
        cr_assert_str_eq(csv_text(table, 0, "params"), param);
        NEAR(csv_number(table, 0, "fpr_model"), csv_number(oracle, r, "binom_exact"), 1e-10);
        csv_free(table);
        rows++;
    }
    cr_assert_gt(rows, 20);
    csv_free(oracle);
}

Test(harness_predict, ranges_are_a_product_the_last_fastest)
{
    struct csv *table = predict("classic", "2^4..2^6", "1..9 by 4", "1..3", NULL);
    cr_assert_eq(csv_rows(table), 27);
    for (size_t r = 0; r < 27; r++) {
        cr_assert_eq(csv_integer(table, r, "m"), 16u << r / 9);
        cr_assert_eq(csv_integer(table, r, "n"), 1 + 4 * (r / 3 % 3));
        cr_assert_eq(csv_integer(table, r, "k"), 1 + r % 3);
    }
    csv_free(table);
}

Test(harness_predict, empty_filters_and_unused_axes)
{
    struct program program;
    struct csv *table = predict("classic", "1..64", "0", "7", NULL);
    cr_assert_eq(csv_rows(table), 64);
    for (size_t r = 0; r < 64; r++)
        cr_assert(csv_is(table, r, "fpr_exact", "0") && csv_is(table, r, "fpr_standard", "0"));
    csv_free(table);
    program_run(&program, NULL, "predict", "--filter", "scalable_linear", "--n", "1001", "--param",
                "initial_capacity=1000", "--param", "target_rate=0.01", "--csv", NULL);
    table = predict_table(&program);
    cr_assert_eq(csv_rows(table), 1);
    cr_assert(csv_empty(table, 0, "m") && csv_empty(table, 0, "k"));
    csv_free(table);
    table = predict("null", "64", "10", "3", NULL);
    cr_assert(csv_empty(table, 0, "m_actual") && csv_empty(table, 0, "fpr_standard"));
    cr_assert_str_eq(csv_text(table, 0, "fpr_model"), "1");
    csv_free(table);
}

Test(harness_predict, what_double_hashing_costs)
{
    /* (1024,64,8): independent 0.00058180, odd step 0.00110786. */
    struct csv *table = predict("double_hashing", "1024", "64", "8", NULL);
    NEAR(csv_number(table, 0, "fpr_exact"), 0.00058180, 1e-4);
    NEAR(csv_number(table, 0, "fpr_model"), 0.00110786, 1e-5);
    csv_free(table);
}

static void predict_refuses(const char *filter, const char *m, const char *k, const char *param,
                            const char *value, const char *bound)
{
    struct program program;
    program_run(&program, NULL, "predict", "--filter", filter, "--m", m, "--n", "10", "--k", k,
                param ? "--param" : NULL, param, NULL);
    cr_assert(strstr(program.err, value), "%s", program.err);
    cr_assert_str_eq(program.out, "");
    program_fails(&program, 2, bound);
}

Test(harness_predict, sentences_name_value_and_bound)
{
    predict_refuses("classic", "0", "1", NULL, "m is 0", "between 1 and 281474976710656");
    predict_refuses("classic", "8", "0", NULL, "k is 0", "between 1 and 256");
    predict_refuses("classic", "8", "257", NULL, "k is 257", "256");
    predict_refuses("classic", "-8", "2", NULL, "-8", "1");
    predict_refuses("classic", "2^49", "2", NULL, "2^49", "281474976710656");
    predict_refuses("classic", "9..1", "2", NULL, "9..1", "backwards");
    predict_refuses("partitioned", "4", "5", NULL, "5", "4");
    predict_refuses("blocked", "4096", "5", "block_bits=8192", "8192", "4096");
    predict_refuses("blocked", "4096", "5", "block_bits", "block_bits", "NAME=VALUE");
    predict_refuses("blocked", "4096", "5", "blocks=7", "blocks", "block_bits");
    predict_refuses("classic", "4096", "5", "x=7", "\"x\"", "none");
    predict_refuses("classik", "4096", "5", NULL, "classik", "list filters");
    predict_refuses("classic", "1..1000", "1..256", NULL, "1000 m", "100000");
}

/* ---- size ------------------------------------------------------------------------------------ */

static struct csv *predict_size(const char *n, const char *p, const char *memory)
{
    struct program program;
    program_run(&program, NULL, "size", "--n", n, "--p", p, "--csv", memory ? "--memory" : NULL,
                memory, NULL);
    return predict_table(&program);
}

Test(harness_size, every_row_of_the_oracle)
{
    struct csv *oracle = csv_read("tests/data/sizing.csv");
    for (size_t r = 0; r < csv_rows(oracle); r++) {
        struct csv *table = predict_size(csv_text(oracle, r, "n"), csv_text(oracle, r, "p"), NULL);
        cr_assert_str_eq(csv_text(table, 0, "m"), csv_text(oracle, r, "m_ceil"));
        cr_assert_str_eq(csv_text(table, 0, "k"), csv_text(oracle, r, "k_best_std"));
        cr_assert_str_eq(csv_text(table, 0, "bytes"), csv_text(oracle, r, "bytes"));
        NEAR(csv_number(table, 0, "fpr_standard"), csv_number(oracle, r, "p_std_k_best"),
             predict_digits);
        csv_free(table);
    }
    csv_free(oracle);
}

Test(harness_size, cases_others_got_wrong)
{
    static const struct {
        const char *n, *p, *memory, *column, *value;
    } cases[] = {
        {"268435456", "0.001", NULL, "bytes", "482431785"},
        {"536870912", "0.001", NULL, "bytes", "964863569"},
        {"1073741824", "0.001", NULL, "bytes", "1929727138"},
        {"2147483648", "0.001", NULL, "bytes", "3859454275"},
        {"1e10", "1e-7", NULL, "m", "335477043208"},
        {"1e10", "1e-7", NULL, "k", "23"},
        {"150e6", "1e-4", NULL, "m", "2875517514"},
        {"150e6", "1e-4", NULL, "k", "13"},
        {"1000", "0.01", NULL, "m", "9586"},
        {"1000", "0.01", NULL, "k", "7"},
        {"1000", "0.5", NULL, "m", "1443"},
        {"1000", "0.5", NULL, "k", "1"},
        {"1000", "0.9", NULL, "k", "1"},
        {"50000", "1/16", NULL, "k", "4"},
        {"1", "0.001", NULL, "m", "15"},
        {"1", "0.001", NULL, "k", "10"},
        {"1e9", "0.001", "288000", "bytes", "288000"},
        {"1e9", "0.001", "288000", "fpr_standard", "1"},
        {"1e9", "0.001", "288000", "fpr_exact", "1"},
        {"1000", "0.01", "1GiB", "m", "9586"},
        {"1000", "0.01", "1KiB", "m", "8192"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct csv *table = predict_size(cases[i].n, cases[i].p, cases[i].memory);
        cr_assert_str_eq(csv_text(table, 0, cases[i].column), cases[i].value, "n %s, p %s",
                         cases[i].n, cases[i].p);
        csv_free(table);
    }
    struct csv *table = predict_size("150e6", "1e-4", NULL);
    NEAR(csv_number(table, 0, "fpr_exact"), 1.0013e-4, 1e-4);
    csv_free(table);
}

Test(harness_size, sentences_name_value_and_bound)
{
    static const char *const cases[][4] = {
        {"0", "0.1", "n is 0", "1"},
        {"-1", "0.1", "n is -1", "1"},
        {"10", "0", "p is 0", "greater than 0"},
        {"10", "1", "p is 1", "less than 1"},
        {"10", "-0.5", "p is -0.5", "greater than 0"},
        {"10", "1.5", "p is 1.5", "less than 1"},
        {"10", "nan", "nan", "number"},
        {"1e15", "0.1", "1e15", "281474976710656"},
        {"2e14", "1e-9", "200000000000000", "281474976710656"},
        {"1.5", "0.1", "1.5", "whole"},
    };
    struct program program;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run(&program, NULL, "size", "--n", cases[i][0], "--p", cases[i][1], "--csv", NULL);
        cr_assert(strstr(program.err, cases[i][2]), "%s", program.err);
        program_fails(&program, 2, cases[i][3]);
    }
    program_run(&program, NULL, "size", "--n", "5", NULL);
    program_fails(&program, 2, "--p");
    program_run(&program, NULL, "size", "--n", "5", "--p", "0.1", "--memory", "0", NULL);
    program_fails(&program, 2, "0 bytes");
}
