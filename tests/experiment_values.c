/* SPDX-License-Identifier: MIT
 *
 * Numbers, sizes and ranges as researchers write them: each form, each bound, each refusal.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

static const char forms[] = "it must be a whole number such as 12, 1e3, 2^16 or 4KiB";

Test(experiment_values, whole_numbers)
{
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {
        {"0", 0},
        {"-0", 0},
        {"12", 12},
        {" 12 ", 12},
        {"007", 7},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"1.5e3", 1500},
        {"12.50e1", 125},
        {"100e-2", 1},
        {"4.000", 4},
        {".5e1", 5},
        {"2^16", 65536},
        {"10^6", 1000000},
        {"7^0", 1},
        {"4KiB", 4096},
        {"4 KiB", 4096},
        {"1.5GiB", UINT64_C(1610612736)},
        {"1TiB", UINT64_C(1099511627776)},
        {"3kB", 3000},
        {"12B", 12},
        {"1_000_000", 1000000},
        {"0xff", 255},
        {"0xFFFFFFFFFFFFFFFF", UINT64_MAX},
        {"18446744073709551615", UINT64_MAX},
        {"2^63", UINT64_C(1) << 63},
        {"1844674407370955161500000000000e-11", UINT64_MAX},
        {"1.0000000000000000000000000000000000000", 1},
        {"0e99999999999", 0},
        {"1000000000000000000000000000000000000e-36", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t value = 42;
        struct error err = {0};
        cr_expect_eq(value_integer(&value, rows[i].text, "m", 0, UINT64_MAX, &err), OK, "%s: %s",
                     rows[i].text, err.text);
        cr_expect_eq(value, rows[i].value, "%s came out as %" PRIu64, rows[i].text, value);
    }
}

Test(experiment_values, not_whole_numbers)
{
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"", "m is empty; it must be a whole number"},
        {"  ", "m is empty; it must be a whole number"},
        {"0", "m is 0; it must be between 1 and 1000"},
        {"1001", "m is 1001; it must be between 1 and 1000"},
        {"-3", "m is -3; it must be between 1 and 1000"},
        {"123456789012345678901234567890",
         "m is 123456789012345678901234567890; it must be between 1 and 1000"},
        {"18446744073709551616", "m is 18446744073709551616; it must be between 1 and 1000"},
        {"18446744073709551617", "m is 18446744073709551617; it must be between 1 and 1000"},
        {"2^64", "m is 2^64; it must be between 1 and 1000"},
        {"2^99999999999", "m is 2^99999999999; it must be between 1 and 1000"},
        {"1e30", "m is 1e30; it must be between 1 and 1000"},
        {"1e999999999999999999999", "m is 1e999999999999999999999; it must be between 1 and 1000"},
        {"0x10000000000000001", "m is 0x10000000000000001; it must be between 1 and 1000"},
        {"16777216TiB", "m is 16777216TiB; it must be between 1 and 1000"},
        {"2.5", "m is 2.5; it must be a whole number"},
        {"1e-3", "m is 1e-3; it must be a whole number"},
        {"1e-99999999999", "m is 1e-99999999999; it must be a whole number"},
        {"1.00000000000000000000000000000000001",
         "m is 1.00000000000000000000000000000000001; it must be a whole number"},
        {"1..5", "m is '1..5'; it must be one number, not a range"},
    };
    static const char *const words[] = {
        "nan",   "inf",    "lots", "1e",  "1x", "2^", "^2",  "2^-1",  "2^2^2", "1__0",
        "_1",    "1_",     "+1",   "--1", "1.", ".",  "0x",  "0xg",   "1 2",   "4 K",
        "4KiBs", "2^4KiB", "KiB",  "1/2", "2%", "١٢", "1,5", "1e1.5", "0x1.8", "\t1",
    };
    uint64_t value = 42;
    struct error err;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(value_integer(&value, rows[i].text, "m", 1, 1000, &err), E_INPUT, "%s",
                     rows[i].text);
        cr_expect_str_eq(err.text, rows[i].sentence);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cr_expect_eq(value_integer(&value, words[i], "m", 1, 1000, &err), E_INPUT, "%s", words[i]);
        cr_expect(strstr(err.text, forms), "%s", err.text);
    }
    cr_expect_eq(value, 42);
}

Test(experiment_values, reals)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0.01", 0.01},
        {"1e-3", 1e-3},
        {"1/16", 0.0625},
        {"1 / 3", 1.0 / 3},
        {"2%", 0.02},
        {"0.1 %", 0.001},
        {"1e1%", 0.1},
        {"99.9%", 0.999},
        {"2^10", 1024},
        {"-0.5", -0.5},
        {".5", 0.5},
        {"1_000.5", 1000.5},
        {"1e-400", 0},
        {"4.9e-324", 0x1p-1074},
        {"0.1000000000000000055511151231257827", 0.1},
        {"179769313486231570000000000000000000000e270", 0x1.fffffffffffffp1023},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value = NAN;
        struct error err = {0};
        cr_expect_eq(value_real(&value, rows[i].text, "p", -1e308 * 1.79, INFINITY, &err), OK,
                     "%s: %s", rows[i].text, err.text);
        cr_expect(value == rows[i].value, "%s came out as %.17g", rows[i].text, value);
    }
}

Test(experiment_values, not_reals)
{
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"", "p is empty; it must be a number"},
        {"0", "p is 0; it must be between 1e-06 and 1"},
        {"200%", "p is 200%; it must be between 1e-06 and 1"},
        {"1/0", "p is 1/0; it must be between 1e-06 and 1"},
        {"1e999", "p is 1e999; it must be between 1e-06 and 1"},
        {"2^9999", "p is 2^9999; it must be between 1e-06 and 1"},
        {"0.1..0.5", "p is '0.1..0.5'; it must be one number, not a range"},
        {"nan", "p is 'nan'; it must be a number such as 0.01, 1e-3, 1/16 or 2%"},
        {"inf", "p is 'inf'; it must be a number such as 0.01, 1e-3, 1/16 or 2%"},
        {"1/2/3", "p is '1/2/3'; it must be a number such as 0.01, 1e-3, 1/16 or 2%"},
        {"2%%", "p is '2%%'; it must be a number such as 0.01, 1e-3, 1/16 or 2%"},
        {"4KiB", "p is '4KiB'; it must be a number such as 0.01, 1e-3, 1/16 or 2%"},
        {"0,5", "p is '0,5'; it must be a number such as 0.01, 1e-3, 1/16 or 2%"},
    };
    double value = 42;
    struct error err;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(value_real(&value, rows[i].text, "p", 1e-6, 1, &err), E_INPUT, "%s",
                     rows[i].text);
        cr_expect_str_eq(err.text, rows[i].sentence);
    }
    cr_expect(value == 42);
}

Test(experiment_values, bytes)
{
    uint64_t value = 0;
    struct error err;
    cr_expect_eq(value_bytes(&value, "512MiB", "--memory", &err), OK);
    cr_expect_eq(value, UINT64_C(1) << 29);
    cr_expect_eq(value_bytes(&value, "0.5 GB", "--memory", &err), OK);
    cr_expect_eq(value, UINT64_C(500000000));
    cr_expect_eq(value_bytes(&value, "big", "--memory", &err), E_INPUT);
    cr_expect_str_eq(err.text, "--memory is 'big'; it must be a size such as 4096, 512MiB or 2GiB");
    cr_expect_eq(value_bytes(&value, "1.5B", "--memory", &err), E_INPUT);
    cr_expect_str_eq(err.text, "--memory is 1.5B; it must be a whole number of bytes");
    cr_expect_eq(value_bytes(&value, "-1GiB", "--memory", &err), E_INPUT);
    cr_expect(strstr(err.text, "between 0 and 18446744073709551615 bytes"));
}

/* The list written out as text, for comparison. */
static const char *range_text(const char *text, uint64_t min, uint64_t max, size_t most)
{
    static char out[512];
    uint64_t *values = NULL;
    size_t count = 0, used = 0;
    struct error err;
    if (value_range(&values, &count, text, "k", min, max, most, &err)) {
        cr_expect_null(values);
        cr_expect_eq(count, 0);
        return strcpy(out, err.text);
    }
    out[0] = '\0';
    for (size_t i = 0; i < count && used < sizeof out - 32; i++)
        used += (size_t)sprintf(out + used, "%s%" PRIu64, i ? " " : "", values[i]);
    free(values);
    return out;
}

