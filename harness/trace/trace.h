/* SPDX-License-Identifier: MIT
 *
 * trace.h: one small filter, key by key: where each key goes, which bits it finds set, what an
 * answer rests on, and who is lost when a key is taken out.
 *
 * Everything is done by the variant's own functions, on batches of one key: its digests are made
 * first and handed over from memory. A filter that cannot remove forgets a key by clearing its
 * bits: the bits of that key alone are a filter B, and what is left is A and not B; so the variant
 * must be a plain array of bits, one that intersects.
 *
 * The twin is a counting filter with a counter for each bit and the same positions (they are its
 * digests, m is its range): what would have been, had the bits been counters.
 */
#ifndef BLOOMLAB_TRACE_H
#define BLOOMLAB_TRACE_H

#include "harness/keys/contents.h"
#include "harness/trial/trial.h"

#define TRACE_M_MAX (UINT64_C(1) << 26)
#define TRACE_LOSSES_BYTES_MAX (UINT64_C(1) << 30) /* words times bytes walked through */
#define TRACE_WORDS_MAX (UINT64_C(1) << 20)
enum { TRACE_LOSSES_WORDS_MAX = 4096 };

/* What is traced. */
struct trace_spec {
    const struct filter_ops *ops;
    struct filter_params params; /* m, k, reduction, own ones; the digests' are set by trace_open */
    struct digest_family family;
    bool is_signed; /* position = (int32 hash) mod m, never negative */
    bool twin;      /* wanted; never of a filter that can remove */
};

/* A filter fed one key at a time. */
struct trace_filter {
    struct layout layout;
    struct filter filter;
    struct workspace space, alone; /* its memory; that of a filter with one key */
    uint64_t *probe;               /* room for the positions of a batch */
};

struct trace {
    struct trace_spec spec;
    struct trace_filter bits, counters; /* counters: the twin, planned when spec.twin */
    struct contents words;         /* in the order of insertion, none twice; with their index */
    unsigned columns, k;           /* of every key: digests, positions */
    uint64_t *digests, *positions; /* of word i at i * columns, i * k */
    void *scratch;                 /* of the family */
    size_t scratch_longest;
};

/* A key as the filter meets it. */
struct trace_key {
    const unsigned char *bytes;
    size_t length;
    uint64_t word;                   /* its number among the words, CONTENTS_NONE: never inserted */
    uint64_t hash[FILTER_K_MAX];     /* trace.columns of them, as the hashes gave them */
    uint64_t digest[FILTER_K_MAX];   /* as the filter is given them: signed ones are mapped */
    uint64_t position[FILTER_K_MAX]; /* trace.k of them */
    bool set[FILTER_K_MAX];          /* before anything was done with the key */
    bool present;                    /* as the filter answered then */
};

/* Plans the filter (and its twin) for the words, which it takes over, also on failure; no word is
 * inserted yet. E_INPUT, E_IMPOSSIBLE: what cannot be traced, or planned. Release in any case. */
enum status trace_open(struct trace *trace, const struct trace_spec *spec, struct contents *words,
                       struct error *err);
void trace_release(struct trace *trace);

/* Digests, positions and what stands there now. E_RUN: no memory. */
enum status trace_look(struct trace *trace, struct trace_key *key, const void *bytes, size_t length,
                       struct error *err);

/* Looks at word i, then inserts it, into the twin too. */
enum status trace_insert(struct trace *trace, struct trace_key *key, uint64_t word,
                         struct error *err);

/* Does the filter (counters: the twin) have word i? */
bool trace_has(struct trace *trace, bool counters, uint64_t word);

/* Takes word i out: by the variant's own removal, or by clearing its bits. Putting it in again,
 * once every word was in, undoes it. */
enum status trace_take_out(struct trace *trace, bool counters, uint64_t word, struct error *err);
enum status trace_put_back(struct trace *trace, bool counters, uint64_t word, struct error *err);

/* The words that a removal of word i alone would lose, while all are in: their numbers into lost,
 * which has room for all. The filter is unchanged afterwards. */
enum status trace_losses(struct trace *trace, bool counters, uint64_t word, uint64_t *lost,
                         uint64_t *count, struct error *err);

/* Is the table of losses within what is affordable? */
bool trace_losses_affordable(const struct trace *trace);

/* The rate over the numbers first .. last in decimal; words among them are left out. */
struct trace_rate {
    uint64_t queries, left_out, hits;
};
enum status trace_measure(struct trace *trace, struct trace_rate *rate, uint64_t first,
                          uint64_t last, struct error *err);

static inline bool trace_counts(const struct trace *trace)
{
    return trace->spec.ops->capabilities & CAN_REMOVE;
}

/* Is a position set, or a counter above 0? */
static inline bool trace_test(const struct trace *trace, uint64_t position)
{
    return trace->spec.ops->test(&trace->bits.filter, position);
}

static inline const unsigned char *trace_word(const struct trace *trace, uint64_t word,
                                              size_t *length)
{
    const uint64_t *offsets = trace->words.offsets;
    *length = (size_t)(offsets[word + 1] - offsets[word]);
    return trace->words.bytes + offsets[word];
}

#endif
