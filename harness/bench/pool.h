/* SPDX-License-Identifier: MIT
 *
 * pool.h: the keys that are asked for while a clock runs, and their digests.
 *
 * Three lists of `count` keys: strangers, members, and a random mixture of both halves. Keys of all
 * three stand in memory before anything is timed. Their digests come in two ways: *given*, from
 * columns in memory, and *computed*, from the keys of each batch when the filter asks. One pool
 * serves all filters that share keys, hash and family, with the members that all of them hold.
 */
#ifndef BLOOMLAB_BENCH_POOL_H
#define BLOOMLAB_BENCH_POOL_H

#include "harness/digest/digest.h"

enum pool_kind { POOL_STRANGERS, POOL_MIXED, POOL_MEMBERS };
enum { POOL_KINDS = POOL_MEMBERS + 1 };

/* Share of the keys that are members: 0, 0.5 (of the mixture, on average), 1. */
double pool_hit_ratio(enum pool_kind kind);

struct pool_list {
    struct key_batch keys;
    unsigned char *bytes; /* of the keys */
    uint64_t *offsets;    /* of the keys; NULL when all are of one length */
    uint8_t *member;      /* member[i]: key i is one */
    struct digest_source given, computed;
};

struct pool {
    size_t count;   /* keys in each list */
    size_t members; /* distinct ones in `members`, which repeats them in their order */
    struct pool_list list[POOL_KINDS];
};

/* Members 0 .. members - 1 of the stream, and as many strangers as are asked for. A finite set may
 * have fewer strangers: they are repeated; E_INPUT when it has none. members >= 1, count >= 1. */
enum status pool_open(struct pool *pool, const struct key_stream *stream,
                      const struct digest_family *family, size_t members, uint64_t strangers,
                      size_t count, unsigned columns, size_t batch, struct error *err);
void pool_release(struct pool *pool); /* also after a failure */

/* Bytes that pool_open takes. */
uint64_t pool_bytes(const struct key_source *source, size_t count, unsigned columns);

#endif
