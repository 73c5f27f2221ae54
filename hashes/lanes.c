/* SPDX-License-Identifier: MIT */
#include "hashes/lanes.h"

/* Lanes for keys of one length; where the last one starts. */
static uint64_t lanes_fixed(struct lanes_tile *tile, const struct key_batch *keys,
                            const uint32_t *which, size_t first)
{
    const uint64_t length = keys->length;
    tile->shortest = tile->longest = (uint32_t)length;
    if (!which) {
        for (size_t i = 0; i < tile->count; i++)
            tile->start[i] = (first + i) * length;
        return tile->start[tile->count - 1];
    }
    uint64_t last = 0;
    for (size_t i = 0; i < tile->count; i++) {
        uint64_t start = which[first + i] * length;
        tile->start[i] = start;
        last = start > last ? start : last;
    }
    return last;
}

/* Lanes for keys of varying lengths; where the last one starts. *bytes: of all of them. */
static uint64_t lanes_varying(struct lanes_tile *tile, const struct key_batch *keys,
                              const uint32_t *which, size_t first, uint64_t *bytes)
{
    uint64_t last = 0, sum = 0, shortest = UINT64_MAX, longest = 0;
    for (size_t i = 0; i < tile->count; i++) {
        size_t key = which ? which[first + i] : first + i;
        uint64_t start = keys->offsets[key], length = keys->offsets[key + 1] - start;
        tile->start[i] = start;
        tile->length[i] = (uint32_t)length;
        last = start > last ? start : last;
        shortest = length < shortest ? length : shortest;
        longest = length > longest ? length : longest;
        sum += length;
    }
    tile->shortest = (uint32_t)shortest;
    tile->longest = longest < UINT32_MAX ? (uint32_t)longest : UINT32_MAX;
    *bytes = sum;
    return last;
}

/* Leaves the long keys alone. Beyond twice the mean length the lanes of the others idle too long.
 */
static void lanes_bound(struct lanes_tile *tile, uint64_t bytes, size_t block)
{
    uint64_t bound = 2 * (bytes / tile->count) + 2 * block;
    if (tile->longest <= bound)
        return;
    tile->longest = 0;
    for (size_t i = 0; i < tile->count; i++)
        if (tile->length[i] > bound)
            tile->alone |= UINT64_C(1) << i;
        else if (tile->length[i] > tile->longest)
            tile->longest = tile->length[i];
}

/* A lane that is read but not used: the batch's first key, as far as the shortest lane goes. */
static void lanes_idle(struct lanes_tile *tile, size_t i, uint64_t begin)
{
    tile->start[i] = begin;
    tile->length[i] = tile->shortest;
}

bool lanes_take(struct lanes_tile *tile, const struct key_batch *keys, const uint32_t *which,
                size_t first, size_t count, size_t block)
{
    tile->count = count;
    tile->lanes = (count + LANES_GROUP - 1) / LANES_GROUP * LANES_GROUP;
    tile->alone = 0;
    if (count < LANES_FEWEST || (!keys->offsets && keys->length > LANES_LONGEST))
        return false;
    uint64_t begin = 0, end = keys->count * keys->length, last, bytes = 0;
    if (keys->offsets) {
        begin = keys->offsets[0];
        end = keys->offsets[keys->count];
        last = lanes_varying(tile, keys, which, first, &bytes);
        if (tile->longest > LANES_LONGEST)
            return false;
        lanes_bound(tile, bytes, block);
    } else {
        last = lanes_fixed(tile, keys, which, first);
    }
    const uint64_t reach = (tile->longest / block + 1) * block;
    if (end - begin < reach)
        return false;
    if (last > end - reach)
        for (size_t i = 0; i < count; i++)
            tile->alone |= (uint64_t)(tile->start[i] > end - reach) << i;
    for (uint64_t alone = tile->alone; alone; alone &= alone - 1)
        lanes_idle(tile, (size_t)__builtin_ctzll(alone), begin);
    for (size_t i = count; i < tile->lanes; i++)
        lanes_idle(tile, i, begin);
    return true;
}
