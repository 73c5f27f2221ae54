/* SPDX-License-Identifier: MIT
 *
 * dedup.h: a stream of messages, each written when its id comes for the first time; or only then
 * not, which leaves the repeats: what a cache is to keep that does without what comes once.
 *
 * A Bloom filter never takes an old id for a new one, but loses a new one now and then: what it
 * loses can be counted where the truth is known, from an exact set beside the filter or because the
 * stream was made here.
 */
#ifndef BLOOMLAB_STREAM_DEDUP_H
#define BLOOMLAB_STREAM_DEDUP_H

#include "harness/stream/window.h"
#include "harness/stream/writer.h"

struct dedup_settings {
    const struct filter_ops *ops;
    struct layout layout; /* from stream_size */
    struct digest_family family;
    uint64_t capacity; /* ids it was sized for; 0: not said */
    uint64_t window;   /* messages an id is remembered for; 0: for ever */
    unsigned slices;
    bool verify;       /* exact sets beside the filters */
    bool repeats;      /* write what is taken for repeated, not what is taken for new */
    bool discard;      /* write nothing */
    unsigned char end; /* what closes a message whose end is missing when another follows */
    /* Told when there are more ids than the capacity, and again at every doubling; may be NULL. */
    void (*warn)(const char *sentence);
};

struct dedup {
    struct dedup_settings settings;
    struct stream_window window;
    struct stream_curve curve;
    struct stream_writer *writer;
    bool open;          /* the last message written has no end */
    uint64_t warn_next; /* ids at which to warn */

    uint64_t messages, written;
    uint64_t taken; /* messages whose ids were taken for new ones */
    /* Where the truth is known: */
    bool known;
    /* New ids; of these taken for old ones; old ones taken for new (never). */
    uint64_t fresh, lost, missed;
    double expected, variance; /* of lost, by theory */
};

/* E_RUN: no memory. Released also after a failure. */
enum status dedup_open(struct dedup *dedup, const struct dedup_settings *settings,
                       struct stream_writer *writer, struct error *err);
void dedup_release(struct dedup *dedup);

/* Takes the messages of a closed unit in order. */
enum status dedup_take(struct dedup *dedup, struct stream_unit *unit, struct error *err);

/* Probability that the next new id would be lost: by theory for the ids seen (NaN where the truth
 * is not known), and of the very filter by its bits (NaN where the variant does not say). */
double dedup_rate(struct dedup *dedup);
double dedup_rate_bits(const struct dedup *dedup);

/* (lost - expected) / sd. The sd takes ids as independent given the mean filling. NaN where the
 * truth is not known. */
double dedup_z(const struct dedup *dedup);

#endif
