/* SPDX-License-Identifier: MIT */
#include "harness/stream/writer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRITER_ROOM = 1 << 18 };

enum status stream_writer_open(struct stream_writer *writer, int descriptor, struct error *err)
{
    *writer = (struct stream_writer){
        .descriptor = descriptor, .buffer = malloc(WRITER_ROOM), .room = WRITER_ROOM};
    return writer->buffer ? OK : fail(err, E_RUN, "no memory for the output");
}

void stream_writer_release(struct stream_writer *writer)
{
    free(writer->buffer);
    *writer = (struct stream_writer){.descriptor = -1};
}

static enum status writer_write(struct stream_writer *writer, const unsigned char *bytes,
                                size_t size, struct error *err)
{
    while (size > 0) {
        ssize_t done = write(writer->descriptor, bytes, size);
        if (done >= 0) {
            bytes += done;
            size -= (size_t)done;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = writer->descriptor, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            return fail(err, E_RUN, "cannot write standard output: %s", strerror(errno));
        }
    }
    return OK;
}

enum status stream_writer_flush(struct stream_writer *writer, struct error *err)
{
    size_t used = writer->used;
    writer->used = 0;
    return writer_write(writer, writer->buffer, used, err);
}

enum status stream_writer_put(struct stream_writer *writer, const void *bytes, size_t size,
                              struct error *err)
{
    if (size > writer->room - writer->used) {
        enum status status = stream_writer_flush(writer, err);
        if (status)
            return status;
        if (size > writer->room)
            return writer_write(writer, bytes, size, err);
    }
    memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
    return OK;
}
