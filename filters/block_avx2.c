/* SPDX-License-Identifier: MIT
 *
 * block_avx2.c: kernels of the blocked variants for 256-bit vectors, one key at a time; they take
 * the batch by value, as block_avx512.h says.
 *
 * Only the top bits of a draw count, at most 12 of 64, so that the high half of each product is
 * enough: with digest and multiplier in halves, high = hi(dl ml) + dl mh + dh ml mod 2^32. Eight
 * draws fill a vector.
 */
#include "filters/block_avx2.h"

#if PATH_HAVE_X86

#include "filters/bits.h"
#include "filters/block.h"

/* Eight multipliers in halves: element i is of A^(i + 1). */
struct block_odd_avx2 {
    __m256i low, low_odd, high;
};

/* A^1 .. A^k, over again up to eight. k 1 .. 8. */
BLOCK_AVX2 struct block_odd_avx2 block_odd_load(unsigned k)
{
    uint32_t low[8], high[8];
    for (unsigned i = 0; i < 8; i++) {
        low[i] = (uint32_t)block_odd[i % k];
        high[i] = (uint32_t)(block_odd[i % k] >> 32);
    }
    __m256i all = _mm256_loadu_si256((const __m256i *)low);
    return (struct block_odd_avx2){
        .low = all,
        .low_odd = _mm256_srli_epi64(all, 32),
        .high = _mm256_loadu_si256((const __m256i *)high),
    };
}

/* The high halves of eight products. */
BLOCK_AVX2 __m256i block_draw8(uint64_t digest, const struct block_odd_avx2 *odd)
{
    __m256i low = _mm256_set1_epi32((int)(uint32_t)digest);
    __m256i high = _mm256_set1_epi32((int)(uint32_t)(digest >> 32));
    __m256i even_carry = _mm256_srli_epi64(_mm256_mul_epu32(low, odd->low), 32);
    __m256i odd_carry = _mm256_mul_epu32(low, odd->low_odd);
    __m256i carry = _mm256_blend_epi32(even_carry, odd_carry, 0xaa);
    return _mm256_add_epi32(carry, _mm256_add_epi32(_mm256_mullo_epi32(low, odd->high),
                                                    _mm256_mullo_epi32(high, odd->low)));
}

/* Four bits of words of 64. */
BLOCK_AVX2 __m256i split512_bits(__m128i position)
{
    return _mm256_sllv_epi64(_mm256_set1_epi64x(1), _mm256_cvtepu32_epi64(position));
}

BLOCK_AVX2 bool split_block_test8(const unsigned char *block, __m256i draw, bool wide)
{
    const __m256i *at = (const __m256i *)block;
    if (!wide) {
        __m256i bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(draw, 27));
        return _mm256_testc_si256(_mm256_load_si256(at), bits);
    }
    __m256i position = _mm256_srli_epi32(draw, 26);
    __m256i low = split512_bits(_mm256_castsi256_si128(position));
    __m256i high = split512_bits(_mm256_extracti128_si256(position, 1));
    __m256i miss = _mm256_or_si256(_mm256_andnot_si256(_mm256_load_si256(at), low),
                                   _mm256_andnot_si256(_mm256_load_si256(at + 1), high));
    return _mm256_testz_si256(miss, miss);
}

BLOCK_AVX2 void split_block_set8(unsigned char *block, __m256i draw, bool wide)
{
    __m256i *at = (__m256i *)block;
    if (!wide) {
        __m256i bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(draw, 27));
        _mm256_store_si256(at, _mm256_or_si256(_mm256_load_si256(at), bits));
        return;
    }
    __m256i position = _mm256_srli_epi32(draw, 26);
    __m256i low = split512_bits(_mm256_castsi256_si128(position));
    __m256i high = split512_bits(_mm256_extracti128_si256(position, 1));
    _mm256_store_si256(at, _mm256_or_si256(_mm256_load_si256(at), low));
    _mm256_store_si256(at + 1, _mm256_or_si256(_mm256_load_si256(at + 1), high));
}

