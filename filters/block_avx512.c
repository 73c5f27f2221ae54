/* SPDX-License-Identifier: MIT
 *
 * block_avx512.c: kernels of the blocked variants for 512-bit vectors.
 *
 * Queries take eight keys at a time. A key's eight draws are one vector of products; what each draw
 * asks for is put into byte j of its lane, j being the number of the key, so that after eight keys
 * one vector holds 64 answers and one test makes a bitmap of them: bit 8 lane + key. A key is
 * present when its bit is set in all eight lanes.
 *
 *   split_block, 512  lane w holds word w: eight bits of it, from the drawn position on
 *   split_block, 256  lane w holds words 2w and 2w + 1: two keys fill the eight lanes of a vector,
 *                     and bytes 2j, 2j + 1 are theirs
 *   blocked           lane i holds draw i: the byte drawn of the block's 64 (smaller blocks are
 *                     repeated), and the bit drawn of it
 *
 * vpmultishiftqb picks, for every byte of a lane, eight bits of the lane from any position, round
 * the end; only the low six bits of the byte that says where from count. A draw, the top of a
 * product, is brought to byte j by a plain shift: on the machines measured (Zen 4) shifts share no
 * port with products and multishifts, which share one.
 */
#include "filters/block_kernels.h"

#if PATH_HAVE_X86

#include <immintrin.h>

#include "filters/block.h"

#define AVX512 PATH_TARGET_AVX512 static inline __attribute__((always_inline))

/* A^1 .. A^8 of block.h. */
AVX512 __m512i block_odd_avx512(void)
{
    return _mm512_loadu_si512(block_odd);
}

AVX512 void block_prefetch8(const struct block_batch *b, size_t at)
{
    for (size_t j = 0; j < 8; j++)
        __builtin_prefetch(b->memory + b->start[at + BLOCK_AHEAD + j], 0, 2);
}

/* Keys whose bit is set in all eight bytes. */
AVX512 uint64_t block_fold(uint64_t lanes)
{
    lanes &= lanes >> 32;
    lanes &= lanes >> 16;
    lanes &= lanes >> 8;
    return lanes & 0xff;
}

/* Byte j of every lane. */
#define BLOCK_BYTE(j) (UINT64_C(0x0101010101010101) << (j))
#define BLOCK_BYTES2(j) (UINT64_C(0x0303030303030303) << 2 * (j))

#define BLOCK_SEVEN(DO) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define BLOCK_EIGHT(DO) DO(0) BLOCK_SEVEN(DO)
#define BLOCK_FOUR(DO) DO(0) DO(1) DO(2) DO(3)

/* ---- split_block of 512 bits ----------------------------------------------------------------- */

AVX512 uint64_t split512_query8(const struct block_batch *b, size_t at, __m512i odd)
{
    /* The first key's words are shifted whole, its bits lowest: other bytes are overwritten. */
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
    BLOCK_SEVEN(SPLIT_KEY)
#undef SPLIT_KEY
    return block_fold(_mm512_test_epi8_mask(seen, _mm512_set1_epi8(1)));
}

/* ---- split_block of 256 bits ----------------------------------------------------------------- */

/* Lanes 0 .. 3 of one key, 4 .. 7 of the next. */
AVX512 __m512i split256_pair(const void *low, const void *high)
{
    __m256i first = _mm256_load_si256(low);
    return _mm512_mask_broadcast_i64x4(_mm512_castsi256_si512(first), 0xf0,
                                       _mm256_load_si256(high));
}

AVX512 uint64_t split256_query8(const struct block_batch *b, size_t at, __m512i even, __m512i odd)
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
            seen, BLOCK_BYTES2(j), from,                                                           \
            split256_pair(b->memory + start[0], b->memory + start[1]));                            \
    }
    BLOCK_FOUR(SPLIT_PAIR)
