/* SPDX-License-Identifier: MIT
 *
 * message.h: one message of a stream, and how messages are told apart in bytes.
 *
 *   lines    a message ends at LF, which belongs to it; its id is all before, less a CR right
 *            before the LF. An empty line is a message of the empty id. A last one needs no LF (and
 *            keeps its CR). NUL is a byte like any other.
 *   nul      the same with NUL for LF; a CR is part of the id
 *   records  a little-endian 32-bit length, then the id of so many bytes, any bytes
 *   json     a JSON object a line; its id is a string or a number at a path of fields. Equal
 *            numbers are one id however they are written (1, 1.0, 1e0); a number is no string (1
 *            and "1" are two ids). Lines of blanks alone are no messages: they are passed over.
 */
#ifndef BLOOMLAB_STREAM_MESSAGE_H
#define BLOOMLAB_STREAM_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

enum stream_format { STREAM_LINES, STREAM_NUL, STREAM_RECORDS, STREAM_JSON };

struct stream_message {
    const unsigned char *bytes; /* the whole of it, as it is to be written */
    size_t size;
    bool open; /* its end (LF, NUL) is missing: the last of a file */
    const unsigned char *id;
    size_t id_size;
};

#endif
