/* SPDX-License-Identifier: MIT
 *
 * blocked_avx512.c: kernels of blocked for 512-bit vectors (block_avx512.h), blocks of 64 to 512
 * bits; larger ones are left to 256-bit vectors.
 *
 * Queries: lane i holds draw i: the byte drawn of the block's 64 (smaller blocks are repeated), and
 * the bit drawn of it. Insertions: all bits of a key in one vector first, then one load, one store.
 */
#include "filters/block_avx512.h"

#if PATH_HAVE_X86

/* ---- queries --------------------------------------------------------------------------------- */

/* The block over and over, to 64 bytes. log_bits 6 .. 9 is a constant. */
BLOCK_AVX512 __m512i blocked_load(const unsigned char *block, unsigned log_bits)
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
BLOCK_AVX512 uint64_t blocked_query8(const unsigned char *memory, const uint64_t *start,
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
    BLOCKED_KEY(0)
    BLOCKED_KEY(1)
    BLOCKED_KEY(2)
    BLOCKED_KEY(3)
    BLOCKED_KEY(4)
    BLOCKED_KEY(5)
    BLOCKED_KEY(6)
    BLOCKED_KEY(7)
#undef BLOCKED_KEY
    return block_fold(_mm512_test_epi8_mask(seen, _mm512_permutexvar_epi8(bit, bits)));
}

/* A^1 .. A^k, over again up to eight. k 1 .. 8. */
BLOCK_AVX512 __m512i blocked_odd(unsigned k)
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

BLOCK_AVX512 size_t blocked_query_as(const struct block_batch *batch, unsigned log_bits, bool far)
{
    const struct block_batch b = *batch;
    const __m512i odd = blocked_odd(b.k < 8 ? b.k : 8);
    size_t i = 0;
    for (; i + 8 <= b.count; i += 8) {
        if (far)
            block_prefetch_keys(&b, i, 8);
        uint64_t alive = blocked_query8(b.memory, b.start + i, b.digest + i, odd, log_bits);
        if (b.k > 8 && alive)
            alive = blocked_query_more(batch, i, alive);
        b.hits[i / 64] |= alive << i % 64;
    }
    return i;
}

/* Calls KERNEL(batch, log_bits, far) with constants; blocks of 64 to 512 bits. */
#define BLOCKED_DISPATCH(b, KERNEL)                                                                \
    switch ((b)->block_bits) {                                                                     \
    case 64:                                                                                       \
        return (b)->far ? KERNEL(b, 6, true) : KERNEL(b, 6, false);                                \
    case 128:                                                                                      \
        return (b)->far ? KERNEL(b, 7, true) : KERNEL(b, 7, false);                                \
    case 256:                                                                                      \
        return (b)->far ? KERNEL(b, 8, true) : KERNEL(b, 8, false);                                \
    case 512:                                                                                      \
        return (b)->far ? KERNEL(b, 9, true) : KERNEL(b, 9, false);                                \
    }

PATH_TARGET_AVX512 size_t blocked_query_avx512(const struct block_batch *b)
{
    BLOCKED_DISPATCH(b, blocked_query_as)
    return blocked_query_avx2(b);
}

/* ---- insertions ------------------------------------------------------------------------------ */

enum { BLOCKED_GROUP = 16 };

/* A draw is a vector of one bit: a shift by 64 or more leaves nothing in the other lanes. Lanes
 * hold the words of a block, 8 >> (9 - log_bits), over again: so many draws go side by side. */
BLOCK_AVX512 __m512i blocked_bit(__m512i position, unsigned log_bits)
{
    const __m512i all = _mm512_setr_epi64(0, 64, 128, 192, 256, 320, 384, 448);
    const __m512i lanes = _mm512_and_si512(all, _mm512_set1_epi64((1 << log_bits) - 1));
    return _mm512_sllv_epi64(_mm512_set1_epi64(1), _mm512_xor_si512(position, lanes));
}

BLOCK_AVX512 __m512i blocked_or3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0xfe);
}

/* The bits of eight draws in a block of at most 256, or-ed into the first words of the answer. */
BLOCK_AVX512 __m512i blocked_bits(__m512i position, unsigned log_bits)
{
    const unsigned log_words = log_bits - 6;
    __m512i bits = _mm512_setzero_si512();
    for (unsigned at = 0; at < 8; at += 8 >> log_words) {
        __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        __m512i draw =
            _mm512_add_epi64(_mm512_srli_epi64(lane, log_words), _mm512_set1_epi64((long long)at));
        bits =
            _mm512_or_si512(bits, blocked_bit(_mm512_permutexvar_epi64(draw, position), log_bits));
    }
    bits = _mm512_or_si512(bits, _mm512_shuffle_i64x2(bits, bits, 0x4e));
    if (log_words < 2)
        bits = _mm512_or_si512(bits, _mm512_shuffle_i64x2(bits, bits, 0xb1));
    if (log_words < 1)
        bits = _mm512_or_si512(bits, _mm512_shuffle_epi32(bits, _MM_PERM_BADC));
    return bits;
}

