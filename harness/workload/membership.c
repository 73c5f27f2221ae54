/* SPDX-License-Identifier: MIT
 *
 * membership.c: insert n members, ask for all of them (false negatives) and for non-members (false
 * positives), look at the filter.
 */
#include "harness/workload/membership.h"

#include "harness/workload/fault.h"
#include "harness/workload/pass.h"

/* By as many threads as the trial may start, where it is not searched for suspects. */
static enum status pass_ask(uint64_t *found, const struct filter *filter,
                            struct digest_source *keys, unsigned threads, uint64_t end,
                            struct key_digest *digest, struct suspects *suspects, void *scratch,
                            struct error *err)
{
    struct pass_readers readers;
    if (threads <= 1 || suspects) {
        *found = pass_query(filter, keys, 0, end, digest, suspects, scratch);
        return OK;
    }
    enum status status = pass_readers_open(&readers, keys, threads, filter->layout, err);
    if (!status && pass_count_pays(filter, end))
        status =
            pass_count_threads(found, filter, readers.reader, readers.count, 0, end, digest, err);
    else if (!status)
        status = pass_query_threads(found, filter, &readers, 0, end, digest, err);
    pass_readers_release(&readers);
    return status;
}

static enum status insert_members(struct filter *filter, struct trial_keys *keys, uint64_t end,
                                  struct key_digest *digest, void *scratch, struct error *err)
{
    struct pass_readers readers;
    if (keys->threads <= 1 || !filter->ops->scatter)
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
