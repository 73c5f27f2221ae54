/* SPDX-License-Identifier: MIT
 *
 * hashes_vectors.c: values of the hashes against values computed elsewhere: published vectors,
 * SMHasher's verification codes, and what the source documents print.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/hash.h"
#include "hashes/mix.h"
#include "tests/csv.h"

static const struct hash *vectors_hash(const char *name)
{
    const struct hash *hash = hash_find(name);
    cr_assert_not_null(hash, "no hash %s", name);
    return hash;
}

static uint64_t vectors_word(const char *hash, const char *text, uint64_t seed)
{
    return vectors_hash(hash)->one(text, strlen(text), seed).word[0];
}

/* Bytes of hexadecimal text; how many. */
static size_t vectors_bytes(unsigned char *bytes, size_t room, const char *hex)
{
    size_t count = strlen(hex) / 2;
    cr_assert_leq(count, room);
    for (size_t i = 0; i < count; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'}, *end;
        bytes[i] = (unsigned char)strtoul(digits, &end, 16);
        cr_assert(*end == '\0', "no hexadecimal: %s", hex);
    }
    return count;
}

/* The value as the little-endian reference leaves it in memory. */
static void vectors_memory(unsigned char *bytes, struct hash_value value, unsigned bits)
{
    for (unsigned i = 0; i < bits / 8; i++)
        bytes[i] = (unsigned char)(value.word[i / 8] >> (8 * (i % 8)));
}

/* ---- the oracle table ---------------------------------------------------------------------- */

static const struct {
    const char *algorithm, *hash;
    uint64_t or_with;
    unsigned rows;
} vectors_algorithms[] = {
    {"murmur2_32", "murmur2", 0, 135},
    {"murmur2A_32", "murmur2a", 0, 134},
    {"murmur64A", "murmur64a", 0, 134},
    {"murmur3_x86_32", "murmur3_x86_32", 0, 134},
    {"murmur3_x86_128", "murmur3_x86_128", 0, 135},
    {"murmur3_x64_128", "murmur3_x64_128", 0, 134},
    {"fnv1a_32", "fnv1a_32", 0, 45},
    {"fnv1a_64", "fnv1a_64", 0, 45},
    {"djb2_add", "djb2", 0, 45},
    {"djb2_xor", "djb2_xor", 0, 45},
    {"fmix32_djb2_or1", "djb2_mix", 1, 45},
    {"xxh64", "xxh64", 0, 134},
    {"siphash_2_4", "siphash24", 0, 135},
};
enum { VECTORS_ALGORITHMS = sizeof vectors_algorithms / sizeof vectors_algorithms[0] };

/* "-", "0x00000001" or SipHash's "k0=0x00000001 k1=0"; false: a key that no seed of ours gives. */
static bool vectors_seed(const char *text, uint64_t *seed)
{
    *seed = 0;
    if (strcmp(text, "-") == 0)
        return true;
    if (strncmp(text, "key=", 4) == 0)
        return false;
    const char *digits = strncmp(text, "k0=", 3) == 0 ? text + 3 : text;
    char *end;
    *seed = strtoull(digits, &end, 16);
    cr_assert(*end == '\0' || strcmp(end, " k1=0") == 0, "seed %s", text);
    return true;
}

static void vectors_check_row(const struct csv *table, size_t row, const struct hash *hash,
                              uint64_t seed, uint64_t or_with)
{
    unsigned char key[64], memory[16], expected[16];
    size_t length = vectors_bytes(key, sizeof key, csv_text(table, row, "input_hex"));
    cr_assert_eq(length, csv_integer(table, row, "len"));
    struct hash_value value = hash->one(key, length, seed);
    value.word[0] |= or_with;

    char text[HASH_TEXT_SIZE];
    hash_format(hash, value, text);
    cr_expect(csv_is(table, row, "value_hex", text), "%s, row %zu: %s is not %s", hash->name, row,
              text, csv_text(table, row, "value_hex"));
    size_t bytes = vectors_bytes(expected, sizeof expected, csv_text(table, row, "bytes_hex"));
    cr_assert_eq(bytes, hash->bits / 8);
    vectors_memory(memory, value, hash->bits);
    cr_expect(memcmp(memory, expected, bytes) == 0, "%s, row %zu: bytes differ", hash->name, row);
}

/* 1300 of the 1400 rows go through the table of hashes and 11 through mix.h. The other 89 are
 * functions that are not here: FNV-1 (44), and SipHash under a key with more than 8 bytes set (45).
 */
