/* SPDX-License-Identifier: MIT
 *
 * add.h: a stream of keys through any filter, one after the other.
 */
#ifndef BLOOMLAB_STREAM_ADD_H
#define BLOOMLAB_STREAM_ADD_H

#include "filters/filter.h"

/* Can keys be streamed through it? Only what answers whether a key is present. */
bool stream_can_add(const struct filter_ops *ops);

/* How many keys a batch may have: for stream_add and the filter's other loops alike. */
size_t stream_batch(const struct layout *layout);

/* filter.h: add; of variants without it too. These ask for the whole batch, then key by key for
 * those that were absent, and insert only what is absent still: so a growing filter spends no room
 * on keys it holds. scratch: of the layout. E_RUN: the filter has no room; keys before the one that
 * found none are added, present[] of it and the later ones means nothing. */
enum status stream_add(struct filter *filter, uint64_t *found, uint8_t *present,
                       struct digests *batch, void *scratch, struct error *err);

#endif
