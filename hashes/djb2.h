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

#include "hashes/mix.h"

#define DJB2_START UINT32_C(5381)

HASH_INLINE uint32_t djb2_add(const unsigned char *p, size_t length, uint64_t seed)
{
    uint32_t h = DJB2_START ^ hash_seed32(seed);
    size_t rest = length;
    for (; rest >= 4; rest -= 4, p += 4)
        for (uint32_t word = read32(p), i = 0; i < 4; i++, word >>= 8)
            h = h * 33 + (word & 255);
    for (; rest > 0; rest--)
        h = h * 33 + *p++;
    return h;
}

#endif
