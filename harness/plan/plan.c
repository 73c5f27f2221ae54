/* SPDX-License-Identifier: MIT */
#include "harness/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/plan/build.h"

/* One point of the grid, before the variant has had its say. */
struct point {
    const struct filter_choice *filter;
    const struct hash_choice *hash;
    const struct plan_source *source;
    enum reduction reduction;
    double bits_per_key;  /* as asked for; NaN: m and n were given */
    uint64_t digest_bits; /* 0: the family's own width */
    uint64_t m, n;        /* m 0: not given; UINT64_MAX: more than a uint64_t holds */
    uint64_t k;           /* or EXPERIMENT_K_OPTIMAL, EXPERIMENT_K_BEST */
    uint64_t replica;     /* 0: none */
    struct planted_fault fault;
    struct param_value own[PARAMS_MAX]; /* of the workload */
};

/* The low bits kept of each hash value. */
static unsigned point_digest_bits(const struct point *point)
{
    return point->digest_bits
               ? (unsigned)point->digest_bits
               : family_width(point->hash->family, point->hash->hash, point->hash->second);
}

static void cell_parameters(struct filter_params *params, const struct point *point)
{
    const struct filter_ops *ops = point->filter->ops;
    *params = point->filter->params;
    params->m = ops->axes & AXIS_M ? point->m : 0;
    params->n = point->n;
    params->k = 0;
    if (ops->axes & AXIS_K)
        params->k = point->k == EXPERIMENT_K_OPTIMAL || point->k == EXPERIMENT_K_BEST
                        ? theory_best_k(params->m, point->n ? point->n : 1, FILTER_K_MAX)
                        : (unsigned)point->k;
    params->reduction = ops->axes & AXIS_REDUCTION ? point->reduction : REDUCE_MOD;
    params->digest_bits = 64;
    params->digest_columns = 0;
    if (ops->axes & AXIS_HASH) {
        params->digest_bits = family_delivered_bits(point->hash->family, point_digest_bits(point));
        params->digest_columns = family_columns(point->hash->family);
    }
}

/* The rate of the variant's own model with k probes; NaN where there is none. */
static double model_rate(const struct filter_ops *ops, const struct filter_params *params,
                         unsigned k)
{
    struct filter_params with = *params;
    struct layout layout;
    struct model model = {.fpr = NAN};
    with.k = k;
    if (ops->expected_fpr && ops->plan(&layout, &with, NULL) == OK)
        ops->expected_fpr(&layout, params->n, &model);
    return model.fpr;
}

/* From the k that is best for the standard estimate downhill to the one best for the model: a rate
 * has one minimum in k. */
static void cell_best_k(struct filter_params *params, const struct filter_ops *ops)
{
    double least = model_rate(ops, params, params->k);
    for (int step = -1; step <= 1; step += 2)
        for (unsigned k = params->k; (step < 0 ? k > 1 : k < FILTER_K_MAX);) {
            k = step < 0 ? k - 1 : k + 1;
            double rate = model_rate(ops, params, k);
            if (!(rate < least))
                break;
            least = rate;
            params->k = k;
        }
}

static enum status cell_fault(struct cell *cell, struct error *err)
{
    if (cell->fault.kind != FAULT_BITS)
        return OK;
    if (cell->ops->capabilities & CAN_GROW)
        return fail(err, E_IMPOSSIBLE,
                    "a fault in the bits needs keys beyond n; %s grows with them", cell->ops->name);
    cell->members += (uint64_t)round((double)cell->n * cell->fault.share);
    return OK;
}

static enum status cell_limits(struct cell *cell, const struct plan_limits *limits,
                               struct error *err)
{
    struct key_source *source = cell->source->source;
    if (cell->members > key_source_members(source))
        return fail(err, E_IMPOSSIBLE, "n %" PRIu64 " is more than the %" PRIu64 " keys of %s",
                    cell->members, key_source_members(source), cell->source->name);
    uint64_t left = key_source_queries(source, cell->members);
    if (key_source_explicit(source)) {
        cell->queries = left;
    } else if (cell->queries > left) {
        cell->queries = left;
        cell->queries_reduced = true;
    }
    uint64_t bytes = cell->layout.bytes_max + cell->extra_bytes;
    if (bytes > limits->memory_bytes)
        return fail(err, E_IMPOSSIBLE,
                    "needs %" PRIu64 " bytes, the memory limit is %" PRIu64 " bytes", bytes,
                    limits->memory_bytes);
    return OK;
}

/* bits_per_key can ask for sizes that no axis could be given. */
static enum status cell_bounds(const struct filter_params *params, struct error *err)
{
    if (params->n > FILTER_N_MAX)
        return fail(err, E_IMPOSSIBLE, "n %" PRIu64 " is more than %" PRIu64, params->n,
                    FILTER_N_MAX);
    if (params->m > FILTER_M_MAX)
        return fail(err, E_IMPOSSIBLE, "m %" PRIu64 " is more than %" PRIu64, params->m,
                    FILTER_M_MAX);
    return OK;
}

