/* SPDX-License-Identifier: MIT
 *
 * lanes.h: the keys of a tile: up to 64 keys of a batch that are hashed side by side.
 *
 * A hash is serial in one key, not across keys. A tile holds its keys as lanes: word j of all keys
 * stands together, so that one step of the hash is a loop over lanes without a branch, which
 * compilers turn into vector instructions whatever the length of the keys.
 *
 * A lane is read in whole words, up to `reach` bytes from the start of its key. What lies behind
 * the key are bytes of its neighbours, which are masked out; keys so near the end of the batch that
 * there are none behind them, and keys so much longer than the others that lanes would idle, are
 * hashed alone: their lanes read the batch's first key and are overwritten.
 */
#ifndef BLOOMLAB_LANES_H
#define BLOOMLAB_LANES_H

#include <stdbool.h>

#include "hashes/hash.h"

enum {
    LANES_TILE = 64,         /* keys in a tile, at most */
    LANES_GROUP = 16,        /* lanes are worked on in groups: one vector of 32-bit words, or two */
    LANES_PANEL = 8,         /* words of every key that stand together at a time */
    LANES_FEWEST = 6,        /* keys that are worth a tile */
    LANES_LONGEST = 1 << 20, /* bytes of a key in a lane */
};

struct lanes_tile {
    uint64_t start[LANES_TILE];  /* of each key in keys->bytes */
    uint32_t length[LANES_TILE]; /* of each key */
    uint32_t shortest, longest;  /* length of any lane */
    size_t count;                /* keys */
    size_t lanes;                /* count rounded up to whole groups; the last ones are idle */
    uint64_t alone;              /* bit i: key i is hashed alone */
};

/* Makes keys `first` .. `first + count - 1` (of which, when not NULL) the lanes of the tile, count
 * 1 .. LANES_TILE. A lane of l bytes may be read up to (l / block + 1) * block of the longest one;
 * block: bytes of
 * a block. False when that is not possible: hash them one by one. */
bool lanes_take(struct lanes_tile *tile, const struct key_batch *keys, const uint32_t *which,
                size_t first, size_t count, size_t block);

#endif
