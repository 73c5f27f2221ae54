/* SPDX-License-Identifier: MIT
 *
 * harness_hash.c: `bloomlab hash`: keys in, values out.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/text.h"
#include "tests/csv.h"
#include "tests/harness_program.h"

/* Standard output for this input. */
static void hash_prints(const char *name, const char *seed, const char *hex, const char *input,
                        size_t bytes, const char *expected)
{
    struct surroundings around = {.input = input, .input_bytes = bytes};
    struct program program;
    program_run(&program, &around, "hash", name, "--seed", seed, hex, NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_assert_str_eq(program.out, expected);
    cr_assert_str_eq(program.err, "");
    program_release(&program);
}

Test(harness_hash, known_values)
{
    hash_prints("murmur3_x86_32", "0", NULL, "hello\n", 0, "248bfa47\n");
    hash_prints("murmur2", "0", NULL, "hello\n", 0, "e56129cb\n");
    hash_prints("murmur64a", "0", NULL, "hello\n", 0, "1e68d17c457bf117\n");
    hash_prints("fnv1a_32", "0", NULL, "hello\n", 0, "4f9f2cab\n");
    hash_prints("djb2", "0", NULL, "\n", 0, "00001505\n"); /* 5381: the empty key */
}

Test(harness_hash, where_a_line_ends)
{
    hash_prints("fnv1a_32", "0", NULL, "", 0, "");
    hash_prints("fnv1a_32", "0", NULL, "hello", 0, "4f9f2cab\n");
    hash_prints("fnv1a_32", "0", NULL, "hello\r\n", 0, "4f9f2cab\n");
    hash_prints("fnv1a_32", "0", NULL, "\n\r\nhello\n", 0, "811c9dc5\n811c9dc5\n4f9f2cab\n");
    hash_prints("fnv1a_32", "0", "--hex", "68656C6c6f\r\n\n", 0, "4f9f2cab\n811c9dc5\n");
    /* A byte 0 and a carriage return within the line belong to the key. */
    hash_prints("fnv1a_32", "0", NULL, "a\0b\n", 4, "10f3abd2\n");
    hash_prints("fnv1a_32", "0", "--hex", "610062\n", 0, "10f3abd2\n");
    hash_prints("fnv1a_32", "0", NULL, "a\rb\n", 0, "2ad7fe43\n");
    hash_prints("fnv1a_32", "0", "--hex", "610d62\n", 0, "2ad7fe43\n");
}

Test(harness_hash, seeds_of_64_bits)
{
    struct program one, two;
    static const char *const wide[] = {"murmur64a", "xxh64", "xxh3_64",  "siphash24",     "sha256",
                                       "murmur2",   "djb2",  "fnv1a_64", "murmur3_x86_32"};
    struct surroundings around = {.input = "key\n"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        program_run(&one, &around, "hash", wide[i], "--seed", "1", NULL);
        program_run(&two, &around, "hash", wide[i], "--seed=4294967297", NULL);
        cr_assert(one.status == 0 && two.status == 0);
        cr_assert_str_neq(one.out, two.out, "%s narrows its seed", wide[i]);
        program_release(&one);
        program_release(&two);
    }
}

Test(harness_hash, what_is_wrong_and_where)
{
    struct surroundings odd = {.input = "00\n\nabc\n"}, letter = {.input = "00\n0g\n"},
                        space = {.input = "00 11\n"};
    struct program program;
    program_run(&program, &odd, "hash", "xxh64", "--hex", NULL);
    program_fails(&program, 2, "line 3");
    program_run(&program, &letter, "hash", "xxh64", "--hex", NULL);
    program_fails(&program, 2, "line 2");
    program_run(&program, &space, "hash", "xxh64", "--hex", NULL);
    program_fails(&program, 2, "line 1");
    program_run(&program, NULL, "hash", "xxh46", NULL);
    program_fails(&program, 2, "xxh46");
    program_run(&program, NULL, "hash", NULL);
    program_fails(&program, 2, "list hashes");
    program_run(&program, NULL, "hash", "xxh64", "--seed", "18446744073709551616", NULL);
    program_fails(&program, 2, "18446744073709551615");
    program_run(&program, NULL, "hash", "xxh64", "--seed", "-1", NULL);
    program_fails(&program, 2, "-1");
    program_run(&program, NULL, "hash", "xxh64", "murmur2", NULL);
    program_fails(&program, 2, "murmur2");
}

/* ---- every published vector of some hashes, the keys of one seed in one run -------------------
 */

static const char *hash_seed(const struct csv *table, size_t row)
{
    return csv_is(table, row, "seed", "-") ? "0" : csv_text(table, row, "seed");
}

/* Has an earlier row of the algorithm the seed of this one? */
static bool hash_seed_seen(const struct csv *table, size_t row, const char *algorithm)
{
    for (size_t r = 0; r < row; r++)
        if (csv_is(table, r, "algorithm", algorithm) &&
            strcmp(hash_seed(table, r), hash_seed(table, row)) == 0)
            return true;
    return false;
}

static size_t hash_vectors_of_seed(const struct csv *table, const char *algorithm, const char *name,
                                   const char *seed)
{
    struct text keys = {0}, values = {0};
    size_t rows = 0;
    for (size_t r = 0; r < csv_rows(table); r++)
        if (csv_is(table, r, "algorithm", algorithm) && strcmp(hash_seed(table, r), seed) == 0) {
            text_printf(&keys, "%s\n", csv_text(table, r, "input_hex"));
            text_printf(&values, "%s\n", csv_text(table, r, "value_hex"));
            rows++;
        }
    hash_prints(name, seed, "--hex", keys.data, keys.size, values.data);
    text_release(&keys);
    text_release(&values);
    return rows;
}

Test(harness_hash, published_vectors)
{
    static const char *const names[][2] = {
        {"murmur2_32", "murmur2"},
        {"murmur2A_32", "murmur2a"},
        {"murmur64A", "murmur64a"},
        {"murmur3_x86_32", "murmur3_x86_32"},
        {"murmur3_x86_128", "murmur3_x86_128"},
        {"murmur3_x64_128", "murmur3_x64_128"},
        {"fnv1a_64", "fnv1a_64"},
        {"djb2_add", "djb2"},
        {"djb2_xor", "djb2_xor"},
        {"xxh64", "xxh64"},
    };
    struct csv *table = csv_read("tests/data/hash_vectors.csv");
    size_t rows = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t r = 0; r < csv_rows(table); r++)
            if (csv_is(table, r, "algorithm", names[i][0]) &&
                !hash_seed_seen(table, r, names[i][0]))
                rows += hash_vectors_of_seed(table, names[i][0], names[i][1], hash_seed(table, r));
    cr_assert_eq(rows, 6 * 134 + 2 + 3 * 45 + 134);
    csv_free(table);
}
