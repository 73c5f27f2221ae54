/* SPDX-License-Identifier: MIT
 *
 * hashes_contract.c: what every hash of the table owes: complete entries, no dependence on where a
 * key stands or what stands around it, seeds that count, batches equal to single keys. A hash of
 * keys of one length is held to all of it at that length.
 */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/hash.h"
#include "hashes/mix.h"

/* Long loops compare with this and assert only a difference: an assertion that passes is recorded
 * too. */
static bool contract_same(struct hash_value a, struct hash_value b)
{
    return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

/* Does the hash take keys of this length? */
static bool contract_takes(const struct hash *hash, size_t length)
{
    return hash->key_bytes == 0 || hash->key_bytes == length;
}

Test(hashes, entries_are_complete_and_found_by_name)
{
    cr_assert_eq(hash_count, 16);
    size_t any_length = 0;
    for (size_t i = 0; i < hash_count; i++) {
        const struct hash *hash = hash_table[i];
        cr_expect(hash->name && *hash->name && hash->summary && *hash->summary);
        cr_expect(hash->source && *hash->source, "%s", hash->name);
        cr_expect(hash->bits == 32 || hash->bits == 64 || hash->bits == 128, "%s", hash->name);
        cr_expect(hash->word_bits == 32 || hash->word_bits == 64, "%s", hash->name);
        cr_expect(hash->seed_bits == 32 || hash->seed_bits == 64, "%s", hash->name);
        cr_expect(hash->one && hash->batch, "%s", hash->name);
        cr_expect_eq(hash_find(hash->name), hash); /* also: no name twice */
        cr_expect(hash->key_bytes <= 64, "%s: the tests here go to 64 bytes", hash->name);
        any_length += hash->key_bytes == 0;
    }
    cr_expect_eq(any_length, 15);
    cr_expect_null(hash_find("murmur"));
    cr_expect_null(hash_find(""));
}

Test(hashes, format_prints_words_in_order_at_full_width)
{
    struct hash_value value = {{UINT64_C(0x0123456789abcdef), UINT64_C(0x00000000fedcba98)}};
    char text[HASH_TEXT_SIZE];
    hash_format(hash_find("murmur3_x86_128"), value, text);
    cr_expect_str_eq(text, "89abcdef01234567fedcba9800000000");
    hash_format(hash_find("murmur3_x64_128"), value, text);
    cr_expect_str_eq(text, "0123456789abcdef00000000fedcba98");
    hash_format(hash_find("xxh64"), value, text);
    cr_expect_str_eq(text, "0123456789abcdef");
    value.word[0] = 0x000000ab;
    hash_format(hash_find("murmur2"), value, text);
    cr_expect_str_eq(text, "000000ab");
}

/* Lengths 0 .. 300 at every alignment 0 .. 15, in a block that ends with the key (a read past it is
 * seen by a sanitizer), among two kinds of neighbours (a byte of them used is seen here). */
static void contract_check_place(const struct hash *hash, const unsigned char *key, size_t length,
                                 unsigned char *block)
{
    struct hash_value expected = hash->one(key, length, 77);
    for (size_t offset = 0; offset < 16; offset++) {
        memset(block, offset % 2 ? 0xff : 0, 16 + 300 + 16);
        memcpy(block + offset, key, length);
        struct hash_value value = hash->one(block + offset, length, 77);
        if (!contract_same(value, expected))
            cr_assert_fail("%s: length %zu at offset %zu", hash->name, length, offset);
    }
    unsigned char *exact = malloc(length ? length : 1);
    memcpy(exact, key, length);
    struct hash_value value = hash->one(exact, length, 77);
    if (!contract_same(value, expected))
        cr_assert_fail("%s: length %zu in a block of its own", hash->name, length);
    free(exact);
}

Test(hashes, place_and_neighbours_do_not_matter)
{
    unsigned char key[300];
    static unsigned char block[16 + 300 + 16] __attribute__((aligned(64)));
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)(mix64(i) >> 7);
    for (size_t h = 0; h < hash_count; h++)
        for (size_t length = 0; length <= sizeof key; length++)
            if (contract_takes(hash_table[h], length))
                contract_check_place(hash_table[h], key, length, block);
}

