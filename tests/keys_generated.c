/* SPDX-License-Identifier: MIT
 *
 * keys_generated.c: sets made from counters: distinct, disjoint, repeatable, in the shape they
 * claim.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/mix.h"
#include "tests/keys_support.h"

static const enum key_kind generated_kinds[] = {
    KEYS_RANDOM64, KEYS_SEQUENTIAL64, KEYS_STRIDED64, KEYS_REVERSED64,
    KEYS_DECIMAL,  KEYS_UUID4,        KEYS_URL,
};
enum { GENERATED_KINDS = sizeof generated_kinds / sizeof *generated_kinds };

static uint64_t generated_word(const struct keys_copy *copy, size_t i)
{
    size_t length;
    const unsigned char *key = keys_at(copy, i, &length);
    cr_assert_eq(length, 8);
    return read64(key);
}

/* ---- distinct and disjoint ---------------------------------------------------------------------
 */

/* The multiplier's inverse modulo 2^32: Newton's iteration, each step doubles the correct bits. */
static uint32_t generated_inverse(uint32_t odd)
{
    uint32_t inverse = odd; /* right to 3 bits */
    for (unsigned i = 0; i < 4; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* The counter an image came from: the rounds of bijection64 undone. */
static uint64_t generated_counter(const struct bijection64 *bijection, uint32_t inverse,
                                  uint64_t image)
{
    uint32_t left = (uint32_t)(image >> 32), right = (uint32_t)image;
    for (unsigned round = BIJECTION64_ROUNDS; round-- > 0;) {
        uint32_t multiplied = left * inverse;
        uint64_t product = (uint64_t)multiplied * BIJECTION64_MULTIPLIER;
        left = right ^ (uint32_t)(product >> 32) ^ bijection->round_key[round];
        right = multiplied;
    }
    return (uint64_t)left << 32 | right;
}

/* Ten million members and as many queries: each key gives its counter back, so no two are equal. */
Test(keys, random64_of_ten_million_are_distinct_and_disjoint)
{
    enum { COUNT = 10000000, BATCH = 10000 };
    struct key_source *source = keys_open(key_spec_new(KEYS_RANDOM64));
    struct key_stream stream;
    struct key_batch batch;
    unsigned char *buffer = malloc(key_buffer_bytes(source, BATCH));
    uint32_t inverse = generated_inverse(BIJECTION64_MULTIPLIER);
    cr_assert_eq(inverse * BIJECTION64_MULTIPLIER, 1);
    key_stream_init(&stream, source, 11);
    for (unsigned role = 0; role < 2; role++)
        for (uint64_t first = 0; first < COUNT; first += BATCH) {
            key_stream_fill(&stream, (enum key_role)role, first, BATCH, &batch, buffer);
            for (uint64_t i = 0; i < BATCH; i++) {
                uint64_t counter =
                    generated_counter(&stream.number, inverse, read64(batch.bytes + 8 * i));
                if (counter != ((uint64_t)role << 63 | (first + i)))
                    cr_assert_fail("role %u, key %" PRIu64 ": counter %" PRIx64, role, first + i,
                                   counter);
            }
        }
    free(buffer);
    key_source_free(source);
}

/* Fingerprints of 64 bits: 2 * 10^6 different keys would collide with probability 1e-7. */
static void generated_expect_distinct(struct key_spec *spec, size_t count)
{
    char text[64];
    key_spec_format(spec, text, sizeof text);
    struct key_source *source = keys_open(spec);
    uint64_t *values = malloc(2 * count * sizeof *values);
    for (unsigned role = 0; role < 2; role++) {
        struct keys_copy copy = keys_read(source, 3, (enum key_role)role, 0, count);
        for (size_t i = 0; i < count; i++)
            values[role * count + i] = keys_fingerprint(&copy, i);
        keys_copy_free(&copy);
    }
    cr_expect_eq(keys_repeated(values, 2 * count), 0, "%s", text);
    free(values);
    key_source_free(source);
}

Test(keys, generated_members_and_queries_are_distinct)
{
    for (unsigned k = 0; k < GENERATED_KINDS; k++)
        generated_expect_distinct(key_spec_new(generated_kinds[k]), 1000000);
}

Test(keys, strides_keep_counters_apart)
{
    static const uint64_t strides[] = {1, 3, 4096, 4097, UINT64_C(3) << 40, UINT64_MAX};
    for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++) {
        struct key_spec *spec = key_spec_new(KEYS_STRIDED64);
        spec->stride = strides[i];
        generated_expect_distinct(spec, 50000);
    }
}

/* A stride of 2^60 leaves 16 multiples: 8 members and 8 queries, all of them used. */
Test(keys, huge_strides_have_few_counters)
{
    struct key_spec *spec = key_spec_new(KEYS_STRIDED64);
    spec->stride = UINT64_C(1) << 60;
    struct key_source *source = keys_open(spec);
    cr_expect_eq(key_source_members(source), 8);
    cr_expect_eq(key_source_queries(source, 8), 8);
    unsigned seen = 0;
    for (unsigned role = 0; role < 2; role++) {
        struct keys_copy copy = keys_read(source, 9, (enum key_role)role, 0, 8);
        for (size_t i = 0; i < 8; i++)
            seen |= 1u << (generated_word(&copy, i) >> 60);
        keys_copy_free(&copy);
    }
    cr_expect_eq(seen, 0xffff);
    key_source_free(source);
}

Test(keys, generated_sets_are_unlimited)
{
    for (unsigned k = 0; k < GENERATED_KINDS; k++) {
        struct key_source *source = keys_open(key_spec_new(generated_kinds[k]));
        cr_expect_eq(key_source_members(source), KEYS_UNLIMITED);
        cr_expect_eq(key_source_queries(source, UINT64_C(1) << 40), KEYS_UNLIMITED);
        cr_expect_not(key_source_explicit(source));
        cr_expect_eq(key_source_duplicates(source), 0);
        key_source_free(source);
    }
}

/* ---- streams -----------------------------------------------------------------------------------
 */

/* Any cut of [0, 1000) into fills gives the same keys: members for n are a prefix of more. */
Test(keys, generated_fills_in_pieces_equal_one)
{
    static const size_t pieces[] = {1, 7, 63, 64, 65, 256, 257, 512, 999};
    for (unsigned k = 0; k < GENERATED_KINDS; k++)
        for (unsigned role = 0; role < 2; role++) {
            struct key_source *source = keys_open(key_spec_new(generated_kinds[k]));
            struct keys_copy whole = keys_read(source, 4, (enum key_role)role, 0, 1000);
            for (unsigned p = 0; p < sizeof pieces / sizeof *pieces; p++)
                for (size_t first = 0; first < 1000; first += pieces[p]) {
                    size_t count = 1000 - first < pieces[p] ? 1000 - first : pieces[p];
                    struct keys_copy part = keys_read(source, 4, (enum key_role)role, first, count);
                    for (size_t i = 0; i < count; i++)
                        cr_assert(keys_equal(&whole, first + i, &part, i), "kind %u, key %zu", k,
                                  first + i);
                    keys_copy_free(&part);
                }
            struct keys_copy none = keys_read(source, 4, (enum key_role)role, 5, 0);
            keys_copy_free(&none);
            keys_copy_free(&whole);
            key_source_free(source);
        }
}

/* No trial repeats another's keys, not even consecutive ones. */
Test(keys, generated_trials_share_no_key)
{
    enum { TRIALS = 50, COUNT = 1000 };
    for (unsigned k = 0; k < GENERATED_KINDS; k++) {
        struct key_source *source = keys_open(key_spec_new(generated_kinds[k]));
        static uint64_t values[TRIALS * COUNT];
        for (unsigned trial = 0; trial < TRIALS; trial++) {
            struct keys_copy copy = keys_read(source, trial, KEY_MEMBER, 0, COUNT);
            for (size_t i = 0; i < COUNT; i++)
                values[trial * COUNT + i] = keys_fingerprint(&copy, i);
            keys_copy_free(&copy);
        }
        cr_expect_eq(keys_repeated(values, TRIALS * COUNT), 0, "kind %u", k);
        key_source_free(source);
    }
}

/* Key sets with one seed are not each other's images: random64 and strided64 of stride 64 and 128.
 */
Test(keys, sets_of_one_seed_differ)
{
    struct key_spec *a = key_spec_new(KEYS_STRIDED64), *b = key_spec_new(KEYS_STRIDED64);
    a->stride = 64;
    b->stride = 128;
    struct key_source *first = keys_open(a), *second = keys_open(b);
    struct keys_copy one = keys_read(first, 1, KEY_MEMBER, 0, 1);
    struct keys_copy two = keys_read(second, 1, KEY_MEMBER, 0, 1);
    cr_expect_neq(generated_word(&one, 0) / 64, generated_word(&two, 0) / 128);
    keys_copy_free(&one);
    keys_copy_free(&two);
    key_source_free(first);
    key_source_free(second);
}

/* ---- shapes ------------------------------------------------------------------------------------
 */

static uint64_t generated_reverse(uint64_t x)
{
    uint64_t reversed = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        reversed |= (x >> bit & 1) << (63 - bit);
    return reversed;
}

static void generated_expect_steps(enum key_kind kind, uint64_t stride)
{
    struct key_source *source = keys_open(key_spec_new(kind));
    for (unsigned role = 0; role < 2; role++) {
        struct keys_copy copy = keys_read(source, 6, (enum key_role)role, 0, 1000);
        for (size_t i = 0; i < 1000; i++) {
            uint64_t key = generated_word(&copy, i), start = generated_word(&copy, 0);
            if (kind == KEYS_REVERSED64) {
                key = generated_reverse(key);
                start = generated_reverse(start);
            }
            cr_assert_eq(start % (stride << 20), 0, "start %" PRIx64, start);
            cr_assert_eq(key, start + i * stride);
            cr_assert_eq(key >> 63, role);
        }
        keys_copy_free(&copy);
    }
    key_source_free(source);
}

Test(keys, consecutive_counters_step_from_a_round_start)
{
    generated_expect_steps(KEYS_SEQUENTIAL64, 1);
    generated_expect_steps(KEYS_STRIDED64, 4096);
    generated_expect_steps(KEYS_REVERSED64, 1);
}

Test(keys, decimal_counts_in_eighteen_digits)
{
    for (unsigned width = 0; width <= 25; width += 25) {
        struct key_spec *spec = key_spec_new(KEYS_DECIMAL);
        spec->width = width;
        struct key_source *source = keys_open(spec);
        cr_expect_eq(key_source_longest(source), width > 18 ? width : 18);
        for (unsigned role = 0; role < 2; role++) {
            struct keys_copy copy = keys_read(source, 6, (enum key_role)role, 0, 3000);
            uint64_t start = 0;
            for (size_t i = 0; i < 3000; i++) {
                char text[32];
                size_t length;
                const unsigned char *key = keys_at(&copy, i, &length);
                snprintf(text, sizeof text, "%.*s", (int)length, (const char *)key);
                uint64_t value = strtoull(text, NULL, 10);
                start = i == 0 ? value : start;
                cr_assert_eq(value, start + i);
                cr_assert_eq(value >= UINT64_C(550000000000000000), role);
                snprintf(text, sizeof text, "%0*" PRIu64, (int)width, value);
                cr_assert(keys_is(&copy, i, text, strlen(text)), "%s", text);
            }
            cr_expect_eq(start % 1000000, 0);
            keys_copy_free(&copy);
        }
        key_source_free(source);
    }
}

Test(keys, uuid4_has_the_form_of_rfc_9562)
{
    enum { COUNT = 100000 };
    struct key_source *source = keys_open(key_spec_new(KEYS_UUID4));
    struct keys_copy copy = keys_read(source, 2, KEY_MEMBER, 0, COUNT);
    cr_expect_eq(key_source_longest(source), 36);
    for (size_t i = 0; i < COUNT; i++) {
        size_t length;
        const unsigned char *key = keys_at(&copy, i, &length);
        cr_assert_eq(length, 36);
        for (unsigned c = 0; c < 36; c++)
            if (c == 8 || c == 13 || c == 18 || c == 23)
                cr_assert_eq(key[c], '-');
            else
                cr_assert(key[c] && strchr("0123456789abcdef", key[c]), "byte %02x", key[c]);
        cr_assert_eq(key[14], '4');
        cr_assert(strchr("89ab", key[19]));
    }
    keys_copy_free(&copy);
    key_source_free(source);
}

/* Every free hexadecimal digit takes each value about equally often: counts of 10^5 * 2^-w
 * within 6.5 standard errors, for 31 places of up to 16 values: a false alarm below 1e-7. */
Test(keys, uuid4_digits_are_uniform)
{
    enum { COUNT = 100000 };
    struct key_source *source = keys_open(key_spec_new(KEYS_UUID4));
    struct keys_copy copy = keys_read(source, 2, KEY_QUERY, 0, COUNT);
    for (unsigned c = 0; c < 36; c++) {
        uint32_t seen[256] = {0};
        for (size_t i = 0; i < COUNT; i++) {
            size_t length;
            seen[keys_at(&copy, i, &length)[c]]++;
        }
        if (c == 8 || c == 13 || c == 14 || c == 18 || c == 23)
            continue;
        const char *values = c == 19 ? "89ab" : "0123456789abcdef";
        double p = 1.0 / (double)strlen(values);
        for (const char *v = values; *v; v++) {
            double off = seen[(unsigned char)*v] - COUNT * p;
            cr_expect_lt(off * off, 6.5 * 6.5 * COUNT * p * (1 - p), "place %u, digit %c: %u", c,
                         *v, seen[(unsigned char)*v]);
        }
    }
    keys_copy_free(&copy);
    key_source_free(source);
}

/* scheme://host/path, one run of digits, only characters that need no escaping, of many lengths. */
Test(keys, urls_look_like_urls)
{
    struct key_source *source = keys_open(key_spec_new(KEYS_URL));
    struct keys_copy copy = keys_read(source, 2, KEY_MEMBER, 0, 100000);
    unsigned lengths = 0;
    bool seen[256] = {false};
    for (size_t i = 0; i < copy.batch.count; i++) {
        char text[256];
        size_t length;
        const unsigned char *key = keys_at(&copy, i, &length);
        cr_assert_leq(length, key_source_longest(source));
        snprintf(text, sizeof text, "%.*s", (int)length, (const char *)key);
        cr_assert(!strncmp(text, "http://", 7) || !strncmp(text, "https://", 8), "%s", text);
        cr_assert_eq(strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789:/.-?="), length, "%s",
                     text);
        char *digits = text + strcspn(text, "0123456789");
        size_t run = strspn(digits, "0123456789");
        cr_assert_geq(run, 1);
        cr_assert(run == 1 || *digits != '0', "%s", text);
        cr_assert_eq(digits[run + strcspn(digits + run, "0123456789")], '\0', "%s", text);
        lengths += !seen[length];
        seen[length] = true;
    }
    cr_expect_gt(lengths, 40);
    keys_copy_free(&copy);
    key_source_free(source);
}
