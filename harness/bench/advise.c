/* SPDX-License-Identifier: MIT */
#include "harness/bench/advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/plan/theory.h"

enum { ADVISE_BITS_MAX = 128, ADVISE_BLOCK_BITS = 4096 };

/* Variants pay for what makes them fast: none has a lower rate than the standard formula at its
 * (m, n, k), but for the last percents of tiny filters. */
#define ADVISE_BELOW_STANDARD 0.9

static double advise_least_rate(const struct layout *layout, uint64_t n)
{
    if (layout->m == 0 || layout->k == 0)
        return 0;
    return ADVISE_BELOW_STANDARD * theory_fpr_standard(layout->m, n, layout->k);
}

static enum status params_of_row(struct filter_params *params, const struct filter_ops *ops,
                                 const struct timing *row, struct error *err)
{
    char own[CELL_PARAMS_MAX], *rest;
    *params = (struct filter_params){.digest_bits = 64, .digest_columns = FAMILY_UNLIMITED};
    if (!reduction_find(row->reduction, &params->reduction))
        params->reduction = REDUCE_MULTIPLY_SHIFT;
    filter_params_defaults(params, ops);
    snprintf(own, sizeof own, "%s", row->params);
    for (char *item = strtok_r(own, ";", &rest); item; item = strtok_r(NULL, ";", &rest)) {
        char *equals = strchr(item, '=');
        if (!equals || !equals[1])
            continue;
        *equals = '\0';
        enum status status = filter_params_set(params, ops, item, equals + 1, err);
        if (status)
            return status;
    }
    return OK;
}

/* One size of a variant; *known: it can be planned and fits. The rate is not asked for yet. */
struct advise_size {
    struct layout layout;
    double bits_per_key, lookup_ns, least_cost;
};

static bool advise_plan(struct advise_size *size, const struct lookups *lookups,
                        const struct lookup *lookup, const struct filter_ops *ops,
                        const struct filter_params *given, double bits_per_key,
                        const struct advice_request *request)
{
    struct filter_params params = *given;
    struct error unused;
    params.n = request->n;
    params.k = ops->axes & AXIS_K ? lookup->k : 0;
    params.m =
        ops->axes & AXIS_M ? (uint64_t)fmax(1, ceil((double)request->n * bits_per_key - 1e-6)) : 0;
    if (params.m > FILTER_M_MAX || ops->plan(&size->layout, &params, &unused) != OK)
        return false;
    if ((double)size->layout.bytes_max * 8 > request->bits + ADVISE_BLOCK_BITS)
        return false;
    size->bits_per_key = ops->axes & AXIS_M ? bits_per_key : NAN;
    size->lookup_ns = lookup_ns(lookups, lookup, (double)size->layout.bytes_max);
    size->least_cost =
        size->lookup_ns + advise_least_rate(&size->layout, request->n) * request->miss_cost_ns;
    return true;
}

/* Positions per key at which the variant fills the memory: counters take several bits. */
static double advise_most(const struct filter_ops *ops, const struct filter_params *params,
                          unsigned k, const struct advice_request *request)
{
    struct filter_params trial = *params;
    struct layout layout;
    struct error unused;
    double bits = request->bits / (double)request->n;
    trial.n = request->n;
    trial.k = ops->axes & AXIS_K ? k : 0;
    trial.m = (uint64_t)fmin(1e12, fmax(65536, 16 * (double)request->n));
    if (ops->plan(&layout, &trial, &unused) != OK || layout.m == 0)
        return bits;
    double each = 8 * (double)layout.bytes / (double)layout.m;
    return each > 1.5 ? bits / round(each) : bits;
}

static unsigned advise_sizes(struct advise_size *sizes, const struct lookups *lookups,
                             const struct lookup *lookup, const struct filter_ops *ops,
                             const struct filter_params *params,
                             const struct advice_request *request)
{
    unsigned count = 0;
    double most = advise_most(ops, params, lookup->k, request);
    if (!(ops->axes & AXIS_M))
        return advise_plan(sizes, lookups, lookup, ops, params, 0, request);
    for (unsigned c = 1; c < most && c < ADVISE_BITS_MAX; c++)
        count += advise_plan(&sizes[count], lookups, lookup, ops, params, c, request);
    return count + advise_plan(&sizes[count], lookups, lookup, ops, params,
                               fmin(most, ADVISE_BITS_MAX), request);
}

