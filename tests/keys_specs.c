/* SPDX-License-Identifier: MIT
 *
 * keys_specs.c: what a spec says of itself, and the recorded beginnings of every stream.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/keys_support.h"

/* ---- specs -------------------------------------------------------------------------------------
 */

static void specs_expect_text(struct key_spec *spec, const char *expected)
{
    char text[200];
    key_spec_format(spec, text, sizeof text);
    cr_expect_str_eq(text, expected);
    char small[6];
    key_spec_format(spec, small, sizeof small);
    cr_expect_lt(strlen(small), sizeof small);
    cr_expect_eq(strncmp(small, expected, strlen(small)), 0);
    key_spec_free(spec);
}

static struct key_spec *specs_file(enum key_kind kind, const char *path, bool binary)
{
    struct key_spec *spec = key_spec_new(kind);
    cr_assert_not_null(spec->path = strdup(path));
    spec->binary = binary;
    return spec;
}

Test(keys, specs_are_written_with_what_differs_from_the_default)
{
    static const char *const one[] = {"x", NULL}, *const two[] = {"x", "y", NULL};
    specs_expect_text(key_spec_new(KEYS_RANDOM64), "random64");
    specs_expect_text(key_spec_new(KEYS_STRIDED64), "strided64");
    struct key_spec *spec = key_spec_new(KEYS_STRIDED64);
    spec->stride = 64;
    specs_expect_text(spec, "strided64(stride=64)");
    specs_expect_text(key_spec_new(KEYS_DECIMAL), "decimal");
    specs_expect_text(keys_range(KEYS_DECIMAL, 0, 9999, 0), "decimal(0..9999)");
    specs_expect_text(keys_range(KEYS_DECIMAL, 0, 9999, 5), "decimal(0..9999;width=5)");
    specs_expect_text(keys_range(KEYS_LITTLE_ENDIAN, 0, 9, 4), "little_endian(0..9;bytes=4)");
    specs_expect_text(keys_range(KEYS_LITTLE_ENDIAN, 0, 9, 8), "little_endian(0..9)");
    specs_expect_text(specs_file(KEYS_FILE, "a/b.txt", false), "file(a/b.txt)");
    specs_expect_text(specs_file(KEYS_FILE, "b.bin", true), "file(b.bin;binary)");
    specs_expect_text(keys_list(one), "list(1 key)");
    specs_expect_text(keys_explicit(keys_list(two), keys_range(KEYS_DECIMAL, 0, 9, 0)),
                      "explicit(members=list(2 keys);queries=decimal(0..9))");
}

Test(keys, kinds_have_names)
{
    enum key_kind found;
    unsigned kinds = 0;
    for (const struct key_kind_info *info; (info = key_kind_info((enum key_kind)kinds)); kinds++) {
        cr_expect(info->name && *info->name && info->summary && *info->summary && info->source &&
                  *info->source);
        cr_expect_eq(key_kind_find(info->name, &found), info->nameable, "%s", info->name);
        if (info->nameable)
            cr_expect_eq(found, kinds);
    }
    cr_expect_eq(kinds, KEYS_EXPLICIT + 1);
    cr_expect_not(key_kind_find("random", &found));
    cr_expect_not(key_kind_find("", &found));
}

Test(keys, long_keys_are_cut_in_sentences)
{
    char text[KEY_TEXT_SIZE], key[100];
    memset(key, 0, sizeof key);
    key_format(text, key, sizeof key);
    cr_expect_eq(strlen(text), 4 * KEY_SHOWN + 5);
    cr_expect_str_eq(text + 4 * KEY_SHOWN + 1, "\"...");
    key_format(text, "a\\b", 3);
    cr_expect_str_eq(text, "\"a\\x5cb\"");
}

/* ---- recorded ----------------------------------------------------------------------------------
 */

static struct key_spec *specs_letters(void)
{
    static const char *const letters[] = {"a", "bc", "def", "ghij", "klmno", "", "pq", "r", NULL};
    return keys_list(letters);
}

/* The digest of the first keys of each stream at seed 1. These may only change on purpose, with the
 * tables of results/reference: they are what makes `same seed, same bytes` true across versions. */
Test(keys, streams_begin_as_recorded)
{
    struct {
        const char *name;
        struct key_spec *spec;
        size_t count;
        uint64_t digest[2];
    } recorded[] = {
        {"random64",
         key_spec_new(KEYS_RANDOM64),
         1000,
         {UINT64_C(0x451c767ef6afc4fc), UINT64_C(0x5471f3565bdd19d5)}},
        {"sequential64",
         key_spec_new(KEYS_SEQUENTIAL64),
         1000,
         {UINT64_C(0xa22be1982e3cf23f), UINT64_C(0x566e1a1ff76f31d4)}},
        {"strided64",
         key_spec_new(KEYS_STRIDED64),
         1000,
         {UINT64_C(0x3b63e8375cd30f75), UINT64_C(0x5837362d581b2958)}},
        {"reversed64",
         key_spec_new(KEYS_REVERSED64),
         1000,
         {UINT64_C(0x2609286176336c0f), UINT64_C(0x1af3b4ce5cc25854)}},
        {"decimal",
         key_spec_new(KEYS_DECIMAL),
         1000,
         {UINT64_C(0xab36f90da3c5c3ba), UINT64_C(0x003475bea266145b)}},
        {"uuid4",
         key_spec_new(KEYS_UUID4),
         1000,
         {UINT64_C(0xe56377dcf92ba992), UINT64_C(0x46b6b732dc7dd3b8)}},
        {"url",
         key_spec_new(KEYS_URL),
         1000,
         {UINT64_C(0x2284f48c0f48c84d), UINT64_C(0x5ab56c8c96c56cd3)}},
        {"decimal range",
         keys_range(KEYS_DECIMAL, 0, 9999, 0),
         1000,
         {UINT64_C(0xaca7299046af3495), UINT64_C(0x2989735404f118b5)}},
        {"little_endian",
         keys_range(KEYS_LITTLE_ENDIAN, 1, 70000, 4),
         1000,
         {UINT64_C(0xd3fdd77245ead954), UINT64_C(0x4844158810f0efe4)}},
        {"list", specs_letters(), 8, {UINT64_C(0x16cb5c50a35bcdbb), UINT64_C(0xa1a2f3766d1404c1)}},
    };
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        struct key_source *source = keys_open(recorded[i].spec);
        for (unsigned role = 0; role < 2; role++) {
            struct keys_copy copy = keys_read(source, 1, (enum key_role)role, 0, recorded[i].count);
            uint64_t digest = keys_digest(&copy);
            cr_expect_eq(digest, recorded[i].digest[role], "%s, role %u: %016" PRIx64,
                         recorded[i].name, role, digest);
            keys_copy_free(&copy);
        }
        key_source_free(source);
    }
}

Test(keys, first_keys_as_recorded)
{
    struct key_source *source = keys_open(key_spec_new(KEYS_UUID4));
    struct keys_copy copy = keys_read(source, 1, KEY_MEMBER, 0, 1);
    cr_expect(keys_is(&copy, 0, "67276192-c85d-4abe-bd88-b36ce0b2c632", 36));
    keys_copy_free(&copy);
    key_source_free(source);
    source = keys_open(key_spec_new(KEYS_DECIMAL));
    copy = keys_read(source, 1, KEY_QUERY, 0, 1);
    cr_expect(keys_is(&copy, 0, "560703160964000000", 18));
    keys_copy_free(&copy);
    key_source_free(source);
}
