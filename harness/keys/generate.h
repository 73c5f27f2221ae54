/* SPDX-License-Identifier: MIT
 *
 * generate.h: keys made from counters, kind by kind; called by source.c and stream.c.
 */
#ifndef BLOOMLAB_KEYS_GENERATE_H
#define BLOOMLAB_KEYS_GENERATE_H

#include "harness/keys/keys.h"
#include "harness/keys/source.h"

/* Sets the lengths and the number of counters from the kind and its parameters. */
void generate_measure(struct key_generator *generator);

/* The first counter of one role, from 64 random bits: see keys.h. */
uint64_t generate_start(const struct key_generator *generator, uint64_t random);

/* Might a key be one of those the generator makes? True too where only its length tells. */
bool generate_may_make(const struct key_generator *generator, const void *key, size_t length);

/* key_stream_fill for generated sources. */
void generate_fill(const struct key_stream *stream, enum key_role role, uint64_t first,
                   size_t count, struct key_batch *batch, void *buffer);

#endif
