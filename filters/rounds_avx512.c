/* SPDX-License-Identifier: MIT */
#include "filters/rounds.h"

#if PATH_HAVE_X86

#include <immintrin.h>

#define ROUNDS PATH_TARGET_AVX512 static inline __attribute__((always_inline))

/* Which of `count` <= 8 positions are set. Eight loads of their own: on the machines measured (Zen
 * 4) a gather of eight takes half as long again. */
ROUNDS __mmask8 rounds_test8(const unsigned char *memory, unsigned log_width,
                             const uint64_t *position, size_t count)
{
    const uint64_t *words = (const uint64_t *)memory, field = (1u << (1u << log_width)) - 1;
    unsigned set = 0;
    for (size_t i = count; i-- > 0;) {
        uint64_t value = words[position[i] >> (6 - log_width)] >> (position[i] << log_width & 63);
        set = 2 * set + ((value & field) != 0);
    }
    return (__mmask8)set;
}

ROUNDS __mmask8 rounds_there(size_t left)
{
    return (__mmask8)(left < 8 ? (1u << left) - 1 : 0xff);
}

/* Eight keys from the list. */
ROUNDS __m256i rounds_keys(bool first, const uint32_t *which, size_t i, __mmask8 there)
{
    const __m256i eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return first ? _mm256_add_epi32(_mm256_set1_epi32((int)i), eight)
                 : _mm256_maskz_loadu_epi32(there, which + i);
}

/* Writes eight keys, those kept first, where no key still to be read stands; the last ones of a
 * list, fewer than eight, under a mask. */
ROUNDS void rounds_put(uint32_t *which, __m256i keys, __mmask8 set, bool whole)
{
    __m256i closed = _mm256_maskz_compress_epi32(set, keys);
    if (whole)
        _mm256_storeu_si256((__m256i *)which, closed);
    else
        _mm256_mask_storeu_epi32(which, rounds_there((size_t)__builtin_popcount(set)), closed);
}

ROUNDS void rounds_put64(uint64_t *list, __m512i values, __mmask8 set, bool whole)
{
    __m512i closed = _mm512_maskz_compress_epi64(set, values);
    if (whole)
        _mm512_storeu_si512(list, closed);
    else
        _mm512_mask_storeu_epi64(list, rounds_there((size_t)__builtin_popcount(set)), closed);
}

ROUNDS size_t rounds_keep_as(const unsigned char *memory, unsigned log_width,
                             const uint64_t *position, bool first, uint32_t *which, size_t count)
{
    size_t kept = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i keys = rounds_keys(first, which, i, 0xff);
        __mmask8 set = rounds_test8(memory, log_width, position + i, 8);
        rounds_put(which + kept, keys, set, true);
        kept += (size_t)__builtin_popcount(set);
    }
    if (i == count)
        return kept;
    __m256i keys = rounds_keys(first, which, i, rounds_there(count - i));
    __mmask8 set = rounds_test8(memory, log_width, position + i, count - i);
    rounds_put(which + kept, keys, set, false);
    return kept + (size_t)__builtin_popcount(set);
}

PATH_TARGET_AVX512 size_t rounds_keep_avx512(const unsigned char *memory, unsigned log_width,
                                             const uint64_t *position, bool first, uint32_t *which,
                                             size_t count)
{
    switch (log_width) {
    case 0:
        return first ? rounds_keep_as(memory, 0, position, true, which, count)
                     : rounds_keep_as(memory, 0, position, false, which, count);
    case 1:
        return rounds_keep_as(memory, 1, position, first, which, count);
    case 2:
        return rounds_keep_as(memory, 2, position, first, which, count);
    default:
        return rounds_keep_as(memory, 3, position, first, which, count);
    }
}

/* Keys i .. i + count - 1 of the lists, count <= 8, go to `kept`; returns how many stay. */
ROUNDS size_t rounds_steps8(const unsigned char *memory, uint64_t *position, uint64_t *step,
                            bool first, uint32_t *which, size_t kept, size_t i, size_t count)
{
    const __mmask8 there = rounds_there(count);
    const bool whole = count == 8;
    __m512i at = _mm512_maskz_loadu_epi64(there, position + i);
    __m256i keys = rounds_keys(first, which, i, there);
    __mmask8 set = rounds_test8(memory, 0, position + i, count);
    rounds_put(which + kept, keys, set, whole);
    rounds_put64(position + kept, at, set, whole);
    if (!first)
        rounds_put64(step + kept, _mm512_maskz_loadu_epi64(there, step + i), set, whole);
    return (size_t)__builtin_popcount(set);
}

ROUNDS size_t rounds_keep_steps_as(const unsigned char *memory, uint64_t *position, uint64_t *step,
                                   bool first, uint32_t *which, size_t count)
{
    size_t kept = 0, i = 0;
    for (; i + 8 <= count; i += 8)
        kept += rounds_steps8(memory, position, step, first, which, kept, i, 8);
    if (i < count)
        kept += rounds_steps8(memory, position, step, first, which, kept, i, count - i);
    return kept;
}

PATH_TARGET_AVX512 size_t rounds_keep_steps_avx512(const unsigned char *memory, uint64_t *position,
                                                   uint64_t *step, bool first, uint32_t *which,
                                                   size_t count)
{
    return first ? rounds_keep_steps_as(memory, position, step, true, which, count)
                 : rounds_keep_steps_as(memory, position, step, false, which, count);
}

#endif
