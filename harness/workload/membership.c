/* SPDX-License-Identifier: MIT
 *
 * membership.c: insert n members, ask for all of them (false negatives) and for non-members (false
 * positives), look at the filter.
 */
#include "harness/workload/membership.h"

#include "harness/workload/fault.h"
#include "harness/workload/pass.h"

/* Asks for the non-members; where some are found, how many are so because they collide. */
static enum status query_strangers(struct trial_result *result, struct filter *filter,
                                   const struct cell *cell, struct trial_keys *keys,
                                   struct key_digest *digest, void *scratch, struct error *err)
{
    struct suspects suspects = {.cell = cell};
    uint64_t colliding = 0;
    result->false_positives =
        pass_query(filter, &keys->queries, 0, cell->queries, digest,
                   suspects_wanted(cell, keys->trial) ? &suspects : NULL, scratch);
    enum status status = suspects_collide(&colliding, &suspects, keys, err);
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
        result->false_negatives =
            cell->n - pass_query(filter, &keys->members, 0, cell->n, NULL, NULL, scratch);
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
        status =
            pass_insert(&filter, &keys->members, 0, cell->members, &digest, space->scratch, err);
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
