/* SPDX-License-Identifier: MIT */
#include "filters/answer.h"

#include "filters/filter.h"
#include "machine/path.h"

#if PATH_HAVE_X86
#include <immintrin.h>
#endif

uint64_t answer_count(const uint64_t *bitmap, size_t count)
{
    uint64_t hits = 0;
    for (size_t i = 0; i < answer_words(count); i++)
        hits += (uint64_t)__builtin_popcountll(bitmap[i]);
    return hits;
}

/* ---- a byte a key ---------------------------------------------------------------------------- */

static void answer_bytes_portable(uint8_t *present, const uint64_t *bitmap, size_t count)
{
    for (size_t i = 0; i < count; i++)
        present[i] = bitmap[i / 64] >> (i % 64) & 1;
}

#if PATH_HAVE_X86
PATH_TARGET_AVX512 static void answer_bytes_avx512(uint8_t *present, const uint64_t *bitmap,
                                                   size_t count)
{
    for (size_t i = 0; i < count; i += 64) {
        __mmask64 there = count - i < 64 ? (UINT64_C(1) << (count - i)) - 1 : UINT64_MAX;
        _mm512_mask_storeu_epi8(present + i, there, _mm512_maskz_set1_epi8(bitmap[i / 64], 1));
    }
}
#endif

uint64_t answer_bytes(uint8_t *present, const uint64_t *bitmap, size_t count)
{
#if PATH_HAVE_X86
    if (path_current() == PATH_AVX512)
        answer_bytes_avx512(present, bitmap, count);
    else
#endif
        answer_bytes_portable(present, bitmap, count);
    return answer_count(bitmap, count);
}

/* ---- a list of keys -------------------------------------------------------------------------- */

static size_t answer_list_portable(uint32_t *which, const uint64_t *bitmap, size_t count)
{
    size_t hits = 0;
    for (size_t i = 0; i < answer_words(count); i++)
        for (uint64_t rest = bitmap[i]; rest; rest &= rest - 1)
            which[hits++] = (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(rest);
    return hits;
}

#if PATH_HAVE_X86
/* Sixteen keys at a time; where few are present, one at a time is quicker. */
PATH_TARGET_AVX512 static size_t answer_list_avx512(uint32_t *which, const uint64_t *bitmap,
                                                    size_t count)
{
    const __m512i first = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    size_t hits = 0;
    for (size_t i = 0; i < answer_words(count); i++) {
        uint64_t rest = bitmap[i];
        if (__builtin_popcountll(rest) <= 6) {
            for (; rest; rest &= rest - 1)
                which[hits++] = (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(rest);
            continue;
        }
        for (unsigned at = 0; at < 64; at += 16) {
            __mmask16 mask = (__mmask16)(rest >> at);
            unsigned found = (unsigned)__builtin_popcount(mask);
            __m512i keys = _mm512_add_epi32(first, _mm512_set1_epi32((int)(64 * i + at)));
            _mm512_mask_storeu_epi32(which + hits, (__mmask16)((1u << found) - 1),
                                     _mm512_maskz_compress_epi32(mask, keys));
            hits += found;
        }
    }
    return hits;
}
#endif

uint64_t answer_list(uint32_t *which, const uint64_t *bitmap, size_t count)
{
#if PATH_HAVE_X86
    if (path_current() == PATH_AVX512)
        return answer_list_avx512(which, bitmap, count);
#endif
    return answer_list_portable(which, bitmap, count);
}

/* ---- any filter ------------------------------------------------------------------------------ */

/* Without a match of its own: the bytes of the answer stand in the last quarter of `which`, where
 * the list, ascending from the front, never reaches one that is still to be read. */
uint64_t filter_match(const struct filter *f, uint32_t *which, struct digests *batch, void *scratch)
{
    if (f->ops->match)
        return f->ops->match(f, which, batch, scratch);
    uint8_t *present = (uint8_t *)which + 3 * batch->count;
    f->ops->query(f, present, batch, scratch);
    size_t hits = 0;
    for (size_t i = 0; i < batch->count; i++)
        if (present[i])
            which[hits++] = (uint32_t)i;
    return hits;
}
