/* SPDX-License-Identifier: MIT
 *
 * registry.c: the table of hashes, made from list.h, and how a value is printed.
 */
#include <string.h>

#include "hashes/hash.h"

#define HASH(name) extern const struct hash hash_##name;
#include "hashes/list.h"
#undef HASH

const struct hash *const hash_table[] = {
#define HASH(name) &hash_##name,
#include "hashes/list.h"
#undef HASH
};
const size_t hash_count = sizeof hash_table / sizeof hash_table[0];

const struct hash *hash_find(const char *name)
{
    for (size_t i = 0; i < hash_count; i++)
        if (strcmp(name, hash_table[i]->name) == 0)
            return hash_table[i];
    return NULL;
}

/* Writes the low `bits` bits of the word, a multiple of 4; returns the end. */
static char *registry_digits(char *text, uint64_t word, unsigned bits)
{
    for (unsigned shift = bits; shift > 0; shift -= 4)
        *text++ = "0123456789abcdef"[(word >> (shift - 4)) & 15];
    return text;
}

void hash_format(const struct hash *hash, struct hash_value value, char *text)
{
    for (unsigned first = 0; first < hash->bits; first += hash->word_bits)
        text = registry_digits(text, value.word[first / 64] >> (first % 64), hash->word_bits);
    *text = '\0';
}