Test(hashes, every_published_vector)
{
    struct csv *table = csv_read("tests/data/hash_vectors.csv");
    unsigned used[VECTORS_ALGORITHMS] = {0}, total = 0, mixers = 0;
    for (size_t row = 0; row < csv_rows(table); row++) {
        uint64_t seed, or_with;
        bool reachable = vectors_seed(csv_text(table, row, "seed"), &seed);
        for (int a = 0; reachable && a < VECTORS_ALGORITHMS; a++)
            if (csv_is(table, row, "algorithm", vectors_algorithms[a].algorithm)) {
                or_with = vectors_algorithms[a].or_with;
                vectors_check_row(table, row, vectors_hash(vectors_algorithms[a].hash), seed,
                                  or_with);
                used[a]++;
                total++;
            }
        unsigned char bytes[8];
        uint64_t value = strtoull(csv_text(table, row, "value_hex"), NULL, 16);
        if (csv_is(table, row, "algorithm", "fmix32")) {
            cr_assert_eq(vectors_bytes(bytes, 4, csv_text(table, row, "input_hex")), 4);
            cr_expect_eq(fmix32(read32(bytes)), value);
            mixers++;
        } else if (csv_is(table, row, "algorithm", "fmix64")) {
            cr_assert_eq(vectors_bytes(bytes, 8, csv_text(table, row, "input_hex")), 8);
            cr_expect_eq(fmix64(read64(bytes)), value);
            mixers++;
        }
    }
    for (int a = 0; a < VECTORS_ALGORITHMS; a++)
        cr_expect_eq(used[a], vectors_algorithms[a].rows, "%s: %u rows",
                     vectors_algorithms[a].algorithm, used[a]);
    cr_assert_eq(csv_rows(table), 1400);
    cr_assert_eq(total, 1300);
    cr_assert_eq(mixers, 11);
    csv_free(table);
}

/* No oracle row has a byte over 0x7f, where signed bytes go wrong. Values from byte-at-a-time
 * implementations in another language (XXH3: through libxxhash's bindings); keys and seeds are
 * those of vectors_high_key and vectors_high_seeds. */
enum { VECTORS_HIGH = 5 };

static const uint64_t vectors_high_seeds[VECTORS_HIGH] = {
    0, 1, UINT64_C(0x123456789abcdef0), UINT64_C(0xfedcba9876543210), UINT64_C(4294967297)};

static const struct {
    const char *hash, *value[VECTORS_HIGH];
} vectors_high[] = {
    {"murmur2", {"9ed86aea", "b01f7dec", "42555133", "699db96b", "1c60017f"}},
    {"murmur2a", {"71abb13e", "9b5d11ed", "1320a6d3", "42ac018a", "59430f26"}},
    {"murmur64a",
     {"35a929b9e9362122", "d7140acb83687ec7", "3fffe6974271f969", "b85f85fc92a8c94b",
      "7a8aa26240f24afd"}},
    {"murmur3_x86_32", {"fd6cf10d", "254efd00", "c6553276", "034c55f2", "37caa77c"}},
    {"murmur3_x86_128",
     {"dd66c533f073184ef073184ef073184e", "3e6699ffb842be71b842be71b842be71",
      "23aa8e5310b7ec6c10b7ec6c10b7ec6c", "b116d80c5493f6677a75b04fba6c3184",
      "f94031a63f72a8fe61474493929bafd3"}},
    {"murmur3_x64_128",
     {"47da3778a4e290ecfa2f17143880ce2e", "d76766cebcbc664c3d8e4972cc084643",
      "9f5872b2045ea93de70ea94c174fd08d", "956cdb29b666c60bbb1371bad5d56d29",
      "7b50f1e60cddbfb1e3330ae57e36ef65"}},
    {"fnv1a_32", {"7a0b824e", "d1385489", "ee2feb10", "c4b2cf94", "a7918ae7"}},
    {"fnv1a_64",
     {"af64724c8602eb6e", "09e1c907b6598a09", "d6e43c1552a2bb14", "06493597d1053035",
      "17ac5c3c4e5af0e4"}},
    {"djb2", {"0002b6a4", "00597783", "302e2ba6", "4fce2414", "72832c15"}},
    {"djb2_xor", {"0002b55a", "0059557b", "302ab528", "796a3c54", "4cc33333"}},
    {"djb2_mix", {"26b15869", "09c3946d", "c3304ef6", "09ad8b33", "c98d5114"}},
    {"xxh3_64",
     {"d6bcec3c6b29d72e", "068bfdf0479bd90c", "cf0a5db644a8716f", "3a9b73c808105f51",
      "d18d05260513f016"}},
    {"xxh64",
     {"95634172a60b7544", "c24f1004d9930316", "d70323fbdcf1af62", "d9ff71c9f55ec4ed",
      "5c1a10eb750019b6"}},
    {"siphash24",
     {"20dd4eb33d9590f2", "0b7f73b23003189d", "4feb3f01f9d7056a", "7372f5c2d4dac100",
      "78269f2d3bc3d9c0"}},
    {"sha256",
     {"d22ae56bc6c0881ddd09bb66699b6efa", "4d496d59c07b9092b36830a09b031a6e",
      "cabb07139756d32cd8d9ee6df5a06c07", "069d3194c35ec24e2a0ff76a47f5cca1",
      "7e714ff2bdc359b24091ba99b1a849cf"}},
};

