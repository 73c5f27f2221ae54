/* SPDX-License-Identifier: MIT
 *
 * mix.h: small integer mixers and byte readers shared by the hashes.
 */
#ifndef BLOOMLAB_MIX_H
#define BLOOMLAB_MIX_H

#include <stdint.h>

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

/* SplitMix64's output function (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
 * OOPSLA 2014; constants: Stafford's mix 13): a bijection on 64 bits that derives seeds from seeds. */
static inline uint64_t mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint32_t rotate_left32(uint32_t x, unsigned r) { return (x << r) | (x >> (32 - r)); }
static inline uint64_t rotate_left64(uint64_t x, unsigned r) { return (x << r) | (x >> (64 - r)); }

/* Little-endian words at any address; compilers make one load of them. */
static inline uint32_t read32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t read64(const unsigned char *p)
{
    return (uint64_t)read32(p) | (uint64_t)read32(p + 4) << 32;
}

/* The 32-bit seed of a hash that takes no more: the low half of a seed whose high half is 0, so that
 * published values stay reachable; otherwise both halves count (seeds 1 and 2^32 + 1 differ). */
static inline uint32_t hash_seed32(uint64_t seed)
{
    uint32_t high = (uint32_t)(seed >> 32);
    return high == 0 ? (uint32_t)seed : (uint32_t)seed ^ fmix32(high);
}

#endif
