/* SPDX-License-Identifier: MIT
 *
 * hashes_fmix64.c: the hash of 8-byte keys: its values, that it is a bijection under every seed,
 * and what becomes of keys of other lengths.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/family.h"
#include "hashes/mix.h"
#include "tests/csv.h"
#include "tests/harness_lab.h"
#include "tests/harness_program.h"

static uint64_t fmix64_of(uint64_t key, uint64_t seed)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(key >> (8 * i));
    return hash_find("fmix64")->one(bytes, 8, seed).word[0];
}

/* The finalizer backwards. x ^ x >> 33 is its own inverse: twice 33 is over 64. The factors are the
 * inverses of the constants modulo 2^64. */
static uint64_t fmix64_back(uint64_t h)
{
    h ^= h >> 33;
    h *= UINT64_C(0x9cb4b2f8129337db);
    h ^= h >> 33;
    h *= UINT64_C(0x4f74430c22a54005);
    return h ^ (h >> 33);
}

Test(hashes_fmix64, the_factors_back_are_inverses)
{
    cr_expect_eq(UINT64_C(0xff51afd7ed558ccd) * UINT64_C(0x4f74430c22a54005), 1);
    cr_expect_eq(UINT64_C(0xc4ceb9fe1a85ec53) * UINT64_C(0x9cb4b2f8129337db), 1);
}

Test(hashes_fmix64, published_values_with_seed_0)
{
    struct csv *table = csv_read("tests/data/hash_vectors.csv");
    unsigned rows = 0;
    for (size_t row = 0; row < csv_rows(table); row++)
        if (csv_is(table, row, "algorithm", "fmix64")) {
            uint64_t expected = strtoull(csv_text(table, row, "value_hex"), NULL, 16);
            uint64_t big = strtoull(csv_text(table, row, "input_hex"), NULL, 16);
            cr_expect_eq(fmix64_of(__builtin_bswap64(big), 0), expected);
            rows++;
        }
    cr_expect_gt(rows, 0);
    csv_free(table);
}

/* An inverse that gives every key back leaves no two keys with one value. */
Test(hashes_fmix64, is_a_bijection_under_every_seed)
{
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t key = i < 10000 ? i << (i % 48) : mix64(i), seed = i % 3 ? mix64(~i) : 0;
        if ((fmix64_back(fmix64_of(key, seed)) ^ seed) != key)
            cr_assert_fail("key %llx, seed %llx", (unsigned long long)key,
                           (unsigned long long)seed);
    }
}

Test(hashes_fmix64, seeds_differ_and_only_permute_the_keys)
{
    for (uint64_t i = 1; i < 1000; i++) {
        uint64_t key = mix64(i), seed = mix64(i << 20);
        cr_assert_neq(fmix64_of(key, seed), fmix64_of(key, seed + 1));
        cr_assert_eq(fmix64_of(key, seed), fmix64_of(key ^ seed, 0));
    }
}

Test(hashes_fmix64, cells_of_other_keys_are_skipped)
{
    static const char *const sound[] = {"random64", "sequential64", "reversed64",
                                        "{little_endian: 0..999, bytes: 8}",
                                        "{list: [8letters, 8numbers]}"};
    static const char *const other[] = {"uuid4", "url", "{decimal: 0..999, width: 9}",
                                        "{little_endian: 0..999, bytes: 4}",
                                        "{list: [8letters, 9numbers_]}"};
    char text[512];
    struct lab lab;
    for (size_t i = 0; i < 5; i++) {
        static const char *const grid =
            "grid: {filter: classic, hash: [fmix64, {pair: [xxh64, fmix64]}], keys: %s, m: 64,"
            " n: 1, k: 2}\ntrials: 1\nqueries: 1";
        snprintf(text, sizeof text, grid, sound[i]);
        lab_open(&lab, text);
        cr_expect_eq(lab.plan->cell_count, 2, "%s", sound[i]);
        lab_close(&lab);
        snprintf(text, sizeof text, grid, other[i]);
        lab_open(&lab, text);
        cr_expect_eq(lab.plan->cell_count, 0, "%s", other[i]);
        cr_assert_eq(lab.plan->skipped_count, 2, "%s", other[i]);
        cr_expect(strstr(lab.plan->skipped[1].reason, "fmix64 takes keys of 8 bytes"), "%s",
                  lab.plan->skipped[1].reason);
        lab_close(&lab);
    }
}

Test(hashes_fmix64, the_command_takes_8_bytes)
{
    struct surroundings sound = {.input = "0100000000000000\n"}, other = {.input = "01\n"};
    struct program program;
    program_run(&program, &sound, "hash", "fmix64", "--hex", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    cr_expect_str_eq(program.out, "b456bcfc34c2cb2c\n");
    program_release(&program);
    program_run(&program, &other, "hash", "fmix64", "--hex", NULL);
    program_fails(&program, 2, "line 1: fmix64 takes keys of 8 bytes, this one has 1");
}
