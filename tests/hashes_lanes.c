/* SPDX-License-Identifier: MIT
 *
 * hashes_lanes.c: many keys at a time give what each gives alone: every hash, every path the
 * machine has, every length to 300 bytes and mixes of lengths, in batches that end where memory
 * does.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/hash.h"
#include "hashes/lanes.h"
#include "hashes/mix.h"
#include "machine/path.h"

enum { LANES_KEYS = 3 * LANES_TILE + 9, LANES_SEEDS = 3 };

static const uint64_t lanes_seeds[LANES_SEEDS] = {0, 77, UINT64_C(0x5eed00000009)};

struct lanes_world {
    unsigned char *bytes; /* no byte more than the keys have: a sanitizer sees a read past them */
    uint64_t offsets[LANES_KEYS + 1];
    uint32_t which[LANES_KEYS];
};

static void lanes_world_open(struct lanes_world *world, size_t bytes)
{
    world->bytes = malloc(bytes ? bytes : 1);
    for (size_t i = 0; i < bytes; i++)
        world->bytes[i] = (unsigned char)(mix64(i + 5) >> 17);
    for (size_t i = 0; i < LANES_KEYS; i++) /* in no order, some twice, the last ones too */
        world->which[i] = (uint32_t)(i % 7 ? mix64(i + 40) % LANES_KEYS : LANES_KEYS - 1 - i % 5);
}

static void lanes_check(const struct hash *hash, const struct key_batch *keys,
                        const uint32_t *which, size_t count, uint64_t seed)
{
    const uint64_t canary = UINT64_C(0xcafecafecafecafe);
    uint64_t low[LANES_KEYS + 1], high[LANES_KEYS + 1], alone[LANES_KEYS + 1];
    for (size_t i = 0; i <= LANES_KEYS; i++)
        low[i] = high[i] = alone[i] = canary;
    hash->batch(keys, which, count, seed, low, high);
    hash->batch(keys, which, count, seed, alone, NULL);
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const unsigned char *key = key_at(keys, which ? which[i] : i, &length);
        struct hash_value value = hash->one(key, length, seed);
        if (low[i] != value.word[0] || high[i] != value.word[1] || alone[i] != low[i])
            cr_assert_fail("%s by %s: key %zu of %zu, %zu bytes, %s", hash->name,
                           path_name(path_current()), i, count, length,
                           which ? "chosen" : "in order");
    }
    for (size_t i = count; i <= LANES_KEYS; i++)
        if (low[i] != canary || high[i] != canary || alone[i] != canary)
            cr_assert_fail("%s: writes past %zu keys", hash->name, count);
}

static void lanes_check_all(const struct hash *hash, const struct key_batch *keys,
                            const uint32_t *which)
{
    for (int path = PATH_PORTABLE; path <= (int)path_machine(); path++) {
        path_limit((enum filter_path)path);
        lanes_check(hash, keys, NULL, LANES_KEYS, lanes_seeds[path % LANES_SEEDS]);
        lanes_check(hash, keys, which, LANES_KEYS, lanes_seeds[(path + 1) % LANES_SEEDS]);
    }
    path_limit(PATH_AVX512);
}

/* The slow one hashes 300 lengths elsewhere. */
static bool lanes_skips(const struct hash *hash, size_t length)
{
    return (hash->key_bytes && hash->key_bytes != length) ||
           (strcmp(hash->name, "sha256") == 0 && length % 50);
}

Test(hashes_lanes, every_length_to_300_bytes)
{
    for (size_t length = 0; length <= 300; length++) {
        struct lanes_world world;
        lanes_world_open(&world, length * LANES_KEYS);
        struct key_batch keys = {.bytes = world.bytes, .length = length, .count = LANES_KEYS};
        for (size_t h = 0; h < hash_count; h++)
            if (!lanes_skips(hash_table[h], length))
                lanes_check_all(hash_table[h], &keys, world.which);
        free(world.bytes);
    }
}

/* Lengths of mix number `mix`: short words, words with a rare long key, all alike, URLs, keys of
 * many panels, and empty keys. */
