/* SPDX-License-Identifier: MIT
 *
 * family.c: digests of a batch of keys.
 *
 * Every family ends in a batch of one hash; the families differ in the seed, in the half of the
 * value that is kept, and, for salted, in the keys: they are written anew into scratch, suffix and
 * all, as offsets (only when lengths vary) followed by bytes.
 */
#include "hashes/family.h"

#include <string.h>

#include "hashes/mix.h"

enum { FAMILY_DIGITS_MAX = 10 }; /* of the column in decimal, any unsigned of 32 bits */

static const char *const family_names[FAMILY_COUNT] = {
    [FAMILY_SEEDED] = "seeded", [FAMILY_SPLIT] = "split",       [FAMILY_SALTED] = "salted",
    [FAMILY_PAIR] = "pair",     [FAMILY_EXPANDED] = "expanded",
};

const char *family_name(enum family family)
{
    return family_names[family];
}

bool family_find(const char *name, enum family *family)
{
    for (int i = 0; i < FAMILY_COUNT; i++)
        if (strcmp(name, family_names[i]) == 0)
            return *family = (enum family)i, true;
    return false;
}

enum family family_default(const struct hash *hash)
{
    return hash->bits == 128 ? FAMILY_SPLIT : FAMILY_SEEDED;
}

bool family_suits(enum family family, const struct hash *hash)
{
    if (family == FAMILY_SALTED)
        return hash->key_bytes == 0;
    return family != FAMILY_SPLIT || hash->bits == 128;
}

const char *family_needs(enum family family)
{
    return family == FAMILY_SALTED  ? "a hash of keys of any length"
           : family == FAMILY_SPLIT ? "a 128-bit hash"
                                    : "a hash";
}

static bool family_hash_refuses(const struct hash *hash, size_t length)
{
    return hash && hash->key_bytes && hash->key_bytes != length;
}

const struct hash *family_refuses(const struct digest_family *family, size_t length)
{
    if (family_hash_refuses(family->hash, length))
        return family->hash;
    return family_hash_refuses(family->second, length) ? family->second : NULL;
}

unsigned family_width(enum family family, const struct hash *hash, const struct hash *second)
{
    unsigned width = hash->bits < 64 ? hash->bits : 64;
    if (family == FAMILY_PAIR && second->bits < width)
        width = second->bits;
    return width;
}

unsigned family_delivered_bits(enum family family, unsigned digest_bits)
{
    return family == FAMILY_EXPANDED ? 64 : digest_bits;
}

unsigned family_columns(enum family family)
{
    return family == FAMILY_PAIR ? 2 : FAMILY_UNLIMITED;
}

static uint64_t family_seed(const struct digest_family *family, unsigned i)
{
    if (family->seed_fixed)
        return family->family == FAMILY_PAIR ? family->hash_seed : family->hash_seed + i;
    return mix64(family->hash_seed + i);
}

static void family_narrow(const struct digest_family *family, uint64_t *digests, size_t count)
{
    unsigned natural = family_width(family->family, family->hash, family->second);
    if (family->digest_bits >= natural && family->family != FAMILY_PAIR)
        return;
    unsigned bits = family->digest_bits < natural ? family->digest_bits : natural;
    uint64_t mask = UINT64_MAX >> (64 - bits);
    for (size_t i = 0; i < count; i++)
        digests[i] &= mask;
}

/* ---- salted -------------------------------------------------------------------------------- */

struct family_suffix {
    char digits[FAMILY_DIGITS_MAX];
    size_t length;
};

static struct family_suffix family_suffix_of(unsigned column)
{
    struct family_suffix suffix = {.length = 1};
    for (unsigned rest = column; rest >= 10; rest /= 10)
        suffix.length++;
    for (size_t i = suffix.length; i-- > 0; column /= 10)
        suffix.digits[i] = (char)('0' + column % 10);
    return suffix;
}

