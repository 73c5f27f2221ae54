/* SPDX-License-Identifier: MIT
 *
 * reader.h: messages out of a file or a pipe.
 *
 * The buffer holds what was read and not yet taken; it grows until the longest message fits. Taking
 * a message never waits; the caller fills the buffer when there is none, and may do something else
 * first when filling would wait.
 */
#ifndef BLOOMLAB_STREAM_READER_H
#define BLOOMLAB_STREAM_READER_H

#include <stdint.h>

#include "filters/theory/error.h"
#include "harness/stream/json_id.h"
#include "harness/stream/message.h"

struct stream_reader {
    int descriptor;
    const char *name; /* for sentences */
    enum stream_format format;
    const char *field; /* of json: the path of the id */
    bool skip_invalid; /* of json: pass over what has no id, and count it */

    unsigned char *buffer;
    size_t begin, end, room; /* what is not yet taken: [begin, end) */
    size_t searched;         /* bytes of it that hold no end of a message */
    bool ended;              /* nothing more can be read */
    uint64_t taken;          /* messages, or lines of json, so far */
    uint64_t skipped, blank;
    struct json_id id;
};

/* The descriptor stays the caller's. Everything else of *reader is zero. */
void stream_reader_open(struct stream_reader *reader, int descriptor, const char *name,
                        enum stream_format format);
void stream_reader_release(struct stream_reader *reader);

enum stream_next { STREAM_TAKEN, STREAM_HUNGRY, STREAM_ENDED };

/* The next message; its bytes stand until stream_reader_fill, the id until the next one is taken.
 * HUNGRY: fill first. E_INPUT: a record cut short; a line without an id, named by its number. */
enum status stream_reader_next(struct stream_reader *reader, enum stream_next *next,
                               struct stream_message *message, struct error *err);

/* Reads once; waits where nothing is there yet. A signal ends the wait with nothing read. E_RUN: no
 * memory, or it cannot be read. */
enum status stream_reader_fill(struct stream_reader *reader, struct error *err);

/* Fails with what is wrong with the message that was taken last: "NAME, line 5: why". */
enum status stream_reader_blame(const struct stream_reader *reader, enum status status,
                                const struct error *why, struct error *err);

bool stream_reader_waits(const struct stream_reader *reader); /* would filling wait? */

#endif
