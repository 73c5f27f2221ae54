/* SPDX-License-Identifier: MIT
 *
 * membership.c: insert n members, ask for all of them (false negatives) and for non-members (false
 * positives), look at the filter.
 */
#include "harness/workload/membership.h"

#include <math.h>
#include <xxhash.h>

#include "harness/workload/collision.h"
#include "harness/workload/fault.h"

/* A running digest of keys that does not depend on how they were cut into batches. */
struct key_digest {
    XXH3_state_t *bytes, *lengths;
};

static void key_digest_add(struct key_digest *digest, const struct key_batch *keys)
{
    if (!keys->offsets) {
        XXH3_64bits_update(digest->bytes, keys->bytes, keys->length * keys->count);
        return;
    }
    for (size_t i = 0; i < keys->count; i++) {
        uint64_t length = keys->offsets[i + 1] - keys->offsets[i];
        XXH3_64bits_update(digest->lengths, &length, sizeof length);
    }
    XXH3_64bits_update(digest->bytes, keys->bytes + keys->offsets[0],
                       keys->offsets[keys->count] - keys->offsets[0]);
}

static size_t batch_count(const struct layout *layout, uint64_t first, uint64_t all)
{
    return all - first < layout->batch ? (size_t)(all - first) : layout->batch;
}

static enum status insert_all(struct filter *filter, struct digest_source *members, uint64_t n,
                              struct key_digest *digest, void *scratch, struct error *err)
{
    for (uint64_t first = 0; first < n; first += filter->layout->batch) {
        struct digests *batch =
            digest_source_batch(members, first, batch_count(filter->layout, first, n));
        key_digest_add(digest, &members->keys);
        enum status status = filter->ops->insert(filter, batch, scratch, err);
        if (status)
            return status;
    }
    return OK;
}

/* How many of the first `count` keys of a source are found. digest, suspects: may be NULL. */
static uint64_t query_all(const struct filter *filter, struct digest_source *keys, uint64_t count,
                          struct key_digest *digest, struct suspects *suspects, void *scratch)
{
    uint64_t found = 0;
    uint8_t present[FILTER_BATCH];
    for (uint64_t first = 0; first < count; first += filter->layout->batch) {
        struct digests *batch =
            digest_source_batch(keys, first, batch_count(filter->layout, first, count));
        if (digest)
            key_digest_add(digest, &keys->keys);
        bool looking = suspects && suspects->count < COLLISION_SUSPECTS_MAX;
        uint64_t hits = filter->ops->query(filter, looking ? present : NULL, batch, scratch);
        if (looking && hits)
            suspects_add(suspects, batch, first, present);
        found += hits;
    }
    return found;
}

/* Asks for the non-members; where some are found, how many are so because they collide. */
static enum status query_strangers(struct trial_result *result, struct filter *filter,
                                   const struct cell *cell, struct trial_keys *keys,
                                   struct key_digest *digest, void *scratch, struct error *err)
{
    struct suspects suspects = {.cell = cell};
    uint64_t colliding = 0;
    result->false_positives =
        query_all(filter, &keys->queries, cell->queries, digest,
                  suspects_wanted(cell, keys->trial) ? &suspects : NULL, scratch);
    enum status status = suspects_collide(&colliding, &suspects, keys, err);
    suspects_release(&suspects);
    if (!status && colliding)
        status = trial_measure_add(result, "colliding_queries", (double)colliding, err);
    return status;
}

static enum status take_measures(struct trial_result *result, const struct filter *filter,
                                 struct error *err)
{
    enum status status = OK;
    struct measure measure;
    if (filter->ops->cardinality)
        status = trial_measure_add(result, "cardinality", filter->ops->cardinality(filter), err);
    for (unsigned i = 0;
         !status && filter->ops->measure && filter->ops->measure(filter, i, &measure); i++)
        status = trial_measure_add(result, measure.name, measure.value, err);
    return status;
}

static enum status look_at(struct trial_result *result, const struct filter *filter,
                           struct error *err)
{
    const struct filter_ops *ops = filter->ops;
    struct estimate scheme = {.value = NAN, .se = NAN};
    if (ops->fpr_scheme)
        scheme = ops->fpr_scheme(filter);
    result->bits_set = ops->count_bits(filter);
    result->fpr_bits = ops->fpr_bits ? ops->fpr_bits(filter) : NAN;
    result->fpr_scheme = scheme.value;
    result->memory_bytes = filter->layout->bytes + (filter->arena ? filter->arena->used : 0);
    result->bits_digest = filter_digest(filter);
    return scheme.se > 0 ? trial_measure_add(result, "fpr_scheme_se", scheme.se, err) : OK;
}

static enum status membership_in(struct trial_result *result, struct filter *filter,
                                 const struct cell *cell, struct trial_keys *keys,
                                 struct key_digest *digest, void *scratch, struct error *err)
{
    enum status status = insert_all(filter, &keys->members, cell->members, digest, scratch, err);
    if (status)
        return status;
    result->n_distinct = cell->n;
    result->queries = cell->queries;
    if (filter->ops->query) {
        result->false_negatives =
            cell->n - query_all(filter, &keys->members, cell->n, NULL, NULL, scratch);
        status = query_strangers(result, filter, cell, keys, digest, scratch, err);
    }
    if (!status)
        status = look_at(result, filter, err);
    if (!status)
        status = fault_apply(result, cell, err);
    return status ? status : take_measures(result, filter, err);
}

static enum status membership_run(struct trial_result *result, const struct cell *cell,
                                  struct trial_keys *keys, struct workspace *space,
                                  struct error *err)
{
    struct filter filter;
    struct key_digest digest = {XXH3_createState(), XXH3_createState()};
    enum status status = workspace_filter(space, &filter, cell->ops, &cell->layout, err);
    if (!status && (!digest.bytes || !digest.lengths))
        status = fail(err, E_RUN, "no memory for the digest of the keys");
    if (!status) {
        XXH3_64bits_reset(digest.bytes);
        XXH3_64bits_reset(digest.lengths);
        status = membership_in(result, &filter, cell, keys, &digest, space->scratch, err);
    }
    if (!status)
        result->keys_digest = XXH3_64bits_digest(digest.bytes) ^ XXH3_64bits_digest(digest.lengths);
    XXH3_freeState(digest.bytes);
    XXH3_freeState(digest.lengths);
    return status;
}

const struct workload_ops workload_membership = {
    .name = "membership",
    .summary = "insert n members, query them and non-members",
    .run = membership_run,
};
