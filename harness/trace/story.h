/* SPDX-License-Identifier: MIT
 *
 * story.h: a trace from the first word to the last removal, told to a teller.
 *
 * In this order: every word inserted; the filter's figures; the queries; whom the removal of each
 * word alone would lose; the removals asked for, one after the other; and the same two with
 * counters, where a twin was asked for.
 */
#ifndef BLOOMLAB_TRACE_STORY_H
#define BLOOMLAB_TRACE_STORY_H

#include "harness/trace/show.h"

/* Numbers of the full filter; NaN where the variant has none. */
struct trace_figures {
    uint64_t bits_set;
    double bits_per_word, optimal_k; /* m/n, (m/n) ln 2 */
    double standard, bits;           /* estimates: (1 - e^(-kn/m))^k, (X/m)^k */
    struct estimate scheme;          /* of this very filter, for a fresh key with ideal digests */
    struct model model;              /* mean of all such filters */
    struct trace_rate rate;
};

/* What is told of one word's removal, or of its possible one. */
struct trace_removal {
    uint64_t word;
    bool counters;          /* of the twin */
    bool taken_out;         /* done, and not undone */
    const uint64_t *lost;   /* numbers of words that are in no more, though nobody removed them */
    uint64_t count, others; /* how many those are, and how many words should be in */
};

struct story {
    struct text *text;
    struct trace *trace;
    struct show_style style;
    uint64_t first, last; /* numbers asked for */
    unsigned step;        /* from 1: insertions, queries, removals */
    unsigned word_width;  /* characters of the widest word */
};

/* How the parts are told. Each appends to story->text. */
struct teller {
    void (*open)(struct story *story);
    void (*inserted)(struct story *story, const struct trace_key *key);
    void (*figures)(struct story *story, const struct trace_figures *figures);
    void (*asked)(struct story *story, const struct trace_key *key);
    void (*removal)(struct story *story, const struct trace_removal *removal,
                    const struct trace_key *key);
    /* After the removals that were tried, one of each word: how many of them lost another word.
     * harmful UINT64_MAX: they were too many to try. */
    void (*harm)(struct story *story, bool counters, uint64_t harmful);
};

extern const struct teller teller_text, teller_csv;

/* Numbers of words to be removed; keys to be asked for. */
struct story_plan {
    const char *const *queries;
    size_t query_count;
    const uint64_t *removals; /* none twice */
    size_t removal_count;
    bool measured; /* first, last are set */
};

/* E_RUN: no memory. The text so far is told in any case. */
enum status story_tell(struct story *story, const struct teller *teller,
                       const struct story_plan *plan, struct error *err);

#endif
