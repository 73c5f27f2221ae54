/* SPDX-License-Identifier: MIT
 *
 * block_avx512.c: kernels of split_block for 512-bit vectors (block_avx512.h).
 *
 *   512 bits  lane w holds word w: eight bits of it, from the drawn position on
 *   256 bits  lane w holds words 2w and 2w + 1: two keys fill the eight lanes of a vector, and
 *             bytes 2j, 2j + 1 are theirs
 *
 * vpmultishiftqb picks, for every byte of a lane, eight bits of the lane from any position, round
 * the end; only the low six bits of the byte that says where from count. A word shifted whole has
 * its bit in byte 0 too, by way of another port: the first key of a vector takes that.
 */
#include "filters/block_avx512.h"

#if PATH_HAVE_X86

/* ---- queries, blocks of 512 bits ------------------------------------------------------------- */

/* Four keys, in bytes 0 .. 3. */
BLOCK_AVX512 __m512i split512_query4(const struct block_batch *b, size_t at, __m512i odd)
{
    __m512i first = _mm512_mullo_epi64(_mm512_set1_epi64((long long)b->digest[at]), odd);
    __m512i seen = _mm512_srlv_epi64(_mm512_load_si512(b->memory + b->start[at]),
                                     _mm512_srli_epi64(first, 58));
#define SPLIT_KEY(j)                                                                               \
    {                                                                                              \
        __m512i draw = _mm512_mullo_epi64(_mm512_set1_epi64((long long)b->digest[at + j]), odd);   \
        seen = _mm512_mask_multishift_epi64_epi8(seen, BLOCK_BYTE(j),                              \
                                                 _mm512_srli_epi64(draw, 58 - 8 * j),              \
                                                 _mm512_load_si512(b->memory + b->start[at + j])); \
    }
    SPLIT_KEY(1)
    SPLIT_KEY(2)
    SPLIT_KEY(3)
#undef SPLIT_KEY
    return seen;
}

BLOCK_AVX512 uint64_t split512_query8(const struct block_batch *b, size_t at, __m512i odd)
{
    __m512i low = split512_query4(b, at, odd), high = split512_query4(b, at + 4, odd);
    __m512i seen = _mm512_mask_shuffle_epi32(low, 0xaaaa, high, _MM_PERM_CCAA);
    return block_fold(_mm512_test_epi8_mask(seen, _mm512_set1_epi8(1)));
}

/* ---- queries, blocks of 256 bits ------------------------------------------------------------- */

#define SPLIT_BYTES2(j) (UINT64_C(0x0303030303030303) << 2 * (j))

/* Lanes 0 .. 3 of one key, 4 .. 7 of the next. */
BLOCK_AVX512 __m512i split256_pair(const void *low, const void *high)
{
    __m256i first = _mm256_load_si256(low);
    return _mm512_mask_broadcast_i64x4(_mm512_castsi256_si512(first), 0xf0,
                                       _mm256_load_si256(high));
}

BLOCK_AVX512 uint64_t split256_query8(const struct block_batch *b, size_t at, __m512i even,
                                      __m512i odd)
{
    const __m512i top5 = _mm512_set1_epi8(59), low5 = _mm512_set1_epi8(31);
    const __m512i upper = _mm512_set1_epi16(0x2000); /* the odd byte: the word above */
    __m512i seen = _mm512_setzero_si512();
#define SPLIT_PAIR(j)                                                                              \
    {                                                                                              \
        const uint64_t *digest = b->digest + at + 2 * j, *start = b->start + at + 2 * j;           \
        __m512i key = _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)digest[0]), 0xf0,        \
                                             (long long)digest[1]);                                \
        __m512i from = _mm512_srli_epi64(_mm512_mullo_epi64(key, even), 59 - 16 * j);              \
        from = _mm512_mask_multishift_epi64_epi8(from, UINT64_C(0xaaaaaaaaaaaaaaaa), top5,         \
                                                 _mm512_mullo_epi64(key, odd));                    \
        from = _mm512_ternarylogic_epi64(from, low5, upper, 0xea); /* from & low5 | upper */       \
        seen = _mm512_mask_multishift_epi64_epi8(                                                  \
            seen, SPLIT_BYTES2(j), from,                                                           \
            split256_pair(b->memory + start[0], b->memory + start[1]));                            \
    }
    SPLIT_PAIR(0)
    SPLIT_PAIR(1)
    SPLIT_PAIR(2)
    SPLIT_PAIR(3)
#undef SPLIT_PAIR
    uint64_t lanes = _mm512_test_epi8_mask(seen, _mm512_set1_epi8(1));
    /* Pair j: bits 2j and 2j + 1 of bytes 0 .. 3, its second key in bytes 4 .. 7. */
    lanes &= lanes >> 16;
    lanes &= lanes >> 8;
    lanes &= lanes >> 1;
    return (lanes & 0x55) | (lanes >> 31 & 0xaa);
}

/* ---- queries, whole batches ------------------------------------------------------------------ */

