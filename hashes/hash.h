/* SPDX-License-Identifier: MIT
 *
 * hash.h: what a hash function is to the rest of the project.
 *
 * A hash maps (key, seed) to 32, 64 or 128 bits. Each lives in one .c file that defines one const
 * struct hash named hash_NAME, and has one line in list.h. Bytes are unsigned; words are read
 * little-endian on every machine, never through an unaligned pointer.
 *
 * Values travel as two 64-bit words: word[0] holds the first 8 bytes of what the little-endian
 * reference writes to memory, word[1] the next 8. A 32-bit hash uses the low half of word[0].
 */
#ifndef BLOOMLAB_HASH_H
#define BLOOMLAB_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_value {
    uint64_t word[2];
};

/* Keys side by side: key i is bytes[start(i) .. start(i) + length(i)).
 * Fixed length: offsets is NULL and key i starts at i * length.
 * Varying lengths: key i is bytes[offsets[i] .. offsets[i + 1]); length is then unused.
 * bytes is not NULL, even when all keys are empty. All `count` keys must be there to be read,
 * however few of them are asked for. */
struct key_batch {
    const unsigned char *bytes;
    const uint64_t *offsets; /* count + 1 of them, or NULL */
    size_t length;
    size_t count;
};

/* Where key i of the batch starts, and its length. */
static inline const unsigned char *key_at(const struct key_batch *keys, size_t i, size_t *length)
{
    if (!keys->offsets)
        return *length = keys->length, keys->bytes + i * keys->length;
    *length = (size_t)(keys->offsets[i + 1] - keys->offsets[i]);
    return keys->bytes + keys->offsets[i];
}

struct hash {
    const char *name;
    const char *summary;
    const char *source;     /* author, paper or page, year */
    unsigned bits;          /* 32, 64 or 128 */
    unsigned word_bits;     /* how the value is printed: words of 32 or 64 bits, h1 first */
    unsigned seed_bits;     /* 32: seeds are folded by hash_seed32; 64: taken whole */
    unsigned key_bytes;     /* the one length of key it takes; 0: any */
    uint32_t smhasher_code; /* SMHasher's verification code of `one`, recomputed by a test; 0 with
                             * key_bytes: the code is of keys of 0 .. 255 bytes */

    /* length: key_bytes, where that is set. */
    struct hash_value (*one)(const void *key, size_t length, uint64_t seed);

    /* The same for a whole batch. For i in [0, count): with which == NULL key i, else key which[i].
     * low[i] and high[i] receive word[0] and word[1]; high may be NULL.
     * low, high and the keys do not overlap. By the path of the process (machine/path.h); made
     * by hashes/batch_template.h or parts_template.h. */
    void (*batch)(const struct key_batch *keys, const uint32_t *which, size_t count, uint64_t seed,
                  uint64_t *low, uint64_t *high);
};

/* The table, in report order: list.h. */
extern const struct hash *const hash_table[];
extern const size_t hash_count;

const struct hash *hash_find(const char *name); /* NULL when there is none of that name */

/* Writes the value in hexadecimal, most significant digit first, full width, words in order (h1
 * then h2, or h1 h2 h3 h4). text holds at least HASH_TEXT_SIZE bytes. */
enum { HASH_TEXT_SIZE = 33 };
void hash_format(const struct hash *hash, struct hash_value value, char *text);

#endif
