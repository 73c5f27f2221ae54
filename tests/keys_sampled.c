/* SPDX-License-Identifier: MIT
 *
 * keys_sampled.c: words of letters, and members drawn anew in each trial beside queries that stay.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/experiment_text.h"
#include "tests/harness_lab.h"
#include "tests/keys_support.h"

/* ---- letters -----------------------------------------------------------------------------------
 */

/* A word as a number of its own: digits 1..26 in base 27. */
static uint64_t sampled_word(const struct keys_copy *copy, size_t i)
{
    size_t length;
    const unsigned char *key = keys_at(copy, i, &length);
    uint64_t value = 0;
    cr_assert(length >= 3 && length <= 7, "%zu letters", length);
    for (size_t j = 0; j < length; j++) {
        cr_assert(key[j] >= 'a' && key[j] <= 'z', "byte %02x", key[j]);
        value = 27 * value + (uint64_t)(key[j] - 'a' + 1);
    }
    return value;
}

/* A million of each role, and the last of each: no word twice. */
Test(keys, letters_are_distinct_and_disjoint)
{
    enum { COUNT = 1000000, LAST = 1000, ALL = 2 * (COUNT + LAST) };
    struct key_source *source = keys_open(key_spec_new(KEYS_LETTERS));
    uint64_t *values = malloc(ALL * sizeof *values), members = key_source_members(source);
    size_t used = 0;
    cr_assert_eq(members, 4176540940);
    cr_assert_eq(key_source_queries(source, 5), members);
    for (unsigned role = 0; role < 2; role++)
        for (unsigned end = 0; end < 2; end++) {
            size_t count = end ? LAST : COUNT;
            struct keys_copy copy =
                keys_read(source, 3, (enum key_role)role, end ? members - LAST : 0, count);
            for (size_t i = 0; i < count; i++)
                values[used++] = sampled_word(&copy, i);
            keys_copy_free(&copy);
        }
    cr_expect_eq(used, ALL);
    cr_expect_eq(keys_repeated(values, ALL), 0);
    free(values);
    key_source_free(source);
}

/* Of 10^6 words 26^6 / 8353081880 have six letters, and each letter comes last in a 26th: within
 * 6.5 standard errors, for 27 counts: a false alarm below 1e-8. */
Test(keys, letters_are_uniform_over_all_words)
{
    enum { COUNT = 1000000 };
    struct key_source *source = keys_open(key_spec_new(KEYS_LETTERS));
    struct keys_copy copy = keys_read(source, 5, KEY_QUERY, 0, COUNT);
    double six = 308915776.0 / 8353081880.0, seen[27] = {0};
    for (size_t i = 0; i < COUNT; i++) {
        size_t length;
        const unsigned char *key = keys_at(&copy, i, &length);
        seen[key[length - 1] - 'a']++;
        seen[26] += length == 6;
    }
    for (unsigned i = 0; i < 27; i++) {
        double p = i < 26 ? 1 / 26.0 : six, off = seen[i] - COUNT * p;
        cr_expect_lt(off * off, 6.5 * 6.5 * COUNT * p * (1 - p), "count %u: %.0f", i, seen[i]);
    }
    keys_copy_free(&copy);
    key_source_free(source);
}

Test(keys, letters_in_pieces_equal_one_fill)
{
    static const size_t pieces[] = {1, 255, 256, 257, 700};
    struct key_source *source = keys_open(key_spec_new(KEYS_LETTERS));
    struct keys_copy whole = keys_read(source, 4, KEY_QUERY, 0, 2000);
    for (unsigned p = 0; p < 5; p++)
        for (size_t first = 0; first + pieces[p] <= 2000; first += pieces[p]) {
            struct keys_copy part = keys_read(source, 4, KEY_QUERY, first, pieces[p]);
            for (size_t i = 0; i < pieces[p]; i++)
                cr_assert(keys_equal(&whole, first + i, &part, i));
            keys_copy_free(&part);
        }
    keys_copy_free(&whole);
    key_source_free(source);
}

/* ---- sampled members ---------------------------------------------------------------------------
 */

static struct key_spec *sampled_of(struct key_spec *members, struct key_spec *queries)
{
    struct key_spec *spec = keys_explicit(members, queries);
    spec->sampled = true;
    return spec;
}

/* All members of a finite set come, in another order with each seed; the queries stay in theirs. */
Test(keys, sampled_members_are_shuffled_and_queries_whole)
{
    enum { SIZE = 50 };
    struct key_source *source = keys_open(sampled_of(
        keys_range(KEYS_DECIMAL, 100, 100 + SIZE - 1, 0), keys_range(KEYS_DECIMAL, 0, 9, 0)));
    cr_assert_eq(key_source_members(source), SIZE);
    cr_assert_eq(key_source_queries(source, SIZE), 10);
    cr_assert(key_source_explicit(source) && !key_source_fixed(source));
    struct keys_copy first = keys_read(source, 1, KEY_MEMBER, 0, SIZE);
    struct keys_copy second = keys_read(source, 2, KEY_MEMBER, 0, SIZE);
    uint64_t values[SIZE];
    unsigned same = 0;
    for (size_t i = 0; i < SIZE; i++) {
        values[i] = keys_fingerprint(&first, i);
        same += keys_equal(&first, i, &second, i);
    }
    cr_expect_eq(keys_repeated(values, SIZE), 0);
    cr_expect_lt(same, 10); /* one in place on average; ten with probability 1e-7 */
    struct keys_copy queries = keys_read(source, 2, KEY_QUERY, 3, 7);
    for (size_t i = 0; i < 7; i++)
        cr_expect(keys_is(&queries, i, &"3456789"[i], 1));
    keys_copy_free(&first);
    keys_copy_free(&second);
    keys_copy_free(&queries);
    key_source_free(source);
}

