/* SPDX-License-Identifier: MIT */
#include "harness/stream/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READER_ROOM = 1 << 18, RECORD_HEAD = 4 };

void stream_reader_open(struct stream_reader *reader, int descriptor, const char *name,
                        enum stream_format format)
{
    *reader = (struct stream_reader){.descriptor = descriptor, .name = name, .format = format};
}

void stream_reader_release(struct stream_reader *reader)
{
    free(reader->buffer);
    json_id_release(&reader->id);
    *reader = (struct stream_reader){.descriptor = -1};
}

/* ---- reading --------------------------------------------------------------------------------- */

bool stream_reader_waits(const struct stream_reader *reader)
{
    struct pollfd input = {.fd = reader->descriptor, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}

/* Room for more bytes behind what is held. */
static enum status reader_make_room(struct stream_reader *reader, struct error *err)
{
    if (reader->begin > 0) {
        memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    if (reader->end < reader->room)
        return OK;
    size_t room = reader->room ? 2 * reader->room : READER_ROOM;
    unsigned char *moved = realloc(reader->buffer, room);
    if (!moved)
        return fail(err, E_RUN, "%s: no memory for a message of over %zu bytes", reader->name,
                    reader->room);
    reader->buffer = moved;
    reader->room = room;
    return OK;
}

enum status stream_reader_fill(struct stream_reader *reader, struct error *err)
{
    enum status status = reader_make_room(reader, err);
    if (status)
        return status;
    ssize_t got =
        read(reader->descriptor, reader->buffer + reader->end, reader->room - reader->end);
    if (got > 0)
        reader->end += (size_t)got;
    else if (got == 0)
        reader->ended = true;
    else if (errno != EINTR && errno != EAGAIN)
        return fail(err, errno == EISDIR ? E_INPUT : E_RUN, "cannot read %s: %s", reader->name,
                    strerror(errno));
    else if (errno == EAGAIN)
        poll(&(struct pollfd){.fd = reader->descriptor, .events = POLLIN}, 1, -1);
    return OK;
}

enum status stream_reader_blame(const struct stream_reader *reader, enum status status,
                                const struct error *why, struct error *err)
{
    const char *what = reader->format == STREAM_RECORDS ? "record"
                       : reader->format == STREAM_NUL   ? "message"
                                                        : "line";
    return fail(err, status, "%s, %s %" PRIu64 ": %.400s", reader->name, what, reader->taken,
                why->text);
}

/* ---- taking ---------------------------------------------------------------------------------- */

static void reader_take(struct stream_reader *reader, struct stream_message *message, size_t size,
                        size_t id_start, size_t id_size)
{
    *message = (struct stream_message){
        .bytes = reader->buffer + reader->begin,
        .size = size,
        .id = reader->buffer + reader->begin + id_start,
        .id_size = id_size,
    };
    reader->begin += size;
    reader->searched = 0;
    reader->taken++;
}

/* Up to a byte that ends it, or at the end of all to what is left. */
static enum stream_next reader_next_ended(struct stream_reader *reader,
                                          struct stream_message *message, int end)
{
    size_t held = reader->end - reader->begin;
    const unsigned char *start = held ? reader->buffer + reader->begin : NULL, *found = NULL;
    if (held > reader->searched)
        found = memchr(start + reader->searched, end, held - reader->searched);
    if (!found) {
        reader->searched = held;
        if (!reader->ended)
            return STREAM_HUNGRY;
        if (held == 0)
            return STREAM_ENDED;
        reader_take(reader, message, held, 0, held);
        message->open = true;
        return STREAM_TAKEN;
    }
    size_t size = (size_t)(found - start);
    bool cr = end == '\n' && size > 0 && start[size - 1] == '\r';
    reader_take(reader, message, size + 1, 0, size - cr);
    return STREAM_TAKEN;
}

static enum status reader_next_record(struct stream_reader *reader, enum stream_next *next,
                                      struct stream_message *message, struct error *err)
{
    size_t held = reader->end - reader->begin;
    const unsigned char *b = held ? reader->buffer + reader->begin : NULL;
    uint32_t length = 0;
    if (held >= RECORD_HEAD)
        length = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    if (held >= RECORD_HEAD && held - RECORD_HEAD >= length) {
        reader_take(reader, message, RECORD_HEAD + (size_t)length, RECORD_HEAD, length);
        *next = STREAM_TAKEN;
        return OK;
    }
    *next = reader->ended ? STREAM_ENDED : STREAM_HUNGRY;
    if (!reader->ended || held == 0)
        return OK;
    uint64_t number = reader->taken + 1;
    if (held < RECORD_HEAD)
        return fail(err, E_INPUT,
                    "%s: record %" PRIu64 " is cut off: %zu of the %d bytes of its length",
                    reader->name, number, held, RECORD_HEAD);
    return fail(err, E_INPUT, "%s: record %" PRIu64 " is cut off: %zu of its %" PRIu32 " bytes",
                reader->name, number, held - RECORD_HEAD, length);
}

static bool reader_is_blank(const struct stream_message *message)
{
    size_t at = 0;
    while (at < message->size && memchr(" \t\r\n", message->bytes[at], 4))
        at++;
    return at == message->size;
}

static enum status reader_next_json(struct stream_reader *reader, enum stream_next *next,
                                    struct stream_message *message, struct error *err)
{
    while ((*next = reader_next_ended(reader, message, '\n')) == STREAM_TAKEN) {
        struct error reason = {.text = ""};
        if (reader_is_blank(message)) {
            reader->blank++;
            continue;
        }
        enum status status =
            json_id_read(&reader->id, reader->field, message->id, message->id_size, &reason);
        message->id = reader->id.bytes;
        message->id_size = reader->id.size;
        if (!status)
            return OK;
        if (status != E_INPUT || !reader->skip_invalid)
            return stream_reader_blame(reader, status, &reason, err);
        reader->skipped++;
    }
    return OK;
}

enum status stream_reader_next(struct stream_reader *reader, enum stream_next *next,
                               struct stream_message *message, struct error *err)
{
    switch (reader->format) {
    case STREAM_RECORDS:
        return reader_next_record(reader, next, message, err);
    case STREAM_JSON:
        return reader_next_json(reader, next, message, err);
    case STREAM_NUL:
        *next = reader_next_ended(reader, message, '\0');
        return OK;
    case STREAM_LINES:
        break;
    }
    *next = reader_next_ended(reader, message, '\n');
    return OK;
}
