/* SPDX-License-Identifier: MIT
 *
 * blocked_avx512.c: kernels of blocked for 512-bit vectors (block_avx512.h), blocks of 64 to 512
 * bits; larger ones are left to 256-bit vectors.
 *
 * Queries: lane i holds draw i: the byte drawn of the block's 64 (smaller blocks are repeated), and
 * the bit drawn of it. Insertions: all bits of a key in one vector first, then one load, one store.
 */
#include "filters/block_avx2.h"
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

/* Draws go through memory, which gives each to all lanes; those of a group of keys first, so that
 * they are read again when they have left the store queue. */
enum { BLOCKED_GROUP = 16 };

/* Eight draws of each key of a group, as positions in a block. */
BLOCK_AVX512 void blocked_draw(uint64_t position[BLOCKED_GROUP][8], const uint64_t *digest,
                               __m512i odd, unsigned log_bits)
{
    for (size_t i = 0; i < BLOCKED_GROUP; i++) {
        __m512i draw = _mm512_mullo_epi64(_mm512_set1_epi64((long long)digest[i]), odd);
        _mm512_store_si512(position[i], _mm512_srli_epi64(draw, 64 - log_bits));
    }
}

/* The bit at a position of 512: a shift by 64 or more leaves nothing in the other lanes. */
BLOCK_AVX512 __m512i blocked_bit512(const uint64_t *position)
{
    const __m512i lanes = _mm512_setr_epi64(0, 64, 128, 192, 256, 320, 384, 448);
    __m512i at = _mm512_xor_si512(_mm512_set1_epi64((long long)*position), lanes);
    return _mm512_sllv_epi64(_mm512_set1_epi64(1), at);
}

/* Sets the bits of the first draws in a block; two at a time: draws of an odd k come over again. */
BLOCK_AVX512 void blocked_set512(unsigned char *block, const uint64_t *position, unsigned probes)
{
    __m512i bits = _mm512_load_si512(block);
    for (unsigned probe = 0; probe < probes; probe += 2)
        bits = _mm512_ternarylogic_epi64(bits, blocked_bit512(position + probe),
                                         blocked_bit512(position + probe + 1), 0xfe);
    _mm512_store_si512(block, bits);
}

BLOCK_AVX512 void blocked_set256(unsigned char *block, const uint64_t *position, unsigned probes,
                                 unsigned log_bits)
{
    const __m256i lanes = block_lanes256(log_bits, 0);
    __m256i bits = _mm256_setzero_si256();
    for (unsigned probe = 0; probe < probes; probe += 2)
        bits = _mm256_ternarylogic_epi64(bits, block_bit256(position[probe], lanes),
                                         block_bit256(position[probe + 1], lanes), 0xfe);
    block_or256(block, bits, log_bits);
}

BLOCK_AVX512 void blocked_set(unsigned char *block, const uint64_t *position, unsigned probes,
                              unsigned log_bits)
{
    if (log_bits == 9)
        blocked_set512(block, position, probes);
    else
        blocked_set256(block, position, probes, log_bits);
}

BLOCK_AVX512 size_t blocked_insert_as(const struct block_batch *batch, unsigned log_bits, bool far)
{
    uint64_t position[BLOCKED_GROUP][8] __attribute__((aligned(64)));
    const struct block_batch b = *batch;
    const unsigned last = (b.k - 1) % 8 + 1; /* probes of the last eight */
    const __m512i next = _mm512_set1_epi64((long long)block_odd[7]);
    const __m512i eight = block_odd_avx512(), rest = blocked_odd(last);
    size_t i = 0;
    for (; i + BLOCKED_GROUP <= b.count; i += BLOCKED_GROUP) {
        if (far)
            block_prefetch_keys(&b, i, BLOCKED_GROUP);
        __m512i power = _mm512_set1_epi64(1); /* of A: draws made so far */
        for (unsigned left = b.k;; left -= 8, power = _mm512_mullo_epi64(power, next)) {
            __m512i odd = _mm512_mullo_epi64(power, left > 8 ? eight : rest);
            blocked_draw(position, b.digest + i, odd, log_bits);
            for (size_t j = 0; j < BLOCKED_GROUP; j++)
                if (left >= 8)
                    blocked_set(b.memory + b.start[i + j], position[j], 8, log_bits);
                else
                    blocked_set(b.memory + b.start[i + j], position[j], last + last % 2, log_bits);
            if (left <= 8)
                break;
        }
    }
    return i;
}

PATH_TARGET_AVX512 size_t blocked_insert_avx512(const struct block_batch *b)
{
    BLOCKED_DISPATCH(b, blocked_insert_as)
    return blocked_insert_avx2(b);
}

#endif