/* A key changed in one byte, or shortened by its last, has another value. 31,200 pairs: by chance a
 * 32-bit hash of this table would fail with probability 5e-6, but nothing here is drawn. */
Test(hashes, every_byte_and_the_length_count)
{
    for (size_t h = 0; h < hash_count; h++)
        for (size_t length = 1; length <= 64; length++) {
            if (!contract_takes(hash_table[h], length))
                continue;
            unsigned char key[64];
            memset(key, 0xa5, sizeof key);
            struct hash_value whole = hash_table[h]->one(key, length, 3);
            if (contract_takes(hash_table[h], length - 1) &&
                contract_same(whole, hash_table[h]->one(key, length - 1, 3)))
                cr_expect_fail("%s: %zu bytes", hash_table[h]->name, length);
            for (size_t i = 0; i < length; i++) {
                key[i] ^= 0x80;
                struct hash_value changed = hash_table[h]->one(key, length, 3);
                if (contract_same(whole, changed))
                    cr_expect_fail("%s: byte %zu of %zu", hash_table[h]->name, i, length);
                key[i] ^= 0x80;
            }
        }
}

Test(hashes, values_stay_inside_their_bits)
{
    for (size_t h = 0; h < hash_count; h++) {
        uint64_t seen[2] = {0, 0};
        for (uint64_t i = 0; i < 1000; i++) {
            struct hash_value value = hash_table[h]->one(&i, sizeof i, i << 20);
            seen[0] |= value.word[0];
            seen[1] |= value.word[1];
        }
        unsigned bits = hash_table[h]->bits;
        cr_expect_eq(seen[0], bits == 32 ? UINT64_C(0xffffffff) : UINT64_MAX, "%s",
                     hash_table[h]->name);
        cr_expect_eq(seen[1], bits == 128 ? UINT64_MAX : 0, "%s", hash_table[h]->name);
    }
}

/* CASES: no seed is narrowed in silence. */
Test(hashes, seeds_count_in_all_their_64_bits)
{
    for (size_t h = 0; h < hash_count; h++) {
        struct hash_value one = hash_table[h]->one("seedling", 8, 1);
        struct hash_value high = hash_table[h]->one("seedling", 8, UINT64_C(4294967297));
        cr_expect(!contract_same(one, high), "%s", hash_table[h]->name);
        struct hash_value zero = hash_table[h]->one("seedling", 8, 0);
        for (unsigned bit = 0; bit < 64; bit++) {
            struct hash_value value = hash_table[h]->one("seedling", 8, UINT64_C(1) << bit);
            cr_expect(!contract_same(zero, value), "%s: bit %u of the seed", hash_table[h]->name,
                      bit);
        }
    }
    cr_expect_eq(hash_seed32(7), 7);
    cr_expect_eq(hash_seed32(UINT64_C(5) << 32 | 7), 7u ^ fmix32(5));
}

/* ---- batches ------------------------------------------------------------------------------- */

enum { BATCH_KEYS = 200, BATCH_BYTES = BATCH_KEYS * 64 };

struct batch_world {
    unsigned char bytes[BATCH_BYTES];
    uint64_t offsets[BATCH_KEYS + 1];
    uint32_t which[BATCH_KEYS];
};

static void batch_world_init(struct batch_world *world)
{
    for (size_t i = 0; i < BATCH_BYTES; i++)
        world->bytes[i] = (unsigned char)(mix64(i + 1) >> 9);
    world->offsets[0] = 3; /* the first key need not start at 0 */
    for (size_t i = 0; i < BATCH_KEYS; i++) {
        world->offsets[i + 1] = world->offsets[i] + mix64(i) % 60;  /* some keys are empty */
        world->which[i] = (uint32_t)(mix64(i + 1000) % BATCH_KEYS); /* in no order, some twice */
    }
}