/* A hash may take keys of one length only. */
static enum status cell_keys(const struct cell *cell, struct error *err)
{
    const struct hash *hashes[] = {cell->hash->hash, cell->hash->second};
    size_t shortest = key_source_shortest(cell->source->source);
    size_t longest = key_source_longest(cell->source->source);
    for (int i = 0; i < 2; i++) {
        size_t bytes = hashes[i] ? hashes[i]->key_bytes : 0;
        if (bytes && (shortest != bytes || longest != bytes))
            return fail(err, E_IMPOSSIBLE, "%s takes keys of %zu bytes, %s has keys of %zu to %zu",
                        hashes[i]->name, bytes, cell->source->name, shortest, longest);
    }
    return OK;
}

/* Plans one point. E_IMPOSSIBLE: it belongs to the skipped ones. */
static enum status cell_make(struct cell *cell, const struct point *point,
                             const struct experiment *experiment, const struct grid *grid,
                             const struct plan_limits *limits, struct error *err)
{
    const struct filter_ops *ops = point->filter->ops;
    struct filter_params params;
    *cell = (struct cell){
        .ops = ops,
        .hash = ops->axes & AXIS_HASH ? point->hash : NULL,
        .source = point->source,
        .digest_bits = ops->axes & AXIS_HASH ? point_digest_bits(point) : 0,
        .n = point->n,
        .bits_per_key = point->bits_per_key,
        .members = point->n,
        .replica = point->replica,
        .fault = point->fault,
        .trials = grid->trials,
        .queries = ops->capabilities & CAN_ANSWER_MEMBERSHIP ? grid->queries : 0,
    };
    memcpy(cell->own, point->own, sizeof cell->own);
    cell_parameters(&params, point);
    if (point->k == EXPERIMENT_K_BEST && (ops->axes & AXIS_K))
        cell_best_k(&params, ops);
    cell->layout.params = params;
    filter_params_format(&params, ops, cell->params, sizeof cell->params);
    enum status status = cell_bounds(&params, err);
    if (status)
        return status;
    if (cell->hash && !family_suits(cell->hash->family, cell->hash->hash))
        return fail(err, E_IMPOSSIBLE, "family %s needs %s, and %s is none",
                    family_name(cell->hash->family), family_needs(cell->hash->family),
                    cell->hash->hash->name);
    if (cell->hash && (status = cell_keys(cell, err)))
        return status;
    unsigned width =
        cell->hash ? family_width(cell->hash->family, cell->hash->hash, cell->hash->second) : 64;
    if (cell->digest_bits > width)
        return fail(err, E_IMPOSSIBLE, "digest_bits %u is more than the %u the hash gives",
                    cell->digest_bits, width);
    status = ops->plan(&cell->layout, &params, err);
    if (status) {
        cell->layout.params = params;
        return status == E_INPUT ? E_IMPOSSIBLE : status;
    }
    /* A variant may put what is in force where nothing was said. */
    filter_params_format(&cell->layout.params, ops, cell->params, sizeof cell->params);
    uint64_t positions = params.m ? params.m : cell->layout.m;
    if (cell->n && positions && (isnan(cell->bits_per_key) || !params.m))
        cell->bits_per_key = (double)positions / (double)cell->n;
    if (!isnan(grid->relative_error) && (ops->capabilities & CAN_ANSWER_MEMBERSHIP)) {
        status = plan_precision(&cell->trials, &cell->queries, ops, &cell->layout, cell->n,
                                grid->relative_error, grid->confidence, err);
        if (status)
            return status;
    }
    const struct workload_ops *workload = workload_find(experiment->workload);
    status = cell_fault(cell, err);
    if (!status && workload && workload->plan)
        status = workload->plan(cell, err);
    if (!status)
        status = cell_limits(cell, limits, err);
    if (!status)
        cell_identify(cell, experiment);
    return status;
}

/* Adds a point to the plan: as a cell, once; or to the skipped ones, once. */
static enum status plan_add(struct plan_build *build, const struct point *point,
                            const struct grid *grid, struct error *err)
{
    struct cell cell;
    struct error reason = {0};
    enum status status =
        cell_make(&cell, point, build->plan->experiment, grid, build->limits, &reason);
    if (status == OK)
        return plan_build_cell(build, &cell, err);
    if (status == E_IMPOSSIBLE)
        return plan_build_skipped(build, &cell, reason.text, err);
    return fail(err, status, "%s", reason.text);
}

/* The product of the workload's parameters, the one declared last fastest. */
static enum status plan_own(struct plan_build *build, const struct grid *grid, struct point point,
                            struct error *err)
{
    size_t total = 1;
    params_defaults(point.own, workload_params(build->plan->experiment->workload));
    for (size_t i = 0; i < PARAMS_MAX; i++)
        total *= grid->own[i].count ? grid->own[i].count : 1;
    for (size_t t = 0; t < total; t++) {
        size_t rest = t;
        for (size_t i = PARAMS_MAX; i-- > 0;)
            if (grid->own[i].count) {
                point.own[i] = grid->own[i].values[rest % grid->own[i].count];
                rest /= grid->own[i].count;
            }
        enum status status = plan_add(build, &point, grid, err);
        if (status)
            return status;
    }
    return OK;
}

