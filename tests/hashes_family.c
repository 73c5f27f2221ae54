/* SPDX-License-Identifier: MIT
 *
 * hashes_family.c: digests against their definitions, recomputed here a key at a time, against
 * literal values computed in another language, and against the positions the sources print.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/family.h"
#include "hashes/mix.h"
#include "tests/csv.h"

enum { FAMILY_KEYS = 70, FAMILY_KEY_MAX = 64 };

/* One digest of one key, through a batch of one. */
static uint64_t family_digest(const struct digest_family *family, const void *key, size_t length,
                              unsigned column)
{
    struct key_batch keys = {.bytes = key, .length = length, .count = 1};
    uint64_t out, scratch[32];
    cr_assert_leq(family_scratch_bytes(family, 1, length), sizeof scratch);
    family_column(family, &keys, column, NULL, 1, &out, scratch);
    return out;
}

static struct digest_family family_make(enum family family, const char *hash, const char *second,
                                        bool seed_fixed, uint64_t hash_seed)
{
    return (struct digest_family){
        .family = family,
        .hash = hash_find(hash),
        .second = second ? hash_find(second) : NULL,
        .digest_bits = 64,
        .seed_fixed = seed_fixed,
        .hash_seed = hash_seed,
    };
}

Test(hashes_family, names_defaults_and_widths)
{
    static const char *const names[FAMILY_COUNT] = {"seeded", "split", "salted", "pair",
                                                    "expanded"};
    for (int i = 0; i < FAMILY_COUNT; i++) {
        enum family found = i == 0 ? FAMILY_PAIR : FAMILY_SEEDED;
        cr_expect_str_eq(family_name((enum family)i), names[i]);
        cr_expect(family_find(names[i], &found));
        cr_expect_eq((int)found, i);
        cr_expect_eq(family_columns((enum family)i), i == FAMILY_PAIR ? 2 : FAMILY_UNLIMITED);
    }
    enum family untouched = FAMILY_SALTED;
    cr_expect_not(family_find("double", &untouched));
    cr_expect_eq(untouched, FAMILY_SALTED);

    const struct hash *narrow = hash_find("fnv1a_32"), *wide = hash_find("xxh64"),
                      *widest = hash_find("murmur3_x86_128");
    cr_expect_eq(family_default(narrow), FAMILY_SEEDED);
    cr_expect_eq(family_default(wide), FAMILY_SEEDED);
    cr_expect_eq(family_default(widest), FAMILY_SPLIT);
    cr_expect_not(family_suits(FAMILY_SPLIT, wide));
    cr_expect(family_suits(FAMILY_SPLIT, widest));
    cr_expect(family_suits(FAMILY_SALTED, narrow));
    cr_expect_not(family_suits(FAMILY_SALTED, hash_find("fmix64")));
    cr_expect(family_suits(FAMILY_EXPANDED, hash_find("fmix64")));
    cr_expect_eq(family_width(FAMILY_SEEDED, narrow, NULL), 32);
    cr_expect_eq(family_width(FAMILY_SALTED, wide, NULL), 64);
    cr_expect_eq(family_width(FAMILY_SPLIT, widest, NULL), 64);
    cr_expect_eq(family_width(FAMILY_PAIR, narrow, wide), 32);
    cr_expect_eq(family_width(FAMILY_PAIR, wide, narrow), 32);
    cr_expect_eq(family_width(FAMILY_PAIR, wide, widest), 64);
}