static int advise_compare_least(const void *a, const void *b)
{
    const struct advise_size *x = a, *y = b;
    return (x->least_cost > y->least_cost) - (x->least_cost < y->least_cost);
}

/* The rate of the variant's model, looked up where it was asked for before. */
static double advise_rate(struct lookup *lookup, const struct filter_ops *ops,
                          const struct layout *layout, uint64_t n)
{
    struct cell_theory theory;
    for (unsigned i = 0; i < lookup->rate_count; i++)
        if (lookup->rate[i].m == layout->m && lookup->rate[i].n == n)
            return lookup->rate[i].fpr;
    theory_of_layout(&theory, ops, layout, n);
    if (lookup->rate_count < LOOKUP_RATES_MAX) {
        lookup->rate[lookup->rate_count].m = layout->m;
        lookup->rate[lookup->rate_count].n = n;
        lookup->rate[lookup->rate_count++].fpr = theory.model.fpr;
    }
    return theory.model.fpr;
}

/* Models can be dear: sizes are tried in the order of what they cost at least, until none can be
 * better any more. False: no size does. */
static bool advise_best(struct candidate *best, const struct lookups *lookups,
                        struct lookup *lookup, const struct filter_ops *ops,
                        const struct filter_params *params, const struct advice_request *request)
{
    struct advise_size sizes[ADVISE_BITS_MAX + 1];
    unsigned count = advise_sizes(sizes, lookups, lookup, ops, params, request);
    bool found = false;
    qsort(sizes, count, sizeof *sizes, advise_compare_least);
    for (unsigned s = 0; s < count && (!found || sizes[s].least_cost < best->cost_ns); s++) {
        double rate = advise_rate(lookup, ops, &sizes[s].layout, request->n);
        double cost = sizes[s].lookup_ns + rate * request->miss_cost_ns;
        if (isnan(rate) || rate > request->fpr || (found && cost >= best->cost_ns))
            continue;
        found = true;
        *best = (struct candidate){
            .m = sizes[s].layout.m,
            .bytes = sizes[s].layout.bytes_max,
            .k = sizes[s].layout.k,
            .bits_per_key = sizes[s].bits_per_key,
            .fpr = rate,
            .lookup_ns = sizes[s].lookup_ns,
            .cost_ns = cost,
        };
    }
    snprintf(best->filter, sizeof best->filter, "%s", ops->name);
    filter_params_format(params, ops, best->params, sizeof best->params);
    return found;
}

static int advise_compare_cost(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->cost_ns != y->cost_ns)
        return x->cost_ns < y->cost_ns ? -1 : 1;
    int names = strcmp(x->filter, y->filter);
    return names ? names : (x->k > y->k) - (x->k < y->k);
}

enum status advise(struct candidate **candidates, size_t *count, struct lookups *lookups,
                   const struct advice_request *request, struct error *err)
{
    enum status status = OK;
    *count = 0;
    *candidates = calloc(lookups->count + 1, sizeof **candidates);
    if (!*candidates)
        return fail(err, E_RUN, "no memory for %zu candidates", lookups->count);
    for (size_t l = 0; !status && l < lookups->count; l++) {
        struct lookup *lookup = &lookups->lookup[l];
        const struct filter_ops *ops = filter_find(lookup->row->filter);
        struct filter_params params;
        status = params_of_row(&params, ops, lookup->row, err);
        if (!status)
            *count += advise_best(&(*candidates)[*count], lookups, lookup, ops, &params, request);
    }
    if (status) {
        free(*candidates);
        *candidates = NULL;
        return status;
    }
    qsort(*candidates, *count, sizeof **candidates, advise_compare_cost);
    return OK;
}
