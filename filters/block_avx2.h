/* SPDX-License-Identifier: MIT
 *
 * block_avx2.h: bits of a block made in a vector of 256 bits, then or-ed into the block at once:
 * what both sets of kernels of blocked insert small blocks by. Bits set one by one wait for each
 * other, when two fall into one word of the block.
 */
#ifndef BLOOMLAB_BLOCK_AVX2_H
#define BLOOMLAB_BLOCK_AVX2_H

#include "filters/block_kernels.h"

#if PATH_HAVE_X86

#include <immintrin.h>

#define BLOCK_AVX2 PATH_TARGET_AVX2 static inline __attribute__((always_inline))

/* Where the lanes begin in a block of 2^log_bits bits, log_bits 6 .. 9, the first of them at
 * `first`: smaller blocks stand over and over. */
BLOCK_AVX2 __m256i block_lanes256(unsigned log_bits, unsigned first)
{
    const __m256i lanes = _mm256_setr_epi64x(0, 64, 128, 192);
    return _mm256_and_si256(_mm256_add_epi64(lanes, _mm256_set1_epi64x(first)),
                            _mm256_set1_epi64x((1 << log_bits) - 1));
}

/* The bit at a position of a block: a shift by 64 or more leaves nothing in the other lanes. */
BLOCK_AVX2 __m256i block_bit256(uint64_t position, __m256i lanes)
{
    __m256i at = _mm256_xor_si256(_mm256_set1_epi64x((long long)position), lanes);
    return _mm256_sllv_epi64(_mm256_set1_epi64x(1), at);
}

/* Sets 2^log_bits bits of a block, or 256. */
BLOCK_AVX2 void block_or256(unsigned char *block, __m256i bits, unsigned log_bits)
{
    __m128i low = _mm256_castsi256_si128(bits);
    if (log_bits >= 8)
        _mm256_store_si256((__m256i *)block,
                           _mm256_or_si256(bits, _mm256_load_si256((const __m256i *)block)));
    else if (log_bits == 7)
        _mm_store_si128((__m128i *)block,
                        _mm_or_si128(low, _mm_load_si128((const __m128i *)block)));
    else
        *(uint64_t *)block |= (uint64_t)_mm_cvtsi128_si64(low);
}

#endif
#endif
