/* SPDX-License-Identifier: MIT */
#include "filters/filter.h"

unsigned char *arena_take(struct arena *arena, uint64_t bytes)
{
    uint64_t left = arena->bytes - arena->used;
    if (bytes > left || arena_bytes(bytes) > left)
        return NULL;
    unsigned char *taken = arena->base + arena->used;
    arena->used += arena_bytes(bytes);
    return taken;
}