#undef SPLIT_PAIR
    uint64_t lanes = _mm512_test_epi8_mask(seen, _mm512_set1_epi8(1));
    /* Pair j: bits 2j and 2j + 1 of bytes 0 .. 3, its second key in bytes 4 .. 7. */
    lanes &= lanes >> 16;
    lanes &= lanes >> 8;
    lanes &= lanes >> 1;
    return (lanes & 0x55) | (lanes >> 31 & 0xaa);
}

/* ---- blocked --------------------------------------------------------------------------------- */

/* The block over and over, to 64 bytes. log_bits 6 .. 9 is a constant. */
AVX512 __m512i blocked_load(const unsigned char *block, unsigned log_bits)
{
    switch (log_bits) {
    case 6:
        return _mm512_set1_epi64(*(const long long *)block);
    case 7:
        return _mm512_broadcast_i64x2(_mm_load_si128((const __m128i *)block));
    case 8:
        return _mm512_broadcast_i64x4(_mm256_load_si256((const __m256i *)block));
    default:
        return _mm512_load_si512(block);
    }
}

/* Eight draws of each of eight keys. */
AVX512 uint64_t blocked_query8(const unsigned char *memory, const uint64_t *start,
                               const uint64_t *digest, __m512i odd, unsigned log_bits)
{
    const __m512i to_bit = _mm512_set1_epi8((char)(64 - log_bits));
    const __m512i bits = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    __m512i bit = _mm512_setzero_si512(), seen = bit;
#define BLOCKED_KEY(j)                                                                             \
    {                                                                                              \
        __m512i draw = _mm512_mullo_epi64(_mm512_set1_epi64((long long)digest[j]), odd);           \
        bit = _mm512_mask_multishift_epi64_epi8(bit, BLOCK_BYTE(j), to_bit, draw);                 \
        seen = _mm512_mask_permutexvar_epi8(seen, BLOCK_BYTE(j),                                   \
                                            _mm512_srli_epi64(draw, 67 - log_bits - 8 * j),        \
                                            blocked_load(memory + start[j], log_bits));            \
    }
    BLOCK_EIGHT(BLOCKED_KEY)
#undef BLOCKED_KEY
    return block_fold(_mm512_test_epi8_mask(seen, _mm512_permutexvar_epi8(bit, bits)));
}

/* A^1 .. A^k, over again up to eight. k 1 .. 8. */
AVX512 __m512i blocked_odd(unsigned k)
{
    uint64_t odd[8];
    for (unsigned i = 0; i < 8; i++)
        odd[i] = block_odd[i % k];
    return _mm512_loadu_si512(odd);
}

/* Draws 9 .. k of eight keys, of which those in `alive` are of interest. */
PATH_TARGET_AVX512 static __attribute__((noinline)) uint64_t
blocked_query_more(const struct block_batch *b, size_t at, uint64_t alive)
{
    uint64_t digest[8];
    __m512i draw = _mm512_loadu_si512(b->digest + at);
    const __m512i next = _mm512_set1_epi64((long long)block_odd[7]);
    for (unsigned rest = b->k - 8; alive; rest -= 8) {
        draw = _mm512_mullo_epi64(draw, next);
        _mm512_storeu_si512(digest, draw);
        const __m512i odd = blocked_odd(rest < 8 ? rest : 8);
        const uint64_t *start = b->start + at;
        alive &= b->block_bits == 64    ? blocked_query8(b->memory, start, digest, odd, 6)
                 : b->block_bits == 128 ? blocked_query8(b->memory, start, digest, odd, 7)
                 : b->block_bits == 256 ? blocked_query8(b->memory, start, digest, odd, 8)
                                        : blocked_query8(b->memory, start, digest, odd, 9);
        if (rest <= 8)
            break;
    }
    return alive;
}

