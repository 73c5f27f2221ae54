/* SPDX-License-Identifier: MIT
 *
 * joined.h: one wide digest a key, for variants that make everything of it (blocked, split_block,
 * hyperloglog).
 *
 * Digests of w <= 32 bits come two to a key, joined to 2w bits: column 0 is the low half, column 1
 * the high one. Wider digests stand alone, at their own width. A joined digest is thus 16 .. 64
 * bits wide.
 */
#ifndef BLOOMLAB_JOINED_H
#define BLOOMLAB_JOINED_H

#include "filters/filter.h"

struct joined_scratch {
    uint64_t low[FILTER_BATCH]; /* column 0; the joined digests in its place */
    uint64_t high[FILTER_BATCH];
};

static inline unsigned joined_columns(unsigned digest_bits)
{
    return digest_bits <= 32 ? 2 : 1;
}

static inline unsigned joined_bits(unsigned digest_bits)
{
    return digest_bits * joined_columns(digest_bits);
}

/* E_IMPOSSIBLE: the family does not give the columns that are to be joined. */
static inline enum status joined_check(const struct filter_params *params, const char *variant,
                                       struct error *err)
{
    unsigned columns = joined_columns(params->digest_bits);
    if (columns > params->digest_columns)
        return fail(err, E_IMPOSSIBLE, "%s joins %u digests of %u bits to one, the family gives %u",
                    variant, columns, params->digest_bits, params->digest_columns);
    return OK;
}

/* The joined digests of all keys of the batch; they stand until the source's next batch or the next
 * call with this scratch. */
static inline const uint64_t *joined_load(struct digests *batch, unsigned digest_bits,
                                          struct joined_scratch *scratch)
{
    const uint64_t *low = digests_column(batch, 0, NULL, batch->count, scratch->low);
    if (joined_columns(digest_bits) == 1)
        return low;
    const uint64_t *high = digests_column(batch, 1, NULL, batch->count, scratch->high);
    for (size_t i = 0; i < batch->count; i++)
        scratch->low[i] = low[i] | high[i] << digest_bits;
    return scratch->low;
}

#endif
