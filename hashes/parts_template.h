/* SPDX-License-Identifier: MIT
 *
 * parts_template.h: `one` and `batch` of a hash that is written in parts.
 *
 * A hash that consumes its key in blocks of words is four HASH_INLINE functions:
 *   void start(HASH_WORD *state, HASH_WORD length, uint64_t seed)
 *   void block(HASH_WORD *state, const HASH_WORD *word)    the next block, little-endian words
 *   void tail(HASH_WORD *state, const HASH_WORD *word, HASH_WORD length)
 *                     the last length % block bytes, zeros behind them; called even for none
 *   struct hash_value finish(const HASH_WORD *state, HASH_WORD length)
 * The same parts make the single form and the loops over lanes (lanes_template.h), where a branch
 * may depend on nothing but the length. length: of the key, cut to a word.
 *
 * Define before including, undefined again at the end:
 *   HASH_NAME(x)  name of a part or of what is made: murmur2_ and x
 *   HASH_BITS     of a value
 *   HASH_WORD     uint32_t or uint64_t
 *   HASH_STATE    words of state
 *   HASH_BLOCK    words of a block
 */
#include "hashes/batch.h"

#define HASH_BYTES (HASH_BLOCK * sizeof(HASH_WORD))

/* The next `rest` bytes, fewer than a block, as words with zeros behind. */
HASH_INLINE void HASH_NAME(read_tail)(HASH_WORD *word, const unsigned char *p, size_t rest)
{
    for (size_t j = 0; j < HASH_BLOCK; j += 8 / sizeof(HASH_WORD)) {
        size_t before = j * sizeof(HASH_WORD), bytes = rest > before ? rest - before : 0;
        uint64_t part = read_partial(p + before, bytes < 8 ? bytes : 8);
        word[j] = (HASH_WORD)part;
        if (sizeof(HASH_WORD) == 4 && j + 1 < HASH_BLOCK)
            word[j + 1] = (HASH_WORD)(part >> 32);
    }
}

HASH_INLINE struct hash_value HASH_NAME(one)(const void *key, size_t length, uint64_t seed)
{
    HASH_WORD state[HASH_STATE], word[HASH_BLOCK];
    const unsigned char *p = key;
    size_t rest = length;
    HASH_NAME(start)(state, (HASH_WORD)length, seed);
    for (; rest >= HASH_BYTES; rest -= HASH_BYTES, p += HASH_BYTES) {
        for (size_t j = 0; j < HASH_BLOCK; j++)
            word[j] = sizeof(HASH_WORD) == 4 ? read32(p + 4 * j) : (HASH_WORD)read64(p + 8 * j);
        HASH_NAME(block)(state, word);
    }
    HASH_NAME(read_tail)(word, p, length % HASH_BYTES);
    HASH_NAME(tail)(state, word, (HASH_WORD)length);
    return HASH_NAME(finish)(state, (HASH_WORD)length);
}

/* The same for a length that is a constant: straight-line code, which compilers vectorise over
 * keys.
 */
HASH_INLINE struct hash_value HASH_NAME(fixed)(const unsigned char *p, size_t length, uint64_t seed)
{
    HASH_WORD state[HASH_STATE], word[HASH_BLOCK];
    HASH_NAME(start)(state, (HASH_WORD)length, seed);
    BATCH_UNROLLED
    for (size_t b = 0; b < length / HASH_BYTES; b++, p += HASH_BYTES) {
        for (size_t j = 0; j < HASH_BLOCK; j++)
            word[j] = sizeof(HASH_WORD) == 4 ? read32(p + 4 * j) : (HASH_WORD)read64(p + 8 * j);
        HASH_NAME(block)(state, word);
    }
    HASH_NAME(read_tail)(word, p, length % HASH_BYTES);
    HASH_NAME(tail)(state, word, (HASH_WORD)length);
    return HASH_NAME(finish)(state, (HASH_WORD)length);
}

#if PATH_HAVE_X86
#define LANES_NAME(x) HASH_NAME(x##_avx2)
#define LANES_TARGET PATH_TARGET_AVX2
#include "hashes/lanes_template.h"

#define LANES_NAME(x) HASH_NAME(x##_avx512)
#define LANES_TARGET PATH_TARGET_AVX512
#include "hashes/lanes_template.h"
#endif

#include "hashes/batch_template.h"
#undef HASH_BITS
#undef HASH_WORD
#undef HASH_STATE
#undef HASH_BLOCK
#undef HASH_BYTES
