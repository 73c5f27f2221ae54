/* SPDX-License-Identifier: MIT */
#include "tests/keys_support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { KEYS_CANARY = 64, KEYS_CANARY_BYTE = 0xa5 };

struct key_spec *keys_range(enum key_kind kind, uint64_t first, uint64_t last, unsigned width)
{
    struct key_spec *spec = key_spec_new(kind);
    cr_assert_not_null(spec);
    spec->has_range = true;
    spec->first = first;
    spec->last = last;
    spec->width = width;
    return spec;
}

struct key_spec *keys_list(const char *const *texts)
{
    struct key_spec *spec = key_spec_new(KEYS_LIST);
    cr_assert_not_null(spec);
    for (; *texts; texts++)
        cr_assert(key_spec_add(spec, *texts, strlen(*texts)));
    return spec;
}

struct key_spec *keys_explicit(struct key_spec *members, struct key_spec *queries)
{
    struct key_spec *spec = key_spec_new(KEYS_EXPLICIT);
    cr_assert_not_null(spec);
    spec->members = members;
    spec->queries = queries;
    return spec;
}

struct key_source *keys_open(struct key_spec *spec)
{
    struct key_source *source;
    struct error err = {0};
    cr_assert_eq(key_source_open(&source, spec, &err), OK, "%s", err.text);
    key_spec_free(spec);
    return source;
}

void keys_refused(struct key_spec *spec, const char *part)
{
    struct key_source *source;
    struct error err = {0};
    cr_assert_eq(key_source_open(&source, spec, &err), E_INPUT, "accepted, wanted: %s", part);
    cr_assert_null(source);
    cr_assert_eq(err.status, E_INPUT);
    cr_assert(strstr(err.text, part), "\"%s\" lacks \"%s\"", err.text, part);
    key_spec_free(spec);
}

static void keys_copy_batch(struct keys_copy *copy, const struct key_batch *batch)
{
    copy->offsets = malloc((batch->count + 1) * sizeof *copy->offsets);
    cr_assert_not_null(copy->offsets);
    for (size_t i = 0; i <= batch->count; i++)
        copy->offsets[i] =
            batch->offsets ? batch->offsets[i] - batch->offsets[0] : i * batch->length;
    size_t size = copy->offsets[batch->count];
    copy->bytes = malloc(size + 1);
    cr_assert_not_null(copy->bytes);
    memcpy(copy->bytes, batch->bytes + (batch->offsets ? batch->offsets[0] : 0), size);
    copy->batch =
        (struct key_batch){.bytes = copy->bytes, .offsets = copy->offsets, .count = batch->count};
}

struct keys_copy keys_read(const struct key_source *source, uint64_t seed, enum key_role role,
                           uint64_t first, size_t count)
{
    struct key_stream stream;
    struct key_batch batch;
    struct keys_copy copy;
    size_t room = key_buffer_bytes(source, count);
    unsigned char *buffer = malloc(room + KEYS_CANARY);
    cr_assert_not_null(buffer);
    memset(buffer + room, KEYS_CANARY_BYTE, KEYS_CANARY);

    key_stream_init(&stream, source, seed);
    key_stream_fill(&stream, role, first, count, &batch, buffer);
    cr_assert_eq(batch.count, count);
    for (unsigned i = 0; i < KEYS_CANARY; i++)
        cr_assert_eq(buffer[room + i], KEYS_CANARY_BYTE, "byte %u behind the buffer", i);
    keys_copy_batch(&copy, &batch);
    free(buffer);
    return copy;
}

void keys_copy_free(struct keys_copy *copy)
{
    free(copy->bytes);
    free(copy->offsets);
}

const unsigned char *keys_at(const struct keys_copy *copy, size_t i, size_t *length)
{
    cr_assert_lt(i, copy->batch.count);
    *length = copy->offsets[i + 1] - copy->offsets[i];
    return copy->bytes + copy->offsets[i];
}

bool keys_is(const struct keys_copy *copy, size_t i, const void *key, size_t length)
{
    size_t own;
    const unsigned char *bytes = keys_at(copy, i, &own);
    return own == length && !memcmp(bytes, key, length);
}

bool keys_equal(const struct keys_copy *a, size_t i, const struct keys_copy *b, size_t j)
{
    size_t length;
    const unsigned char *key = keys_at(b, j, &length);
    return keys_is(a, i, key, length);
}

uint64_t keys_fingerprint(const struct keys_copy *copy, size_t i)
{
    return XXH3_64bits(copy->bytes + copy->offsets[i], copy->offsets[i + 1] - copy->offsets[i]);
}

uint64_t keys_digest(const struct keys_copy *copy)
{
    uint64_t digest = copy->batch.count;
    for (size_t i = 0; i < copy->batch.count; i++)
        digest = XXH3_64bits_withSeed(copy->bytes + copy->offsets[i],
                                      copy->offsets[i + 1] - copy->offsets[i], digest);
    return digest;
}

static void keys_sort(uint64_t *values, uint64_t *scratch, size_t count)
{
    for (unsigned shift = 0; shift < 64; shift += 16) {
        static size_t start[1 << 16];
        memset(start, 0, sizeof start);
        for (size_t i = 0; i < count; i++)
            start[values[i] >> shift & 0xffff]++;
        size_t sum = 0;
        for (unsigned bucket = 0; bucket < 1 << 16; bucket++) {
            size_t size = start[bucket];
            start[bucket] = sum;
            sum += size;
        }
        for (size_t i = 0; i < count; i++)
            scratch[start[values[i] >> shift & 0xffff]++] = values[i];
        memcpy(values, scratch, count * sizeof *values);
    }
}

size_t keys_repeated(uint64_t *values, size_t count)
{
    uint64_t *scratch = malloc((count + 1) * sizeof *scratch);
    cr_assert_not_null(scratch);
    keys_sort(values, scratch, count);
    free(scratch);
    size_t repeated = 0;
    for (size_t i = 1; i < count; i++)
        repeated += values[i] == values[i - 1];
    return repeated;
}

char *keys_file(const void *bytes, size_t size)
{
    const char *folder = getenv("TMPDIR");
    char *path;
    cr_assert_gt(asprintf(&path, "%s/bloomlab-keys-XXXXXX", folder ? folder : P_tmpdir), 0);
    int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    FILE *stream = fdopen(descriptor, "wb");
    cr_assert_not_null(stream);
    cr_assert_eq(fwrite(bytes, 1, size, stream), size);
    cr_assert_eq(fclose(stream), 0);
    return path;
}
