/* SPDX-License-Identifier: MIT */
#include "harness/digest/digest.h"

#include <stdlib.h>
#include <string.h>

#include "harness/stages/stages.h"

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static uint64_t chunks(uint64_t count)
{
    return count / DIGEST_CHUNK + (count % DIGEST_CHUNK != 0);
}

static uint64_t family_bytes(const struct key_source *source, const struct digest_family *family,
                             size_t batch)
{
    if (!family)
        return 0;
    return family_scratch_bytes(family, larger(batch, DIGEST_CHUNK), key_source_longest(source));
}

uint64_t digest_source_bytes(const struct key_source *source, const struct digest_family *family,
                             uint64_t count, unsigned columns, size_t batch, bool remember)
{
    uint64_t bytes = family_bytes(source, family, batch) + DIGEST_CHUNK * sizeof(uint64_t);
    if (remember)
        return bytes + key_buffer_bytes(source, count) + columns * (count * 8 + chunks(count));
    return bytes + key_buffer_bytes(source, batch);
}

/* ---- digests of the keys of the current batch ------------------------------------------------ */

static struct key_batch batch_slice(const struct key_batch *keys, uint64_t first, size_t count)
{
    struct key_batch slice = *keys;
    slice.count = count;
    if (keys->offsets)
        slice.offsets += first;
    else
        slice.bytes += first * keys->length;
    return slice;
}

static void mask_digests(const struct digest_source *source, uint64_t *digest, size_t count)
{
    if (source->family.digest_bits < 64)
        for (size_t i = 0; i < count; i++)
            digest[i] &= (UINT64_C(1) << source->family.digest_bits) - 1;
}

/* Remembers one chunk of a column. The halves of a split hash come in pairs, so the neighbour
 * column is remembered too. */
static void chunk_fill(struct digest_source *source, unsigned column, uint64_t chunk)
{
    uint64_t all = chunks(source->count), first = chunk * DIGEST_CHUNK;
    size_t count =
        source->count - first < DIGEST_CHUNK ? (size_t)(source->count - first) : DIGEST_CHUNK;
    struct key_batch keys = batch_slice(&source->all, first, count);
    uint64_t *into = source->digest + column * source->count + first;
    source->ready[column * all + chunk] = 1;
    if (source->family.family != FAMILY_SPLIT) {
        family_column(&source->family, &keys, column, NULL, count, into, source->scratch);
        return;
    }
    unsigned other = column ^ 1;
    uint64_t *beside = source->spare;
    if (other < source->columns) {
        beside = source->digest + other * source->count + first;
        source->ready[other * all + chunk] = 1;
    }
    family_column_pair(&source->family, &keys, column / 2, count, column & 1 ? beside : into,
                       column & 1 ? into : beside);
    mask_digests(source, into, count);
    mask_digests(source, beside, count);
}

/* Is the column remembered for the whole batch? Fills it when it will pay: when the whole batch
 * asks, or when an eighth of it does and other cells will ask again. */
static bool column_remembered(struct digest_source *source, unsigned column, size_t asked)
{
    if (!source->remember || source->batch.count == 0)
        return false;
    uint64_t all = chunks(source->count);
    uint64_t last = (source->first + source->batch.count - 1) / DIGEST_CHUNK;
    bool worth = asked * (source->sharers > 1 ? 8 : 1) >= source->batch.count;
    for (uint64_t chunk = source->first / DIGEST_CHUNK; chunk <= last; chunk++) {
        if (source->ready[column * all + chunk])
            continue;
        if (!worth)
            return false;
        chunk_fill(source, column, chunk);
    }
    return true;
}

static const uint64_t *source_find(struct digest_source *source, unsigned column,
                                   const uint32_t *which, size_t count, uint64_t *out)
{
    if (!column_remembered(source, column, count)) {
        family_column(&source->family, &source->keys, column, which, count, out, source->scratch);
        return out;
    }
    const uint64_t *remembered = source->digest + column * source->count + source->first;
    if (!which)
        return remembered;
    for (size_t i = 0; i < count; i++)
        out[i] = remembered[which[i]];
    return out;
}

static const uint64_t *source_column(struct digests *self, unsigned column, const uint32_t *which,
                                     size_t count, uint64_t *out)
{
    enum stage before = stage_enter(STAGE_DIGESTS);
    const uint64_t *found = source_find((struct digest_source *)self, column, which, count, out);
    stage_enter(before);
    return found;
}

/* ---- life --------------------------------------------------------------------------------------
 */

/* Everything but the keys, whose buffer is key_bytes long (0: they are at hand). */
static enum status source_open(struct digest_source *source, const struct digest_family *family,
                               size_t key_bytes, size_t family_scratch, struct error *err)
{
    if (family)
        source->family = *family;
    source->batch = (struct digests){
        .column = source_column,
        .bits = family ? family_delivered_bits(family->family, family->digest_bits) : 64};
    source->hashed = family != NULL;
    source->key_memory = malloc(key_bytes + 8);
    source->scratch = malloc(family_scratch + 8);
    source->spare = malloc(DIGEST_CHUNK * sizeof *source->spare);
    if (source->remember) {
        source->digest = malloc(source->columns * source->count * sizeof *source->digest + 8);
        source->ready = calloc(source->columns * chunks(source->count) + 1, 1);
    }
    if (!source->key_memory || !source->scratch || !source->spare ||
        (source->remember && (!source->digest || !source->ready)))
        return fail(err, E_RUN, "no memory for the digests of %llu keys",
                    (unsigned long long)source->count);
    return OK;
}

enum status digest_source_init(struct digest_source *source, const struct key_stream *stream,
                               enum key_role role, const struct digest_family *family,
                               uint64_t count, unsigned columns, size_t batch, unsigned sharers,
                               struct error *err)
{
    bool remember = sharers > 0;
    const struct key_source *keys = stream->source;
    *source = (struct digest_source){
        .stream = *stream,
        .role = role,
        .count = count,
        .held = remember,
        .remember = remember,
        .sharers = sharers,
        .columns = columns,
    };
    enum status status =
        source_open(source, family, key_buffer_bytes(keys, remember ? (size_t)count : batch),
                    family_bytes(keys, family, batch), err);
    enum stage before = stage_enter(STAGE_KEYS);
    if (!status && remember)
        key_stream_fill(stream, role, 0, (size_t)count, &source->all, source->key_memory);
    stage_enter(before);
    return status;
}

enum status digest_source_init_keys(struct digest_source *source, const struct key_batch *keys,
                                    size_t longest, const struct digest_family *family,
                                    unsigned columns, size_t batch, bool remember,
                                    struct error *err)
{
    *source = (struct digest_source){
        .count = keys->count,
        .all = *keys,
        .held = true,
        .remember = remember,
        .sharers = 1,
        .columns = columns,
    };
    return source_open(source, family, 0,
                       family_scratch_bytes(family, larger(batch, DIGEST_CHUNK), longest), err);
}

void digest_source_release(struct digest_source *source)
{
    free(source->key_memory);
    free(source->scratch);
    free(source->spare);
    free(source->digest);
    free(source->ready);
    *source = (struct digest_source){0};
}

struct digests *digest_source_batch(struct digest_source *source, uint64_t first, size_t count)
{
    enum stage before = stage_enter(STAGE_KEYS);
    source->first = first;
    source->batch.count = count;
    if (source->held)
        source->keys = batch_slice(&source->all, first, count);
    else
        key_stream_fill(&source->stream, source->role, first, count, &source->keys,
                        source->key_memory);
    stage_enter(before);
    return &source->batch;
}
