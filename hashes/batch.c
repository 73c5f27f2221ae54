/* SPDX-License-Identifier: MIT */
#include "hashes/batch.h"

#include <string.h>

#include "hashes/mix.h"

enum { BATCH_TILE = 64, BATCH_LENGTH_MAX = 36 };

HASH_INLINE void batch_copy(unsigned char *tile, const unsigned char *bytes, size_t length,
                            const uint32_t *which, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy(tile + i * length, bytes + which[i] * length, length);
}

void batch_selected(hash_batch *batch, const struct key_batch *keys, const uint32_t *which,
                    size_t count, uint64_t seed, uint64_t *low, uint64_t *high)
{
    unsigned char bytes[BATCH_TILE * BATCH_LENGTH_MAX];
    struct key_batch tile = {.bytes = bytes, .length = keys->length};
    for (size_t first = 0; first < count; first += BATCH_TILE) {
        tile.count = count - first < BATCH_TILE ? count - first : BATCH_TILE;
        if (keys->length == 8)
            batch_copy(bytes, keys->bytes, 8, which + first, tile.count);
        else
            batch_copy(bytes, keys->bytes, 36, which + first, tile.count);
        batch(&tile, NULL, tile.count, seed, low + first, high ? high + first : NULL);
    }
}

/* ---- lanes --------------------------------------------------------------------------------- */

static void batch_alone(const struct batch_plan *plan, const struct key_batch *keys, size_t key,
                        uint64_t seed, uint64_t *low, uint64_t *high)
{
    size_t length;
    const unsigned char *bytes = key_at(keys, key, &length);
    struct hash_value value = plan->one(bytes, length, seed);
    *low = value.word[0];
    if (high)
        *high = value.word[1];
}

static void batch_tile(const struct batch_plan *plan, enum filter_path path,
                       const struct lanes_tile *tile, const struct key_batch *keys, uint64_t seed,
                       uint64_t *low, uint64_t *high)
{
    uint64_t values[2][LANES_TILE];
    hash_lanes *lanes = tile->shortest == tile->longest ? plan->same[path] : plan->mixed[path];
    lanes(values[0], values[1], tile, keys->bytes, seed);
    memcpy(low, values[0], tile->count * sizeof *low);
    if (high && plan->bits == 128)
        memcpy(high, values[1], tile->count * sizeof *high);
    else if (high)
        memset(high, 0, tile->count * sizeof *high);
}

static void batch_lanes(const struct batch_plan *plan, enum filter_path path,
                        const struct key_batch *keys, const uint32_t *which, size_t count,
                        uint64_t seed, uint64_t *low, uint64_t *high)
{
    struct lanes_tile tile;
    for (size_t first = 0; first < count; first += LANES_TILE) {
        size_t piece = count - first < LANES_TILE ? count - first : LANES_TILE;
        uint64_t alone = UINT64_MAX >> (LANES_TILE - piece);
        if (lanes_take(&tile, keys, which, first, piece, plan->block)) {
            batch_tile(plan, path, &tile, keys, seed, low + first, high ? high + first : NULL);
            alone = tile.alone;
        }
        for (; alone; alone &= alone - 1) {
            size_t i = first + (size_t)__builtin_ctzll(alone);
            batch_alone(plan, keys, which ? which[i] : i, seed, low + i, high ? high + i : NULL);
        }
    }
}

void batch_run(const struct batch_plan *plan, const struct key_batch *keys, const uint32_t *which,
               size_t count, uint64_t seed, uint64_t *low, uint64_t *high)
{
    enum filter_path path = path_current();
    bool constant = !keys->offsets && (keys->length == 8 || keys->length == 36);
    if (constant || !plan->same[path])
        plan->loop[path](keys, which, count, seed, low, high);
    else
        batch_lanes(plan, path, keys, which, count, seed, low, high);
}
