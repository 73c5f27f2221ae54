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