/* Digests of "bloom" under hash_seed 0123456789abcdef. */
Test(hashes_family, values_computed_elsewhere)
{
    static const struct {
        enum family family;
        bool seed_fixed;
        const char *hash, *second;
        unsigned column;
        uint64_t digest;
    } rows[] = {
        {FAMILY_SEEDED, false, "fnv1a_64", NULL, 3, UINT64_C(0xe81d3d177a9fea8e)},
        {FAMILY_SEEDED, false, "murmur3_x64_128", NULL, 0, UINT64_C(0x5871fe4e55a1a7c2)},
        {FAMILY_SEEDED, false, "murmur3_x64_128", NULL, 1, UINT64_C(0xcfc46dbc16b86bde)},
        {FAMILY_SEEDED, true, "murmur3_x86_32", NULL, 3, 0x35f80336},
        {FAMILY_SPLIT, false, "murmur3_x64_128", NULL, 0, UINT64_C(0x5871fe4e55a1a7c2)},
        {FAMILY_SPLIT, false, "murmur3_x64_128", NULL, 1, UINT64_C(0x790169e77d8e2681)},
        {FAMILY_SPLIT, false, "murmur3_x64_128", NULL, 2, UINT64_C(0xcfc46dbc16b86bde)},
        {FAMILY_SPLIT, false, "murmur3_x64_128", NULL, 3, UINT64_C(0xea868e852984332e)},
        {FAMILY_SPLIT, true, "murmur3_x64_128", NULL, 0, UINT64_C(0xc25f3105d631695f)},
        {FAMILY_SPLIT, true, "murmur3_x64_128", NULL, 1, UINT64_C(0x203a7d1f9bac00ab)},
        {FAMILY_SPLIT, true, "murmur3_x64_128", NULL, 2, UINT64_C(0x8041f002a6bfef5f)},
        {FAMILY_SPLIT, true, "murmur3_x64_128", NULL, 3, UINT64_C(0xc5d1dc7de5e500d3)},
        {FAMILY_SPLIT, false, "murmur3_x86_128", NULL, 0, UINT64_C(0xea8db446ff73bd82)},
        {FAMILY_SPLIT, false, "murmur3_x86_128", NULL, 1, UINT64_C(0xd1eeffded1eeffde)},
        {FAMILY_SALTED, false, "murmur2", NULL, 0, 0xa3b97209},
        {FAMILY_SALTED, true, "murmur2", NULL, 9, 0x39a0e3f5},
        {FAMILY_SALTED, false, "murmur2", NULL, 10, 0x7c91175e},
        {FAMILY_SALTED, true, "murmur2", NULL, 123, 0xf966a51c},
        {FAMILY_SALTED, false, "murmur2", NULL, FAMILY_UNLIMITED - 1, 0x03b218ef},
        {FAMILY_PAIR, false, "fnv1a_32", "xxh64", 0, 0xffdbbafa},
        {FAMILY_PAIR, false, "fnv1a_32", "xxh64", 1, 0xf5adbc74},
        {FAMILY_PAIR, true, "fnv1a_32", "xxh64", 0, 0xed724f49},
        {FAMILY_PAIR, true, "fnv1a_32", "xxh64", 1, 0xb0a3b431},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct digest_family family = family_make(rows[i].family, rows[i].hash, rows[i].second,
                                                  rows[i].seed_fixed, 0x0123456789abcdef);
        uint64_t digest = family_digest(&family, "bloom", 5, rows[i].column);
        cr_expect_eq(digest, rows[i].digest, "row %zu: %016" PRIx64, i, digest);
    }
}

/* ---- the definitions ----------------------------------------------------------------------- */

/* The head of family.h, word for word. */
static uint64_t family_definition(const struct digest_family *family, const unsigned char *key,
                                  size_t length, unsigned column)
{
    char salted[FAMILY_KEY_MAX + 16];
    unsigned width = family->hash->bits == 32 ? 32 : 64;
    uint64_t step = family->family == FAMILY_SPLIT ? column / 2 : column, digest = 0;
    uint64_t seed = family->seed_fixed ? family->hash_seed + step : mix64(family->hash_seed + step);
    switch (family->family) {
    case FAMILY_SEEDED:
        digest = family->hash->one(key, length, seed).word[0];
        break;
    case FAMILY_SPLIT:
        digest = family->hash->one(key, length, seed).word[column % 2];
        break;
    case FAMILY_SALTED:
        memcpy(salted, key, length);
        length += (size_t)sprintf(salted + length, "%u", column);
        digest = family->hash->one(salted, length, family->hash_seed).word[0];
        break;
    case FAMILY_PAIR:
        if (family->seed_fixed)
            seed = family->hash_seed;
        digest = (column ? family->second : family->hash)->one(key, length, seed).word[0];
        if (family->second->bits == 32)
            width = 32;
        break;
    case FAMILY_EXPANDED:
        seed = family->seed_fixed ? family->hash_seed : mix64(family->hash_seed);
        digest = family->hash->one(key, length, seed).word[0];
        break;
    }
    if (family->digest_bits < width)
        width = family->digest_bits;
    digest = width == 64 ? digest : digest % (UINT64_C(1) << width);
    if (family->family == FAMILY_EXPANDED)
        digest = mix64(digest + (column + 1) * UINT64_C(0x9e3779b97f4a7c15));
    return digest;
}

