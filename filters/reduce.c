/* SPDX-License-Identifier: MIT */
#include "filters/reduce.h"

#include <inttypes.h>
#include <string.h>

#include "filters/reduce_avx512.h"

static const char *const reduction_names[REDUCTION_COUNT] = {
    [REDUCE_MOD] = "mod",
    [REDUCE_MASK] = "mask",
    [REDUCE_MULTIPLY_SHIFT] = "multiply_shift",
};

const char *reduction_name(enum reduction kind)
{
    return reduction_names[kind];
}

bool reduction_find(const char *name, enum reduction *kind)
{
    for (int i = 0; i < REDUCTION_COUNT; i++)
        if (strcmp(name, reduction_names[i]) == 0)
            return *kind = (enum reduction)i, true;
    return false;
}

enum status reducer_init(struct reducer *reducer, enum reduction kind, uint64_t range,
                         unsigned digest_bits, const char *what, struct error *err)
{
    if (range == 0)
        return fail(err, E_IMPOSSIBLE, "%s is 0; it must be at least 1", what);
    if (kind == REDUCE_MASK && (range & (range - 1)))
        return fail(err, E_IMPOSSIBLE, "reduction mask needs a power of two, but %s is %" PRIu64,
                    what, range);
    *reducer = (struct reducer){
        .kind = kind,
        .shift = 64 - digest_bits,
        .range = range,
        .inverse = UINT64_MAX / range,
    };
    return OK;
}

/* ---- batches --------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void
reduce_batch_as(enum reduction kind, const struct reducer *r, uint64_t *out, const uint64_t *digest,
                size_t count, unsigned shift, uint64_t first)
{
    const struct reducer reducer = *r;
    for (size_t i = 0; i < count; i++)
        out[i] = (reduce_as(kind, &reducer, digest[i]) << shift) + first;
}

#if PATH_HAVE_X86
REDUCE_AVX512 void reduce_batch_avx512_as(enum reduction kind, bool narrow, const struct reducer *r,
                                          uint64_t *out, const uint64_t *digest, size_t count,
                                          unsigned shift, uint64_t first)
{
    const struct reduce8 reducer = reduce8_init(kind, r, shift);
    const __m512i add = _mm512_set1_epi64((long long)first);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m512i reduced = reduce8_as(kind, narrow, &reducer, _mm512_loadu_si512(digest + i));
        _mm512_storeu_si512(out + i, _mm512_add_epi64(reduced, add));
    }
    if (i < count) {
        __mmask8 there = (__mmask8)((1u << (count - i)) - 1);
        __m512i reduced =
            reduce8_as(kind, narrow, &reducer, _mm512_maskz_loadu_epi64(there, digest + i));
        _mm512_mask_storeu_epi64(out + i, there, _mm512_add_epi64(reduced, add));
    }
}

PATH_TARGET_AVX512 static void reduce_batch_avx512(const struct reducer *r, uint64_t *out,
                                                   const uint64_t *digest, size_t count,
                                                   unsigned shift, uint64_t first)
{
#define REDUCE_CALL(kind, narrow)                                                                  \
    reduce_batch_avx512_as(kind, narrow, r, out, digest, count, shift, first)
#define REDUCE_CALL_0(kind, narrow)                                                                \
    reduce_batch_avx512_as(kind, narrow, r, out, digest, count, shift, 0)
    if (first)
        REDUCE8_DISPATCH(r, REDUCE_CALL)
    else
        REDUCE8_DISPATCH(r, REDUCE_CALL_0)
#undef REDUCE_CALL
#undef REDUCE_CALL_0
}
#endif

void reduce_batch(const struct reducer *r, uint64_t *out, const uint64_t *digest, size_t count,
                  unsigned shift, uint64_t first)
{
#if PATH_HAVE_X86
    if (path_current() == PATH_AVX512) {
        reduce_batch_avx512(r, out, digest, count, shift, first);
        return;
    }
#endif
    switch (r->kind) {
    case REDUCE_MOD:
        reduce_batch_as(REDUCE_MOD, r, out, digest, count, shift, first);
        break;
    case REDUCE_MASK:
        reduce_batch_as(REDUCE_MASK, r, out, digest, count, shift, first);
        break;
    case REDUCE_MULTIPLY_SHIFT:
        reduce_batch_as(REDUCE_MULTIPLY_SHIFT, r, out, digest, count, shift, first);
        break;
    }
}
