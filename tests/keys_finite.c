/* SPDX-License-Identifier: MIT
 *
 * keys_finite.c: finite and explicit sets.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/keys_support.h"

/* ---- finite ------------------------------------------------------------------------------------
 */

/* Members from the front, queries from the back: together the whole set, once each. */
static void finite_expect_partition(struct key_spec *spec, uint64_t n)
{
    struct key_source *source = keys_open(spec);
    uint64_t size = key_source_members(source);
    cr_assert_leq(n, size);
    cr_assert_eq(key_source_queries(source, n), size - n);
    struct keys_copy members = keys_read(source, 8, KEY_MEMBER, 0, n);
    struct keys_copy queries = keys_read(source, 8, KEY_QUERY, 0, size - n);
    uint64_t *values = malloc((size + 1) * sizeof *values);
    for (uint64_t i = 0; i < size; i++)
        values[i] = i < n ? keys_fingerprint(&members, i) : keys_fingerprint(&queries, i - n);
    cr_expect_eq(keys_repeated(values, size), 0);
    free(values);
    keys_copy_free(&members);
    keys_copy_free(&queries);
    key_source_free(source);
}

Test(keys, finite_sets_are_split_without_overlap)
{
    static const uint64_t parts[] = {0, 1, 500, 999, 1000};
    for (unsigned i = 0; i < 5; i++) {
        finite_expect_partition(keys_range(KEYS_DECIMAL, 0, 999, 0), parts[i]);
        finite_expect_partition(keys_range(KEYS_DECIMAL, 5, 1004, 5), parts[i]);
        finite_expect_partition(keys_range(KEYS_LITTLE_ENDIAN, 9, 1008, 3), parts[i]);
    }
    finite_expect_partition(keys_range(KEYS_DECIMAL, 0, 999999, 0), 300000);
    finite_expect_partition(keys_range(KEYS_LITTLE_ENDIAN, 0, 65535, 2), 65536);
    finite_expect_partition(key_spec_new(KEYS_WORDS), 20000);
}

Test(keys, finite_queries_run_out)
{
    struct key_source *source = keys_open(keys_range(KEYS_DECIMAL, 0, 9, 0));
    cr_expect_eq(key_source_queries(source, 10), 0);
    cr_expect_eq(key_source_queries(source, 11), 0);
    cr_expect_eq(key_source_queries(source, UINT64_MAX), 0);
    key_source_free(source);
}

/* Pieces of a shuffled set equal the whole, across blocks of the shuffle. */
Test(keys, finite_fills_in_pieces_equal_one)
{
    static const size_t pieces[] = {1, 255, 256, 257, 700};
    struct key_source *source = keys_open(keys_range(KEYS_DECIMAL, 0, 4999, 0));
    for (unsigned role = 0; role < 2; role++) {
        struct keys_copy whole = keys_read(source, 4, (enum key_role)role, 0, 2000);
        for (unsigned p = 0; p < 5; p++)
            for (size_t first = 0; first + pieces[p] <= 2000; first += pieces[p]) {
                struct keys_copy part = keys_read(source, 4, (enum key_role)role, first, pieces[p]);
                for (size_t i = 0; i < pieces[p]; i++)
                    cr_assert(keys_equal(&whole, first + i, &part, i));
                keys_copy_free(&part);
            }
        keys_copy_free(&whole);
    }
    key_source_free(source);
}

/* Another trial takes other members; 100 of 5000 twice have 2 in common, 12 with probability 1e-6.
 */
Test(keys, finite_trials_differ)
{
    struct key_source *source = keys_open(keys_range(KEYS_DECIMAL, 0, 4999, 0));
    struct keys_copy one = keys_read(source, 1, KEY_MEMBER, 0, 100);
    struct keys_copy two = keys_read(source, 2, KEY_MEMBER, 0, 100);
    unsigned common = 0;
    for (size_t i = 0; i < 100; i++)
        for (size_t j = 0; j < 100; j++)
            common += keys_equal(&one, i, &two, j);
    cr_expect_leq(common, 12);
    keys_copy_free(&one);
    keys_copy_free(&two);
    key_source_free(source);
}

