/* SPDX-License-Identifier: MIT
 *
 * batch_template.h: the loops around one hash, for every path of machine/path.h.
 *
 * Define before including, undefined again at the end:
 *   HASH_NAME(x)  name of a function or table of this hash: murmur2_ and x
 * HASH_NAME(one), `one` of struct hash, must be there, as HASH_INLINE. Makes HASH_NAME(batch).
 *
 * parts_template.h makes both, and the loops over lanes, of a hash that is written in parts.
 */
#include "hashes/batch.h"

#define HASH_ONE HASH_NAME(one)
#ifdef HASH_WORD
#define HASH_FIXED HASH_NAME(fixed)
#else
#define HASH_FIXED HASH_NAME(one)
#endif

#define LOOP_NAME HASH_NAME(loop_portable)
#define LOOP_TARGET
#include "hashes/loop_template.h"

#if PATH_HAVE_X86
#define LOOP_NAME HASH_NAME(loop_avx2)
#define LOOP_TARGET PATH_TARGET_AVX2
#include "hashes/loop_template.h"

#define LOOP_NAME HASH_NAME(loop_avx512)
#define LOOP_TARGET PATH_TARGET_AVX512
#include "hashes/loop_template.h"
#endif

static const struct batch_plan HASH_NAME(plan) = {
    .one = HASH_ONE,
    .loop[PATH_PORTABLE] = HASH_NAME(loop_portable),
#if PATH_HAVE_X86
    .loop[PATH_AVX2] = HASH_NAME(loop_avx2),
    .loop[PATH_AVX512] = HASH_NAME(loop_avx512),
#endif
#ifdef HASH_WORD
    .bits = HASH_BITS,
    .block = HASH_BYTES,
#if PATH_HAVE_X86
    .same[PATH_AVX2] = HASH_NAME(same_avx2),
    .mixed[PATH_AVX2] = HASH_NAME(mixed_avx2),
    .same[PATH_AVX512] = HASH_NAME(same_avx512),
    .mixed[PATH_AVX512] = HASH_NAME(mixed_avx512),
#endif
#endif
};

static void HASH_NAME(batch)(const struct key_batch *keys, const uint32_t *which, size_t count,
                             uint64_t seed, uint64_t *low, uint64_t *high)
{
    batch_run(&HASH_NAME(plan), keys, which, count, seed, low, high);
}
#undef HASH_ONE
#undef HASH_FIXED
#undef HASH_NAME
