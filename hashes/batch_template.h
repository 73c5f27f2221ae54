/* SPDX-License-Identifier: MIT
 *
 * batch_template.h: the loops around one hash, as a template: the hash is inlined, no call per key.
 *
 * Define before including, undefined again at the end:
 *   HASH_ONE    HASH_INLINE struct hash_value f(const void *key, size_t length, uint64_t seed)
 *   HASH_BATCH  name of the function to make; its contract is `batch` of struct hash
 *
 * The length 8 (an integer) and the length 36 (a UUID) get loops of their own in which the length
 * is a constant, no branch is left and keys stand side by side, so that compilers vectorise over
 * keys; chosen keys are first copied together (batch_selected).
 */
#include "hashes/batch.h"

static void HASH_BATCH(const struct key_batch *keys, const uint32_t *which, size_t count,
                       uint64_t seed, uint64_t *restrict low, uint64_t *restrict high)
{
    const unsigned char *restrict bytes = keys->bytes;
    const size_t fixed = keys->length;

#define HASH_LOOP(STRIDE, LENGTH, HIGH)                                                            \
    for (size_t i = 0; i < count; i++) {                                                           \
        struct hash_value value = HASH_ONE(bytes + i * (STRIDE), (LENGTH), seed);                  \
        low[i] = value.word[0];                                                                    \
        HIGH;                                                                                      \
    }

    if (keys->offsets || (fixed != 8 && fixed != 36)) {
        for (size_t i = 0; i < count; i++) {
            size_t length;
            const unsigned char *key = key_at(keys, which ? which[i] : i, &length);
            struct hash_value value = HASH_ONE(key, length, seed);
            low[i] = value.word[0];
            if (high)
                high[i] = value.word[1];
        }
    } else if (which) {
        batch_selected(HASH_BATCH, keys, which, count, seed, low, high);
    } else if (fixed == 8) {
        if (high)
            HASH_LOOP(8, 8, high[i] = value.word[1])
        else
            HASH_LOOP(8, 8, (void)0)
    } else {
        const size_t stride = batch_stride(36);
        if (high)
            HASH_LOOP(stride, 36, high[i] = value.word[1])
        else
            HASH_LOOP(stride, 36, (void)0)
    }
#undef HASH_LOOP
}
#undef HASH_ONE
#undef HASH_BATCH
