/* SPDX-License-Identifier: MIT */
#include "harness/stream/exact.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { EXACT_TAG_BITS = 16, EXACT_PLACE_BITS = 64 - EXACT_TAG_BITS, EXACT_SLOTS_FIRST = 1024 };
enum { EXACT_BYTES_FIRST = 1 << 16, EXACT_LENGTH = sizeof(uint32_t) };

#define EXACT_PLACE_MASK ((UINT64_C(1) << EXACT_PLACE_BITS) - 1)

static uint64_t exact_hash(const unsigned char *id, size_t size)
{
    return XXH3_64bits(id, size);
}

static uint32_t exact_length(const struct exact_set *set, uint64_t place)
{
    uint32_t length;
    memcpy(&length, set->bytes + place, sizeof length);
    return length;
}

/* Where the id is, or the free slot where it would be. There is one. */
static uint64_t exact_find(const struct exact_set *set, uint64_t hash, const unsigned char *id,
                           size_t size)
{
    for (uint64_t at = hash & set->mask;; at = (at + 1) & set->mask) {
        uint64_t slot = set->slot[at], place = slot & EXACT_PLACE_MASK;
        if (slot == 0)
            return at;
        if (slot >> EXACT_PLACE_BITS == hash >> EXACT_PLACE_BITS &&
            exact_length(set, place) == size &&
            memcmp(set->bytes + place + EXACT_LENGTH, id, size) == 0)
            return at;
    }
}

static bool exact_grow_slots(struct exact_set *set)
{
    uint64_t slots = set->slot ? 2 * (set->mask + 1) : EXACT_SLOTS_FIRST;
    uint64_t *larger = calloc(slots, sizeof *larger);
    if (!larger)
        return false;
    for (uint64_t i = 0; set->slot && i <= set->mask; i++) {
        if (set->slot[i] == 0)
            continue;
        uint64_t place = set->slot[i] & EXACT_PLACE_MASK;
        uint64_t at = exact_hash(set->bytes + place + EXACT_LENGTH, exact_length(set, place));
        for (at &= slots - 1; larger[at]; at = (at + 1) & (slots - 1))
            ;
        larger[at] = set->slot[i];
    }
    free(set->slot);
    set->slot = larger;
    set->mask = slots - 1;
    return true;
}

/* Place 0 is never used: a slot of 0 is free. */
static bool exact_grow_bytes(struct exact_set *set, size_t more)
{
    uint64_t room = set->room ? set->room + set->room / 2 : EXACT_BYTES_FIRST;
    if (room < set->used + more)
        room = set->used + more;
    unsigned char *moved = room <= EXACT_PLACE_MASK ? realloc(set->bytes, room) : NULL;
    if (!moved)
        return false;
    set->bytes = moved;
    set->room = room;
    return true;
}

enum status exact_add(struct exact_set *set, bool *added, const unsigned char *id, size_t size,
                      struct error *err)
{
    if (size > UINT32_MAX - EXACT_LENGTH - 1)
        return fail(err, E_INPUT, "an id of %zu bytes is longer than 2^32 - 6", size);
    if ((!set->slot || 3 * set->count >= 2 * (set->mask + 1)) && !exact_grow_slots(set))
        return fail(err, E_RUN, "no memory for the exact set of %llu ids",
                    (unsigned long long)set->count);
    uint64_t hash = exact_hash(id, size), at = exact_find(set, hash, id, size);
    *added = set->slot[at] == 0;
    if (!*added)
        return OK;
    if (set->used == 0)
        set->used = 1;
    size_t more = EXACT_LENGTH + size;
    if (set->used + more > set->room && !exact_grow_bytes(set, more + 1))
        return fail(err, E_RUN, "no memory for the exact set of %llu ids",
                    (unsigned long long)set->count);
    uint32_t length = (uint32_t)size;
    memcpy(set->bytes + set->used, &length, sizeof length);
    if (size)
        memcpy(set->bytes + set->used + EXACT_LENGTH, id, size);
    set->slot[at] = hash >> EXACT_PLACE_BITS << EXACT_PLACE_BITS | set->used;
    set->used += more;
    set->count++;
    return OK;
}

bool exact_has(const struct exact_set *set, const unsigned char *id, size_t size)
{
    return set->count > 0 && set->slot[exact_find(set, exact_hash(id, size), id, size)] != 0;
}

void exact_clear(struct exact_set *set)
{
    if (set->slot)
        memset(set->slot, 0, (set->mask + 1) * sizeof *set->slot);
    set->count = set->used = 0;
}

void exact_release(struct exact_set *set)
{
    free(set->slot);
    free(set->bytes);
    *set = (struct exact_set){0};
}

uint64_t exact_memory(const struct exact_set *set)
{
    return set->room + (set->slot ? (set->mask + 1) * sizeof *set->slot : 0);
}
