/* SPDX-License-Identifier: MIT
 *
 * membership.c: insert n members, ask for all of them (false negatives) and for non-members (false
 * positives), look at the filter.
 */
#include "harness/workload/membership.h"

#include "harness/workload/fault.h"
#include "harness/workload/pass.h"

enum { ASK_ALONE = 1 << 8 }; /* batches, while suspects are looked for: one thread takes them */

/* A filter of fewer bytes is filled sooner by one thread: regions cost more than its misses. */
enum { INSERT_SHARED_BYTES = 8 << 20 };

/* By as many threads as the trial may start, from where on it is not searched for suspects. */
static enum status pass_ask(uint64_t *found, const struct filter *filter,
                            struct digest_source *keys, unsigned threads, uint64_t end,
                            struct key_digest *digest, struct suspects *suspects, void *scratch,
                            struct error *err)
{
    struct pass_readers readers;
    const uint64_t run = threads > 1 ? ASK_ALONE * (uint64_t)filter->layout->batch : end;
    uint64_t first = 0, shared;
    *found = 0;
    while (first < end &&
           (threads <= 1 || (suspects && suspects->count < COLLISION_SUSPECTS_MAX))) {
        uint64_t next = end - first < run ? end : first + run;
        *found += pass_query(filter, keys, first, next, digest, suspects, scratch);
        first = next;
    }
    if (first == end)
        return OK;
    enum status status = pass_readers_open(&readers, keys, threads, filter->layout, err);
    if (!status)
        status = pass_count_pays(filter, end - first)
                     ? pass_count_threads(&shared, filter, readers.reader, readers.count, first,
                                          end, digest, err)
                     : pass_query_threads(&shared, filter, &readers, first, end, digest, err);
    *found += status ? 0 : shared;
    pass_readers_release(&readers);
    return status;
}

static enum status insert_members(struct filter *filter, struct trial_keys *keys, uint64_t end,
                                  struct key_digest *digest, void *scratch, struct error *err)
{
    struct pass_readers readers;
    if (keys->threads <= 1 || !filter->ops->scatter || filter->layout->bytes < INSERT_SHARED_BYTES)
        return pass_insert(filter, &keys->members, 0, end, digest, scratch, err);
    enum status status =
        pass_readers_open(&readers, &keys->members, keys->threads, filter->layout, err);
    if (!status)
        status = pass_insert_threads(filter, readers.reader, readers.count, 0, end, digest, err);
    pass_readers_release(&readers);
    return status;
}

/* Asks for the non-members; where some are found, how many are so because they collide. */
static enum status query_strangers(struct trial_result *result, struct filter *filter,
                                   const struct cell *cell, struct trial_keys *keys,
                                   struct key_digest *digest, void *scratch, struct error *err)
{
    struct suspects suspects = {.cell = cell};
    uint64_t colliding = 0;
    enum status status =
        pass_ask(&result->false_positives, filter, &keys->queries, keys->threads, cell->queries,
                 digest, suspects_wanted(cell, keys->trial) ? &suspects : NULL, scratch, err);
    if (!status)
        status = suspects_collide(&colliding, &suspects, keys, err);
    suspects_release(&suspects);
    if (!status && colliding)
        status = trial_measure_add(result, "colliding_queries", (double)colliding, err);
    return status;
}

enum status membership_ask(struct trial_result *result, struct filter *filter,
                           const struct cell *cell, struct trial_keys *keys,
                           struct key_digest *digest, void *scratch, struct error *err)
{
    enum status status = OK;
    result->n_distinct = cell->n;
    result->queries = cell->queries;
    if (filter->ops->query) {
        uint64_t found = 0;
        status = pass_ask(&found, filter, &keys->members, keys->threads, cell->n, NULL, NULL,
                          scratch, err);
        result->false_negatives = cell->n - found;
        if (!status)
            status = query_strangers(result, filter, cell, keys, digest, scratch, err);
    }
    if (!status)
        status = pass_look(result, filter, err);
    if (!status)
        status = fault_apply(result, cell, err);
    return status ? status : pass_measures(result, filter, err);
}

static enum status membership_run(struct trial_result *result, const struct cell *cell,
                                  struct trial_keys *keys, struct workspace *space,
                                  struct error *err)
{
    struct filter filter;
    struct key_digest digest;
    enum status status = key_digest_open(&digest, err);
    if (!status)
        status = workspace_filter(space, &filter, cell->ops, &cell->layout, err);
    if (!status)
        status = insert_members(&filter, keys, cell->members, &digest, space->scratch, err);
    if (!status)
        status = membership_ask(result, &filter, cell, keys, &digest, space->scratch, err);
    result->keys_digest = key_digest_close(&digest);
    return status;
}

const struct workload_ops workload_membership = {
    .name = "membership",
    .summary = "insert n members, query them and non-members",
    .run = membership_run,
};