Test(keys, sampled_members_may_be_generated)
{
    struct key_spec *spec =
        sampled_of(key_spec_new(KEYS_LETTERS), keys_range(KEYS_DECIMAL, 0, 9999, 0));
    char text[80];
    key_spec_format(spec, text, sizeof text);
    cr_expect_str_eq(text, "explicit(members=letters;queries=decimal(0..9999);sampled)");
    struct key_source *source = keys_open(spec);
    cr_expect_eq(key_source_members(source), 4176540940);
    cr_expect_eq(key_source_queries(source, 64), 10000);
    cr_expect_eq(key_source_longest(source), 7);
    struct keys_copy one = keys_read(source, 1, KEY_MEMBER, 0, 64);
    struct keys_copy two = keys_read(source, 2, KEY_MEMBER, 0, 64);
    struct keys_copy queries = keys_read(source, 1, KEY_QUERY, 9990, 10);
    unsigned common = 0;
    for (size_t i = 0; i < 64; i++)
        for (size_t j = 0; j < 64; j++)
            common += keys_equal(&one, i, &two, j);
    cr_expect_eq(common, 0); /* 5e-7 on average */
    cr_expect(sampled_word(&one, 63) != 0 && keys_is(&queries, 9, "9999", 4));
    keys_copy_free(&one);
    keys_copy_free(&two);
    keys_copy_free(&queries);
    key_source_free(source);
}

/* A generated set is not written out: a query that looks like one of its keys is refused. */
Test(keys, sampled_members_must_not_be_queries)
{
    static const char *const words[] = {"no", "12345678", "quadratic", "Owl", "owl", NULL};
    static const char *const hex[] = {"1234567", "12345678", NULL};
    keys_refused(sampled_of(key_spec_new(KEYS_LETTERS), keys_list(words)),
                 "\"owl\", query 5, may be one of the members, which are letters");
    keys_refused(sampled_of(key_spec_new(KEYS_RANDOM64), keys_list(hex)),
                 "\"12345678\", query 2, may be one of the members, which are random64");
    keys_refused(sampled_of(keys_range(KEYS_DECIMAL, 5, 9, 0), keys_range(KEYS_DECIMAL, 0, 5, 0)),
                 "\"5\" is member 1 and query 6");
    keys_refused(sampled_of(key_spec_new(KEYS_LETTERS), key_spec_new(KEYS_UUID4)),
                 "queries are `uuid4`, not a finite set");
    struct key_spec *strided = key_spec_new(KEYS_STRIDED64);
    strided->stride = 0;
    keys_refused(sampled_of(strided, keys_list(words)), "stride 0 is below 1");
}

/* ---- in an experiment --------------------------------------------------------------------------
 */

/* The grid tells n: 3 of 16 words, others in each trial, prefixes of one another for 2 and 3; all
 * ten queries. Without n: all words, the same in every trial. */
Test(keys, sampled_members_in_a_grid)
{
    static const char form[] = "hash_seed: 0\ntrials: 40\n"
                               "grid: {filter: classic, hash: fnv1a_32, m: 64, k: 1, %s"
                               " keys: {members: {list: [cat, dog, owl, fox, bee, cow, elk, yak]},"
                               " queries: {decimal: 0..9}}}";
    char text[512];
    struct lab lab;
    snprintf(text, sizeof text, form, "n: [2, 3],");
    lab_open(&lab, text);
    lab_run(&lab, 2, UINT64_MAX, NULL);
    cr_assert_eq(lab.plan->cell_count, 2);
    unsigned differ = 0;
    for (unsigned t = 0; t < 40; t++) {
        const struct trial_result *two = &lab.results[lab.plan->cells[0].first_result + t];
        const struct trial_result *three = &lab.results[lab.plan->cells[1].first_result + t];
        differ += three->keys_digest != lab.results[lab.plan->cells[1].first_result].keys_digest;
        cr_assert(two->bits_set <= three->bits_set && three->bits_set <= two->bits_set + 1);
        cr_assert(three->queries == 10 && three->false_negatives == 0);
    }
    cr_expect_gt(differ, 30); /* 336 ordered samples: the first comes again once in 336 */
    cr_expect(cell_replicates(lab.experiment, &lab.plan->cells[0]));
    lab_close(&lab);

    snprintf(text, sizeof text, form, "");
    lab_open(&lab, text);
    cr_assert_eq(lab.plan->cells[0].n, 8);
    cr_expect_not(cell_replicates(lab.experiment, &lab.plan->cells[0]));
    lab_close(&lab);
}

/* Words without an end need the grid's n. */
Test(keys, generated_members_need_n)
{
    static const char form[] =
        "name: x\nquestion: y\ngrid: {filter: classic, hash: fnv1a_32, m: 64,"
        " k: 1, %s keys: {members: letters, queries: {decimal: 0..9}}}\n";
    char text[512];
    struct experiment *experiment;
    struct error error;
    snprintf(text, sizeof text, form, "");
    cr_assert_eq(experiment_text_read(&experiment, text, strlen(text), NULL, &error), E_INPUT);
    cr_expect(strstr(error.text, "the grid has no 'n'"), "%s", error.text);
    snprintf(text, sizeof text, form, "bits_per_key: 8,");
    cr_assert_eq(experiment_text_read(&experiment, text, strlen(text), NULL, &error), OK);
    cr_expect(experiment->grids[0].keys[0]->sampled);
    experiment_free(experiment);
}
