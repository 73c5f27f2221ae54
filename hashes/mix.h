/* SPDX-License-Identifier: MIT
 *
 * mix.h: small integer mixers and byte readers shared by the hashes.
 */
#ifndef BLOOMLAB_MIX_H
#define BLOOMLAB_MIX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* For what must disappear into the loop over keys, with the length of a key as a constant. */
#define HASH_INLINE static inline __attribute__((always_inline))

/* MurmurHash3's finalizers (A. Appleby, 2011): bijections on 32 and 64 bits. */
static inline uint32_t fmix32(uint32_t h)
{
    h ^= h >> 16;
    h *= UINT32_C(0x85ebca6b);
    h ^= h >> 13;
    h *= UINT32_C(0xc2b2ae35);
    return h ^ (h >> 16);
}

static inline uint64_t fmix64(uint64_t h)
{
    h ^= h >> 33;
    h *= UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 33;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ (h >> 33);
}

/* SplitMix64's output function (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014; constants: Stafford's mix 13): a bijection on 64 bits that derives
 * seeds from seeds. */
static inline uint64_t mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint32_t rotate_left32(uint32_t x, unsigned r)
{
    return (x << r) | (x >> (32 - r));
}
static inline uint64_t rotate_left64(uint64_t x, unsigned r)
{
    return (x << r) | (x >> (64 - r));
}

/* Little-endian words at any address: one load each, which byte-wise shifts are not before a loop
 * is vectorised. */
static inline uint32_t read32(const unsigned char *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap32(word) : word;
}

static inline uint64_t read64(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
}

/* The little-endian number in the `bytes` bytes at p, 0 .. 8 of them, nothing read past them. Where
 * two loads overlap they hold the same bits, so that or-ing them is right. */
HASH_INLINE uint64_t read_partial(const unsigned char *p, size_t bytes)
{
    if (bytes == 8)
        return read64(p);
    if (bytes >= 4)
        return read32(p) | (uint64_t)read32(p + bytes - 4) << (8 * (bytes - 4));
    if (bytes == 0)
        return 0;
    size_t middle = bytes / 2, last = bytes - 1;
    return p[0] | (uint64_t)p[middle] << (8 * middle) | (uint64_t)p[last] << (8 * last);
}

/* The 32-bit seed of a hash that takes no more: the low half of a seed whose high half is 0, so
 * that published values stay reachable; otherwise both halves count (seeds 1 and 2^32 + 1 differ).
 */
static inline uint32_t hash_seed32(uint64_t seed)
{
    uint32_t high = (uint32_t)(seed >> 32);
    return high == 0 ? (uint32_t)seed : (uint32_t)seed ^ fmix32(high);
}

#endif
