/* SPDX-License-Identifier: MIT
 *
 * batch_template.h: the loop around one hash, as a template: the hash is inlined, no call per key.
 *
 * Define before including, undefined again at the end:
 *   HASH_ONE    static inline struct hash_value f(const void *key, size_t length, uint64_t seed)
 *   HASH_BATCH  name of the function to make; its contract is `batch` of struct hash
 *
 * The length 8 (an integer) and the length 36 (a UUID) get loops of their own in which the length is
 * a constant the compiler can unroll for.
 */
static void HASH_BATCH(const struct key_batch *keys, const uint32_t *which, size_t count,
                       uint64_t seed, uint64_t *low, uint64_t *high)
{
#define HASH_LOOP(START, LENGTH)                                                                   \
    for (size_t i = 0; i < count; i++) {                                                           \
        size_t key = which ? which[i] : i;                                                         \
        struct hash_value value = HASH_ONE(keys->bytes + (START), (LENGTH), seed);                 \
        low[i] = value.word[0];                                                                    \
        if (high)                                                                                  \
            high[i] = value.word[1];                                                               \
    }
    if (keys->offsets) {
        HASH_LOOP(keys->offsets[key], (size_t)(keys->offsets[key + 1] - keys->offsets[key]))
    } else if (keys->length == 8) {
        HASH_LOOP(key * 8, (size_t)8)
    } else if (keys->length == 36) {
        HASH_LOOP(key * 36, (size_t)36)
    } else {
        HASH_LOOP(key * keys->length, keys->length)
    }
#undef HASH_LOOP
}
#undef HASH_ONE
#undef HASH_BATCH