static size_t lanes_length(int mix, size_t i)
{
    uint64_t draw = mix64(i + 1000 * (uint64_t)mix);
    switch (mix) {
    case 0:
        return draw % 17;
    case 1:
        return i % 41 == 40 ? 3000 : draw % 9;
    case 2:
        return 21;
    case 3:
        return 24 + draw % 50;
    case 4:
        return 250 + draw % 120;
    default:
        return i % 3 ? 0 : draw % 40;
    }
}

Test(hashes_lanes, lengths_mixed)
{
    for (int mix = 0; mix < 6; mix++) {
        struct lanes_world world;
        world.offsets[0] = 3; /* the first key need not start at 0 */
        for (size_t i = 0; i < LANES_KEYS; i++)
            world.offsets[i + 1] = world.offsets[i] + lanes_length(mix, i);
        lanes_world_open(&world, world.offsets[LANES_KEYS]);
        struct key_batch keys = {
            .bytes = world.bytes, .offsets = world.offsets, .count = LANES_KEYS};
        for (size_t h = 0; h < hash_count; h++)
            if (hash_table[h]->key_bytes == 0)
                lanes_check_all(hash_table[h], &keys, world.which);
        free(world.bytes);
    }
}

Test(hashes_lanes, every_count_and_batches_that_end_anywhere)
{
    struct lanes_world world;
    static const char *const names[] = {"murmur2", "murmur3_x64_128", "murmur3_x86_128",
                                        "fnv1a_64"};
    lanes_world_open(&world, 13 * LANES_KEYS);
    for (size_t count = 0; count <= 2 * LANES_TILE + 2; count++)
        for (size_t h = 0; h < sizeof names / sizeof names[0]; h++) {
            struct key_batch keys = {
                .bytes = world.bytes + 13 * (LANES_KEYS - count), .length = 13, .count = count};
            lanes_check(hash_find(names[h]), &keys, NULL, count, 1);
            uint32_t backwards[LANES_KEYS];
            for (size_t i = 0; i < count; i++)
                backwards[i] = (uint32_t)(count - 1 - i);
            lanes_check(hash_find(names[h]), &keys, backwards, count, 1);
        }
    free(world.bytes);
}

/* ---- what a tile takes --------------------------------------------------------------------- */

Test(hashes_lanes, a_tile_leaves_alone_what_it_cannot_read)
{
    struct lanes_tile tile;
    unsigned char bytes[20 * 13];
    struct key_batch keys = {.bytes = bytes, .length = 13, .count = 20};
    cr_assert(lanes_take(&tile, &keys, NULL, 0, 20, 8));
    cr_expect(tile.count == 20 && tile.lanes == 32);
    cr_expect(tile.shortest == 13 && tile.longest == 13);
    /* 16 bytes are read: of the last key there are 13. */
    cr_expect_eq(tile.alone, UINT64_C(1) << 19);
    cr_expect_eq(tile.start[18], 18 * 13);
    cr_expect_eq(tile.start[19], 0);
    cr_assert(lanes_take(&tile, &keys, NULL, 0, 10, 8)); /* there are keys behind the tenth */
    cr_expect_eq(tile.alone, 0);
    cr_expect_not(lanes_take(&tile, &keys, NULL, 0, LANES_FEWEST - 1, 8));
    keys.count = 1;
    uint32_t same[LANES_FEWEST] = {0};
    cr_expect_not(lanes_take(&tile, &keys, same, 0, LANES_FEWEST, 8));
}

Test(hashes_lanes, a_tile_leaves_long_keys_alone)
{
    struct lanes_tile tile;
    unsigned char bytes[1];
    uint64_t offsets[17] = {0};
    for (int i = 0; i < 16; i++)
        offsets[i + 1] = offsets[i] + (i == 4 ? 1000 : 10);
    struct key_batch keys = {.bytes = bytes, .offsets = offsets, .count = 16};
    cr_assert(lanes_take(&tile, &keys, NULL, 0, 15, 4));
    cr_expect_eq(tile.alone, 1 << 4);
    cr_expect(tile.shortest == 10 && tile.longest == 10);
    cr_expect_eq(tile.length[4], 10);
}
