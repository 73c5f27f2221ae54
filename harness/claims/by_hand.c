/* SPDX-License-Identifier: MIT */
#include "harness/claims/by_hand.h"

#include <string.h>

static const uint64_t *by_hand_column(struct digests *self, unsigned column, const uint32_t *which,
                                      size_t count, uint64_t *out)
{
    struct by_hand *hand = (struct by_hand *)self;
    family_column(&hand->family, &hand->keys, column, which, count, out, hand->scratch);
    return out;
}

enum status by_hand_open(struct by_hand *hand, const char *filter, uint64_t m, unsigned k,
                         const struct digest_family *family, struct error *err)
{
    const struct filter_ops *ops = filter_find(filter);
    struct filter_params params = {
        .m = m,
        .n = m,
        .k = k,
        .digest_bits = family_delivered_bits(family->family, family->digest_bits),
        .digest_columns = family_columns(family->family),
    };
    *hand = (struct by_hand){.family = *family, .batch = {.column = by_hand_column, .count = 1}};
    hand->batch.bits = params.digest_bits;
    if (family_scratch_bytes(family, 1, BY_HAND_KEY_MAX) > sizeof hand->scratch)
        return fail(err, E_RUN, "a key by hand is at most %d bytes long", BY_HAND_KEY_MAX);
    filter_params_defaults(&params, ops);
    enum status status = ops->plan(&hand->layout, &params, err);
    hand->layout.batch = 1;
    if (!status)
        status = workspace_filter(&hand->space, &hand->filter, ops, &hand->layout, err);
    return status;
}

void by_hand_close(struct by_hand *hand)
{
    workspace_release(&hand->space);
}

static struct digests *by_hand_key(struct by_hand *hand, const char *key)
{
    hand->offsets[0] = 0;
    hand->offsets[1] = strnlen(key, BY_HAND_KEY_MAX);
    hand->keys = (struct key_batch){
        .bytes = (const unsigned char *)key, .offsets = hand->offsets, .count = 1};
    return &hand->batch;
}

void by_hand_insert(struct by_hand *hand, const char *key)
{
    hand->filter.ops->insert(&hand->filter, by_hand_key(hand, key), hand->space.scratch, NULL);
}

bool by_hand_query(struct by_hand *hand, const char *key)
{
    return hand->filter.ops->query(&hand->filter, NULL, by_hand_key(hand, key),
                                   hand->space.scratch) == 1;
}

void by_hand_positions(struct by_hand *hand, uint64_t *position, const char *key)
{
    hand->filter.ops->probes(&hand->filter, position, by_hand_key(hand, key), hand->space.scratch);
}