static void family_check_column(const struct digest_family *family, const struct key_batch *keys,
                                unsigned column, const uint32_t *which, size_t count)
{
    const uint64_t canary = UINT64_C(0xcafecafecafecafe);
    uint64_t out[FAMILY_KEYS + 1];
    size_t bytes =
        family_scratch_bytes(family, count, keys->offsets ? FAMILY_KEY_MAX : keys->length);
    unsigned char *scratch = malloc(bytes + sizeof canary);
    memcpy(scratch + bytes, &canary, sizeof canary);
    for (size_t i = 0; i <= FAMILY_KEYS; i++)
        out[i] = canary;
    family_column(family, keys, column, which, count, out, scratch);
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const unsigned char *key = key_at(keys, which ? which[i] : i, &length);
        uint64_t expected = family_definition(family, key, length, column);
        if (out[i] != expected)
            cr_assert_fail("%s of %s, %u bits, column %u, key %zu of %zu, length %zu: %016" PRIx64
                           " is not %016" PRIx64,
                           family_name(family->family), family->hash->name, family->digest_bits,
                           column, i, count, length, out[i], expected);
    }
    for (size_t i = count; i <= FAMILY_KEYS; i++)
        if (out[i] != canary)
            cr_assert_fail("%s writes past its digests", family_name(family->family));
    if (memcmp(scratch + bytes, &canary, sizeof canary) != 0)
        cr_assert_fail("%s writes past its scratch", family_name(family->family));
    free(scratch);
}

struct family_world {
    unsigned char bytes[FAMILY_KEYS * FAMILY_KEY_MAX];
    uint64_t offsets[FAMILY_KEYS + 1];
    uint32_t which[FAMILY_KEYS];
};

static void family_world_init(struct family_world *world)
{
    for (size_t i = 0; i < sizeof world->bytes; i++)
        world->bytes[i] = (unsigned char)(mix64(i + 7) >> 11);
    world->offsets[0] = 0;
    for (size_t i = 0; i < FAMILY_KEYS; i++) {
        size_t length = i == 5 ? FAMILY_KEY_MAX : i % 9 == 0 ? 0 : mix64(i) % 40;
        world->offsets[i + 1] = world->offsets[i] + length;
        world->which[i] = (uint32_t)(mix64(i + 500) % FAMILY_KEYS);
    }
    /* The longest keys, all chosen, must fit the scratch asked for. */
    for (size_t i = 0; i < 40; i++)
        world->which[i] = 5;
}

static void family_check(const struct digest_family *family, const struct family_world *world)
{
    static const unsigned columns[] = {0, 1, 2, 9, 10, 11};
    static const size_t lengths[] = {0, 5, 8, 36, SIZE_MAX /* varying */};
    static const size_t counts[] = {0, 1, 65, FAMILY_KEYS};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        if (columns[c] >= family_columns(family->family))
            break;
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            struct key_batch keys = {.bytes = world->bytes, .count = FAMILY_KEYS};
            if (family->hash->key_bytes && family->hash->key_bytes != lengths[l])
                continue;
            if (lengths[l] == SIZE_MAX)
                keys.offsets = world->offsets;
            else
                keys.length = lengths[l];
            for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
                family_check_column(family, &keys, columns[c], NULL, counts[n]);
                family_check_column(family, &keys, columns[c], world->which, counts[n]);
            }
        }
    }
}