/* ff; 80 ff; fe 80 ff; 128 bytes ff fe .. 80; 300 bytes ff fe .. 00 ff fe .. d4 */
static size_t vectors_high_key(unsigned char *key, int i)
{
    static const unsigned char shorts[3][3] = {{0xff}, {0x80, 0xff}, {0xfe, 0x80, 0xff}};
    if (i < 3)
        return memcpy(key, shorts[i], 3), (size_t)i + 1;
    size_t length = i == 3 ? 128 : 300;
    for (size_t j = 0; j < length; j++)
        key[j] = (unsigned char)(255 - j % 256);
    return length;
}

Test(hashes, bytes_are_unsigned_and_seeds_have_64_bits)
{
    size_t any_length = 0;
    for (size_t h = 0; h < hash_count; h++)
        any_length += hash_table[h]->key_bytes == 0; /* the others: hashes_fmix64.c */
    cr_assert_eq(sizeof vectors_high / sizeof vectors_high[0], any_length);
    for (size_t h = 0; h < any_length; h++) {
        const struct hash *hash = vectors_hash(vectors_high[h].hash);
        for (int i = 0; i < VECTORS_HIGH; i++) {
            unsigned char key[300];
            char text[HASH_TEXT_SIZE];
            size_t length = vectors_high_key(key, i);
            hash_format(hash, hash->one(key, length, vectors_high_seeds[i]), text);
            cr_expect_str_eq(text, vectors_high[h].value[i], "%s, key %d: %s", hash->name, i, text);
        }
    }
}

/* ---- SMHasher's codes ---------------------------------------------------------------------- */

typedef struct hash_value vectors_function(const struct hash *hash, const void *key, size_t length,
                                           uint64_t seed);

static struct hash_value vectors_plain(const struct hash *hash, const void *key, size_t length,
                                       uint64_t seed)
{
    return hash->one(key, length, seed);
}

/* djb2 started from the seed itself, or without a seed; SipHash as a wrapper that skips empty keys.
 */
static struct hash_value vectors_from_seed(const struct hash *hash, const void *key, size_t length,
                                           uint64_t seed)
{
    return hash->one(key, length, seed ^ 5381);
}

static struct hash_value vectors_unseeded(const struct hash *hash, const void *key, size_t length,
                                          uint64_t seed)
{
    (void)seed;
    return hash->one(key, length, 0);
}

static struct hash_value vectors_not_empty(const struct hash *hash, const void *key, size_t length,
                                           uint64_t seed)
{
    return length ? hash->one(key, length, seed) : (struct hash_value){{0, 0}};
}

/* As the head of smhasher_codes.csv defines it. */
static uint32_t vectors_code(const struct hash *hash, vectors_function *function)
{
    unsigned char key[256], values[256 * 16];
    size_t bytes = hash->bits / 8;
    for (unsigned i = 0; i < 256; i++) {
        key[i] = (unsigned char)i;
        vectors_memory(values + i * bytes, function(hash, key, i, 256 - i), hash->bits);
    }
    return (uint32_t)function(hash, values, 256 * bytes, 0).word[0];
}

Test(hashes, smhasher_codes_are_recomputed_and_no_two_alike)
{
    for (size_t i = 0; i < hash_count; i++) {
        if (hash_table[i]->key_bytes) { /* the code is of keys of 0 .. 255 bytes */
            cr_expect_eq(hash_table[i]->smhasher_code, 0, "%s", hash_table[i]->name);
            continue;
        }
        uint32_t code = vectors_code(hash_table[i], vectors_plain);
        cr_expect_eq(code, hash_table[i]->smhasher_code, "%s: %08x", hash_table[i]->name, code);
        for (size_t j = 0; j < i; j++)
            cr_expect_neq(code, hash_table[j]->smhasher_code, "%s and %s", hash_table[i]->name,
                          hash_table[j]->name);
    }
}

