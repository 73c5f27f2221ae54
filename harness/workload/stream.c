/* SPDX-License-Identifier: MIT
 *
 * stream.c: n different keys, one after the other: each is asked for, then added. One that is found
 * is lost: who drops repeated messages would have dropped it. Then the same as membership: the
 * rate of the queries is that of the next new key.
 *
 * Measures: lost_keys, lost_last_tenth (among the last n/10). The theory of both is in
 * estimates.csv as shares: lost_share, lost_share_last_tenth, and lost_share_end of the next key,
 * which take the width of the digests into account (harness/stream/theory.h).
 */
#include "harness/workload/stream.h"

#include <math.h>

#include "harness/stream/add.h"
#include "harness/stream/theory.h"
#include "harness/workload/membership.h"

static enum status stream_plan(struct cell *cell, struct error *err)
{
    if (stream_can_add(cell->ops))
        return OK;
    return fail(err, E_IMPOSSIBLE, "%s does not say of a key whether it was there",
                cell->ops->name);
}

/* The first key of the last tenth. */
static uint64_t stream_tail(uint64_t n)
{
    return n - n / 10;
}

/* Keys first .. end - 1; how many were found. */
static enum status stream_pass(uint64_t *lost, struct filter *filter, struct digest_source *keys,
                               uint64_t first, uint64_t end, struct key_digest *digest,
                               void *scratch, struct error *err)
{
    uint8_t present[FILTER_BATCH];
    enum status status = OK;
    size_t most = stream_batch(filter->layout);
    *lost = 0;
    for (uint64_t found; !status && first < end; first += most) {
        size_t count = end - first < most ? (size_t)(end - first) : most;
        struct digests *batch = digest_source_batch(keys, first, count);
        key_digest_add(digest, &keys->keys);
        status = stream_add(filter, &found, present, batch, scratch, err);
        *lost += found;
    }
    return status;
}

static enum status stream_in(struct trial_result *result, struct filter *filter,
                             const struct cell *cell, struct trial_keys *keys,
                             struct key_digest *digest, void *scratch, struct error *err)
{
    uint64_t body, tail, n = cell->members;
    enum status status =
        stream_pass(&body, filter, &keys->members, 0, stream_tail(n), digest, scratch, err);
    if (!status)
        status =
            stream_pass(&tail, filter, &keys->members, stream_tail(n), n, digest, scratch, err);
    if (!status)
        status = trial_measure_add(result, "lost_keys", (double)(body + tail), err);
    if (!status)
        status = trial_measure_add(result, "lost_last_tenth", (double)tail, err);
    return status ? status : membership_ask(result, filter, cell, keys, digest, scratch, err);
}

static enum status stream_run(struct trial_result *result, const struct cell *cell,
                              struct trial_keys *keys, struct workspace *space, struct error *err)
{
    struct filter filter;
    struct key_digest digest;
    enum status status = key_digest_open(&digest, err);
    if (!status)
        status = workspace_filter(space, &filter, cell->ops, &cell->layout, err);
    if (!status)
        status = stream_in(result, &filter, cell, keys, &digest, space->scratch, err);
    result->keys_digest = key_digest_close(&digest);
    return status;
}

static bool stream_formula(const struct cell *cell, unsigned i, struct formula *formula)
{
    static const char *const names[] = {"lost_share", "lost_share_last_tenth", "lost_share_end"};
    const uint64_t n = cell->n, first[] = {0, stream_tail(n), n};
    const uint64_t end[] = {n, n, n + 1};
    const struct stream_law law = {
        .ops = cell->ops,
        .layout = &cell->layout,
        .hashed = cell->hash != NULL,
        .family = cell->hash ? cell->hash->family : FAMILY_SEEDED,
        .digest_bits = cell->digest_bits,
    };
    if (i >= sizeof names / sizeof *names)
        return false;
    *formula = (struct formula){
        .name = names[i],
        .value = end[i] > first[i]
                     ? stream_lost(&law, first[i], end[i]) / (double)(end[i] - first[i])
                     : NAN,
        .source = "mean of the rate while the filter fills, the digests' width included",
    };
    return true;
}

const struct workload_ops workload_stream = {
    .name = "stream",
    .summary = "ask for each of n keys, then add it; query them and non-members",
    .plan = stream_plan,
    .run = stream_run,
    .formula = stream_formula,
};
