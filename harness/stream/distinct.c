/* SPDX-License-Identifier: MIT */
#include "harness/stream/distinct.h"

#include <math.h>

static const double distinct_z = 1.959963984540054; /* 95 % */

enum status distinct_open(struct distinct *distinct, const struct distinct_settings *settings,
                          struct error *err)
{
    *distinct = (struct distinct){.settings = *settings};
    const struct layout *layout = &distinct->settings.layout;
    enum status status =
        workspace_filter(&distinct->space, &distinct->filter, settings->ops, layout, err);
    if (!status)
        status = unit_open(&distinct->unit, &distinct->settings.family, layout->columns, err);
    return status;
}

void distinct_release(struct distinct *distinct)
{
    workspace_release(&distinct->space);
    unit_release(&distinct->unit);
    exact_release(&distinct->set);
}

/* Inserts the ids of the unit. */
static enum status distinct_insert(struct distinct *distinct, struct error *err)
{
    struct stream_unit *unit = &distinct->unit;
    const size_t batch = distinct->settings.layout.batch;
    enum status status = unit_close(unit, err);
    for (size_t first = 0; first < unit->count && !status; first += batch) {
        size_t count = unit->count - first < batch ? unit->count - first : batch;
        status = distinct->settings.ops->insert(&distinct->filter, unit_batch(unit, first, count),
                                                distinct->space.scratch, err);
    }
    distinct->messages += unit->count;
    unit_empty(unit);
    return status;
}

static enum status distinct_take(struct distinct *distinct, const struct stream_message *message,
                                 struct error *err)
{
    bool added;
    enum status status = OK;
    if (distinct->settings.exact)
        status = exact_add(&distinct->set, &added, message->id, message->id_size, err);
    if (!status)
        status = unit_append_id(&distinct->unit, message->id, message->id_size, err);
    if (!status && distinct->unit.count == FILTER_BATCH)
        status = distinct_insert(distinct, err);
    return status;
}

enum status distinct_read(struct distinct *distinct, struct stream_reader *reader,
                          const volatile sig_atomic_t *stop, struct error *err)
{
    enum status status = OK;
    enum stream_next next = STREAM_HUNGRY;
    while (!status && next != STREAM_ENDED && !(stop && *stop)) {
        struct stream_message message;
        status = stream_reader_next(reader, &next, &message, err);
        struct error why;
        if (!status && next == STREAM_TAKEN) {
            status = distinct_take(distinct, &message, &why);
            if (status)
                status = stream_reader_blame(reader, status, &why, err);
        } else if (!status && next == STREAM_HUNGRY)
            status = stream_reader_fill(reader, err);
    }
    return status ? status : distinct_insert(distinct, err);
}

/* Every id sets one register, or at most k bits. */
static double distinct_least(const struct distinct *distinct)
{
    double used = (double)distinct->settings.ops->count_bits(&distinct->filter);
    unsigned k = distinct->settings.layout.k;
    return ceil(used / (k ? k : 1));
}

static double distinct_sd(const struct distinct *distinct, double value)
{
    const struct filter_ops *ops = distinct->settings.ops;
    const struct layout *layout = &distinct->settings.layout;
    struct moments fill, expected;
    uint64_t n = value < (double)FILTER_N_MAX ? (uint64_t)llround(value) : 0;
    if (!ops->expected_cardinality || n == 0)
        return value == 0 ? 0 : NAN;
    ops->expected_fill(layout, n, &fill);
    ops->expected_cardinality(layout, n, &fill, &expected);
    return sqrt(expected.variance) / (double)n;
}

struct distinct_count distinct_count(const struct distinct *distinct)
{
    double least = distinct_least(distinct), most = (double)distinct->messages;
    struct distinct_count count = {.value = distinct->settings.ops->cardinality(&distinct->filter)};
    count.sd = distinct_sd(distinct, count.value);
    double reach = distinct_z * count.sd;
    count.lo = fmax(least, floor(count.value / (1 + reach)));
    count.hi = reach < 1 ? fmin(most, ceil(count.value / (1 - reach))) : most;
    if (!isfinite(count.value) || isnan(count.sd)) {
        count.lo = least;
        count.hi = most;
    }
    count.hi = fmax(count.hi, count.lo);
    count.lo = fmin(count.lo, most);
    return count;
}
