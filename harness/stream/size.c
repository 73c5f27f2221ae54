/* SPDX-License-Identifier: MIT */
#include "harness/stream/size.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "filters/theory/sizing.h"
#include "harness/stream/add.h"
#include "harness/stream/theory.h"

enum { SIZE_FINENESS = 4096, SIZE_MOST = 16 };

static enum status size_plan(struct layout *layout, const struct stream_size *wanted, uint64_t m,
                             unsigned k, struct error *err)
{
    const struct filter_ops *ops = wanted->ops;
    const struct digest_family *family = &wanted->family;
    struct filter_params params = wanted->own;
    params.m = ops->axes & AXIS_M ? m : 0;
    params.k = ops->axes & AXIS_K ? k : 0;
    params.n = wanted->capacity ? wanted->capacity : (uint64_t)ceil((double)m * M_LN2 / k);
    params.reduction = REDUCE_MOD;
    params.digest_bits = family_delivered_bits(family->family, family->digest_bits);
    params.digest_columns = family_columns(family->family);
    enum status status = ops->plan(layout, &params, err);
    return status == E_IMPOSSIBLE ? E_INPUT : status;
}

/* The rate with m bits and all ids in; planning must succeed. */
static enum status size_rate(double *rate, struct layout *layout, const struct stream_size *wanted,
                             uint64_t m, unsigned k, struct error *err)
{
    enum status status = size_plan(layout, wanted, m, k, err);
    struct stream_law law = {wanted->ops, layout, wanted->ops->axes & AXIS_HASH,
                             wanted->family.family, wanted->family.digest_bits};
    if (!status)
        *rate = stream_rate(&law, wanted->capacity);
    return status;
}

static enum status size_hopeless(const struct stream_size *wanted, uint64_t m, double rate,
                                 struct error *err)
{
    return fail(err, E_INPUT,
                "%s with digests of %u bits cannot keep a rate of %g at %" PRIu64 " ids: %" PRIu64
                " bits still give %.3g",
                wanted->ops->name, wanted->family.digest_bits, wanted->rate, wanted->capacity, m,
                rate);
}

/* The least m >= first that keeps the rate, to 1/SIZE_FINENESS. */
static enum status size_search(struct layout *layout, const struct stream_size *wanted,
                               uint64_t first, unsigned k, struct error *err)
{
    uint64_t fine = first / SIZE_FINENESS + 1, below = first, step = fine, m = first;
    double rate;
    enum status status = size_rate(&rate, layout, wanted, m, k, err);
    if (status || !(rate > wanted->rate))
        return status; /* also without theory */
    for (; !status && rate > wanted->rate; step *= 2) {
        if (m > first * SIZE_MOST || step > FILTER_M_MAX - m)
            return size_hopeless(wanted, m, rate, err);
        below = m;
        m += step;
        status = size_rate(&rate, layout, wanted, m, k, err);
    }
    while (!status && m - below > fine) {
        uint64_t middle = below + (m - below) / 2;
        status = size_rate(&rate, layout, wanted, middle, k, err);
        if (rate > wanted->rate)
            below = middle;
        else
            m = middle;
    }
    return status ? status : size_plan(layout, wanted, m, k, err);
}

/* A growing filter is told the rate by a parameter of its own, unless it was set. */
static enum status size_grow(struct layout *layout, struct stream_size *wanted, struct error *err)
{
    const struct param_spec *specs = wanted->ops->params;
    for (unsigned i = 0; specs && specs[i].name; i++)
        if (strcmp(specs[i].name, "total_rate") == 0 && isnan(wanted->own.own[i].real) &&
            !isnan(wanted->rate))
            wanted->own.own[i].real = wanted->rate;
    if (!wanted->capacity)
        return fail(err, E_INPUT, "%s needs to know how many ids there may be (capacity)",
                    wanted->ops->name);
    double rate;
    enum status status = size_rate(&rate, layout, wanted, 0, 1, err);
    if (!status && rate > wanted->rate)
        return fail(err, E_INPUT, "%s cannot keep a rate of %g at %" PRIu64 " ids: it gives %.3g",
                    wanted->ops->name, wanted->rate, wanted->capacity, rate);
    return status;
}

enum status stream_size(struct layout *layout, const struct stream_size *wanted, struct error *err)
{
    struct stream_size size = *wanted;
    struct sizing sizing;
    if (!stream_can_add(size.ops))
        return fail(err, E_INPUT, "%s cannot say whether an id is there", size.ops->name);
    if (!(size.ops->axes & AXIS_M))
        return size_grow(layout, &size, err);
    if (size.bits) {
        if (!size.hashes && (size.ops->axes & AXIS_K)) {
            if (!size.capacity)
                return fail(err, E_INPUT, "bits without hashes or a capacity: how many probes?");
            size.hashes = theory_best_k(size.bits, size.capacity, FILTER_K_MAX);
        }
        return size_plan(layout, &size, size.bits, size.hashes ? size.hashes : 8, err);
    }
    if (!size.capacity || isnan(size.rate))
        return fail(err, E_INPUT, "a filter needs a capacity and a rate, or bits and hashes");
    enum status status = theory_size(&sizing, size.capacity, size.rate, err);
    if (status)
        return status;
    return size_search(layout, &size, sizing.m, size.hashes ? size.hashes : sizing.k, err);
}
