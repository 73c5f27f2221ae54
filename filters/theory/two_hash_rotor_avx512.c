/* SPDX-License-Identifier: MIT
 *
 * two_hash_rotor_avx512.c: rotations of an interleaved bit array, ANDed and counted, 32 words at a
 * time (two_hash_rotor.h). Four vectors are tested at once: they share the price of the branch that
 * ends them, which cannot be foreseen.
 */
#include "filters/theory/two_hash_rotor.h"
#include "machine/path.h"

#if PATH_HAVE_X86

#include <immintrin.h>

PATH_TARGET_AVX512 static inline __m512i two_hash_turned(const uint64_t *word, __m512i bits)
{
    return _mm512_rorv_epi64(_mm512_loadu_si512(word), bits);
}

PATH_TARGET_AVX512 static inline __m512i
two_hash_count_large(const uint64_t *first, const uint64_t *array, size_t at, size_t words,
                     const struct two_hash_turn *turn, unsigned turns)
{
    __m512i a = _mm512_loadu_si512(first + at), b = _mm512_loadu_si512(first + at + 8);
    __m512i c = _mm512_loadu_si512(first + at + 16), d = _mm512_loadu_si512(first + at + 24);
    for (unsigned i = 0; i < turns; i++) {
        struct two_hash_turn here = two_hash_turn_at(turn[i], at, words);
        const uint64_t *from = array + here.words;
        __m512i bits = _mm512_set1_epi64((long long)here.bits);
        a = _mm512_and_si512(a, two_hash_turned(from, bits));
        b = _mm512_and_si512(b, two_hash_turned(from + 8, bits));
        c = _mm512_and_si512(c, two_hash_turned(from + 16, bits));
        d = _mm512_and_si512(d, two_hash_turned(from + 24, bits));
        __m512i any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
        if (!_mm512_test_epi64_mask(any, any))
            return _mm512_setzero_si512();
    }
    a = _mm512_add_epi64(_mm512_popcnt_epi64(a), _mm512_popcnt_epi64(b));
    c = _mm512_add_epi64(_mm512_popcnt_epi64(c), _mm512_popcnt_epi64(d));
    return _mm512_add_epi64(a, c);
}

PATH_TARGET_AVX512 static inline __m512i
two_hash_count_small(const uint64_t *first, const uint64_t *array, size_t at, size_t words,
                     const struct two_hash_turn *turn, unsigned turns)
{
    __m512i a = _mm512_loadu_si512(first + at);
    for (unsigned i = 0; i < turns; i++) {
        struct two_hash_turn here = two_hash_turn_at(turn[i], at, words);
        __m512i bits = _mm512_set1_epi64((long long)here.bits);
        a = _mm512_and_si512(a, two_hash_turned(array + here.words, bits));
        if (!_mm512_test_epi64_mask(a, a))
            return _mm512_setzero_si512();
    }
    return _mm512_popcnt_epi64(a);
}

PATH_TARGET_AVX512 uint64_t two_hash_count_avx512(const uint64_t *first, const uint64_t *array,
                                                  size_t words, const struct two_hash_turn *turn,
                                                  unsigned turns)
{
    __m512i count = _mm512_setzero_si512();
    size_t at = 0;
    for (; at + ROTOR_BLOCK <= words; at += ROTOR_BLOCK)
        count = _mm512_add_epi64(count, two_hash_count_large(first, array, at, words, turn, turns));
    for (; at < words; at += ROTOR_SMALL)
        count = _mm512_add_epi64(count, two_hash_count_small(first, array, at, words, turn, turns));
    return (uint64_t)_mm512_reduce_add_epi64(count);
}

PATH_TARGET_AVX512 uint64_t two_hash_double_avx512(uint64_t *restrict to,
                                                   const uint64_t *restrict from,
                                                   const uint64_t *restrict turned, unsigned bits,
                                                   size_t count)
{
    __m512i by = _mm512_set1_epi64((long long)bits), left = _mm512_setzero_si512();
    for (size_t w = 0; w < count; w += ROTOR_SMALL) {
        __m512i both =
            _mm512_and_si512(_mm512_loadu_si512(from + w), two_hash_turned(turned + w, by));
        _mm512_storeu_si512(to + w, both);
        left = _mm512_or_si512(left, both);
    }
    return (uint64_t)_mm512_reduce_or_epi64(left);
}

#else

uint64_t two_hash_double_avx512(uint64_t *restrict to, const uint64_t *restrict from,
                                const uint64_t *restrict turned, unsigned bits, size_t count)
{
    (void)to, (void)from, (void)turned, (void)bits, (void)count;
    return 0;
}

#endif
