/* SPDX-License-Identifier: MIT
 *
 * keys_files.c: keys read from files, in every odd shape.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/keys_support.h"

#define BYTES(text) (text), sizeof(text) - 1

static struct key_spec *files_spec(const char *path, bool binary)
{
    struct key_spec *spec = key_spec_new(KEYS_FILE);
    cr_assert_not_null(spec);
    cr_assert_not_null(spec->path = strdup(path));
    spec->binary = binary;
    return spec;
}

/* The file's keys in their own order, as members of an explicit set. */
static struct key_source *files_in_order(const void *bytes, size_t size, bool binary)
{
    char *path = keys_file(bytes, size);
    struct key_source *source =
        keys_open(keys_explicit(files_spec(path, binary), keys_range(KEYS_DECIMAL, 7, 7, 40)));
    unlink(path);
    free(path);
    return source;
}

static void files_refuse(const void *bytes, size_t size, bool binary, const char *part)
{
    char *path = keys_file(bytes, size);
    keys_refused(files_spec(path, binary), part);
    unlink(path);
    free(path);
}

/* What the file holds: `keys` one after the other, each ended by '|' here. */
static void files_expect(const void *bytes, size_t size, bool binary, const char *keys,
                         size_t keys_size, uint64_t empty_lines, uint64_t duplicates)
{
    struct key_source *source = files_in_order(bytes, size, binary);
    size_t count = 0;
    for (size_t i = 0; i < keys_size; i++)
        count += keys[i] == '|';
    cr_assert_eq(key_source_members(source), count);
    cr_expect_eq(key_source_empty_lines(source), empty_lines);
    cr_expect_eq(key_source_duplicates(source), duplicates);
    struct keys_copy copy = keys_read(source, 0, KEY_MEMBER, 0, count);
    for (size_t i = 0; i < count; i++) {
        const char *end = memchr(keys, '|', keys_size);
        size_t length = (size_t)(end - keys);
        cr_expect(keys_is(&copy, i, keys, length), "key %zu is not %.*s", i, (int)length, keys);
        keys_size -= length + 1;
        keys = end + 1;
    }
    keys_copy_free(&copy);
    key_source_free(source);
}

Test(keys, lines_end_with_lf_or_crlf)
{
    files_expect(BYTES("one\ntwo\nthree\n"), false, BYTES("one|two|three|"), 0, 0);
    files_expect(BYTES("one\r\ntwo\r\nthree\r\n"), false, BYTES("one|two|three|"), 0, 0);
    files_expect(BYTES("one\r\ntwo\nthree"), false, BYTES("one|two|three|"), 0, 0);
    files_expect(BYTES("x"), false, BYTES("x|"), 0, 0);
    files_expect(BYTES("a\rb\n\rc\r\r\nd\r"), false, BYTES("a\rb|\rc\r|d\r|"), 0, 0);
}

Test(keys, empty_lines_are_skipped_and_counted)
{
    files_expect(BYTES("\n\none\n\r\n\ntwo\n\n"), false, BYTES("one|two|"), 5, 0);
    files_refuse(BYTES(""), false, "is empty");
    files_refuse(BYTES("\n\r\n\n"), false, "3 empty lines and no key");
}

Test(keys, any_byte_may_be_in_a_line)
{
    files_expect(BYTES("a\0b\n\0\n\xff\xfe \t\n  \n"), false, BYTES("a\0b|\0|\xff\xfe \t|  |"), 0,
                 0);
    char all[255 + 1];
    size_t size = 0;
    for (int byte = 0; byte < 256; byte++)
        if (byte != '\n' && byte != '|')
            all[size++] = (char)byte;
    all[size++] = '\n';
    char keys[256];
    memcpy(keys, all, size - 1);
    keys[size - 1] = '|';
    files_expect(all, size, false, keys, size, 0, 0);
}

Test(keys, duplicates_are_dropped_and_counted)
{
    files_expect(BYTES("b\na\nb\nb\nc\na\n"), false, BYTES("b|a|c|"), 0, 3);
    files_expect(BYTES("same\nsame\r\nsame"), false, BYTES("same|"), 0, 2);
    files_expect(BYTES("\1\0\0\0a\0\0\0\0\1\0\0\0a\0\0\0\0"), true, BYTES("a||"), 0, 2);
}

/* Many keys, of which every second is a duplicate: the kept ones are the first of each, in order.
 */
Test(keys, many_duplicates)
{
    enum { LINES = 200000 };
    char *text = malloc(LINES * 8);
    size_t size = 0;
    for (unsigned i = 0; i < LINES; i++)
        size += (size_t)sprintf(text + size, "%u\n", i / 2 * 7 % 100000);
    struct key_source *source = files_in_order(text, size, false);
    cr_expect_eq(key_source_members(source), LINES / 2);
    cr_expect_eq(key_source_duplicates(source), LINES / 2);
    struct keys_copy copy = keys_read(source, 0, KEY_MEMBER, 0, LINES / 2);
    for (unsigned i = 0; i < LINES / 2; i++) {
        char key[16];
        size_t length = (size_t)sprintf(key, "%u", i * 7 % 100000);
        cr_assert(keys_is(&copy, i, key, length), "key %u", i);
    }
    keys_copy_free(&copy);
    key_source_free(source);
    free(text);
}

