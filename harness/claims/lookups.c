/* SPDX-License-Identifier: MIT */
#include "harness/claims/lookups.h"

#include <stdio.h>
#include <string.h>

#include "filters/theory/scalable.h"

enum { LOOKUP_SLICES = 7, LOOKUP_STRANGERS = 100000 };

/* 1000, 2000, 4000, ... keys: with seven slices full, 127000. */
static const struct scalable_rule lookup_rule = {
    .growth = GROWTH_EXPONENTIAL,
    .initial_capacity = 1000,
    .scale_factor = 2,
    .tightening = 1,
    .first_rate = 0.01,
    .slice_k = SLICE_K_CEIL,
};

struct lookups {
    struct digest_source members, strangers;
    struct layout layout[LOOKUP_SLICES];
    struct filter filter[LOOKUP_SLICES];
    struct workspace space[LOOKUP_SLICES];
    uint64_t capacity[LOOKUP_SLICES], keys;
    unsigned columns;
};

static enum status lookups_slice(struct lookups *lookups, unsigned i, struct error *err)
{
    struct slice slice;
    const struct filter_ops *ops = filter_find("classic");
    enum status status = theory_scalable_slice(&slice, &lookup_rule, i, err);
    if (status)
        return status;
    const struct filter_params params = {
        .m = slice.m,
        .n = slice.capacity,
        .k = slice.k,
        .digest_bits = 64,
        .digest_columns = FAMILY_UNLIMITED,
    };
    lookups->capacity[i] = slice.capacity;
    lookups->keys += slice.capacity;
    lookups->columns = slice.k > lookups->columns ? slice.k : lookups->columns;
    status = ops->plan(&lookups->layout[i], &params, err);
    if (!status)
        status = workspace_filter(&lookups->space[i], &lookups->filter[i], ops, &lookups->layout[i],
                                  err);
    return status;
}

static enum status lookups_keys(struct lookups *lookups, const struct key_source *source,
                                struct error *err)
{
    struct key_stream stream;
    const struct digest_family family = {
        .family = FAMILY_SPLIT,
        .hash = hash_find("murmur3_x64_128"),
        .digest_bits = 64,
    };
    key_stream_init(&stream, source, 1);
    enum status status =
        digest_source_init(&lookups->members, &stream, KEY_MEMBER, &family, lookups->keys,
                           lookups->columns, FILTER_BATCH, LOOKUP_SLICES, err);
    if (!status)
        status =
            digest_source_init(&lookups->strangers, &stream, KEY_QUERY, &family, LOOKUP_STRANGERS,
                               lookups->columns, FILTER_BATCH, LOOKUP_SLICES, err);
    return status;
}

static size_t lookups_batch(uint64_t first, uint64_t end)
{
    return end - first < FILTER_BATCH ? (size_t)(end - first) : FILTER_BATCH;
}

/* Each slice takes its capacity, the newest keys the last one. */
static enum status lookups_fill(struct lookups *lookups, struct error *err)
{
    enum status status = OK;
    uint64_t first = 0;
    for (unsigned s = 0; s < LOOKUP_SLICES; s++) {
        struct filter *filter = &lookups->filter[s];
        uint64_t end = first + lookups->capacity[s];
        for (size_t count; !status && first < end; first += count) {
            count = lookups_batch(first, end);
            status =
                filter->ops->insert(filter, digest_source_batch(&lookups->members, first, count),
                                    lookups->space[s].scratch, err);
        }
    }
    return status;
}

/* Slices looked at in one order for key i; *found: the last of them said yes. */
static unsigned lookups_walk(bool *found, uint8_t present[LOOKUP_SLICES][FILTER_BATCH], size_t i,
                             bool newest_first)
{
    unsigned looked = 0;
    for (*found = false; !*found && looked < LOOKUP_SLICES; looked++)
        *found = present[newest_first ? LOOKUP_SLICES - 1 - looked : looked][i];
    return looked;
}