BLOCK_AVX512 void blocked_or(unsigned char *block, __m512i bits, unsigned log_bits)
{
    if (log_bits == 6) {
        *(uint64_t *)block |= (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(bits));
    } else if (log_bits == 7) {
        __m128i *at = (__m128i *)block;
        _mm_store_si128(at, _mm_or_si128(_mm512_castsi512_si128(bits), _mm_load_si128(at)));
    } else if (log_bits == 8) {
        __m256i *at = (__m256i *)block;
        _mm256_store_si256(at,
                           _mm256_or_si256(_mm512_castsi512_si256(bits), _mm256_load_si256(at)));
    } else {
        _mm512_store_si512(block, _mm512_or_si512(bits, _mm512_load_si512(block)));
    }
}

/* Blocks of at most 256 bits: a key's draws stay in registers. */
BLOCK_AVX512 size_t blocked_insert_small(struct block_batch b, unsigned log_bits, bool far)
{
    const __m512i eight = block_odd_avx512(), last = blocked_odd((b.k - 1) % 8 + 1);
    for (size_t i = 0; i < b.count; i++) {
        if (far)
            block_prefetch_keys(&b, i, 1);
        __m512i digest = _mm512_set1_epi64((long long)b.digest[i]), bits = _mm512_setzero_si512();
        for (unsigned left = b.k; left > 8; left -= 8) {
            __m512i draw = _mm512_mullo_epi64(digest, eight);
            bits = _mm512_or_si512(bits,
                                   blocked_bits(_mm512_srli_epi64(draw, 64 - log_bits), log_bits));
            digest = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), draw);
        }
        __m512i draw = _mm512_srli_epi64(_mm512_mullo_epi64(digest, last), 64 - log_bits);
        bits = _mm512_or_si512(bits, blocked_bits(draw, log_bits));
        blocked_or(b.memory + b.start[i], bits, log_bits);
    }
    return b.count;
}

/* Eight draws of each of a group of keys, as positions in a block of 512 bits; digest i is
 * multiplied by A^8 then. */
BLOCK_AVX512 void blocked_draw(uint64_t position[BLOCKED_GROUP][8], uint64_t *digest, __m512i odd)
{
    for (size_t i = 0; i < BLOCKED_GROUP; i++) {
        __m512i draw = _mm512_mullo_epi64(_mm512_set1_epi64((long long)digest[i]), odd);
        _mm512_store_si512(position[i], _mm512_srli_epi64(draw, 55));
        digest[i] *= block_odd[7];
    }
}

/* The bits of the first draws; probes is even: draws of an odd k come over again. */
BLOCK_AVX512 __m512i blocked_line(const uint64_t *position, unsigned probes)
{
    __m512i bits = _mm512_setzero_si512();
    for (unsigned probe = 0; probe < probes; probe += 2) {
        __m512i one = _mm512_set1_epi64((long long)position[probe]);
        __m512i two = _mm512_set1_epi64((long long)position[probe + 1]);
        bits = blocked_or3(bits, blocked_bit(one, 9), blocked_bit(two, 9));
    }
    return bits;
}

/* Blocks of 512 bits: the draws of a group of keys first, through memory, which gives each to all
 * lanes; they are read again when they have left the store queue. */
BLOCK_AVX512 size_t blocked_insert_line(struct block_batch b, bool far)
{
    uint64_t position[BLOCKED_GROUP][8] __attribute__((aligned(64))), digest[BLOCKED_GROUP];
    size_t i = 0;
    for (; i + BLOCKED_GROUP <= b.count; i += BLOCKED_GROUP) {
        if (far)
            block_prefetch_keys(&b, i, BLOCKED_GROUP);
        for (size_t j = 0; j < BLOCKED_GROUP; j++)
            digest[j] = b.digest[i + j];
        for (unsigned rest = b.k, now;; rest -= now) {
            now = rest < 8 ? rest : 8;
            blocked_draw(position, digest, blocked_odd(now));
            for (size_t j = 0; j < BLOCKED_GROUP; j++)
                blocked_or(b.memory + b.start[i + j],
                           now == 8 ? blocked_line(position[j], 8)
                                    : blocked_line(position[j], now + now % 2),
                           9);
            if (rest <= 8)
                break;
        }
    }
    return i;
}

BLOCK_AVX512 size_t blocked_insert_as(const struct block_batch *b, unsigned log_bits, bool far)
{
    return log_bits == 9 ? blocked_insert_line(*b, far) : blocked_insert_small(*b, log_bits, far);
}

PATH_TARGET_AVX512 size_t blocked_insert_avx512(const struct block_batch *b)
{
    BLOCKED_DISPATCH(b, blocked_insert_as)
    return blocked_insert_avx2(b);
}

#endif
