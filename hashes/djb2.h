/* SPDX-License-Identifier: MIT
 *
 * djb2.h: the recurrence h = 33 h + c from 5381, which djb2 and djb2_mix share.
 *
 * Source: D. J. Bernstein, comp.lang.c, about 1991. Unseeded as published: the start value here is
 * (5381 ^ seed). The seed adds the same amount to all keys of one length: without a mixer after it,
 * no seed separates two keys that collide.
 */
#ifndef BLOOMLAB_DJB2_H
#define BLOOMLAB_DJB2_H

#include "hashes/batch.h"
#include "hashes/mix.h"

#define DJB2_START UINT32_C(5381)

HASH_INLINE uint32_t djb2_step(uint32_t h, uint32_t byte)
{
    return h * 33 + byte;
}

HASH_INLINE void djb2_start(uint32_t *h, uint32_t length, uint64_t seed)
{
    (void)length;
    *h = DJB2_START ^ hash_seed32(seed);
}

/* The first `bytes` bytes of the word. */
HASH_INLINE uint32_t djb2_bytes(uint32_t h, uint32_t word, unsigned bytes)
{
    BATCH_UNROLLED
    for (unsigned i = 0; i < 4; i++)
        if (i < bytes)
            h = djb2_step(h, word >> (8 * i) & 255);
    return h;
}

HASH_INLINE void djb2_block(uint32_t *h, const uint32_t *word)
{
    *h = djb2_bytes(*h, *word, 4);
}

HASH_INLINE void djb2_tail(uint32_t *h, const uint32_t *word, uint32_t length)
{
    *h = djb2_bytes(*h, *word, length % 4);
}

#endif