Test(experiment_values, ranges)
{
    const uint64_t all = UINT64_MAX;
    cr_expect_str_eq(range_text("5", 0, all, 10), "5");
    cr_expect_str_eq(range_text("1..4", 0, all, 10), "1 2 3 4");
    cr_expect_str_eq(range_text(" 1 .. 4 ", 0, all, 10), "1 2 3 4");
    cr_expect_str_eq(range_text("3..3", 0, all, 10), "3");
    cr_expect_str_eq(range_text("1..10 by 4", 0, all, 10), "1 5 9");
    cr_expect_str_eq(range_text("0..1e3 by 2.5e2", 0, all, 10), "0 250 500 750 1000");
    cr_expect_str_eq(range_text("2^3..2^6", 0, all, 10), "8 16 32 64");
    cr_expect_str_eq(range_text("10^0..10^3", 0, all, 10), "1 10 100 1000");
    cr_expect_str_eq(range_text("2^3..2^5 by 8", 0, all, 10), "8 16 24 32");
    cr_expect_str_eq(range_text("2^3..10", 0, all, 10), "8 9 10");
    cr_expect_str_eq(range_text("2^62..2^63", 0, all, 10),
                     "4611686018427387904 9223372036854775808");
    cr_expect_str_eq(range_text("18446744073709551614..18446744073709551615", 0, all, 10),
                     "18446744073709551614 18446744073709551615");
}

