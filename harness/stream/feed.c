/* SPDX-License-Identifier: MIT */
#include "harness/stream/feed.h"

#include <stdlib.h>

enum { FEED_BYTES = 1 << 22 }; /* of ids in a unit: long ids are not held back for company */

/* Messages the reader holds, as many as fit. */
static enum status feed_collect(struct stream_unit *unit, struct stream_reader *reader,
                                enum stream_next *next, struct error *err)
{
    enum status status = OK;
    unit_empty(unit);
    *next = STREAM_TAKEN;
    while (!status && unit->count < FILTER_BATCH && unit->used < FEED_BYTES) {
        struct stream_message message;
        status = stream_reader_next(reader, next, &message, err);
        if (status || *next != STREAM_TAKEN)
            break;
        struct error why;
        status = unit_append(unit, &message, &why);
        if (status)
            status = stream_reader_blame(reader, status, &why, err);
    }
    return status;
}

static enum status feed_step(struct dedup *dedup, struct stream_reader *reader,
                             struct stream_unit *unit, bool *ended, struct error *err)
{
    struct error later;
    enum stream_next next;
    enum status reading = feed_collect(unit, reader, &next, &later), status = OK;
    if (unit->count > 0)
        status = unit_close(unit, err);
    if (!status && unit->count > 0)
        status = dedup_take(dedup, unit, err);
    if (!status && reading)
        status = fail(err, reading, "%s", later.text);
    *ended = next == STREAM_ENDED;
    if (status || next != STREAM_HUNGRY)
        return status;
    if (stream_reader_waits(reader))
        status = stream_writer_flush(dedup->writer, err);
    return status ? status : stream_reader_fill(reader, err);
}

enum status feed_run(struct dedup *dedup, struct stream_reader *reader,
                     const volatile sig_atomic_t *stop, struct error *err)
{
    struct stream_unit *unit = malloc(sizeof *unit);
    if (!unit)
        return fail(err, E_RUN, "no memory for a stream");
    enum status status =
        unit_open(unit, &dedup->settings.family, dedup->settings.layout.columns, err);
    for (bool ended = false; !status && !ended && !(stop && *stop);)
        status = feed_step(dedup, reader, unit, &ended, err);
    unit_release(unit);
    free(unit);
    return status;
}
