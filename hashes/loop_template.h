/* SPDX-License-Identifier: MIT
 *
 * loop_template.h: the loops around one hash for one path: the hash is inlined, no call per key.
 * Included by batch_template.h.
 *
 * Define before including, undefined again at the end:
 *   HASH_ONE, HASH_FIXED  of a key of any length, of one whose length is a constant (both stay)
 *   LOOP_NAME    name of the function to make; its contract is `batch` of struct hash
 *   LOOP_TARGET  attribute that admits the path's instructions; empty for the portable one
 *
 * The length 8 (an integer) and the length 36 (a UUID) get loops of their own in which the length
 * is a constant, no branch is left and keys stand side by side, so that compilers vectorise over
 * keys; chosen keys are first copied together (batch_selected).
 */
LOOP_TARGET static void LOOP_NAME(const struct key_batch *keys, const uint32_t *which, size_t count,
                                  uint64_t seed, uint64_t *restrict low, uint64_t *restrict high)
{
    const unsigned char *restrict bytes = keys->bytes;
    const size_t fixed = keys->length;

#define LOOP(STRIDE, LENGTH, HIGH)                                                                 \
    for (size_t i = 0; i < count; i++) {                                                           \
        struct hash_value value = HASH_FIXED(bytes + i * (STRIDE), (LENGTH), seed);                \
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
        batch_selected(LOOP_NAME, keys, which, count, seed, low, high);
    } else if (fixed == 8) {
        if (high)
            LOOP(8, 8, high[i] = value.word[1])
        else
            LOOP(8, 8, (void)0)
    } else {
        const size_t stride = batch_stride(36);
        if (high)
            LOOP(stride, 36, high[i] = value.word[1])
        else
            LOOP(stride, 36, (void)0)
    }
#undef LOOP
}
#undef LOOP_NAME
#undef LOOP_TARGET