Test(keys, ranges_write_what_they_say)
{
    struct key_spec *last = keys_list((const char *const[]){"x", NULL});
    struct key_source *source =
        keys_open(keys_explicit(keys_range(KEYS_DECIMAL, 98, 101, 0), last));
    struct keys_copy copy = keys_read(source, 1, KEY_MEMBER, 0, 4);
    static const char *const plain[] = {"98", "99", "100", "101"};
    for (size_t i = 0; i < 4; i++)
        cr_expect(keys_is(&copy, i, plain[i], strlen(plain[i])));
    keys_copy_free(&copy);
    key_source_free(source);

    source = keys_open(keys_explicit(keys_range(KEYS_DECIMAL, UINT64_MAX - 1, UINT64_MAX, 22),
                                     keys_range(KEYS_LITTLE_ENDIAN, 0x1234, 0x1235, 3)));
    copy = keys_read(source, 1, KEY_MEMBER, 0, 2);
    cr_expect(keys_is(&copy, 0, "0018446744073709551614", 22));
    cr_expect(keys_is(&copy, 1, "0018446744073709551615", 22));
    keys_copy_free(&copy);
    copy = keys_read(source, 1, KEY_QUERY, 0, 2);
    cr_expect(keys_is(&copy, 0, "\x34\x12\0", 3));
    cr_expect(keys_is(&copy, 1, "\x35\x12\0", 3));
    keys_copy_free(&copy);
    key_source_free(source);
}

/* All lengths and values around powers of ten, against the C library. */
Test(keys, decimal_ranges_print_like_printf)
{
    static const unsigned widths[] = {0, 1, 15, 16, 17, 40, 64};
    for (uint64_t power = 1;; power *= 10) {
        for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++) {
            uint64_t first = power - 1, last = power + 1;
            struct key_source *source =
                keys_open(keys_explicit(keys_range(KEYS_DECIMAL, first, last, widths[w]),
                                        keys_list((const char *const[]){"", NULL})));
            struct keys_copy copy = keys_read(source, 0, KEY_MEMBER, 0, 3);
            for (size_t i = 0; i < 3; i++) {
                char text[80];
                int length = snprintf(text, sizeof text, "%0*" PRIu64, (int)widths[w], first + i);
                cr_assert(keys_is(&copy, i, text, (size_t)length), "%s", text);
            }
            keys_copy_free(&copy);
            key_source_free(source);
        }
        if (power == UINT64_C(10000000000000000000))
            break;
    }
}

Test(keys, all_counters_of_eight_bytes_lack_the_last)
{
    struct key_spec *spec = key_spec_new(KEYS_LITTLE_ENDIAN);
    struct key_source *source = keys_open(spec);
    cr_expect_eq(key_source_members(source), UINT64_MAX);
    struct keys_copy copy = keys_read(source, 1, KEY_QUERY, 0, 100);
    keys_copy_free(&copy);
    key_source_free(source);
}

Test(keys, wrong_parameters_are_named)
{
    keys_refused(keys_range(KEYS_DECIMAL, 9, 3, 0), "range 9..3 runs backwards");
    keys_refused(keys_range(KEYS_DECIMAL, 0, 9, 65), "width 65 is outside [0, 64]");
    keys_refused(keys_range(KEYS_LITTLE_ENDIAN, 0, 9, 0), "bytes 0 is outside [1, 8]");
    keys_refused(keys_range(KEYS_LITTLE_ENDIAN, 0, 9, 9), "bytes 9 is outside [1, 8]");
    keys_refused(keys_range(KEYS_LITTLE_ENDIAN, 0, 256, 1), "256 does not fit 1 bytes");
    keys_refused(key_spec_new(KEYS_LIST), "the list has no key");
    struct key_spec *spec = key_spec_new(KEYS_STRIDED64);
    spec->stride = 0;
    keys_refused(spec, "stride 0 is below 1");
    spec = key_spec_new(KEYS_DECIMAL);
    spec->width = 65;
    keys_refused(spec, "width 65 is outside [0, 64]");
}

/* ---- explicit ----------------------------------------------------------------------------------
 */

Test(keys, explicit_sets_stay_whole_and_in_order)
{
    static const char *const members[] = {"owl", "fox", "owl", "a", NULL};
    struct key_source *source =
        keys_open(keys_explicit(keys_list(members), keys_range(KEYS_DECIMAL, 0, 9999, 0)));
    cr_expect(key_source_explicit(source));
    cr_expect_eq(key_source_members(source), 3);
    cr_expect_eq(key_source_duplicates(source), 1);
    cr_expect_eq(key_source_queries(source, 0), 10000);
    cr_expect_eq(key_source_queries(source, 3), 10000);
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct keys_copy copy = keys_read(source, seed, KEY_MEMBER, 1, 2);
        cr_expect(keys_is(&copy, 0, "fox", 3));
        cr_expect(keys_is(&copy, 1, "a", 1));
        keys_copy_free(&copy);
        copy = keys_read(source, seed, KEY_QUERY, 9, 2);
        cr_expect(keys_is(&copy, 0, "9", 1));
        cr_expect(keys_is(&copy, 1, "10", 2));
        keys_copy_free(&copy);
    }
    key_source_free(source);
}