AVX512 size_t blocked_query_as(const struct block_batch *b, unsigned log_bits, bool far)
{
    const __m512i odd = blocked_odd(b->k < 8 ? b->k : 8);
    size_t i = 0;
    for (; i + 8 <= b->count; i += 8) {
        if (far)
            block_prefetch8(b, i);
        uint64_t alive = blocked_query8(b->memory, b->start + i, b->digest + i, odd, log_bits);
        if (b->k > 8 && alive)
            alive = blocked_query_more(b, i, alive);
        b->hits[i / 64] |= alive << i % 64;
    }
    return i;
}

PATH_TARGET_AVX512 size_t blocked_query_avx512(const struct block_batch *b)
{
    switch (b->block_bits) {
    case 64:
        return b->far ? blocked_query_as(b, 6, true) : blocked_query_as(b, 6, false);
    case 128:
        return b->far ? blocked_query_as(b, 7, true) : blocked_query_as(b, 7, false);
    case 256:
        return b->far ? blocked_query_as(b, 8, true) : blocked_query_as(b, 8, false);
    case 512:
        return b->far ? blocked_query_as(b, 9, true) : blocked_query_as(b, 9, false);
    default:
        return blocked_query_avx2(b);
    }
}

enum { BLOCKED_GROUP = 16 };

/* Eight draws of each of `count` keys, as positions in a block of 512 bits; digest i is multiplied
 * by A^8 then. */
AVX512 void blocked_draw(uint64_t position[BLOCKED_GROUP][8], uint64_t *digest, size_t count,
                         __m512i odd)
{
    for (size_t i = 0; i < count; i++) {
        __m512i draw = _mm512_mullo_epi64(_mm512_set1_epi64((long long)digest[i]), odd);
        _mm512_store_si512(position[i], _mm512_srli_epi64(draw, 55));
        digest[i] *= block_odd[7];
    }
}

/* A draw is a vector of one bit: a shift by 64 or more leaves nothing in the other lanes. */
AVX512 void blocked_set(unsigned char *block, const uint64_t *position, unsigned probes)
{
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i lanes = _mm512_setr_epi64(0, 64, 128, 192, 256, 320, 384, 448);
    __m512i line = _mm512_load_si512(block);
    for (unsigned probe = 0; probe < probes; probe++) {
        __m512i at = _mm512_set1_epi64((long long)position[probe]);
        line = _mm512_or_si512(line, _mm512_sllv_epi64(one, _mm512_xor_si512(at, lanes)));
    }
    _mm512_store_si512(block, line);
}

/* Draws of a group of keys first: they are read again when they have left the store queue. */
AVX512 size_t blocked_insert_as(const struct block_batch *b, bool far)
{
    uint64_t position[BLOCKED_GROUP][8] __attribute__((aligned(64))), digest[BLOCKED_GROUP];
    const __m512i odd = block_odd_avx512();
    size_t i = 0;
    for (; i + BLOCKED_GROUP <= b->count; i += BLOCKED_GROUP) {
        for (size_t j = 0; j < BLOCKED_GROUP; j++)
            digest[j] = b->digest[i + j];
        for (unsigned rest = b->k;; rest -= 8) {
            blocked_draw(position, digest, BLOCKED_GROUP, odd);
            for (size_t j = 0; j < BLOCKED_GROUP; j++) {
                if (far)
                    __builtin_prefetch(b->memory + b->start[i + j + BLOCK_AHEAD], 0, 2);
                unsigned char *block = b->memory + b->start[i + j];
                if (rest >= 8)
                    blocked_set(block, position[j], 8);
                else
                    blocked_set(block, position[j], rest);
            }
            if (rest <= 8)
                break;
        }
    }
    return i;
}

PATH_TARGET_AVX512 size_t blocked_insert_avx512(const struct block_batch *b)
{
    if (b->block_bits != 512)
        return blocked_insert_avx2(b);
    return b->far ? blocked_insert_as(b, true) : blocked_insert_as(b, false);
}

/* ---- split_block, whole batches -------------------------------------------------------------- */

