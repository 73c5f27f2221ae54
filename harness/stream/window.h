/* SPDX-License-Identifier: MIT
 *
 * window.h: a filter for a whole stream, or several that take turns so that old ids are forgotten.
 *
 * With a window of N messages and S slices, S + 1 filters rotate: the newest takes L = ceil(N / S)
 * messages, then the oldest is emptied and takes its place. Every message, found or not, is added
 * to the newest, so that an id stays as long as it keeps coming. It is then found among the next N
 * messages at least, and not after the next (S + 1) L - 1.
 *
 * A new id is lost when any of the filters claims it: 1 - prod (1 - r_i), were their ids different
 * ones. An id that comes again in a later turn sets the same bits in both filters: they claim more
 * of the same strangers, and the product is a bound from above.
 */
#ifndef BLOOMLAB_STREAM_WINDOW_H
#define BLOOMLAB_STREAM_WINDOW_H

#include "harness/stream/exact.h"
#include "harness/stream/theory.h"
#include "harness/stream/unit.h"
#include "harness/trial/trial.h"

enum { WINDOW_SLICES_MAX = 256 };

struct stream_window {
    const struct filter_ops *ops;
    const struct layout *layout;
    unsigned count, newest; /* filters */
    uint64_t turn, left;    /* messages the newest takes, and may still take; 0: no window */
    uint64_t turns;         /* that have ended */
    struct filter *filter;
    struct workspace *space; /* of each */
    struct exact_set *exact; /* of each, where the truth is kept; else NULL */
    uint64_t *ids;           /* different ids each holds, as far as it is known */
    uint64_t shared;         /* times an id was added that an older one holds; with exact sets */
};

/* window 0: one filter for ever. slices: 1 .. WINDOW_SLICES_MAX. verify: exact sets beside the
 * filters. E_RUN: no memory. Released also after a failure. */
enum status window_open(struct stream_window *window, const struct filter_ops *ops,
                        const struct layout *layout, uint64_t messages, unsigned slices,
                        bool verify, struct error *err);
void window_release(struct stream_window *window);

/* How many of `wanted` messages can be added before the filters take turns; window_turn then. */
size_t window_room(const struct stream_window *window, size_t wanted);
enum status window_turn(struct stream_window *window, struct error *err);

/* Adds a batch, at most window_room: present[i] as filter.h's add says, over all filters. E_RUN: a
 * growing filter has no room. */
enum status window_add(struct stream_window *window, uint8_t *present, struct digests *batch,
                       struct error *err);

/* With exact sets: was the id there? Adds it to the newest. */
enum status window_add_exact(struct stream_window *window, bool *repeated, const unsigned char *id,
                             size_t size, struct error *err);

/* Probability that a new id is lost now; ids[] must be kept. */
double window_rate(const struct stream_window *window, struct stream_curve *curve);

uint64_t window_bytes(const struct stream_window *window); /* of the filters */

#endif
