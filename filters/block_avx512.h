/* SPDX-License-Identifier: MIT
 *
 * block_avx512.h: what the kernels of the two blocked variants for 512-bit vectors share.
 *
 * Queries take eight keys at a time. A key's eight draws are one vector of products; what each draw
 * asks for is put into byte j of its lane, j being the number of the key, so that after eight keys
 * one vector holds 64 answers and one test makes a bitmap of them: bit 8 lane + key. A key is
 * present when its bit is set in all eight lanes. A draw, the top of a product, is brought to byte
 * j by a plain shift: on the machines measured (Zen 4) shifts share no port with products and
 * multishifts, which share one.
 *
 * Kernels take the batch by value. Behind a pointer, what it says would be read again after every
 * store into the filter, which may have changed it for all the compiler knows: a third of the time
 * of an insert.
 */
#ifndef BLOOMLAB_BLOCK_AVX512_H
#define BLOOMLAB_BLOCK_AVX512_H

#include "filters/block_kernels.h"

#if PATH_HAVE_X86

#include <immintrin.h>

#include "filters/block.h"

#define BLOCK_AVX512 PATH_TARGET_AVX512 static inline __attribute__((always_inline))

/* A^1 .. A^8 of block.h. */
BLOCK_AVX512 __m512i block_odd_avx512(void)
{
    return _mm512_loadu_si512(block_odd);
}

/* The lines of keys that come BLOCK_AHEAD later. */
BLOCK_AVX512 void block_prefetch_keys(const struct block_batch *b, size_t at, size_t count)
{
    for (size_t j = 0; j < count; j++)
        __builtin_prefetch(b->memory + b->start[at + BLOCK_AHEAD + j], 0, 2);
}

/* Keys whose bit is set in all eight bytes. */
BLOCK_AVX512 uint64_t block_fold(uint64_t lanes)
{
    lanes &= lanes >> 32;
    lanes &= lanes >> 16;
    lanes &= lanes >> 8;
    return lanes & 0xff;
}

/* Byte j of every lane. */
#define BLOCK_BYTE(j) (UINT64_C(0x0101010101010101) << (j))

#endif
#endif
