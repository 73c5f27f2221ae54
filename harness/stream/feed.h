/* SPDX-License-Identifier: MIT
 *
 * feed.h: messages from a reader through a filter, at once.
 */
#ifndef BLOOMLAB_STREAM_FEED_H
#define BLOOMLAB_STREAM_FEED_H

#include <signal.h>

#include "harness/stream/dedup.h"
#include "harness/stream/reader.h"

/* Until the reader's end, or *stop (may be NULL) is set. Whatever can be written is in the pipe
 * before it waits for input; the last of it stays in the writer's buffer. On an error of the reader
 * everything before it has been taken. */
enum status feed_run(struct dedup *dedup, struct stream_reader *reader,
                     const volatile sig_atomic_t *stop, struct error *err);

#endif
