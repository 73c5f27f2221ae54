/* SPDX-License-Identifier: MIT
 *
 * distinct.h: how many different ids a stream holds, as a filter tells it without keeping them.
 */
#ifndef BLOOMLAB_STREAM_DISTINCT_H
#define BLOOMLAB_STREAM_DISTINCT_H

#include <signal.h>

#include "harness/stream/exact.h"
#include "harness/stream/reader.h"
#include "harness/stream/unit.h"
#include "harness/trial/trial.h"

struct distinct_settings {
    const struct filter_ops *ops; /* can estimate cardinality and does not grow */
    struct layout layout;
    struct digest_family family;
    bool exact; /* the ids themselves are kept too */
};

struct distinct {
    struct distinct_settings settings;
    struct workspace space;
    struct filter filter;
    struct stream_unit unit;
    struct exact_set set;
    uint64_t messages;
};

/* From zero. E_RUN: no memory. Released also after a failure. */
enum status distinct_open(struct distinct *distinct, const struct distinct_settings *settings,
                          struct error *err);
void distinct_release(struct distinct *distinct);

/* Takes all messages of a reader, or what comes before *stop (may be NULL) is set. */
enum status distinct_read(struct distinct *distinct, struct stream_reader *reader,
                          const volatile sig_atomic_t *stop, struct error *err);

struct distinct_count {
    double value; /* INFINITY: the filter is full */
    double sd;    /* relative, of such estimates, by theory; NaN: none is known */
    /* The numbers of ids whose estimates lie within 1.96 sd of this one, less those that cannot be:
     * fewer than the filter's positions in use show, more than there were messages. Whole numbers.
     */
    double lo, hi;
};

/* Of what was read so far. */
struct distinct_count distinct_count(const struct distinct *distinct);

#endif
