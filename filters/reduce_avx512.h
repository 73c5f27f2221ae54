/* SPDX-License-Identifier: MIT
 *
 * reduce_avx512.h: reduce.h for eight digests in a vector, for kernels.
 *
 * The high half of a product of 64-bit numbers is put together from 32-bit parts: four products, or
 * two where the multiplier has only 32 bits.
 */
#ifndef BLOOMLAB_REDUCE_AVX512_H
#define BLOOMLAB_REDUCE_AVX512_H

#include "filters/reduce.h"
#include "machine/path.h"

#if PATH_HAVE_X86

#include <immintrin.h>

#define REDUCE_AVX512 PATH_TARGET_AVX512 static inline __attribute__((always_inline))

/* A reducer whose numbers stand in every lane. What it answers is reduce() << scale. */
struct reduce8 {
    __m512i range, factor, factor_high; /* factor: what is multiplied by, range or inverse */
    __m512i whole;                      /* narrow: the bits of an answer from bit `scale` up */
    unsigned shift, scale;
};

/* scale 0 .. 31. */
REDUCE_AVX512 struct reduce8 reduce8_init(enum reduction kind, const struct reducer *r,
                                          unsigned scale)
{
    uint64_t factor = kind == REDUCE_MOD ? r->inverse : r->range;
    return (struct reduce8){
        .range = _mm512_set1_epi64((long long)(kind == REDUCE_MASK ? r->range - 1 : r->range)),
        .factor = _mm512_set1_epi64((long long)factor),
        .factor_high = _mm512_set1_epi64((long long)(factor >> 32)),
        .whole = _mm512_set1_epi64((long long)(UINT64_MAX << scale)),
        .shift = r->shift,
        .scale = scale,
    };
}

/* narrow: the factor is below 2^32. */
static inline bool reduce8_narrow(enum reduction kind, const struct reducer *r)
{
    return (kind == REDUCE_MOD ? r->inverse : r->range) >> 32 == 0;
}

/* The high half of digest * factor; for a narrow factor, 32 bits below that too. */
REDUCE_AVX512 __m512i reduce8_high(const struct reduce8 *r, bool narrow, __m512i digest)
{
    __m512i upper = _mm512_srli_epi64(digest, 32);
    __m512i low = _mm512_srli_epi64(_mm512_mul_epu32(digest, r->factor), 32);
    __m512i middle = _mm512_add_epi64(_mm512_mul_epu32(upper, r->factor), low);
    if (narrow)
        return middle;
    __m512i low32 = _mm512_set1_epi64(UINT32_MAX);
    __m512i other =
        _mm512_add_epi64(_mm512_mul_epu32(digest, r->factor_high), _mm512_and_si512(middle, low32));
    __m512i high =
        _mm512_add_epi64(_mm512_mul_epu32(upper, r->factor_high), _mm512_srli_epi64(middle, 32));
    return _mm512_add_epi64(high, _mm512_srli_epi64(other, 32));
}

REDUCE_AVX512 __m512i reduce8_as(enum reduction kind, bool narrow, const struct reduce8 *r,
                                 __m512i digest)
{
    if (kind == REDUCE_MASK)
        return _mm512_slli_epi64(_mm512_and_si512(digest, r->range), r->scale);
    if (kind == REDUCE_MULTIPLY_SHIFT) {
        __m512i high =
            reduce8_high(r, narrow, r->shift ? _mm512_slli_epi64(digest, r->shift) : digest);
        return narrow ? _mm512_and_si512(_mm512_srli_epi64(high, 32 - r->scale), r->whole)
                      : _mm512_slli_epi64(high, r->scale);
    }
    __m512i quotient = reduce8_high(r, narrow, digest);
    if (narrow)
        quotient = _mm512_srli_epi64(quotient, 32);
    __m512i rest = _mm512_sub_epi64(digest, _mm512_mullo_epi64(quotient, r->range));
    return _mm512_slli_epi64(_mm512_min_epu64(rest, _mm512_sub_epi64(rest, r->range)), r->scale);
}

/* Calls CALL(kind, narrow) with constants. */
#define REDUCE8_DISPATCH(reducer, CALL)                                                            \
    switch ((reducer)->kind) {                                                                     \
    case REDUCE_MASK:                                                                              \
        CALL(REDUCE_MASK, false);                                                                  \
        break;                                                                                     \
    case REDUCE_MULTIPLY_SHIFT:                                                                    \
        if (reduce8_narrow(REDUCE_MULTIPLY_SHIFT, reducer))                                        \
            CALL(REDUCE_MULTIPLY_SHIFT, true);                                                     \
        else                                                                                       \
            CALL(REDUCE_MULTIPLY_SHIFT, false);                                                    \
        break;                                                                                     \
    case REDUCE_MOD:                                                                               \
        if (reduce8_narrow(REDUCE_MOD, reducer))                                                   \
            CALL(REDUCE_MOD, true);                                                                \
        else                                                                                       \
            CALL(REDUCE_MOD, false);                                                               \
        break;                                                                                     \
    }

#endif
#endif