BLOCK_AVX2 size_t split_block_query_as(struct block_batch b, bool wide)
{
    const struct block_odd_avx2 odd = block_odd_load(8);
    uint64_t hits = 0; /* in a register: through memory, each key would wait for the one before */
    for (size_t i = 0; i < b.count; i++) {
        if (b.far)
            __builtin_prefetch(b.memory + b.start[i + BLOCK_AHEAD], 0, 2);
        uint64_t hit =
            split_block_test8(b.memory + b.start[i], block_draw8(b.digest[i], &odd), wide);
        hits = hits >> 1 | hit << 63;
        if (i % 64 == 63)
            b.hits[i / 64] = hits;
    }
    if (b.count % 64)
        b.hits[b.count / 64] = hits >> (64 - b.count % 64);
    return b.count;
}

PATH_TARGET_AVX2 size_t split_block_query_avx2(const struct block_batch *b)
{
    return b->block_bits == 512 ? split_block_query_as(*b, true) : split_block_query_as(*b, false);
}

BLOCK_AVX2 size_t split_block_insert_as(struct block_batch b, bool wide)
{
    const struct block_odd_avx2 odd = block_odd_load(8);
    for (size_t i = 0; i < b.count; i++) {
        if (b.far)
            __builtin_prefetch(b.memory + b.start[i + BLOCK_AHEAD], 0, 2);
        split_block_set8(b.memory + b.start[i], block_draw8(b.digest[i], &odd), wide);
    }
    return b.count;
}

PATH_TARGET_AVX2 size_t split_block_insert_avx2(const struct block_batch *b)
{
    return b->block_bits == 512 ? split_block_insert_as(*b, true)
                                : split_block_insert_as(*b, false);
}

/* ---- blocked --------------------------------------------------------------------------------- */

/* Words of 32 bits `word` of a block. */
BLOCK_AVX2 __m256i blocked_words(const unsigned char *block, __m256i word, unsigned log_bits)
{
    if (log_bits == 8)
        return _mm256_permutevar8x32_epi32(_mm256_load_si256((const __m256i *)block), word);
    if (log_bits != 9)
        return _mm256_i32gather_epi32((const int *)block, word, 4);
    const __m256i *at = (const __m256i *)block;
    __m256i low = _mm256_permutevar8x32_epi32(_mm256_load_si256(at), word);
    __m256i high = _mm256_permutevar8x32_epi32(_mm256_load_si256(at + 1), word);
    __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(word, 28));
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), upper));
}

BLOCK_AVX2 bool blocked_test8(const unsigned char *block, __m256i draw, unsigned log_bits)
{
    __m256i position = _mm256_srli_epi32(draw, (int)(32 - log_bits));
    __m256i words = blocked_words(block, _mm256_srli_epi32(position, 5), log_bits);
    __m256i bit = _mm256_and_si256(position, _mm256_set1_epi32(31));
    return _mm256_testc_si256(words, _mm256_sllv_epi32(_mm256_set1_epi32(1), bit));
}

BLOCK_AVX2 size_t blocked_query_as(struct block_batch b, unsigned log_bits)
{
    const unsigned last = (b.k - 1) % 8 + 1; /* probes of the last eight */
    const struct block_odd_avx2 eight = block_odd_load(8), rest = block_odd_load(last);
    const size_t bytes = (size_t)1 << (log_bits - 3);
    uint64_t hits = 0;
    for (size_t i = 0; i < b.count; i++) {
        const unsigned char *block = b.memory + b.start[i];
        for (size_t line = 0; b.far && line < bytes; line += 64)
            __builtin_prefetch(b.memory + b.start[i + BLOCK_AHEAD] + line, 0, 2);
        uint64_t digest = b.digest[i];
        unsigned left = b.k;
        bool hit = true;
        for (; left > 8 && hit; left -= 8) {
            hit = blocked_test8(block, block_draw8(digest, &eight), log_bits);
            digest *= block_odd[7];
        }
        hit = hit && blocked_test8(block, block_draw8(digest, &rest), log_bits);
        hits = hits >> 1 | (uint64_t)hit << 63;
        if (i % 64 == 63)
            b.hits[i / 64] = hits;
    }
    if (b.count % 64)
        b.hits[b.count / 64] = hits >> (64 - b.count % 64);
    return b.count;
}

PATH_TARGET_AVX2 size_t blocked_query_avx2(const struct block_batch *b)
{
    switch (b->block_bits) {
    case 256:
        return blocked_query_as(*b, 8);
    case 512:
        return blocked_query_as(*b, 9);
    default:
        return blocked_query_as(*b, (unsigned)__builtin_ctz(b->block_bits));
    }
}

/* Draws go through memory, which gives each to all lanes; those of a group of keys first, so that
 * they are read again when they have left the store queue. */