static void batch_check(const struct hash *hash, const struct key_batch *keys,
                        const uint32_t *which, size_t count)
{
    const uint64_t seed = UINT64_C(0x5eed00000009), canary = UINT64_C(0xcafecafecafecafe);
    uint64_t low[BATCH_KEYS + 1], high[BATCH_KEYS + 1], alone[BATCH_KEYS + 1];
    for (size_t i = 0; i <= BATCH_KEYS; i++)
        low[i] = high[i] = alone[i] = canary;
    hash->batch(keys, which, count, seed, low, high);
    hash->batch(keys, which, count, seed, alone, NULL);
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const unsigned char *key = key_at(keys, which ? which[i] : i, &length);
        struct hash_value value = hash->one(key, length, seed);
        if (low[i] != value.word[0] || high[i] != value.word[1] || alone[i] != low[i])
            cr_assert_fail("%s: key %zu of %zu, length %zu, %s", hash->name, i, count, keys->length,
                           which ? "chosen" : "in order");
    }
    for (size_t i = count; i <= BATCH_KEYS; i++)
        if (low[i] != canary || high[i] != canary || alone[i] != canary)
            cr_assert_fail("%s: writes past %zu keys", hash->name, count);
}

Test(hashes, batch_equals_one_by_one)
{
    static struct batch_world world;
    static const size_t lengths[] = {0, 1, 5, 8, 9, 16, 20, 36, 37, 64};
    static const size_t counts[] = {0, 1, 7, 16, 63, 64, 65, 128, BATCH_KEYS};
    batch_world_init(&world);
    for (size_t h = 0; h < hash_count; h++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            struct key_batch varying = {
                .bytes = world.bytes, .offsets = world.offsets, .count = BATCH_KEYS};
            if (hash_table[h]->key_bytes == 0) {
                batch_check(hash_table[h], &varying, NULL, counts[c]);
                batch_check(hash_table[h], &varying, world.which, counts[c]);
            }
            for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
                if (!contract_takes(hash_table[h], lengths[l]))
                    continue;
                struct key_batch fixed = {
                    .bytes = world.bytes, .length = lengths[l], .count = BATCH_KEYS};
                batch_check(hash_table[h], &fixed, NULL, counts[c]);
                batch_check(hash_table[h], &fixed, world.which, counts[c]);
            }
        }
}

Test(hashes, key_at_finds_keys_of_both_kinds)
{
    const unsigned char bytes[] = "abcdefgh";
    const uint64_t offsets[] = {1, 3, 3, 8};
    size_t length;
    struct key_batch fixed = {.bytes = bytes, .length = 3, .count = 2};
    cr_expect_eq(key_at(&fixed, 1, &length) - bytes, 3);
    cr_expect_eq(length, 3);
    struct key_batch varying = {.bytes = bytes, .offsets = offsets, .count = 3};
    cr_expect_eq(key_at(&varying, 1, &length) - bytes, 3);
    cr_expect_eq(length, 0);
    cr_expect_eq(key_at(&varying, 2, &length) - bytes, 3);
    cr_expect_eq(length, 5);
}

/* read_partial against a sum of bytes, and its silence about what follows. */
Test(hashes, read_partial_reads_what_is_there)
{
    unsigned char bytes[16];
    for (size_t count = 0; count <= 8; count++)
        for (unsigned fill = 0; fill < 256; fill += 51) {
            uint64_t expected = 0;
            memset(bytes, (int)fill, sizeof bytes);
            for (size_t i = 0; i < count; i++) {
                bytes[i] = (unsigned char)(0x9b * (i + 1));
                expected |= (uint64_t)bytes[i] << (8 * i);
            }
            cr_expect_eq(read_partial(bytes, count), expected, "%zu bytes", count);
        }
}