/* The mean over keys first .. end - 1 of a source. */
static void lookups_ask(struct lookup_counts *counts, struct lookups *lookups, enum lookup_mix mix,
                        uint64_t first, uint64_t end)
{
    struct digest_source *keys = mix == LOOKUP_MISSES ? &lookups->strangers : &lookups->members;
    static uint8_t present[LOOKUP_SLICES][FILTER_BATCH];
    double asked = 0;
    for (size_t count; first < end; first += count) {
        count = lookups_batch(first, end);
        for (unsigned s = 0; s < LOOKUP_SLICES; s++)
            lookups->filter[s].ops->query(&lookups->filter[s], present[s],
                                          digest_source_batch(keys, first, count),
                                          lookups->space[s].scratch);
        for (size_t i = 0; i < count; i++) {
            bool found;
            unsigned newest = lookups_walk(&found, present, i, true);
            unsigned oldest = lookups_walk(&found, present, i, false);
            if (found == (mix == LOOKUP_MISSES))
                continue;
            counts->newest_first[mix] += newest;
            counts->oldest_first[mix] += oldest;
            asked++;
        }
    }
    counts->newest_first[mix] /= asked;
    counts->oldest_first[mix] /= asked;
}

static void lookups_release(struct lookups *lookups)
{
    digest_source_release(&lookups->members);
    digest_source_release(&lookups->strangers);
    for (unsigned s = 0; s < LOOKUP_SLICES; s++)
        workspace_release(&lookups->space[s]);
}

enum status lookups_count(struct lookup_counts *counts, struct error *err)
{
    struct lookups lookups = {0};
    struct key_source *source = NULL;
    struct key_spec *spec = key_spec_new(KEYS_RANDOM64);
    enum status status = spec ? OK : fail(err, E_RUN, "no memory for a kind of keys");
    for (unsigned s = 0; !status && s < LOOKUP_SLICES; s++)
        status = lookups_slice(&lookups, s, err);
    if (!status)
        status = key_source_open(&source, spec, err);
    if (!status)
        status = lookups_keys(&lookups, source, err);
    if (!status)
        status = lookups_fill(&lookups, err);
    *counts = (struct lookup_counts){.slices = LOOKUP_SLICES};
    if (!status) {
        uint64_t keys = lookups.keys;
        lookups_ask(counts, &lookups, LOOKUP_NEWEST_TENTH, keys - keys / 10, keys);
        lookups_ask(counts, &lookups, LOOKUP_ALL, 0, keys);
        lookups_ask(counts, &lookups, LOOKUP_OLDEST_TENTH, 0, keys / 10);
        lookups_ask(counts, &lookups, LOOKUP_MISSES, 0, LOOKUP_STRANGERS);
    }
    lookups_release(&lookups);
    key_source_free(source);
    key_spec_free(spec);
    return status;
}

/* ---- the claims ------------------------------------------------------------------------------ */

static const char lookups_how[] =
    "7 full slices for 1000, 2000, .. 64000 keys at 1 %, 127000 members and 100000 strangers "
    "asked; "
    "filters scalable_exponential with lookup newest_first, oldest_first";

enum status lookups_miss(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                         struct error *err)
{
    struct lookup_counts counts;
    (void)claim, (void)lab;
    enum status status = lookups_count(&counts, err);
    if (status)
        return status;
    finding_computed(finding, "slices newest first", counts.slices, 0,
                     counts.newest_first[LOOKUP_MISSES]);
    finding_computed(finding, "slices oldest first", counts.slices, 0,
                     counts.oldest_first[LOOKUP_MISSES]);
    finding_how(finding, "%s", lookups_how);
    return OK;
}

/* Better for the newest keys, worse for the oldest: the mix decides. */
enum status lookups_recent(struct finding *finding, const struct claim *claim,
                           struct claim_lab *lab, struct error *err)
{
    static const char *const name[LOOKUP_MISSES] = {"the newest tenth", "all members",
                                                    "the oldest tenth"};
    struct lookup_counts counts;
    bool always = true;
    (void)claim, (void)lab;
    enum status status = lookups_count(&counts, err);
    if (status)
        return status;
    for (int mix = 0; mix < LOOKUP_MISSES; mix++) {
        double newest = counts.newest_first[mix], oldest = counts.oldest_first[mix];
        char text[FINDING_NAME_MAX];
        snprintf(text, sizeof text, "newest first, %s", name[mix]);
        finding_aside(finding, text, newest);
        snprintf(text, sizeof text, "oldest first, %s", name[mix]);
        finding_aside(finding, text, oldest);
        finding_say(finding, "%s%.6g slices newest first, %.6g oldest first for %s",
                    mix ? "; " : "", newest, oldest, name[mix]);
        always = always && newest <= oldest;
    }
    finding_holds(finding, always, CLAIM_AMBIGUOUS);
    finding_how(finding, "%s", lookups_how);
    return OK;
}
