/* SPDX-License-Identifier: MIT */
#include "harness/stream/add.h"

/* One key of a batch, as a batch of its own. */
struct stream_one {
    struct digests batch; /* first, so that the filter's pointer is ours */
    struct digests *all;
    uint32_t key;
};

static const uint64_t *stream_one_column(struct digests *self, unsigned column,
                                         const uint32_t *which, size_t count, uint64_t *out)
{
    (void)which; /* NULL, or the number 0 */
    struct stream_one *one = (struct stream_one *)self;
    return digests_column(one->all, column, &one->key, count, out);
}

bool stream_can_add(const struct filter_ops *ops)
{
    return ops->capabilities & CAN_ANSWER_MEMBERSHIP;
}

size_t stream_batch(const struct layout *layout)
{
    return layout->batch < FILTER_BATCH ? layout->batch : FILTER_BATCH;
}

static enum status stream_add_singly(struct filter *filter, uint64_t *found, uint8_t *present,
                                     struct digests *batch, void *scratch, struct error *err)
{
    struct stream_one one = {
        .batch = {.column = stream_one_column, .count = 1, .bits = batch->bits}, .all = batch};
    enum status status = OK;
    *found = filter->ops->query(filter, present, batch, scratch);
    for (; !status && one.key < batch->count; one.key++) {
        if (present[one.key])
            continue;
        filter->ops->query(filter, &present[one.key], &one.batch, scratch);
        if (present[one.key])
            ++*found;
        else
            status = filter->ops->insert(filter, &one.batch, scratch, err);
    }
    return status;
}

enum status stream_add(struct filter *filter, uint64_t *found, uint8_t *present,
                       struct digests *batch, void *scratch, struct error *err)
{
    if (filter->ops->add)
        return filter->ops->add(filter, found, present, batch, scratch, err);
    return stream_add_singly(filter, found, present, batch, scratch, err);
}
