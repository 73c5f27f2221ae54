/* SPDX-License-Identifier: MIT
 *
 * generate.h: a stream of messages made here, so that none of its size need be stored.
 *
 * A message is an id; where it is written LF follows. With probability `share` it repeats an id
 * that was there before, any of them as likely as another; else its id is new. Which are repeats is
 * known.
 */
#ifndef BLOOMLAB_STREAM_GENERATE_H
#define BLOOMLAB_STREAM_GENERATE_H

#include "harness/keys/keys.h"
#include "harness/stream/unit.h"

struct stream_generator {
    struct key_source *source;
    struct key_stream stream;
    uint64_t seed, state; /* state: of SplitMix64 */
    uint64_t left;        /* messages still to come */
    uint64_t distinct;    /* ids so far */
    double share;
    void *buffer, *single; /* of a unit's new ids, and of one repeated */
};

/* kind: uuid4, url or decimal. share: 0 .. 1. E_INPUT: a kind whose ids may hold LF. Released also
 * after a failure. */
enum status generator_open(struct stream_generator *generator, enum key_kind kind, uint64_t count,
                           double share, uint64_t seed, struct error *err);
void generator_release(struct stream_generator *generator);

/* Fills and closes an empty unit; it stays empty when no message is left. */
enum status generator_fill(struct stream_generator *generator, struct stream_unit *unit,
                           struct error *err);

#endif
