/* SPDX-License-Identifier: MIT
 *
 * writer.h: bytes to a file or a pipe, through a buffer that the caller empties when it must.
 */
#ifndef BLOOMLAB_STREAM_WRITER_H
#define BLOOMLAB_STREAM_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "filters/theory/error.h"

struct stream_writer {
    int descriptor;
    unsigned char *buffer;
    size_t used, room;
};

/* E_RUN: no memory. */
enum status stream_writer_open(struct stream_writer *writer, int descriptor, struct error *err);
void stream_writer_release(struct stream_writer *writer); /* what was not flushed is lost */

/* E_RUN: it cannot be written; a pipe that nobody reads any more is one such case. What the buffer
 * holds is then dropped. */
enum status stream_writer_put(struct stream_writer *writer, const void *bytes, size_t size,
                              struct error *err);
enum status stream_writer_flush(struct stream_writer *writer, struct error *err);

#endif
