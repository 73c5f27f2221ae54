/* SPDX-License-Identifier: MIT
 *
 * digests.h: what a filter consumes: a batch of keys, seen only through their digests.
 *
 * Digests come by column: column i holds the i-th digest of every key of the batch. A filter asks
 * for a column only when it needs it and, for later columns, only for the keys still undecided: a
 * negative query of a half-full filter needs 2 of its k digests on average. The source behind may
 * compute or remember; asked twice, it answers the same.
 */
#ifndef BLOOMLAB_DIGESTS_H
#define BLOOMLAB_DIGESTS_H

#include <stddef.h>
#include <stdint.h>

struct digests {
    /* The digests `column` of count keys: keys 0 .. count - 1 when which is NULL, else keys
     * which[0 .. count). Answers where they stand: either in memory of the source's own (unchanged
     * until the source moves to its next batch) or in out, which has room for count of them. Only
     * the low `bits` bits of a digest can be set. */
    const uint64_t *(*column)(struct digests *self, unsigned column, const uint32_t *which,
                              size_t count, uint64_t *out);
    size_t count;  /* keys in this batch: 0 .. layout.batch */
    unsigned bits; /* width of a digest: 8 .. 64 */
};

static inline const uint64_t *digests_column(struct digests *digests, unsigned column,
                                             const uint32_t *which, size_t count, uint64_t *out)
{
    return digests->column(digests, column, which, count, out);
}

#endif
