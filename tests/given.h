/* SPDX-License-Identifier: MIT
 *
 * given.h: digests that a test writes down: key i has digest[i * columns .. i * columns + columns).
 */
#ifndef BLOOMLAB_TESTS_GIVEN_H
#define BLOOMLAB_TESTS_GIVEN_H

#include <stdlib.h>

#include "filters/filter.h"

struct given {
    struct digests base;
    const uint64_t *digest;
    unsigned columns;
};

static inline const uint64_t *given_column(struct digests *self, unsigned column,
                                           const uint32_t *which, size_t count, uint64_t *out)
{
    const struct given *given = (const struct given *)self;
    for (size_t i = 0; i < count; i++)
        out[i] = given->digest[(which ? which[i] : i) * given->columns + column];
    return out;
}

static inline struct given given_keys(const uint64_t *digest, unsigned columns, size_t count,
                                      unsigned bits)
{
    return (struct given){{given_column, count, bits}, digest, columns};
}

/* A filter on the heap, for tests that need no more than that. */
struct plain_filter {
    struct layout *layout; /* apart, so that the struct may be copied */
    struct filter filter;
    void *scratch;
};

/* Plans and opens; the plan's status, nothing is open when it is not OK. */
static inline enum status plain_open(struct plain_filter *plain, const struct filter_ops *ops,
                                     const struct filter_params *params, struct error *err)
{
    plain->layout = malloc(sizeof *plain->layout);
    enum status status = ops->plan(plain->layout, params, err);
    if (status)
        return free(plain->layout), status;
    plain->scratch = aligned_alloc(64, (plain->layout->scratch_bytes + 64) / 64 * 64);
    plain->filter =
        (struct filter){.ops = ops,
                        .layout = plain->layout,
                        .memory = aligned_alloc(64, (plain->layout->bytes + 64) / 64 * 64)};
    ops->init(&plain->filter);
    return OK;
}

static inline void plain_close(struct plain_filter *plain)
{
    free(plain->layout);
    free(plain->scratch);
    free(plain->filter.memory);
}

static inline void plain_insert(struct plain_filter *plain, struct digests *batch)
{
    plain->filter.ops->insert(&plain->filter, batch, plain->scratch, NULL);
}

static inline uint64_t plain_query(struct plain_filter *plain, uint8_t *present,
                                   struct digests *batch)
{
    return plain->filter.ops->query(&plain->filter, present, batch, plain->scratch);
}

static inline uint64_t plain_remove(struct plain_filter *plain, uint8_t *removed,
                                    struct digests *batch)
{
    return plain->filter.ops->remove(&plain->filter, removed, batch, plain->scratch);
}

#endif
