/* SPDX-License-Identifier: MIT */
#include "filters/filter.h"

unsigned char *arena_take(struct arena *arena, uint64_t bytes)
{
    uint64_t rounded = bytes / 64 * 64 + (bytes % 64 ? 64 : 0);
    if (rounded < bytes || rounded > arena->bytes - arena->used)
        return NULL;
    unsigned char *taken = arena->base + arena->used;
    arena->used += rounded;
    return taken;
}
