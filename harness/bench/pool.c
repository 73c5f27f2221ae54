/* SPDX-License-Identifier: MIT */
#include "harness/bench/pool.h"

#include <stdlib.h>
#include <string.h>

double pool_hit_ratio(enum pool_kind kind)
{
    return (double)kind / (POOL_KINDS - 1);
}

uint64_t pool_bytes(const struct key_source *source, size_t count, unsigned columns)
{
    uint64_t one = key_buffer_bytes(source, count) + count * (1 + 8 * (uint64_t)columns);
    return (POOL_KINDS + 2) * one;
}

/* Keys of one role, as many distinct ones as there are, in a buffer of their own. */
struct pool_role {
    struct key_batch keys;
    void *buffer;
};

static enum status role_open(struct pool_role *role, const struct key_stream *stream,
                             enum key_role which, size_t count, struct error *err)
{
    role->buffer = malloc(key_buffer_bytes(stream->source, count) + 8);
    if (!role->buffer)
        return fail(err, E_RUN, "no memory for %zu keys", count);
    key_stream_fill(stream, which, 0, count, &role->keys, role->buffer);
    return OK;
}

/* Key i of a list: a member or a stranger, and the how manieth of its role, repeated from the front
 * when there are no more. */
static const unsigned char *pool_key(const struct pool_role roles[2], bool member, size_t i,
                                     size_t *length)
{
    const struct key_batch *keys = &roles[member].keys;
    return key_at(keys, i % keys->count, length);
}

static void list_choose(struct pool_list *list, enum pool_kind kind, size_t count)
{
    uint64_t state = 1; /* the same mixture in every run */
    for (size_t i = 0; i < count; i++)
        list->member[i] =
            kind == POOL_MIXED ? (uint8_t)(splitmix64(&state) >> 63) : kind == POOL_MEMBERS;
}

static enum status list_keys(struct pool_list *list, const struct pool_role roles[2], size_t count,
                             struct error *err)
{
    size_t length, bytes = 0;
    bool fixed = !roles[0].keys.offsets && !roles[1].keys.offsets &&
                 roles[0].keys.length == roles[1].keys.length;
    for (size_t i = 0; i < count; i++) {
        pool_key(roles, list->member[i], i, &length);
        bytes += length;
    }
    list->bytes = malloc(bytes + 8);
    list->offsets = fixed ? NULL : malloc((count + 1) * sizeof *list->offsets);
    if (!list->bytes || (!fixed && !list->offsets))
        return fail(err, E_RUN, "no memory for %zu keys of a benchmark", count);
    for (size_t i = 0, at = 0; i < count; i++) {
        const unsigned char *key = pool_key(roles, list->member[i], i, &length);
        memcpy(list->bytes + at, key, length);
        if (list->offsets)
            list->offsets[i] = at;
        at += length;
    }
    if (list->offsets)
        list->offsets[count] = bytes;
    list->keys = (struct key_batch){list->bytes, list->offsets, roles[0].keys.length, count};
    return OK;
}

/* Has every column made, so that nothing is left to do when the clock runs. */
static void list_fill(struct pool_list *list, unsigned columns, size_t batch, uint64_t *spare)
{
    for (size_t first = 0; first < list->keys.count; first += batch) {
        size_t left = list->keys.count - first, count = left < batch ? left : batch;
        struct digests *digests = digest_source_batch(&list->given, first, count);
        for (unsigned column = 0; column < columns; column++)
            digests_column(digests, column, NULL, count, spare);
    }
}

static enum status list_open(struct pool_list *list, const struct pool_role roles[2],
                             enum pool_kind kind, const struct digest_family *family, size_t count,
                             size_t longest, unsigned columns, size_t batch, struct error *err)
{
    uint64_t *spare = malloc(batch * sizeof *spare);
    list->member = malloc(count);
    enum status status = list->member && spare
                             ? OK
                             : fail(err, E_RUN, "no memory for %zu keys of a benchmark", count);
    if (!status) {
        list_choose(list, kind, count);
        status = list_keys(list, roles, count, err);
    }
    if (!status)
        status = digest_source_init_keys(&list->given, &list->keys, longest, family, columns, batch,
                                         true, err);
    if (!status)
        status = digest_source_init_keys(&list->computed, &list->keys, longest, family, columns,
                                         batch, false, err);
    if (!status)
        list_fill(list, columns, batch, spare);
    free(spare);
    return status;
}

enum status pool_open(struct pool *pool, const struct key_stream *stream,
                      const struct digest_family *family, size_t members, uint64_t strangers,
                      size_t count, unsigned columns, size_t batch, struct error *err)
{
    struct pool_role roles[2] = {0};
    size_t longest = key_source_longest(stream->source);
    *pool = (struct pool){.count = count, .members = members < count ? members : count};
    if (strangers == 0)
        return fail(err, E_INPUT, "a benchmark needs keys that are no members; these have none");
    enum status status =
        role_open(&roles[0], stream, KEY_QUERY, strangers < count ? (size_t)strangers : count, err);
    if (!status)
        status = role_open(&roles[1], stream, KEY_MEMBER, pool->members, err);
    for (int kind = 0; !status && kind < POOL_KINDS; kind++)
        status = list_open(&pool->list[kind], roles, (enum pool_kind)kind, family, count, longest,
                           columns, batch, err);
    free(roles[0].buffer);
    free(roles[1].buffer);
    return status;
}

void pool_release(struct pool *pool)
{
    for (int kind = 0; kind < POOL_KINDS; kind++) {
        struct pool_list *list = &pool->list[kind];
        digest_source_release(&list->given);
        digest_source_release(&list->computed);
        free(list->bytes);
        free(list->offsets);
        free(list->member);
    }
    *pool = (struct pool){0};
}