/* The axes that make other cells of one and the same filter. */
static enum status plan_repeat(struct plan_build *build, const struct grid *grid,
                               struct point point, struct error *err)
{
    size_t faults = grid->fault_count ? grid->fault_count : 1;
    size_t replicas = grid->replica.count ? grid->replica.count : 1;
    for (size_t f = 0; f < faults; f++)
        for (size_t r = 0; r < replicas; r++) {
            if (grid->fault_count)
                point.fault = grid->faults[f];
            if (grid->replica.count)
                point.replica = grid->replica.values[r];
            enum status status = plan_own(build, grid, point, err);
            if (status)
                return status;
        }
    return OK;
}

/* The axes that remain once filter, hash and keys stand: m, n, k, reduction, digest_bits. An axis
 * the variant does not use is walked over its first value only. */
static enum status plan_numbers(struct plan_build *build, const struct grid *grid,
                                struct point point, struct error *err)
{
    unsigned axes = point.filter->ops->axes;
    size_t ks = axes & AXIS_K ? grid->k.count : 1;
    size_t reductions = axes & AXIS_REDUCTION ? grid->reduction_count : 1;
    size_t widths = axes & AXIS_HASH ? grid->digest_bits.count : 1;
    for (size_t r = 0; r < reductions; r++)
        for (size_t w = 0; w < widths; w++)
            for (size_t k = 0; k < ks; k++) {
                point.reduction = grid->reductions[r];
                point.digest_bits = axes & AXIS_HASH ? grid->digest_bits.values[w] : 0;
                point.k = axes & AXIS_K ? grid->k.values[k] : 0;
                enum status status = plan_repeat(build, grid, point, err);
                if (status)
                    return status;
            }
    return OK;
}

/* A whole number as an integer; from 2^63 on UINT64_MAX, which is refused with its cell. */
static uint64_t plan_whole(double value)
{
    return value < 0x1p63 ? (uint64_t)value : UINT64_MAX;
}

/* m and n: given both, m and bits_per_key, n and bits_per_key, or n from explicit members. */
static enum status plan_sizes(struct plan_build *build, const struct grid *grid, struct point point,
                              struct error *err)
{
    bool is_explicit = key_source_explicit(point.source->source);
    size_t ms = grid->m.count ? grid->m.count : 1;
    size_t ns = grid->n.count ? grid->n.count : 1;
    size_t cs = grid->bits_per_key.count ? grid->bits_per_key.count : 1;
    for (size_t i = 0; i < ms; i++)
        for (size_t c = 0; c < cs; c++)
            for (size_t j = 0; j < ns; j++) {
                point.m = grid->m.count ? grid->m.values[i] : 0;
                point.bits_per_key = grid->bits_per_key.count ? grid->bits_per_key.values[c] : NAN;
                if (grid->n.count)
                    point.n = grid->n.values[j];
                else if (grid->bits_per_key.count && point.m)
                    point.n = plan_whole(round((double)point.m / grid->bits_per_key.values[c]));
                else if (is_explicit)
                    point.n = key_source_members(point.source->source);
                if (!point.m && grid->bits_per_key.count)
                    point.m = plan_whole(ceil((double)point.n * grid->bits_per_key.values[c]));
                if (!point.m && (point.filter->ops->axes & AXIS_M))
                    point.m = 1; /* n = 0 and bits_per_key: the smallest filter there is */
                enum status status = plan_numbers(build, grid, point, err);
                if (status)
                    return status;
            }
    return OK;
}

static enum status plan_grid(struct plan_build *build, const struct grid *grid, struct error *err)
{
    for (size_t s = 0; s < grid->keys_count; s++) {
        const struct plan_source *source;
        enum status status = plan_build_source(build, grid->keys[s], &source, err);
        if (status)
            return status;
        for (size_t h = 0; h < grid->hash_count; h++)
            for (size_t f = 0; f < grid->filter_count; f++) {
                bool hashes = grid->filters[f].ops->axes & AXIS_HASH;
                if (!hashes && h > 0)
                    continue;
                struct point point = {
                    .filter = &grid->filters[f],
                    .hash = &grid->hashes[h],
                    .source = source,
                };
                status = plan_sizes(build, grid, point, err);
                if (status)
                    return status;
            }
    }
    return OK;
}

enum status plan_make(struct plan **out, const struct experiment *experiment,
                      const struct plan_limits *limits, struct error *err)
{
    struct plan_build build;
    *out = NULL;
    enum status status = plan_build_start(&build, experiment, limits, err);
    for (size_t g = 0; !status && g < experiment->grid_count; g++)
        status = plan_grid(&build, &experiment->grids[g], err);
    if (!status)
        status = plan_build_finish(&build, err);
    if (status) {
        plan_build_abandon(&build);
        return status;
    }
    *out = build.plan;
    return OK;
}
