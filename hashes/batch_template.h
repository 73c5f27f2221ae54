/* SPDX-License-Identifier: MIT
 *
 * batch_template.h: the loops around one hash, as a template: the hash is inlined, no call per key.
 *
 * Define before including, undefined again at the end:
 *   HASH_ONE    HASH_INLINE struct hash_value f(const void *key, size_t length, uint64_t seed)
 *   HASH_BATCH  name of the function to make; its contract is `batch` of struct hash
 *
 * The length 8 (an integer) and the length 36 (a UUID) get loops of their own in which the length
 * is a constant the compiler can unroll for. No loop holds a branch on which or high: that is what
 * lets the short fixed lengths be vectorised over keys.
 */
static void HASH_BATCH(const struct key_batch *keys, const uint32_t *restrict which, size_t count,
                       uint64_t seed, uint64_t *restrict low, uint64_t *restrict high)
{
    const unsigned char *restrict bytes = keys->bytes;
    const uint64_t *restrict offsets = keys->offsets;
    const size_t fixed = keys->length;

#define HASH_LOOP(KEY, START, LENGTH, HIGH)                                                        \
    for (size_t i = 0; i < count; i++) {                                                           \
        const size_t key = (KEY);                                                                  \
        struct hash_value value = HASH_ONE(bytes + (START), (LENGTH), seed);                       \
        low[i] = value.word[0];                                                                    \
        HIGH;                                                                                      \
    }
#define HASH_LOOPS(START, LENGTH)                                                                  \
    if (which && high)                                                                             \
        HASH_LOOP(which[i], START, LENGTH, high[i] = value.word[1])                                \
    else if (which)                                                                                \
        HASH_LOOP(which[i], START, LENGTH, (void)0)                                                \
    else if (high)                                                                                 \
        HASH_LOOP(i, START, LENGTH, high[i] = value.word[1])                                       \
    else                                                                                           \
        HASH_LOOP(i, START, LENGTH, (void)0)

    if (offsets) {
        HASH_LOOPS(offsets[key], (size_t)(offsets[key + 1] - offsets[key]))
    } else if (fixed == 8) {
        HASH_LOOPS(key * 8, (size_t)8)
    } else if (fixed == 36) {
        HASH_LOOPS(key * 36, (size_t)36)
    } else {
        HASH_LOOPS(key * fixed, fixed)
    }
#undef HASH_LOOPS
#undef HASH_LOOP
}
#undef HASH_ONE
#undef HASH_BATCH