/* Read keys of one length are shown where they stand. */
Test(keys, explicit_keys_of_one_length_have_no_offsets)
{
    static const char *const members[] = {"owl", "fox", "cat", NULL};
    struct key_source *source =
        keys_open(keys_explicit(keys_list(members), keys_range(KEYS_DECIMAL, 0, 9, 2)));
    struct key_stream stream;
    struct key_batch batch;
    uint64_t buffer[64];
    cr_assert_leq(key_buffer_bytes(source, 3), sizeof buffer);
    key_stream_init(&stream, source, 0);
    key_stream_fill(&stream, KEY_MEMBER, 1, 2, &batch, buffer);
    cr_expect_null(batch.offsets);
    cr_expect_eq(batch.length, 3);
    cr_expect_arr_eq(batch.bytes, "foxcat", 6);
    key_source_free(source);
}

Test(keys, explicit_member_among_the_queries)
{
    static const char *const quoted[] = {"x", "a\"\n\xff", NULL}, *const other[] = {"a\"\n\xff",
                                                                                    NULL};
    keys_refused(keys_explicit(keys_list(quoted), keys_list(other)),
                 "\"a\\x22\\x0a\\xff\" is member 2 and query 1");
    static const char *const forty_two[] = {"x", "42", NULL};
    keys_refused(keys_explicit(keys_list(forty_two), keys_range(KEYS_DECIMAL, 0, 9999, 0)),
                 "\"42\" is member 2 and query 43");
    keys_refused(keys_explicit(keys_range(KEYS_DECIMAL, 0, 9999, 0), keys_list(forty_two)),
                 "\"42\" is member 43 and query 2");
    keys_refused(
        keys_explicit(keys_range(KEYS_DECIMAL, 0, 999, 3), keys_range(KEYS_DECIMAL, 999, 99999, 0)),
        "\"999\" is member 1000 and query 1");
    keys_refused(keys_explicit(keys_range(KEYS_LITTLE_ENDIAN, 0, 16, 2),
                               keys_range(KEYS_LITTLE_ENDIAN, 16, 20, 2)),
                 "is member 17 and query 1");
    static const char *const empty[] = {"", NULL};
    keys_refused(keys_explicit(keys_list(empty), keys_list(empty)), "\"\" is member 1");
}

/* Texts that look alike but are no common key: a number that is padded, signed, spaced, or too big.
 */
Test(keys, explicit_near_misses_are_fine)
{
    static const char *const texts[] = {
        "042", "+42", " 42", "42 ", "10000", "18446744073709551658", "", "4x", "0042", NULL};
    key_source_free(
        keys_open(keys_explicit(keys_list(texts), keys_range(KEYS_DECIMAL, 0, 9999, 0))));
    key_source_free(keys_open(
        keys_explicit(keys_range(KEYS_DECIMAL, 0, 9, 2), keys_range(KEYS_DECIMAL, 0, 9, 0))));
    key_source_free(keys_open(keys_explicit(keys_range(KEYS_LITTLE_ENDIAN, 0, 9, 2),
                                            keys_range(KEYS_LITTLE_ENDIAN, 0, 9, 3))));
    key_source_free(keys_open(keys_explicit(keys_range(KEYS_DECIMAL, 0, 9, 0),
                                            keys_range(KEYS_DECIMAL, 10, UINT64_MAX, 0))));
}

Test(keys, explicit_sets_must_be_finite_and_comparable)
{
    static const char *const one[] = {"x", NULL};
    keys_refused(keys_explicit(NULL, keys_list(one)), "members are missing");
    keys_refused(keys_explicit(keys_list(one), NULL), "queries are missing");
    keys_refused(keys_explicit(keys_list(one), key_spec_new(KEYS_RANDOM64)),
                 "queries are `random64`, not a finite set");
    keys_refused(keys_explicit(key_spec_new(KEYS_DECIMAL), keys_list(one)),
                 "members are `decimal`, not a finite set");
    keys_refused(keys_explicit(keys_explicit(keys_list(one), keys_list(one)), keys_list(one)),
                 "members are `explicit`, not a finite set");
    keys_refused(keys_explicit(keys_range(KEYS_LITTLE_ENDIAN, 0, 999999999, 4),
                               keys_range(KEYS_LITTLE_ENDIAN, 1000000000, 2999999999, 4)),
                 "too many to compare");
    keys_refused(keys_explicit(keys_range(KEYS_DECIMAL, 9, 3, 0), keys_list(one)), "backwards");
}
