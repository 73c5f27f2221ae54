/* SPDX-License-Identifier: MIT
 *
 * stream.c: the keys of one trial.
 */
#include <string.h>

#include "harness/keys/generate.h"
#include "harness/keys/keys.h"
#include "harness/keys/source.h"
#include "harness/keys/url.h"
#include "hashes/mix.h"

void key_stream_init(struct key_stream *stream, const struct key_source *source, uint64_t seed)
{
    uint64_t state = mix64(seed) ^ source->salt;
    *stream = (struct key_stream){.source = source, .seed = seed};
    bijection64_init(&stream->number, splitmix64(&state));
    bijection64_init(&stream->noise, splitmix64(&state));
    if (source->finite) {
        shuffle_init(&stream->shuffle, source->sets[0].size, splitmix64(&state));
        return;
    }
    for (unsigned role = 0; role < 2; role++)
        stream->start[role] = generate_start(source, splitmix64(&state));
}

size_t key_buffer_bytes(const struct key_source *source, size_t count)
{
    size_t offsets = (count + 1) * sizeof(uint64_t);
    size_t bytes = source->total_bytes;
    if (source->longest == 0 || count <= bytes / source->longest)
        bytes = count * source->longest; /* else a set of few long keys, none of them twice */
    return (offsets + bytes + URL_SLACK + 7) / 8 * 8;
}

/* Keys of one length stand side by side; others get offsets, in front of the bytes. */
static unsigned char *stream_layout(struct key_batch *batch, const struct key_source *source,
                                    size_t count, void *buffer)
{
    bool fixed = source->shortest == source->longest;
    uint64_t *offsets = buffer;
    unsigned char *bytes = fixed ? buffer : (unsigned char *)(offsets + count + 1);
    *batch = (struct key_batch){
        .bytes = bytes,
        .offsets = fixed ? NULL : offsets,
        .length = fixed ? source->longest : 0,
        .count = count,
    };
    return bytes;
}

static void stream_shuffled(const struct key_stream *stream, enum key_role role, uint64_t first,
                            size_t count, struct key_batch *batch, void *buffer)
{
    const struct key_set *set = &stream->source->sets[0];
    unsigned char *bytes = stream_layout(batch, stream->source, count, buffer);
    uint64_t *offsets = batch->offsets ? buffer : NULL, end = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t place = role == KEY_MEMBER ? first + i : set->size - 1 - (first + i);
        if (offsets)
            offsets[i] = end;
        end += key_set_write(set, bytes + end, shuffle_at(&stream->shuffle, place));
    }
    if (offsets)
        offsets[count] = end;
}

/* In order: what was read is shown where it stands. */
static void stream_explicit(const struct key_stream *stream, enum key_role role, uint64_t first,
                            size_t count, struct key_batch *batch, void *buffer)
{
    const struct key_set *set = &stream->source->sets[role];
    if (!key_set_is_range(set)) {
        *batch = (struct key_batch){
            .bytes = set->contents.bytes,
            .offsets = set->contents.offsets + first,
            .count = count,
        };
        return;
    }
    uint64_t *offsets = buffer, end = 0;
    unsigned char *bytes = stream_layout(batch, stream->source, count, buffer);
    for (size_t i = 0; i < count; i++) {
        if (batch->offsets)
            offsets[i] = end;
        end += key_set_write(set, bytes + end, first + i);
    }
    if (batch->offsets)
        offsets[count] = end;
}

void key_stream_fill(const struct key_stream *stream, enum key_role role, uint64_t first,
                     size_t count, struct key_batch *batch, void *buffer)
{
    if (!stream->source->finite)
        generate_fill(stream, role, first, count, batch, buffer);
    else if (key_source_explicit(stream->source))
        stream_explicit(stream, role, first, count, batch, buffer);
    else
        stream_shuffled(stream, role, first, count, batch, buffer);
}