/* A^1, A^3, A^5, A^7 twice, and A^2, A^4, A^6, A^8 twice. */
AVX512 void split256_odd(__m512i *even_words, __m512i *odd_words)
{
    __m512i all = block_odd_avx512();
    *even_words = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 0, 2, 4, 6), all);
    *odd_words = _mm512_permutexvar_epi64(_mm512_setr_epi64(1, 3, 5, 7, 1, 3, 5, 7), all);
}

AVX512 size_t split_block_query_as(const struct block_batch *b, bool wide, bool far)
{
    __m512i odd = block_odd_avx512(), even_words, odd_words;
    split256_odd(&even_words, &odd_words);
    size_t i = 0;
    for (; i + 8 <= b->count; i += 8) {
        if (far)
            block_prefetch8(b, i);
        uint64_t hits =
            wide ? split512_query8(b, i, odd) : split256_query8(b, i, even_words, odd_words);
        b->hits[i / 64] |= hits << i % 64;
    }
    return i;
}

PATH_TARGET_AVX512 size_t split_block_query_avx512(const struct block_batch *b)
{
    if (b->block_bits == 512)
        return b->far ? split_block_query_as(b, true, true) : split_block_query_as(b, true, false);
    return b->far ? split_block_query_as(b, false, true) : split_block_query_as(b, false, false);
}

AVX512 void split512_insert(const struct block_batch *b, size_t i, __m512i odd)
{
    unsigned char *block = b->memory + b->start[i];
    __m512i draw = _mm512_mullo_epi64(_mm512_set1_epi64((long long)b->digest[i]), odd);
    __m512i bits = _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_srli_epi64(draw, 58));
    _mm512_store_si512(block, _mm512_or_si512(bits, _mm512_load_si512(block)));
}

/* Two keys: the high halves of the products are the 16 words' draws. */
AVX512 void split256_insert2(const struct block_batch *b, size_t i, __m512i even, __m512i odd)
{
    unsigned char *first = b->memory + b->start[i], *second = b->memory + b->start[i + 1];
    __m512i key = _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)b->digest[i]), 0xf0,
                                         (long long)b->digest[i + 1]);
    __m512i draw = _mm512_mask_mov_epi32(_mm512_srli_epi64(_mm512_mullo_epi64(key, even), 32),
                                         0xaaaa, _mm512_mullo_epi64(key, odd));
    __m512i bits = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_srli_epi32(draw, 27));
    _mm256_store_si256(
        (__m256i *)first,
        _mm256_or_si256(_mm512_castsi512_si256(bits), _mm256_load_si256((const __m256i *)first)));
    _mm256_store_si256((__m256i *)second,
                       _mm256_or_si256(_mm512_extracti64x4_epi64(bits, 1),
                                       _mm256_load_si256((const __m256i *)second)));
}

AVX512 size_t split_block_insert_as(const struct block_batch *b, bool wide, bool far)
{
    __m512i odd = block_odd_avx512(), even_words, odd_words;
    split256_odd(&even_words, &odd_words);
    size_t i = 0;
    for (; i + 2 <= b->count; i += 2) {
        if (far) {
            __builtin_prefetch(b->memory + b->start[i + BLOCK_AHEAD], 0, 2);
            __builtin_prefetch(b->memory + b->start[i + BLOCK_AHEAD + 1], 0, 2);
        }
        if (wide) {
            split512_insert(b, i, odd);
            split512_insert(b, i + 1, odd);
        } else {
            split256_insert2(b, i, even_words, odd_words);
        }
    }
    return i;
}

PATH_TARGET_AVX512 size_t split_block_insert_avx512(const struct block_batch *b)
{
    if (b->block_bits == 512)
        return b->far ? split_block_insert_as(b, true, true)
                      : split_block_insert_as(b, true, false);
    return b->far ? split_block_insert_as(b, false, true) : split_block_insert_as(b, false, false);
}

#endif