Test(experiment_values, broken_ranges)
{
    cr_expect_str_eq(range_text("16..1", 1, 256, 10),
                     "k runs backwards in '16..1'; the smaller end comes first");
    cr_expect_str_eq(range_text("0..4", 1, 256, 10), "k is 0; it must be between 1 and 256");
    cr_expect_str_eq(range_text("1..257", 1, 256, 10), "k is 257; it must be between 1 and 256");
    cr_expect_str_eq(range_text("1..9 by 0", 1, 256, 10),
                     "the step of k is 0; it must be between 1 and 256");
    cr_expect_str_eq(range_text("1..9 by 0.5", 1, 256, 10),
                     "the step of k is 0.5; it must be a whole number");
    cr_expect_str_eq(range_text("1..9 by -1", 1, 256, 10),
                     "the step of k is -1; it must be between 1 and 256");
    cr_expect_str_eq(range_text("1..11", 1, 256, 10),
                     "k comes to 11 values; at most 10 are allowed");
    cr_expect_str_eq(range_text("0..18446744073709551615", 0, UINT64_MAX, 10),
                     "k comes to 18446744073709551615 values; at most 10 are allowed");
    cr_expect_str_eq(range_text("2^0..2^63", 0, UINT64_MAX, 10),
                     "k comes to 64 values; at most 10 are allowed");
    cr_expect_str_eq(range_text("1..", 1, 256, 10),
                     "k is '1..'; a range is written a..b or a..b by s");
    cr_expect_str_eq(range_text("..", 1, 256, 10),
                     "k is '..'; a range is written a..b or a..b by s");
    cr_expect(strstr(range_text("1..x", 1, 256, 10), "k is 'x'; it must be a whole number"));
    cr_expect(strstr(range_text("1..2..3", 1, 256, 10), "it must be a whole number"));
    cr_expect(strstr(range_text("1..4 by 1 by 1", 1, 256, 10), "the step of k is '1 by 1'"));
}

Test(experiment_values, a_list_grows_and_a_failure_leaves_it)
{
    uint64_t *values = NULL;
    size_t count = 0;
    struct error err;
    cr_assert_eq(value_range(&values, &count, "1..3", "k", 1, 256, 5, &err), OK);
    cr_assert_eq(value_range(&values, &count, "9..1", "k", 1, 256, 5, &err), E_INPUT);
    cr_assert_eq(value_range(&values, &count, "7..9", "k", 1, 256, 5, &err), E_INPUT);
    cr_expect_str_eq(err.text, "k comes to 6 values; at most 5 are allowed");
    cr_assert_eq(value_range(&values, &count, "8", "k", 1, 256, 5, &err), OK);
    cr_assert_eq(count, 4);
    cr_expect(values[0] == 1 && values[2] == 3 && values[3] == 8);
    free(values);
}

