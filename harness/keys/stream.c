/* SPDX-License-Identifier: MIT
 *
 * stream.c: the keys of one trial.
 */
#include "harness/keys/generate.h"
#include "harness/keys/keys.h"
#include "harness/keys/source.h"
#include "harness/keys/text.h"
#include "hashes/mix.h"

void key_stream_init(struct key_stream *stream, const struct key_source *source, uint64_t seed)
{
    uint64_t state = mix64(seed) ^ source->salt;
    *stream = (struct key_stream){.source = source, .seed = seed};
    bijection64_init(&stream->number, splitmix64(&state));
    bijection64_init(&stream->noise, splitmix64(&state));
    if (source->finite || source->generator.kind == KEYS_LETTERS) {
        uint64_t size =
            source->finite ? source->sets[KEY_MEMBER].size : 2 * source->generator.counters;
        shuffle_init(&stream->shuffle, size, splitmix64(&state));
        return;
    }
    for (unsigned role = 0; role < 2; role++)
        stream->start[role] = generate_start(&source->generator, splitmix64(&state));
}

size_t key_buffer_bytes(const struct key_source *source, size_t count)
{
    size_t offsets = (count + 1) * sizeof(uint64_t);
    size_t bytes = source->total_bytes;
    if (source->longest == 0 || count <= bytes / source->longest)
        bytes = count * source->longest; /* else a set of few long keys, none of them twice */
    return (offsets + bytes + TEXT_SLACK + 7) / 8 * 8;
}

/* Does the role keep the order its keys were given in? */
static bool stream_ordered(const struct key_source *source, enum key_role role)
{
    return source->is_explicit && (role == KEY_QUERY || !source->sampled);
}

/* The places in the set of keys first .. first + count - 1 of a role; count <= SHUFFLE_BLOCK. */
static void stream_places(const struct key_stream *stream, uint64_t *places, enum key_role role,
                          uint64_t first, size_t count)
{
    bool back = role == KEY_QUERY && !stream->source->is_explicit;
    for (size_t i = 0; i < count; i++)
        places[i] = back ? stream->shuffle.size - 1 - (first + i) : first + i;
    if (!stream_ordered(stream->source, role))
        shuffle_apply(&stream->shuffle, places, count);
}

/* Keys of one length stand side by side; others get offsets, in front of the bytes. */
static void stream_write(const struct key_stream *stream, const struct key_set *set,
                         enum key_role role, uint64_t first, size_t count, struct key_batch *batch,
                         void *buffer)
{
    uint64_t places[SHUFFLE_BLOCK], end = 0;
    bool fixed = set->shortest == set->longest;
    uint64_t *offsets = fixed ? NULL : buffer;
    unsigned char *bytes = (unsigned char *)buffer + (fixed ? 0 : (count + 1) * sizeof *offsets);
    for (size_t i = 0; i < count; i++) {
        if (i % SHUFFLE_BLOCK == 0)
            stream_places(stream, places, role, first + i,
                          count - i < SHUFFLE_BLOCK ? count - i : SHUFFLE_BLOCK);
        if (offsets)
            offsets[i] = end;
        end += key_set_write(set, bytes + end, places[i % SHUFFLE_BLOCK]);
    }
    if (offsets)
        offsets[count] = end;
    *batch = (struct key_batch){
        .bytes = bytes,
        .offsets = offsets,
        .length = fixed ? set->longest : 0,
        .count = count,
    };
}

/* What was read and stays in order is shown where it stands. */
static void stream_show(const struct key_set *set, uint64_t first, size_t count,
                        struct key_batch *batch)
{
    const struct contents *contents = &set->contents;
    if (set->shortest == set->longest)
        *batch = (struct key_batch){
            .bytes = contents->bytes + first * set->longest,
            .length = set->longest,
            .count = count,
        };
    else
        *batch = (struct key_batch){
            .bytes = contents->bytes,
            .offsets = contents->offsets + first,
            .count = count,
        };
}

void key_stream_fill(const struct key_stream *stream, enum key_role role, uint64_t first,
                     size_t count, struct key_batch *batch, void *buffer)
{
    const struct key_source *source = stream->source;
    unsigned part = source->is_explicit ? role : KEY_MEMBER;
    if (part == KEY_MEMBER && !source->finite) {
        generate_fill(stream, role, first, count, batch, buffer);
        return;
    }
    const struct key_set *set = &source->sets[part];
    if (stream_ordered(source, role) && !key_set_is_range(set))
        stream_show(set, first, count, batch);
    else
        stream_write(stream, set, role, first, count, batch, buffer);
}