Test(hashes_family, columns_are_as_defined)
{
    static struct family_world world;
    static const unsigned widths[] = {8, 13, 32, 64};
    family_world_init(&world);
    for (size_t h = 0; h < hash_count; h++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
            for (int f = 0; f < FAMILY_COUNT; f++) {
                struct digest_family family = {
                    .family = (enum family)f,
                    .hash = hash_table[h],
                    .second = f == FAMILY_PAIR ? hash_table[(h + 3) % 15] : NULL,
                    .digest_bits = widths[w],
                    .seed_fixed = w % 2,
                    .hash_seed = UINT64_C(0xfffffffffffffffe), /* seed_i wraps around */
                };
                if (family_suits(family.family, family.hash))
                    family_check(&family, &world);
            }
}

Test(hashes_family, a_pair_of_columns_is_its_two_columns)
{
    static struct family_world world;
    family_world_init(&world);
    unsigned tried = 0;
    for (size_t h = 0; h < hash_count; h++)
        for (unsigned pair = 0; pair < 3; pair++)
            for (int varying = 0; varying < 2; varying++) {
                if (!family_suits(FAMILY_SPLIT, hash_table[h]))
                    continue;
                struct digest_family family =
                    family_make(FAMILY_SPLIT, hash_table[h]->name, NULL, false, 42);
                family.digest_bits = pair == 1 ? 20 : 64;
                struct key_batch keys = {.bytes = world.bytes,
                                         .offsets = varying ? world.offsets : NULL,
                                         .length = 8,
                                         .count = FAMILY_KEYS};
                uint64_t even[FAMILY_KEYS], odd[FAMILY_KEYS], column[FAMILY_KEYS];
                uint64_t scratch[FAMILY_KEYS];
                family_column_pair(&family, &keys, pair, FAMILY_KEYS, even, odd);
                family_column(&family, &keys, 2 * pair, NULL, FAMILY_KEYS, column, scratch);
                cr_expect_arr_eq(even, column, sizeof even, "%s", hash_table[h]->name);
                family_column(&family, &keys, 2 * pair + 1, NULL, FAMILY_KEYS, column, scratch);
                cr_expect_arr_eq(odd, column, sizeof odd, "%s", hash_table[h]->name);
                tried++;
            }
    cr_assert_eq(tried, 3 * 3 * 2); /* the three hashes of 128 bits */
}

/* ---- the positions of the sources ---------------------------------------------------------- */

/* (int32) digest mod m, not negative, as a language with signed hashes and floored mod computes it.
 */
static uint64_t family_signed_position(uint64_t digest, uint64_t m)
{
    int64_t value = (int64_t)digest - (digest >> 31 ? INT64_C(1) << 32 : 0);
    int64_t rest = value % (int64_t)m;
    return (uint64_t)(rest < 0 ? rest + (int64_t)m : rest);
}

/* The aux column of a row: the digest as a signed number, as an unsigned one, or the odd step. */
static void family_check_row(const struct csv *table, size_t row, uint64_t h, uint64_t position,
                             uint64_t signed_position, const char *aux)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%08" PRIx64, h);
    cr_expect(csv_is(table, row, "h", digits), "row %zu: %s", row, digits);
    cr_expect(csv_is(table, row, "aux", aux), "row %zu: %s", row, aux);
    cr_expect_eq(position, csv_integer(table, row, "position_unsigned"), "row %zu", row);
    cr_expect_eq(signed_position, csv_integer(table, row, "position_seed"), "row %zu", row);
}

Test(hashes_family, every_position_of_the_sources)
{
    struct csv *table = csv_read("tests/data/seed_positions.csv");
    const struct digest_family suffix = family_make(FAMILY_SALTED, "murmur2", NULL, true, 0),
                               seeds = family_make(FAMILY_SEEDED, "murmur3_x86_32", NULL, true, 0),
                               two = family_make(FAMILY_PAIR, "fnv1a_32", "djb2_mix", true, 0);
    unsigned suffixes = 0, seeded = 0, doubles = 0;
    for (size_t row = 0; row < csv_rows(table); row++) {
        const char *text = csv_text(table, row, "text");
        size_t length = strlen(text);
        uint64_t m = csv_integer(table, row, "m");
        unsigned i = (unsigned)csv_integer(table, row, "i");
        char aux[24];
        if (csv_is(table, row, "scheme", "seed000_murmur2_suffix")) {
            uint64_t h = family_digest(&suffix, text, length, i);
            snprintf(aux, sizeof aux, "%" PRIu64, h);
            family_check_row(table, row, h, h % m, h % m, aux);
            suffixes++;
        } else if (csv_is(table, row, "scheme", "seed004_mmh3")) {
            uint64_t h = family_digest(&seeds, text, length, i);
            snprintf(aux, sizeof aux, "%" PRId32, (int32_t)(uint32_t)h);
            family_check_row(table, row, h, h % m, family_signed_position(h, m), aux);
            seeded++;
        } else if (csv_is(table, row, "scheme", "seed001_double")) {
            uint64_t h = family_digest(&two, text, length, 0);
            uint64_t step = family_digest(&two, text, length, 1) | 1;
            snprintf(aux, sizeof aux, "%08" PRIx64, step);
            uint64_t position = (h % m + i * (step % m)) % m;
            family_check_row(table, row, h, position, position, aux);
            doubles++;
        }
    }
    cr_assert_eq(csv_rows(table), 202);
    cr_assert_eq(suffixes, 57);
    cr_assert_eq(seeded, 34);
    cr_assert_eq(doubles, 111);
    csv_free(table);
}

/* m = 64, k = 3 in source 001. */
Test(hashes_family, owl_and_fox)
{
    static const uint64_t owl[] = {37, 58, 15}, fox[] = {14, 15, 16};
    const struct digest_family two = family_make(FAMILY_PAIR, "fnv1a_32", "djb2_mix", true, 0);
    for (unsigned i = 0; i < 3; i++) {
        cr_expect_eq(
            (family_digest(&two, "owl", 3, 0) + i * (family_digest(&two, "owl", 3, 1) | 1)) % 64,
            owl[i]);
        cr_expect_eq(
            (family_digest(&two, "fox", 3, 0) + i * (family_digest(&two, "fox", 3, 1) | 1)) % 64,
            fox[i]);
    }
}