Test(experiment_values, ranges_of_reals_are_the_decimals)
{
    static const double tenths[] = {0.1, 0.2, 0.3, 0.4, 0.5};
    double *values = NULL;
    size_t count = 0;
    struct error err;
    cr_assert_eq(value_real_range(&values, &count, "0.1..0.5 by 0.1", "c", 0, 9, 99, &err), OK);
    cr_assert_eq(count, 5);
    cr_expect_arr_eq(values, tenths, sizeof tenths);
    cr_assert_eq(value_real_range(&values, &count, "-1..1", "c", -9, 9, 99, &err), OK);
    cr_assert_eq(value_real_range(&values, &count, "1/16", "c", 0, 9, 99, &err), OK);
    cr_assert_eq(count, 9);
    cr_expect(values[5] == -1 && values[7] == 1 && values[8] == 0.0625);
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"4..2", "c runs backwards in '4..2'; the smaller end comes first"},
        {"1..2 by 0", "the step of c is 0; it must be above 0"},
        {"1..2 by -0.5", "the step of c is -0.5; it must be above 0"},
        {"1..10", "c is 10; it must be between 0 and 9"},
        {"-1..2", "c is -1; it must be between 0 and 9"},
        {"1..2%", "c is '1..2%'; a range is written a..b or a..b by s"},
        {"1..", "c is '1..'; a range is written a..b or a..b by s"},
        {"0..1 by 1e-16", "c is '0..1 by 1e-16'; a range has at most 15 digits"},
        {"0..1e30", "c is '0..1e30'; a range has at most 15 digits"},
        {"0..1 by 1e-6", "c comes to 1000010 values; at most 99 are allowed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(value_real_range(&values, &count, rows[i].text, "c", 0, 9, 99, &err), E_INPUT);
        cr_expect_str_eq(err.text, rows[i].sentence);
    }
    cr_expect_eq(count, 9);
    free(values);
}

Test(experiment_values, shown_text_is_short_and_printable)
{
    char out[VALUE_SHOW_SIZE];
    cr_expect_str_eq(value_show(out, "a\nb\x7f"), "a?b?");
    cr_expect_str_eq(value_show(out, "éééééééééééééééééééééééééééééééééééééééé!"),
                     "éééééééééééééééééééééééééééééééééééééééé...");
    char rest[1000];
    memset(rest, 0x80, sizeof rest - 1); /* stray bytes of UTF-8, as a command line may have */
    rest[sizeof rest - 1] = '\0';
    cr_expect_lt(strlen(value_show(out, rest)), (size_t)VALUE_SHOW_SIZE);
}

Test(experiment_values, unknown_names)
{
    struct names names = {.count = 0};
    struct error err;
    names_add(&names, "classic");
    names_add(&names, "blocked");
    names_add(&names, "split_block");
    cr_expect_str_eq(names_nearest(&names, "clasic"), "classic");
    cr_expect_str_eq(names_nearest(&names, "calssic"), "classic");
    cr_expect_str_eq(names_nearest(&names, "split"), "split_block");
    cr_expect_null(names_nearest(&names, "hyperloglog"));
    cr_expect_null(names_nearest(&names, ""));
    cr_expect_eq(names_fail(&names, "filter", "lbocked", &err), E_INPUT);
    cr_expect_str_eq(err.text, "unknown filter 'lbocked'; did you mean 'blocked'? known: classic, "
                               "blocked, split_block");
    for (int i = 0; i < 100; i++)
        names_add(&names, "a_name_of_some_length");
    cr_expect_eq(names.count, (size_t)NAMES_MAX);
    cr_expect_eq(names_fail(&names, "filter", "", &err), E_INPUT);
    cr_expect(strstr(err.text, "a_name_of_some_length, ..."));
}
