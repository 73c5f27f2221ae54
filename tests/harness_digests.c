/* SPDX-License-Identifier: MIT
 *
 * harness_digests.c: a digest source answers with the digests of its keys, whether it remembers, in
 * whatever order and batches it is asked.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "harness/digest/digest.h"
#include "hashes/mix.h"
#include "tests/keys_support.h"

enum { KEYS = 3 * DIGEST_CHUNK - 100, BATCH_MAX = 700, COLUMNS_MAX = 7 };

static const struct {
    enum family family;
    const char *hash, *second;
    unsigned bits;
} digests_families[] = {
    {FAMILY_SPLIT, "murmur3_x64_128", NULL, 64}, {FAMILY_SPLIT, "murmur3_x86_128", NULL, 11},
    {FAMILY_SEEDED, "xxh3_64", NULL, 64},        {FAMILY_SEEDED, "murmur2", NULL, 32},
    {FAMILY_SEEDED, "murmur3_x64_128", NULL, 9}, {FAMILY_SALTED, "fnv1a_64", NULL, 64},
    {FAMILY_SALTED, "murmur2", NULL, 8},         {FAMILY_PAIR, "fnv1a_32", "djb2_mix", 32},
    {FAMILY_PAIR, "xxh64", "murmur2", 20},
};
enum { FAMILIES = sizeof digests_families / sizeof *digests_families };

static struct digest_family digests_family(size_t i)
{
    return (struct digest_family){
        .family = digests_families[i].family,
        .hash = hash_find(digests_families[i].hash),
        .second = digests_families[i].second ? hash_find(digests_families[i].second) : NULL,
        .digest_bits = digests_families[i].bits,
        .hash_seed = 12345 + i,
    };
}

static struct key_source *digests_keys(unsigned i)
{
    switch (i) {
    case 0:
        return keys_open(key_spec_new(KEYS_RANDOM64));
    case 1:
        return keys_open(key_spec_new(KEYS_URL));
    case 2:
        return keys_open(keys_range(KEYS_DECIMAL, 0, 2 * KEYS, 0));
    default:
        return keys_open(keys_explicit(keys_range(KEYS_DECIMAL, 0, KEYS, 0),
                                       keys_range(KEYS_LITTLE_ENDIAN, 0, KEYS, 8)));
    }
}
enum { KEY_SETS = 4 };

/* digest[column * KEYS + key], each computed alone. */
static uint64_t *digests_expected(const struct key_stream *stream, enum key_role role,
                                  const struct digest_family *family, unsigned columns)
{
    uint64_t *digest = malloc(columns * KEYS * sizeof *digest);
    void *buffer = malloc(key_buffer_bytes(stream->source, 1)),
         *scratch = malloc(family_scratch_bytes(family, 1, key_source_longest(stream->source)) + 8);
    for (size_t key = 0; key < KEYS; key++) {
        struct key_batch one;
        key_stream_fill(stream, role, key, 1, &one, buffer);
        for (unsigned c = 0; c < columns; c++) {
            family_column(family, &one, c, NULL, 1, &digest[c * KEYS + key], scratch);
            cr_assert(family->digest_bits == 64 ||
                      digest[c * KEYS + key] >> family->digest_bits == 0);
        }
    }
    free(buffer);
    free(scratch);
    return digest;
}

/* Asks one column of the batch for every stride-th key, or as a whole when stride is 0. */
static void digests_ask(struct digests *batch, uint64_t first, unsigned column, size_t stride,
                        const uint64_t *expected)
{
    static uint32_t which[BATCH_MAX];
    static uint64_t out[BATCH_MAX];
    size_t count = 0;
    for (size_t i = 0; stride && i < batch->count; i += stride)
        which[count++] = (uint32_t)i;
    count = stride ? count : batch->count;
    const uint64_t *digest = digests_column(batch, column, stride ? which : NULL, count, out);
    for (size_t i = 0; i < count; i++) {
        size_t key = first + (stride ? which[i] : i);
        cr_assert_eq(digest[i], expected[column * KEYS + key], "column %u, key %zu, stride %zu",
                     column, key, stride);
    }
}

/* Many requests of a fixed random order; some batches are walked from the last column back. */
static void digests_walk(struct digest_source *source, unsigned columns, const uint64_t *expected,
                         uint64_t seed)
{
    static const size_t strides[] = {0, 1, 2, 7, 8, 9, 100, BATCH_MAX};
    uint64_t state = seed;
    for (int i = 0; i < 40; i++) {
        size_t count = splitmix64(&state) % (BATCH_MAX + 1);
        uint64_t first = splitmix64(&state) % (KEYS - count + 1);
        struct digests *batch = digest_source_batch(source, first, count);
        cr_assert_eq(batch->count, count);
        cr_assert_eq(batch->bits, source->family.digest_bits);
        for (int j = 0; j < 4; j++)
            digests_ask(batch, first, (unsigned)(splitmix64(&state) % columns),
                        strides[splitmix64(&state) % 8], expected);
    }
    for (uint64_t first = 0; first < KEYS; first += 512) {
        size_t count = KEYS - first < 512 ? KEYS - first : 512;
        struct digests *batch = digest_source_batch(source, first, count);
        for (unsigned c = columns; c-- > 0;)
            digests_ask(batch, first, c, 0, expected);
    }
}