enum { BLOCKED_GROUP = 16 };

BLOCK_AVX2 void blocked_draw(uint64_t position[BLOCKED_GROUP][8], const uint64_t *digest,
                             uint64_t power, const struct block_odd_avx2 *odd, unsigned log_bits)
{
    for (size_t i = 0; i < BLOCKED_GROUP; i++) {
        __m256i draw = block_draw8(digest[i] * power, odd);
        __m256i at = _mm256_srli_epi32(draw, (int)(32 - log_bits));
        __m256i *out = (__m256i *)position[i];
        _mm256_store_si256(out, _mm256_cvtepu32_epi64(_mm256_castsi256_si128(at)));
        _mm256_store_si256(out + 1, _mm256_cvtepu32_epi64(_mm256_extracti128_si256(at, 1)));
    }
}

/* The bits of the first draws, in 256 bits of the block from `first` on. */
BLOCK_AVX2 __m256i blocked_bits(const uint64_t *position, unsigned probes, unsigned log_bits,
                                unsigned first)
{
    const __m256i lanes = block_lanes256(log_bits, first);
    __m256i bits = _mm256_setzero_si256();
    for (unsigned probe = 0; probe < probes; probe++)
        bits = _mm256_or_si256(bits, block_bit256(position[probe], lanes));
    return bits;
}

BLOCK_AVX2 void blocked_set(unsigned char *block, const uint64_t *position, unsigned probes,
                            unsigned log_bits)
{
    block_or256(block, blocked_bits(position, probes, log_bits, 0), log_bits);
    if (log_bits == 9)
        block_or256(block + 32, blocked_bits(position, probes, log_bits, 256), log_bits);
}

BLOCK_AVX2 size_t blocked_insert_as(struct block_batch b, unsigned log_bits)
{
    uint64_t position[BLOCKED_GROUP][8] __attribute__((aligned(32)));
    const struct block_odd_avx2 odd = block_odd_load(8);
    size_t i = 0;
    for (; i + BLOCKED_GROUP <= b.count; i += BLOCKED_GROUP) {
        for (size_t j = 0; b.far && j < BLOCKED_GROUP; j++)
            __builtin_prefetch(b.memory + b.start[i + j + BLOCK_AHEAD], 0, 2);
        uint64_t power = 1; /* of A: draws made so far */
        for (unsigned left = b.k;; left -= 8, power *= block_odd[7]) {
            blocked_draw(position, b.digest + i, power, &odd, log_bits);
            for (size_t j = 0; j < BLOCKED_GROUP; j++)
                if (left >= 8)
                    blocked_set(b.memory + b.start[i + j], position[j], 8, log_bits);
                else
                    blocked_set(b.memory + b.start[i + j], position[j], left, log_bits);
            if (left <= 8)
                break;
        }
    }
    return i;
}

/* Larger blocks: the draws of a key eight at a time, the bits one by one. */
BLOCK_AVX2 size_t blocked_insert_large(struct block_batch b)
{
    const struct block_odd_avx2 odd = block_odd_load(8);
    const int shift = 32 - __builtin_ctz(b.block_bits);
    for (size_t i = 0; i < b.count; i++) {
        unsigned char *block = b.memory + b.start[i];
        for (size_t line = 0; b.far && line < b.block_bits / 8; line += 64)
            __builtin_prefetch(b.memory + b.start[i + BLOCK_AHEAD] + line, 0, 2);
        uint64_t digest = b.digest[i];
        for (unsigned left = b.k;; left -= 8, digest *= block_odd[7]) {
            uint32_t position[8];
            __m256i draw = block_draw8(digest, &odd);
            _mm256_storeu_si256((__m256i *)position, _mm256_srli_epi32(draw, shift));
            for (unsigned probe = 0; probe < (left < 8 ? left : 8); probe++)
                bits_set(block, position[probe]);
            if (left <= 8)
                break;
        }
    }
    return b.count;
}

PATH_TARGET_AVX2 size_t blocked_insert_avx2(const struct block_batch *b)
{
    switch (b->block_bits) {
    case 64:
        return blocked_insert_as(*b, 6);
    case 128:
        return blocked_insert_as(*b, 7);
    case 256:
        return blocked_insert_as(*b, 8);
    case 512:
        return blocked_insert_as(*b, 9);
    default:
        return blocked_insert_large(*b);
    }
}

#endif