/* Every row of the oracle; where its seeding is not ours, through a wrapper that has it. */
Test(hashes, smhasher_codes_are_the_published_ones)
{
    static const struct {
        const char *name, *hash;
        vectors_function *function;
    } rows[] = {
        {"Murmur2", "murmur2", vectors_plain},
        {"Murmur2A", "murmur2a", vectors_plain},
        {"Murmur2B", "murmur64a", vectors_plain},
        {"Murmur3A", "murmur3_x86_32", vectors_plain},
        {"Murmur3C", "murmur3_x86_128", vectors_plain},
        {"Murmur3F", "murmur3_x64_128", vectors_plain},
        {"FNV / FNV1a", "fnv1a_32", vectors_plain},
        {"FNV64", "fnv1a_64", vectors_plain},
        {"bernstein", "djb2", vectors_from_seed},
        {"xxHash64", "xxh64", vectors_plain},
        {"SipHash", "siphash24", vectors_not_empty},
        {"djb2_xor", "djb2_xor", vectors_from_seed},
        {"djb2_add_5381", "djb2", vectors_unseeded},
        {"djb2_add_5381_xor_seed", "djb2", vectors_plain},
        {"SipHash_plain", "siphash24", vectors_plain},
    };
    struct csv *table = csv_read("tests/data/smhasher_codes.csv");
    cr_assert_eq(csv_rows(table), sizeof rows / sizeof rows[0]);
    for (size_t row = 0; row < csv_rows(table); row++) {
        cr_assert(csv_is(table, row, "name", rows[row].name));
        char text[16];
        snprintf(text, sizeof text, "0x%08X",
                 vectors_code(vectors_hash(rows[row].hash), rows[row].function));
        cr_expect(csv_is(table, row, "recomputed", text), "%s: %s", rows[row].name, text);
    }
    csv_free(table);
    cr_expect_eq(vectors_hash("xxh3_64")->smhasher_code, 0x9a636405); /* xxHash 0.8's */
}

/* ---- single values of note ----------------------------------------------------------------- */

Test(hashes, hello_and_empty_keys)
{
    cr_expect_eq(vectors_word("murmur3_x86_32", "hello", 0), 0x248bfa47);
    cr_expect_eq(vectors_word("murmur2", "hello", 0), 0xe56129cb);
    cr_expect_eq(vectors_word("murmur64a", "hello", 0), 0x1e68d17c457bf117);
    cr_expect_eq(vectors_word("fnv1a_32", "hello", 0), 0x4f9f2cab);
    cr_expect_eq(vectors_word("murmur3_x86_32", "", 0), 0);
    cr_expect_eq(vectors_word("murmur2", "", 0), 0);
    cr_expect_eq(vectors_word("murmur64a", "", 0), 0);
    cr_expect_eq(vectors_word("fnv1a_32", "", 0), 0x811c9dc5);
    cr_expect_eq(vectors_word("djb2", "", 0), 5381);
}

/* CASES: two keys that murmur3_x86_32 cannot tell apart, and a hash that can. */
Test(hashes, murmur3_x86_32_has_collisions_under_every_seed)
{
    unsigned char a[8], b[8];
    vectors_bytes(a, 8, "4141414142424242");
    vectors_bytes(b, 8, "e99f204c4242f37d");
    const struct hash *weak = vectors_hash("murmur3_x86_32"), *strong = vectors_hash("siphash24");
    unsigned alike = 0, differ = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t seed = i < 5000 ? i : mix64(i);
        alike += weak->one(a, 8, seed).word[0] == weak->one(b, 8, seed).word[0];
        differ += strong->one(a, 8, seed).word[0] != strong->one(b, 8, seed).word[0];
    }
    cr_expect_eq(alike, 10000);
    cr_expect_eq(differ, 10000);
}

Test(hashes, values_printed_by_the_sources)
{
    cr_expect_eq(vectors_word("murmur2", "123nejakaSul", 0) % 256, 42);
    cr_expect_eq(vectors_word("murmur2", "123nejakaJinaSul", 0) % 256, 174);
    cr_expect_eq(vectors_word("murmur2", "123unSel", 0) % 256, 246);
    cr_expect_eq(vectors_word("murmur2", "123unAutreSel", 0) % 256, 14);
    cr_expect_eq(vectors_word("murmur2", "123", 0) % 256, 47);
}
