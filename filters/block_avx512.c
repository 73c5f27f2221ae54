/* SPDX-License-Identifier: MIT
 *
 * block_avx512.c: kernels of split_block for 512-bit vectors (block_avx512.h).
 *
 *   512 bits  lane w holds word w: eight bits of it, from the drawn position on
 *   256 bits  lane w holds words 2w and 2w + 1: two keys fill the eight lanes of a vector
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

/* The high halves of eight products of one key, then of another: draws of 32 bits. */
BLOCK_AVX512 __m512i split256_draw2(const uint64_t *digest, __m512i odd)
{
    const __m512i high =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_permutex2var_epi32(
        _mm512_mullo_epi64(_mm512_set1_epi64((long long)digest[0]), odd), high,
        _mm512_mullo_epi64(_mm512_set1_epi64((long long)digest[4]), odd));
}

/* The block of one key, then of another. */
BLOCK_AVX512 __m512i split256_load2(const unsigned char *memory, const uint64_t *start)
{
    __m256i low = _mm256_load_si256((const __m256i *)(memory + start[0]));
    __m256i high = _mm256_load_si256((const __m256i *)(memory + start[4]));
    return _mm512_mask_broadcast_i64x4(_mm512_castsi256_si512(low), 0xf0, high);
}

/* Keys j and j + 4: bytes j and 4 + j of their lanes, for the lane's lower and upper word. */
BLOCK_AVX512 uint64_t split256_query8(const struct block_batch *b, size_t at, __m512i odd)
{
    const __m512i upper = _mm512_set1_epi64(UINT64_C(0x2020202000000000));
    const uint64_t *digest = b->digest + at, *start = b->start + at;
    __m512i seen = _mm512_srlv_epi32(split256_load2(b->memory, start),
                                     _mm512_srli_epi32(split256_draw2(digest, odd), 27));
#define SPLIT_PAIR(j)                                                                              \
    {                                                                                              \
        __m512i draw = _mm512_srli_epi32(split256_draw2(digest + j, odd), 27 - 8 * j);             \
        seen = _mm512_mask_multishift_epi64_epi8(seen, BLOCK_BYTE(j) | BLOCK_BYTE(4 + j),          \
                                                 _mm512_or_si512(draw, upper),                     \
                                                 split256_load2(b->memory, start + j));            \
    }
    SPLIT_PAIR(1)
    SPLIT_PAIR(2)
    SPLIT_PAIR(3)
#undef SPLIT_PAIR
    uint64_t lanes = _mm512_test_epi8_mask(seen, _mm512_set1_epi8(1));
    lanes &= lanes >> 16;
    lanes &= lanes >> 8;
    lanes &= lanes >> 4;
    return (lanes & 0x0f) | (lanes >> 28 & 0xf0);
}

/* ---- queries, whole batches ------------------------------------------------------------------ */

/* The answers of keys at .. at + count - 1; count: a multiple of 8, at most 64. */
BLOCK_AVX512 uint64_t split_block_query64(const struct block_batch *b, size_t at, size_t count,
                                          bool wide, bool far)
{
    const __m512i odd = block_odd_avx512();
    uint64_t hits = 0;
    for (size_t j = 0; j < count; j += 8) {
        if (far)
            block_prefetch_keys(b, at + j, 8);
        hits |= (wide ? split512_query8(b, at + j, odd) : split256_query8(b, at + j, odd)) << j;
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

/* The high halves of the products are the draws, of even words and of odd ones. */
BLOCK_AVX512 void split256_insert(const struct block_batch *b, size_t at, __m256i even, __m256i odd)
{
    __m256i bits[SPLIT_GROUP];
    for (size_t j = 0; j < SPLIT_GROUP; j++) {
        __m256i key = _mm256_set1_epi64x((long long)b->digest[at + j]);
        __m256i low = _mm256_srli_epi64(_mm256_mullo_epi64(key, even), 32);
        __m256i draw = _mm256_blend_epi32(low, _mm256_mullo_epi64(key, odd), 0xaa);
        bits[j] = _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(draw, 27));
    }
    for (size_t j = 0; j < SPLIT_GROUP; j++) {
        __m256i *block = (__m256i *)(b->memory + b->start[at + j]);
        _mm256_store_si256(block, _mm256_or_si256(bits[j], _mm256_load_si256(block)));
    }
}

BLOCK_AVX512 size_t split_block_insert_as(struct block_batch b, bool wide, bool far)
{
    const __m512i odd = block_odd_avx512(), halves = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const __m512i parted = _mm512_permutexvar_epi64(halves, odd);
    size_t i = 0;
    for (; i + SPLIT_GROUP <= b.count; i += SPLIT_GROUP) {
        if (far)
            block_prefetch_keys(&b, i, SPLIT_GROUP);
        if (wide)
            split512_insert(&b, i, odd);
        else
            split256_insert(&b, i, _mm512_castsi512_si256(parted),
                            _mm512_extracti64x4_epi64(parted, 1));
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