/* Keys of one length: length is a constant where the caller's is. */
HASH_INLINE void family_salt_fixed(unsigned char *bytes, const struct key_batch *keys,
                                   size_t length, const uint32_t *which, size_t count,
                                   const struct family_suffix *suffix)
{
    for (size_t i = 0; i < count; i++) {
        size_t key = which ? which[i] : i;
        memcpy(bytes, keys->bytes + key * length, length);
        for (size_t j = 0; j < suffix->length; j++)
            bytes[length + j] = (unsigned char)suffix->digits[j];
        bytes += length + suffix->length;
    }
}

static void family_salt_varying(unsigned char *bytes, uint64_t *offsets,
                                const struct key_batch *keys, const uint32_t *which, size_t count,
                                const struct family_suffix *suffix)
{
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const unsigned char *key = key_at(keys, which ? which[i] : i, &length);
        offsets[i] = end;
        memcpy(bytes + end, key, length);
        memcpy(bytes + end + length, suffix->digits, suffix->length);
        end += length + suffix->length;
    }
    offsets[count] = end;
}

static void family_salted(const struct digest_family *family, const struct key_batch *keys,
                          unsigned column, const uint32_t *which, size_t count, uint64_t *out,
                          void *scratch)
{
    const struct family_suffix suffix = family_suffix_of(column);
    struct key_batch salted = {.bytes = scratch, .count = count};
    unsigned char *bytes = scratch;
    if (keys->offsets) {
        uint64_t *offsets = scratch;
        bytes += (count + 1) * sizeof *offsets;
        salted.bytes = bytes;
        salted.offsets = offsets;
        family_salt_varying(bytes, offsets, keys, which, count, &suffix);
    } else {
        salted.length = keys->length + suffix.length;
        if (keys->length == 8)
            family_salt_fixed(bytes, keys, 8, which, count, &suffix);
        else if (keys->length == 36)
            family_salt_fixed(bytes, keys, 36, which, count, &suffix);
        else
            family_salt_fixed(bytes, keys, keys->length, which, count, &suffix);
    }
    family->hash->batch(&salted, NULL, count, family->hash_seed, out, NULL);
}

/* The i-th value of SplitMix64 started at each digest. */
static void family_expand(unsigned column, uint64_t *digests, size_t count)
{
    for (size_t i = 0; i < count; i++)
        digests[i] = mix64(digests[i] + (column + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* ---- columns ------------------------------------------------------------------------------- */

size_t family_scratch_bytes(const struct digest_family *family, size_t count, size_t longest)
{
    switch (family->family) {
    case FAMILY_SALTED:
        return (count + 1) * sizeof(uint64_t) + count * (longest + FAMILY_DIGITS_MAX);
    case FAMILY_SPLIT:
        return count * sizeof(uint64_t);
    case FAMILY_SEEDED:
    case FAMILY_PAIR:
    case FAMILY_EXPANDED:
        break;
    }
    return 0;
}

void family_column(const struct digest_family *family, const struct key_batch *keys,
                   unsigned column, const uint32_t *which, size_t count, uint64_t *out,
                   void *scratch)
{
    switch (family->family) {
    case FAMILY_SEEDED:
        family->hash->batch(keys, which, count, family_seed(family, column), out, NULL);
        break;
    case FAMILY_SPLIT: {
        uint64_t seed = family_seed(family, column / 2);
        if (column % 2 == 0)
            family->hash->batch(keys, which, count, seed, out, NULL);
        else
            family->hash->batch(keys, which, count, seed, scratch, out);
        break;
    }
    case FAMILY_SALTED:
        family_salted(family, keys, column, which, count, out, scratch);
        break;
    case FAMILY_PAIR: {
        const struct hash *hash = column == 0 ? family->hash : family->second;
        hash->batch(keys, which, count, family_seed(family, column), out, NULL);
        break;
    }
    case FAMILY_EXPANDED:
        family->hash->batch(keys, which, count, family_seed(family, 0), out, NULL);
        break;
    }
    family_narrow(family, out, count);
    if (family->family == FAMILY_EXPANDED)
        family_expand(column, out, count);
}

void family_column_pair(const struct digest_family *family, const struct key_batch *keys,
                        unsigned pair, size_t count, uint64_t *even, uint64_t *odd)
{
    family->hash->batch(keys, NULL, count, family_seed(family, pair), even, odd);
    family_narrow(family, even, count);
    family_narrow(family, odd, count);
}