static void digests_of(struct key_source *keys, const struct digest_family *family)
{
    unsigned columns =
        family_columns(family->family) < COLUMNS_MAX ? family_columns(family->family) : COLUMNS_MAX;
    struct key_stream stream;
    key_stream_init(&stream, keys, 77);
    for (int role = 0; role < 2; role++) {
        uint64_t *expected = digests_expected(&stream, (enum key_role)role, family, columns);
        for (unsigned sharers = 0; sharers < 4; sharers++) { /* 0: nothing is remembered */
            struct digest_source source;
            struct error error;
            cr_assert_eq(digest_source_init(&source, &stream, (enum key_role)role, family, KEYS,
                                            columns, BATCH_MAX, sharers, &error),
                         OK);
            digests_walk(&source, columns, expected, sharers);
            digest_source_release(&source);
        }
        free(expected);
    }
}

Test(harness_digests, remembered_or_not_they_are_the_same)
{
    for (unsigned k = 0; k < KEY_SETS; k++) {
        struct key_source *keys = digests_keys(k);
        for (size_t f = 0; f < FAMILIES; f++) {
            struct digest_family family = digests_family(f);
            digests_of(keys, &family);
        }
        key_source_free(keys);
    }
}

static uint64_t digests_keys_digest(struct digest_source *source, uint64_t *first_digest)
{
    uint64_t out[64];
    struct digests *batch = digest_source_batch(source, 0, 64);
    memcpy(first_digest, digests_column(batch, 0, NULL, 64, out), sizeof out);
    return batch->count;
}

Test(harness_digests, members_and_queries_differ)
{
    for (unsigned k = 0; k < 3; k++) {
        struct key_source *keys = digests_keys(k);
        struct digest_family family = digests_family(0);
        struct key_stream stream;
        struct digest_source members, queries;
        uint64_t a[64], b[64];
        key_stream_init(&stream, keys, 5);
        cr_assert_eq(digest_source_init(&members, &stream, KEY_MEMBER, &family, 64, 1, 64, 1, NULL),
                     OK);
        cr_assert_eq(digest_source_init(&queries, &stream, KEY_QUERY, &family, 64, 1, 64, 0, NULL),
                     OK);
        digests_keys_digest(&members, a);
        digests_keys_digest(&queries, b);
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < 64; j++)
                cr_assert_neq(a[i], b[j]);
        digest_source_release(&members);
        digest_source_release(&queries);
        key_source_free(keys);
    }
}

Test(harness_digests, no_keys_and_no_family)
{
    struct key_source *keys = digests_keys(1);
    struct key_stream stream;
    struct digest_source source;
    key_stream_init(&stream, keys, 5);
    for (unsigned sharers = 0; sharers < 2; sharers++) {
        struct digest_family family = digests_family(0);
        cr_assert_eq(
            digest_source_init(&source, &stream, KEY_MEMBER, &family, 0, 3, 64, sharers, NULL), OK);
        cr_assert_eq(digest_source_batch(&source, 0, 0)->count, 0);
        uint64_t out[1];
        digests_column(&source.batch, 2, NULL, 0, out);
        digest_source_release(&source);
        cr_assert_eq(
            digest_source_init(&source, &stream, KEY_MEMBER, NULL, 10, 0, 64, sharers, NULL), OK);
        cr_assert_eq(digest_source_batch(&source, 0, 10)->count, 10);
        cr_assert_eq(source.keys.count, 10);
        digest_source_release(&source);
    }
    key_source_free(keys);
}

/* Remembered keys and digests, and at most a fifth more; nearly nothing when not remembered. */
Test(harness_digests, bytes_are_announced)
{
    struct key_source *keys = digests_keys(0);
    struct digest_family family = digests_family(2);
    uint64_t n = 100000;
    double remembered = (double)digest_source_bytes(keys, &family, n, 5, 512, true);
    double exact = (double)(n * 8 + 5 * n * 8);
    cr_assert(remembered >= exact && remembered < 1.2 * exact, "%g of %g", remembered, exact);
    cr_assert_lt(digest_source_bytes(keys, &family, n, 5, 512, false), 100000);
    key_source_free(keys);
}
