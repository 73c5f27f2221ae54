/* SPDX-License-Identifier: MIT */
#include "harness/workload/pass.h"

#include <math.h>

/* ---- the digest of keys ---------------------------------------------------------------------- */

enum status key_digest_open(struct key_digest *digest, struct error *err)
{
    *digest = (struct key_digest){XXH3_createState(), XXH3_createState()};
    if (!digest->bytes || !digest->lengths)
        return fail(err, E_RUN, "no memory for the digest of the keys");
    XXH3_64bits_reset(digest->bytes);
    XXH3_64bits_reset(digest->lengths);
    return OK;
}

void key_digest_add(struct key_digest *digest, const struct key_batch *keys)
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

uint64_t key_digest_close(struct key_digest *digest)
{
    uint64_t value = 0;
    if (digest->bytes && digest->lengths)
        value = XXH3_64bits_digest(digest->bytes) ^ XXH3_64bits_digest(digest->lengths);
    XXH3_freeState(digest->bytes);
    XXH3_freeState(digest->lengths);
    return value;
}

/* ---- passes ---------------------------------------------------------------------------------- */

struct filter pass_filter(const struct cell *cell, unsigned char *memory)
{
    struct filter filter = {.ops = cell->ops, .layout = &cell->layout, .memory = memory};
    cell->ops->init(&filter);
    return filter;
}

struct digests *pass_batch(struct digest_source *keys, const struct layout *layout, uint64_t first,
                           uint64_t end)
{
    uint64_t left = end - first;
    return digest_source_batch(keys, first, left < layout->batch ? (size_t)left : layout->batch);
}

enum status pass_insert(struct filter *filter, struct digest_source *keys, uint64_t first,
                        uint64_t end, struct key_digest *digest, void *scratch, struct error *err)
{
    for (; first < end; first += filter->layout->batch) {
        struct digests *batch = pass_batch(keys, filter->layout, first, end);
        if (digest)
            key_digest_add(digest, &keys->keys);
        enum status status = filter->ops->insert(filter, batch, scratch, err);
        if (status)
            return status;
    }
    return OK;
}

uint64_t pass_query(const struct filter *filter, struct digest_source *keys, uint64_t first,
                    uint64_t end, struct key_digest *digest, struct suspects *suspects,
                    void *scratch)
{
    uint64_t found = 0;
    uint8_t present[FILTER_BATCH];
    for (; first < end; first += filter->layout->batch) {
        struct digests *batch = pass_batch(keys, filter->layout, first, end);
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

uint64_t pass_remove(struct filter *filter, struct digest_source *keys, uint64_t first,
                     uint64_t end, void *scratch)
{
    uint64_t gone = 0;
    for (; first < end; first += filter->layout->batch)
        gone += filter->ops->remove(filter, NULL, pass_batch(keys, filter->layout, first, end),
                                    scratch);
    return gone;
}

/* ---- looking at a filter --------------------------------------------------------------------- */

enum status pass_look(struct trial_result *result, const struct filter *filter, struct error *err)
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

enum status pass_measures(struct trial_result *result, const struct filter *filter,
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
