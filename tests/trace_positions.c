/* SPDX-License-Identifier: MIT
 *
 * trace_positions.c: where keys go, against positions and counts computed elsewhere.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/trace_support.h"

/* Position i of the row's text, and the hash it comes from, in a filter of i + 1 probes. */
static void positions_expect(const struct csv *table, size_t row, struct trace_spec spec,
                             const char *column)
{
    struct error err;
    struct trace trace;
    struct trace_key key;
    const char *word = csv_text(table, row, "text");
    unsigned i = (unsigned)csv_integer(table, row, "i");
    spec.params.m = csv_integer(table, row, "m");
    spec.params.k = i + 1;
    trace_of(&trace, &spec, word);
    cr_assert_eq(trace_look(&trace, &key, word, strlen(word), &err), OK);
    cr_expect(key.present && key.word == 0);
    cr_expect_eq(key.position[i], csv_integer(table, row, column), "row %zu: %s", row, word);
    uint64_t hash = strtoull(csv_text(table, row, "h"), NULL, 16);
    cr_expect_eq(key.hash[spec.family.second ? 0 : i], hash, "row %zu", row);
    if (spec.family.second && i > 0)
        cr_expect_eq(key.hash[1] | 1, strtoull(csv_text(table, row, "aux"), NULL, 16));
    trace_release(&trace);
}

Test(trace, positions_of_published_schemes)
{
    struct csv *table = csv_read("tests/data/seed_positions.csv");
    struct trace_spec mmh3 = trace_spec_of("classic", 1, 1, "murmur3_x86_32");
    struct trace_spec unsigned_mmh3 = mmh3;
    struct trace_spec suffix = trace_spec_of("classic", 1, 1, "murmur2/salted");
    struct trace_spec pair = trace_spec_of(NULL, 1, 1, "fnv1a_32,djb2_mix");
    mmh3.is_signed = true;
    size_t rows = 0;
    for (size_t r = 0; r < csv_rows(table); r++) {
        bool signed_row = csv_is(table, r, "scheme", "seed004_mmh3");
        if (signed_row)
            positions_expect(table, r, unsigned_mmh3, "position_unsigned");
        positions_expect(table, r,
                         signed_row                                             ? mmh3
                         : csv_is(table, r, "scheme", "seed000_murmur2_suffix") ? suffix
                                                                                : pair,
                         "position_seed");
        rows++;
    }
    cr_expect_eq(rows, 34 + 57 + 111);
    csv_free(table);
}

/* Signed or not is the same where m divides 2^32, for a pair too. */
Test(trace, signed_positions_of_powers_of_two)
{
    struct error err;
    struct trace plain, with_sign;
    struct trace_spec spec = trace_spec_of(NULL, 128, 16, "fnv1a_32,djb2_mix");
    trace_of(&plain, &spec, trace_page_words);
    spec.is_signed = true;
    trace_of(&with_sign, &spec, trace_page_words);
    cr_expect_arr_eq(plain.positions, with_sign.positions, 16 * 16 * sizeof(uint64_t));
    struct trace_rate rate;
    cr_assert_eq(trace_measure(&with_sign, &rate, 0, 9999, &err), OK);
    cr_expect_eq(rate.hits, 3201);
    trace_release(&plain);
    trace_release(&with_sign);
}

/* The page's counts, and both of its estimates. */
Test(trace, rates_of_the_published_words)
{
    struct csv *table = csv_read("tests/data/page_words.csv");
    cr_assert_eq(csv_rows(table), 6);
    for (size_t r = 0; r < csv_rows(table); r++) {
        static const char *const eight[] = {"cat dog owl fox bee cow elk yak",
                                            "owl fox dog bee cow hen emu yak",
                                            "owl fox dog bee cow elk emu yak"};
        struct error err;
        struct trace trace;
        struct trace_rate rate;
        struct trace_spec spec =
            trace_spec_of(NULL, csv_integer(table, r, "m"), (unsigned)csv_integer(table, r, "k"),
                          "fnv1a_32,djb2_mix");
        trace_of(&trace, &spec, r < 3 ? trace_page_words : eight[r - 3]);
        const struct filter *filter = &trace.bits.filter;
        cr_expect_eq(trace.words.count, csv_integer(table, r, "n"));
        cr_expect_eq(filter->ops->count_bits(filter), csv_integer(table, r, "bits_set"));
        cr_expect_lt(
            csv_error(filter->ops->fpr_bits(filter), csv_number(table, r, "bitcount_estimate")),
            1e-13);
        cr_assert_eq(trace_measure(&trace, &rate, 0, 9999, &err), OK);
        cr_expect_eq(rate.queries, 10000);
        cr_expect_eq(rate.left_out, 0);
        cr_expect_eq(rate.hits, csv_integer(table, r, "false_positives_of_10000"));
        trace_release(&trace);
    }
    csv_free(table);
}

/* Words that are numbers are no strangers: left out of the rate, and told apart from "042". */
Test(trace, members_among_the_numbers_are_left_out)
{
    struct error err;
    struct trace trace;
    struct trace_rate all, some, one;
    struct trace_spec spec = trace_spec_of(NULL, 64, 2, "xxh3_64");
    trace_of(&trace, &spec, "7 042 10000 42 x");
    cr_assert_eq(trace_measure(&trace, &all, 0, 9999, &err), OK);
    cr_assert_eq(trace_measure(&trace, &some, 43, 9999, &err), OK);
    cr_assert_eq(trace_measure(&trace, &one, 42, 42, &err), OK);
    cr_expect(all.queries == 9998 && all.left_out == 2);
    cr_expect(some.queries == 9957 && some.left_out == 0 && some.hits <= all.hits);
    cr_expect(one.queries == 0 && one.left_out == 1 && one.hits == 0);
    trace_release(&trace);
}
