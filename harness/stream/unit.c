/* SPDX-License-Identifier: MIT */
#include "harness/stream/unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- digests --------------------------------------------------------------------------------- */

static uint64_t *unit_column_at(const struct stream_unit *unit, unsigned column)
{
    return unit->digest + (size_t)column * FILTER_BATCH;
}

/* The halves of a split hash come in pairs; there is room for the half of one column more. */
static void unit_column_make(struct stream_unit *unit, unsigned column)
{
    if (unit->family->family == FAMILY_SPLIT) {
        unsigned even = column & ~1u;
        family_column_pair(unit->family, &unit->keys, column / 2, unit->count,
                           unit_column_at(unit, even), unit_column_at(unit, even + 1));
        unit->ready[even] = unit->ready[even + 1] = true;
        return;
    }
    family_column(unit->family, &unit->keys, column, NULL, unit->count,
                  unit_column_at(unit, column), unit->scratch);
    unit->ready[column] = true;
}

static const uint64_t *unit_column(struct digests *self, unsigned column, const uint32_t *which,
                                   size_t count, uint64_t *out)
{
    struct stream_unit *unit = (struct stream_unit *)self;
    if (!unit->ready[column])
        unit_column_make(unit, column);
    const uint64_t *digest = unit_column_at(unit, column) + unit->first;
    if (!which)
        return digest;
    for (size_t i = 0; i < count; i++)
        out[i] = digest[which[i]];
    return out;
}

void unit_digest(struct stream_unit *unit)
{
    for (unsigned column = 0; column < unit->columns; column++)
        if (!unit->ready[column])
            unit_column_make(unit, column);
}

struct digests *unit_batch(struct stream_unit *unit, size_t first, size_t count)
{
    unit->first = first;
    unit->batch.count = count;
    return &unit->batch;
}

/* ---- life ------------------------------------------------------------------------------------ */

enum status unit_open(struct stream_unit *unit, const struct digest_family *family,
                      unsigned columns, struct error *err)
{
    unsigned rounded = columns + 1 + columns % 2;
    memset(unit, 0, sizeof *unit);
    unit->batch = (struct digests){
        .column = unit_column,
        .bits = family ? family_delivered_bits(family->family, family->digest_bits) : 64};
    unit->family = family;
    unit->columns = columns;
    unit->digest = malloc(rounded * FILTER_BATCH * sizeof *unit->digest);
    unit->ready = calloc(rounded, sizeof *unit->ready);
    if (!unit->digest || !unit->ready)
        return fail(err, E_RUN, "no memory for %u digests of %d messages", columns, FILTER_BATCH);
    return OK;
}

void unit_release(struct stream_unit *unit)
{
    free(unit->digest);
    free(unit->ready);
    free(unit->scratch);
    free(unit->bytes);
    unit->digest = NULL;
    unit->ready = NULL;
    unit->scratch = NULL;
    unit->bytes = NULL;
}

void unit_empty(struct stream_unit *unit)
{
    unit->count = unit->used = 0;
    unit->generated = false;
    memset(unit->ready, 0, (unit->columns + 1) * sizeof *unit->ready);
}

enum status unit_reserve(struct stream_unit *unit, size_t more, struct error *err)
{
    if (more < unit->room - unit->used)
        return OK;
    size_t room = 2 * unit->room + more + 1;
    unsigned char *moved = realloc(unit->bytes, room);
    if (!moved)
        return fail(err, E_RUN, "no memory for ids of %zu bytes", room);
    unit->bytes = moved;
    unit->room = room;
    return OK;
}

/* An id that the hash takes? */
static enum status unit_check(const struct stream_unit *unit, size_t size, struct error *err)
{
    const struct hash *refuses = unit->family ? family_refuses(unit->family, size) : NULL;
    return refuses ? fail(err, E_INPUT, "%s takes ids of %u bytes, this one has %zu", refuses->name,
                          refuses->key_bytes, size)
                   : OK;
}

enum status unit_append_id(struct stream_unit *unit, const unsigned char *id, size_t size,
                           struct error *err)
{
    enum status status = unit_check(unit, size, err);
    if (!status)
        status = unit_reserve(unit, size, err);
    if (status)
        return status;
    if (size)
        memcpy(unit->bytes + unit->used, id, size);
    unit->offset[unit->count++] = unit->used;
    unit->used += size;
    unit->offset[unit->count] = unit->used;
    return OK;
}

enum status unit_append(struct stream_unit *unit, const struct stream_message *message,
                        struct error *err)
{
    unit->message[unit->count] = *message;
    return unit_append_id(unit, message->id, message->id_size, err);
}

/* Scratch for hashing ids of up to `longest` bytes. */
static enum status unit_prepare(struct stream_unit *unit, size_t longest, struct error *err)
{
    size_t bytes = unit->family ? family_scratch_bytes(unit->family, FILTER_BATCH, longest) : 0;
    if (bytes <= unit->scratch_room)
        return OK;
    free(unit->scratch);
    unit->scratch = malloc(bytes);
    unit->scratch_room = unit->scratch ? bytes : 0;
    return unit->scratch ? OK : fail(err, E_RUN, "no memory for hashing ids of %zu bytes", longest);
}

static size_t unit_longest(const struct key_batch *keys, size_t *shortest)
{
    size_t longest = 0;
    if (!keys->offsets)
        return *shortest = keys->length;
    *shortest = SIZE_MAX;
    for (size_t i = 0; i < keys->count; i++) {
        size_t size;
        key_at(keys, i, &size);
        longest = size > longest ? size : longest;
        *shortest = size < *shortest ? size : *shortest;
    }
    return longest;
}

/* Ids of one length are hashed many at a time. */
enum status unit_close(struct stream_unit *unit, struct error *err)
{
    size_t shortest;
    enum status status = unit_reserve(unit, 0, err); /* bytes is no NULL */
    unit->keys =
        (struct key_batch){.bytes = unit->bytes, .offsets = unit->offset, .count = unit->count};
    size_t longest = unit_longest(&unit->keys, &shortest);
    if (longest == shortest) {
        unit->keys.offsets = NULL;
        unit->keys.length = longest;
    }
    return status ? status : unit_prepare(unit, longest, err);
}

enum status unit_close_keys(struct stream_unit *unit, const struct key_batch *keys,
                            struct error *err)
{
    size_t shortest, longest = unit_longest(keys, &shortest);
    unit->keys = *keys;
    unit->count = keys->count;
    enum status status = unit_check(unit, shortest, err);
    if (!status)
        status = unit_check(unit, longest, err);
    return status ? status : unit_prepare(unit, longest, err);
}