/* A^1, A^3, A^5, A^7 twice, and A^2, A^4, A^6, A^8 twice. */
BLOCK_AVX512 void split256_odd(__m512i *even_words, __m512i *odd_words)
{
    __m512i all = block_odd_avx512();
    *even_words = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 0, 2, 4, 6), all);
    *odd_words = _mm512_permutexvar_epi64(_mm512_setr_epi64(1, 3, 5, 7, 1, 3, 5, 7), all);
}

/* The answers of keys at .. at + count - 1; count: a multiple of 8, at most 64. */
BLOCK_AVX512 uint64_t split_block_query64(const struct block_batch *b, size_t at, size_t count,
                                          bool wide, bool far)
{
    __m512i odd = block_odd_avx512(), even_words, odd_words;
    split256_odd(&even_words, &odd_words);
    uint64_t hits = 0;
    for (size_t j = 0; j < count; j += 8) {
        if (far)
            block_prefetch_keys(b, at + j, 8);
        hits |= (wide ? split512_query8(b, at + j, odd)
                      : split256_query8(b, at + j, even_words, odd_words))
                << j;
    }
    return hits;
}

BLOCK_AVX512 size_t split_block_query_as(struct block_batch b, bool wide, bool far)
{
    size_t i = 0;
    for (; i + 64 <= b.count; i += 64)
        b.hits[i / 64] = split_block_query64(&b, i, 64, wide, far);
    size_t rest = (b.count - i) / 8 * 8;
    if (rest)
        b.hits[i / 64] = split_block_query64(&b, i, rest, wide, far);
    return i + rest;
}

PATH_TARGET_AVX512 size_t split_block_query_avx512(const struct block_batch *b)
{
    if (b->block_bits == 512)
        return b->far ? split_block_query_as(*b, true, true)
                      : split_block_query_as(*b, true, false);
    return b->far ? split_block_query_as(*b, false, true) : split_block_query_as(*b, false, false);
}

/* ---- insertions ------------------------------------------------------------------------------ */

enum { SPLIT_GROUP = 4 }; /* keys whose bits are drawn before the first of them is stored */

BLOCK_AVX512 void split512_insert(const struct block_batch *b, size_t at, __m512i odd)
{
    __m512i bits[SPLIT_GROUP];
    for (size_t j = 0; j < SPLIT_GROUP; j++) {
        __m512i draw = _mm512_mullo_epi64(_mm512_set1_epi64((long long)b->digest[at + j]), odd);
        bits[j] = _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_srli_epi64(draw, 58));
    }
    for (size_t j = 0; j < SPLIT_GROUP; j++) {
        unsigned char *block = b->memory + b->start[at + j];
        _mm512_store_si512(block, _mm512_or_si512(bits[j], _mm512_load_si512(block)));
    }
}

BLOCK_AVX512 void split256_or(unsigned char *block, __m256i bits)
{
    __m256i *at = (__m256i *)block;
    _mm256_store_si256(at, _mm256_or_si256(bits, _mm256_load_si256(at)));
}

/* Two keys at a time: the high halves of the products are the 16 words' draws. */
BLOCK_AVX512 void split256_insert(const struct block_batch *b, size_t at, __m512i even, __m512i odd)
{
    __m512i bits[SPLIT_GROUP / 2];
    for (size_t j = 0; j < SPLIT_GROUP / 2; j++) {
        const uint64_t *digest = b->digest + at + 2 * j;
        __m512i key = _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)digest[0]), 0xf0,
                                             (long long)digest[1]);
        __m512i draw = _mm512_mask_mov_epi32(_mm512_srli_epi64(_mm512_mullo_epi64(key, even), 32),
                                             0xaaaa, _mm512_mullo_epi64(key, odd));
        bits[j] = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_srli_epi32(draw, 27));
    }
    for (size_t j = 0; j < SPLIT_GROUP / 2; j++) {
        const uint64_t *start = b->start + at + 2 * j;
        split256_or(b->memory + start[0], _mm512_castsi512_si256(bits[j]));
        split256_or(b->memory + start[1], _mm512_extracti64x4_epi64(bits[j], 1));
    }
}

BLOCK_AVX512 size_t split_block_insert_as(struct block_batch b, bool wide, bool far)
{
    __m512i odd = block_odd_avx512(), even_words, odd_words;
    split256_odd(&even_words, &odd_words);
    size_t i = 0;
    for (; i + SPLIT_GROUP <= b.count; i += SPLIT_GROUP) {
        if (far)
            block_prefetch_keys(&b, i, SPLIT_GROUP);
        if (wide)
            split512_insert(&b, i, odd);
        else
            split256_insert(&b, i, even_words, odd_words);
    }
    return i;
}

PATH_TARGET_AVX512 size_t split_block_insert_avx512(const struct block_batch *b)
{
    if (b->block_bits == 512)
        return b->far ? split_block_insert_as(*b, true, true)
                      : split_block_insert_as(*b, true, false);
    return b->far ? split_block_insert_as(*b, false, true)
                  : split_block_insert_as(*b, false, false);
}

#endif