/* A line of 1 MB among short ones: exact, and no buffer of count times 1 MB. */
Test(keys, a_line_of_a_megabyte)
{
    enum { LONG = 1 << 20, SHORT = 1000 };
    char *text = malloc(LONG + 8 * SHORT);
    size_t size = 0;
    for (unsigned i = 0; i < SHORT; i++)
        size += (size_t)sprintf(text + size, "%u\n", i);
    for (size_t i = 0; i < LONG; i++)
        text[size + i] = (char)('a' + i % 23);
    char *path = keys_file(text, size + LONG);
    struct key_source *source = keys_open(files_spec(path, false));
    cr_expect_eq(key_source_longest(source), LONG);
    cr_expect_eq(key_source_members(source), SHORT + 1);
    cr_expect_lt(key_buffer_bytes(source, SHORT), 2 * LONG);
    struct keys_copy copy = keys_read(source, 1, KEY_MEMBER, 0, SHORT + 1);
    unsigned found = 0;
    for (size_t i = 0; i <= SHORT; i++)
        found += keys_is(&copy, i, text + size, LONG);
    cr_expect_eq(found, 1);
    keys_copy_free(&copy);
    key_source_free(source);
    unlink(path);
    free(path);
    free(text);
}

Test(keys, records_hold_any_key)
{
    files_expect(BYTES("\3\0\0\0a\nb\2\0\0\0\r\n\0\0\0\0\1\0\0\0\0"), true, BYTES("a\nb|\r\n||\0|"),
                 0, 0);
    files_expect(BYTES("\0\0\0\0"), true, BYTES("|"), 0, 0);
}

Test(keys, broken_records_are_named)
{
    files_refuse(BYTES(""), true, "is empty");
    files_refuse(BYTES("\1\0\0\0a\2\0"), true, "record 2 at byte 5 has 2 of the 4 bytes");
    files_refuse(BYTES("\1\0\0\0a\4\0\0\0abc"), true,
                 "record 2 at byte 5 says 4 bytes, the file has 3 left");
    files_refuse(BYTES("\xff\xff\xff\xff"), true, "says 4294967295 bytes, the file has 0 left");
    files_refuse(BYTES("plain text\n"), true, "record 1 at byte 0 says");
}

Test(keys, files_that_cannot_be_read)
{
    keys_refused(files_spec("tests/data/keys/none", false), "tests/data/keys/none: No such file");
    keys_refused(files_spec("tests", false), "cannot read tests: Is a directory");
    keys_refused(files_spec("", false), "path is empty");
    keys_refused(key_spec_new(KEYS_FILE), "path is empty");
}

/* A pipe does not tell its size. */
Test(keys, a_pipe_is_read_to_its_end)
{
    char *path = keys_file(BYTES(""));
    unlink(path);
    char command[512], expected[16];
    snprintf(command, sizeof command, "mkfifo %s && { seq 1 50000 > %s & }", path, path);
    cr_assert_eq(system(command), 0);
    struct key_source *source =
        keys_open(keys_explicit(files_spec(path, false), keys_range(KEYS_DECIMAL, 0, 0, 0)));
    cr_assert_eq(key_source_members(source), 50000);
    struct keys_copy copy = keys_read(source, 0, KEY_MEMBER, 0, 50000);
    for (unsigned i = 0; i < 50000; i++) {
        size_t length = (size_t)snprintf(expected, sizeof expected, "%u", i + 1);
        cr_assert(keys_is(&copy, i, expected, length));
    }
    keys_copy_free(&copy);
    key_source_free(source);
    unlink(path);
    free(path);
}

Test(keys, words_need_their_package)
{
    struct key_spec *spec = key_spec_new(KEYS_WORDS);
    cr_assert_not_null(spec->path = strdup("tests/data/keys/none"));
    keys_refused(spec, "package wamerican");
    struct key_source *source = keys_open(key_spec_new(KEYS_WORDS));
    cr_expect_gt(key_source_members(source), 10000);
    key_source_free(source);
}

/* The identity is of what is read, whatever the file's name or the ends of its lines. */
Test(keys, identity_is_of_the_contents)
{
    char *a = keys_file(BYTES("x\ny\n")), *b = keys_file(BYTES("x\r\ny\r\nx"));
    char *c = keys_file(BYTES("xy\n"));
    struct key_source *one = keys_open(files_spec(a, false));
    struct key_source *two = keys_open(files_spec(b, false));
    struct key_source *three = keys_open(files_spec(c, false));
    struct key_source *list = keys_open(keys_list((const char *const[]){"x", "y", NULL}));
    cr_expect_str_eq(key_source_identity(one), key_source_identity(two));
    cr_expect_str_eq(key_source_identity(one), key_source_identity(list));
    cr_expect_str_neq(key_source_identity(one), key_source_identity(three));
    char *paths[] = {a, b, c};
    for (unsigned i = 0; i < 3; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
    key_source_free(one);
    key_source_free(two);
    key_source_free(three);
    key_source_free(list);
}
