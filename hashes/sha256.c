/* SPDX-License-Identifier: MIT
 *
 * sha256.c: SHA-256 of (the seed in 8 little-endian bytes, then the key), its first 16 bytes as two
 * little-endian words; from libcrypto. The slow contrast: as random as a hash can be.
 *
 * Source: NIST, FIPS 180-4, 2015.
 *
 * A hash has no way to fail, libcrypto has. A made-up value would pass for a measurement, so a
 * failure, which takes lack of memory or a libcrypto without SHA-256, aborts.
 */
#include <openssl/evp.h>
#include <stdlib.h>

#include "hashes/hash.h"
#include "hashes/mix.h"

static EVP_MD_CTX *sha256_begin(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1)
        abort();
    return context;
}

/* Hashes one key; the context comes and goes ready for a message. */
static struct hash_value sha256_key(EVP_MD_CTX *context, const void *key, size_t length,
                                    uint64_t seed)
{
    unsigned char prefix[8], digest[EVP_MAX_MD_SIZE];
    for (int i = 0; i < 8; i++)
        prefix[i] = (unsigned char)(seed >> (8 * i));
    if (EVP_DigestUpdate(context, prefix, sizeof prefix) != 1 ||
        EVP_DigestUpdate(context, key, length) != 1 ||
        EVP_DigestFinal_ex(context, digest, NULL) != 1 ||
        EVP_DigestInit_ex(context, NULL, NULL) != 1)
        abort();
    return (struct hash_value){{read64(digest), read64(digest + 8)}};
}

static struct hash_value sha256_one(const void *key, size_t length, uint64_t seed)
{
    EVP_MD_CTX *context = sha256_begin();
    struct hash_value value = sha256_key(context, key, length, seed);
    EVP_MD_CTX_free(context);
    return value;
}

static void sha256_batch(const struct key_batch *keys, const uint32_t *which, size_t count,
                         uint64_t seed, uint64_t *low, uint64_t *high)
{
    EVP_MD_CTX *context = sha256_begin();
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const unsigned char *key = key_at(keys, which ? which[i] : i, &length);
        struct hash_value value = sha256_key(context, key, length, seed);
        low[i] = value.word[0];
        if (high)
            high[i] = value.word[1];
    }
    EVP_MD_CTX_free(context);
}

const struct hash hash_sha256 = {
    .name = "sha256",
    .summary = "SHA-256 of seed and key (libcrypto), the first 128 bits",
    .source = "NIST, FIPS 180-4, 2015",
    .bits = 128,
    .word_bits = 64,
    .seed_bits = 64,
    .smhasher_code = 0xdcb2b5e1,
    .one = sha256_one,
    .batch = sha256_batch,
};
