/* SPDX-License-Identifier: MIT
 *
 * unit.h: up to FILTER_BATCH messages under way together: their ids side by side, and the digests
 * of these.
 *
 * A digest column is computed for all ids of the unit when it is first asked for, or all columns at
 * once by another thread than the one that asks. A batch is a run of the unit's ids.
 */
#ifndef BLOOMLAB_STREAM_UNIT_H
#define BLOOMLAB_STREAM_UNIT_H

#include "filters/filter.h"
#include "harness/stream/message.h"
#include "hashes/family.h"

struct stream_unit {
    struct digests batch; /* what a filter sees; first, so that the filter's pointer is ours */
    size_t first;         /* of the batch, among the ids */
    const struct digest_family *family;
    unsigned columns;
    uint64_t *digest; /* column c at digest + c * FILTER_BATCH */
    bool *ready;      /* by column; one more than there are */
    void *scratch;    /* of the family */
    size_t scratch_room;

    size_t count;
    struct key_batch keys; /* the ids, once the unit is closed */
    unsigned char *bytes;  /* of all ids */
    size_t used, room;
    uint64_t offset[FILTER_BATCH + 1];
    struct stream_message message[FILTER_BATCH]; /* without ids; not of generated ones */
    uint8_t present[FILTER_BATCH];
    bool generated;                 /* repeated[] is known; a message is its id and LF */
    uint8_t repeated[FILTER_BATCH]; /* 1: the id was there before */
};

/* columns: how many the filter will ask for. family: NULL where it asks for none. E_RUN: no
 * memory. */
enum status unit_open(struct stream_unit *unit, const struct digest_family *family,
                      unsigned columns, struct error *err);
void unit_release(struct stream_unit *unit);

void unit_empty(struct stream_unit *unit);
/* Room for `more` bytes of ids behind `used`. */
enum status unit_reserve(struct stream_unit *unit, size_t more, struct error *err);
/* Appends a message; there are fewer than FILTER_BATCH. Its bytes must outlive the unit's use. */
enum status unit_append(struct stream_unit *unit, const struct stream_message *message,
                        struct error *err);

enum status unit_append_id(struct stream_unit *unit, const unsigned char *id, size_t size,
                           struct error *err);

/* No more ids come: digests can be asked for. E_RUN: no memory. */
enum status unit_close(struct stream_unit *unit, struct error *err);
/* The ids of the unit are these, which were written into its bytes. */
enum status unit_close_keys(struct stream_unit *unit, const struct key_batch *keys,
                            struct error *err);
void unit_digest(struct stream_unit *unit); /* all columns now */

/* Ids first .. first + count - 1 as a batch. */
struct digests *unit_batch(struct stream_unit *unit, size_t first, size_t count);

#endif
