/* SPDX-License-Identifier: MIT
 *
 * probes.c: which probes hit is kept as a row of bits per probe, a bit a key: two probes hit
 * together as often as the AND of their rows has bits.
 */
#include "harness/workload/probes.h"

#include <stdlib.h>
#include <string.h>

/* Work area for one batch. */
struct probes_batch {
    uint64_t *position; /* of probe i at i * layout->batch */
    uint64_t *hit;      /* of probe i at i * words */
    size_t words;
};

static bool probes_pairs(const struct cell *cell)
{
    return cell->layout.k <= PROBES_PAIRS_K_MAX;
}

size_t probes_rows(const struct cell *cell)
{
    size_t k = cell->layout.k;
    if (!cell->ops->probes || !cell->queries)
        return 0;
    return probes_pairs(cell) ? k + k * (k - 1) / 2 : k;
}

void probes_of_row(unsigned *i, unsigned *j, const struct cell *cell, size_t row)
{
    const unsigned k = cell->layout.k;
    *i = *j = (unsigned)row;
    if (row < k)
        return;
    row -= k;
    for (*i = 0; row >= k - 1 - *i; ++*i)
        row -= k - 1 - *i;
    *j = *i + 1 + (unsigned)row;
}

static enum status probes_allocate(struct probes_batch *batch, const struct layout *layout,
                                   struct error *err)
{
    batch->words = (layout->batch + 63) / 64;
    batch->position = malloc(layout->k * layout->batch * sizeof *batch->position);
    batch->hit = malloc(layout->k * batch->words * sizeof *batch->hit);
    if (batch->position && batch->hit)
        return OK;
    return fail(err, E_RUN, "no memory for %u probes of a batch", layout->k);
}

static void probes_release(struct probes_batch *batch)
{
    free(batch->position);
    free(batch->hit);
}

static size_t probes_next(const struct layout *layout, uint64_t first, uint64_t all)
{
    return all - first < layout->batch ? (size_t)(all - first) : layout->batch;
}

static enum status probes_insert(struct filter *filter, struct digest_source *members, uint64_t n,
                                 void *scratch, struct error *err)
{
    enum status status = OK;
    for (uint64_t first = 0; first < n && !status; first += filter->layout->batch) {
        struct digests *keys =
            digest_source_batch(members, first, probes_next(filter->layout, first, n));
        status = filter->ops->insert(filter, keys, scratch, err);
    }
    return status;
}

static void probes_test(struct probes_batch *batch, const struct filter *filter, size_t count)
{
    const struct layout *layout = filter->layout;
    memset(batch->hit, 0, layout->k * batch->words * sizeof *batch->hit);
    for (unsigned i = 0; i < layout->k; i++) {
        const uint64_t *position = batch->position + (size_t)i * layout->batch;
        uint64_t *hit = batch->hit + i * batch->words;
        for (size_t j = 0; j < count; j++)
            hit[j / 64] |= (uint64_t)filter->ops->test(filter, position[j]) << j % 64;
    }
}

static uint64_t probes_common(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t count = 0;
    for (size_t w = 0; w < words; w++)
        count += (uint64_t)__builtin_popcountll(a[w] & b[w]);
    return count;
}

/* Adds the batch to the counts. */
static void probes_add(struct probe_count *counts, const struct probes_batch *batch,
                       const struct cell *cell)
{
    const unsigned k = cell->layout.k;
    const size_t words = batch->words;
    struct probe_count *pair = counts + k;
    for (unsigned i = 0; i < k; i++) {
        const uint64_t *hit = batch->hit + i * words;
        counts[i].hits += probes_common(hit, hit, words);
        for (unsigned j = i + 1; probes_pairs(cell) && j < k; j++, pair++)
            pair->hits += probes_common(hit, batch->hit + j * words, words);
    }
}

static enum status probes_expect(struct probe_count *counts, const struct filter *filter,
                                 const struct cell *cell, struct error *err)
{
    const unsigned k = cell->layout.k;
    double *single = malloc((k + (size_t)k * k) * sizeof *single);
    if (!single)
        return fail(err, E_RUN, "no memory for the rates of %u probes", k);
    double *pair = probes_pairs(cell) ? single + k : NULL;
    filter->ops->probe_rates(filter, single, pair);
    for (size_t row = 0; row < probes_rows(cell); row++) {
        unsigned i, j;
        probes_of_row(&i, &j, cell, row);
        counts[row] = (struct probe_count){.rate = i == j ? single[i] : pair[i * k + j]};
    }
    free(single);
    return OK;
}

static enum status probes_query(struct probe_count *counts, const struct filter *filter,
                                const struct cell *cell, struct digest_source *queries,
                                void *scratch, struct error *err)
{
    const struct layout *layout = filter->layout;
    struct probes_batch batch;
    enum status status = probes_allocate(&batch, layout, err);
    for (uint64_t first = 0; first < cell->queries && !status; first += layout->batch) {
        size_t count = probes_next(layout, first, cell->queries);
        filter->ops->probes(filter, batch.position, digest_source_batch(queries, first, count),
                            scratch);
        probes_test(&batch, filter, count);
        probes_add(counts, &batch, cell);
    }
    probes_release(&batch);
    return status;
}

enum status probes_run(struct probe_count *counts, const struct cell *cell, struct trial_keys *keys,
                       struct workspace *space, struct error *err)
{
    struct filter filter;
    enum status status = workspace_filter(space, &filter, cell->ops, &cell->layout, err);
    if (!status)
        status = probes_insert(&filter, &keys->members, cell->members, space->scratch, err);
    if (!status)
        status = probes_expect(counts, &filter, cell, err);
    if (!status)
        status = probes_query(counts, &filter, cell, &keys->queries, space->scratch, err);
    return status;
}
