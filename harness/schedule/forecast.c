/* SPDX-License-Identifier: MIT
 *
 * forecast.c: a trial costs so much by itself, per digest (by hash and keys), per probe and per
 * look at a filter's own rate (by variant).
 *
 * Costs are measured on small copies of the plan's cells, each variant and each hash once, and
 * again for other parameters and k until the time for it is up. Digests are counted once for all
 * cells that share them. What a large filter loses to the cache is left out.
 */
#include "harness/schedule/forecast.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "harness/schedule/progress.h"
#include "harness/workload/workload.h"

enum {
    FORECAST_KEYS = 512,
    FORECAST_KEYS_GROWING = 1 << 14, /* of variants that need many keys to show their slices */
    FORECAST_RATE_M = 1 << 12,
    FORECAST_RATE_M_LARGE = 1 << 17,
    FORECAST_VARIANTS = 16,
};
static const double forecast_budget_seconds = 0.05;
/* Look-ups of fpr_scheme change their method here (STATISTICS 1): cost is not extrapolated past it.
 */
static const double forecast_rate_change = 1 << 16;

/* What one visit measures. */
struct forecast_visit {
    double digest, probe; /* seconds for each */
    double rate;          /* for one fpr_scheme of this filter */
};

/* Of one variant, as it was measured last. */
struct forecast_variant {
    const struct filter_ops *ops;
    const struct cell *cell; /* its parameters and k */
    double probe;
    double rate, power;  /* rate * (m / FORECAST_RATE_M)^power up to m = forecast_rate_change */
    double rate_per_bit; /* above */
};

struct forecast {
    const struct plan *plan;
    double deadline;
    double trial; /* of a trial without keys */
    struct forecast_variant variant[FORECAST_VARIANTS];
};

/* Seconds of this thread's own work: other programs do not count. */
static double forecast_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- small copies ---------------------------------------------------------------------------- */

/* The cell with m positions, half of them to be set; false when its variant will not have it. */
static bool forecast_copy(struct cell *copy, const struct cell *cell, uint64_t m)
{
    struct filter_params params = cell->layout.params;
    struct error err;
    double half = (double)m * M_LN2 / (cell->layout.k ? cell->layout.k : 8);
    *copy = *cell;
    copy->n = params.m ? (uint64_t)ceil(half) : FORECAST_KEYS_GROWING;
    if (copy->n > key_source_members(cell->source->source))
        copy->n = key_source_members(cell->source->source);
    params.m = params.m ? m : 0;
    params.n = copy->members = copy->n;
    copy->queries = 0;
    return copy->n > 0 && cell->ops->plan(&copy->layout, &params, &err) == OK;
}

/* Probes of one key; of variants that have no such number, a typical one. */
static double forecast_probes(const struct cell *cell)
{
    return cell->layout.k ? cell->layout.k : 8;
}

/* Probes of a query, which ends at the first bit that is not set. */
static double forecast_query_probes(const struct cell *cell)
{
    double k = forecast_probes(cell);
    if (!cell->layout.k || !cell->layout.params.m)
        return k;
    double clear = exp(-k * (double)cell->n / (double)cell->layout.m);
    return clear > 1e-9 ? -expm1(k * log1p(-clear)) / clear : k;
}

static double forecast_digests(const struct cell *cell, struct digest_source *keys, uint64_t count)
{
    uint64_t out[FORECAST_KEYS];
    double start = forecast_clock();
    unsigned columns = cell->layout.columns;
    size_t batch = cell->layout.batch < FORECAST_KEYS ? cell->layout.batch : FORECAST_KEYS;
    for (uint64_t first = 0; first < count; first += batch) {
        size_t some = count - first < batch ? (size_t)(count - first) : batch;
        struct digests *digests = digest_source_batch(keys, first, some);
        for (unsigned c = 0; c < columns; c++)
            digests_column(digests, c, NULL, some, out);
    }
    return forecast_clock() - start;
}

/* Inserts the members and asks for them again. */
static enum status forecast_measure(void *context, const struct cell *cell, struct trial_keys *keys,
                                    struct workspace *space, struct error *err)
{
    struct forecast_visit *visit = context;
    struct filter filter;
    enum status status = workspace_filter(space, &filter, cell->ops, &cell->layout, err);
    double digests = cell->hash ? forecast_digests(cell, &keys->members, cell->n) : 0;
    double start = forecast_clock(), columns = cell->layout.columns, n = (double)cell->n;
    for (uint64_t first = 0; first < cell->n && !status; first += cell->layout.batch) {
        uint64_t left = cell->n - first;
        size_t count = left < cell->layout.batch ? (size_t)left : cell->layout.batch;
        struct digests *batch = digest_source_batch(&keys->members, first, count);
        status = cell->ops->insert(&filter, batch, space->scratch, err);
        if (!status && cell->ops->query)
            cell->ops->query(&filter, NULL, batch, space->scratch);
    }
    double both = forecast_clock() - start - 2 * digests;
    start = forecast_clock();
    if (!status && cell->ops->fpr_scheme)
        cell->ops->fpr_scheme(&filter);
    visit->rate = forecast_clock() - start;
    visit->digest = columns > 0 ? digests / (n * columns) : 0;
    visit->probe = fmax(0.2e-9, both / (2 * n * forecast_probes(cell)));
    return status;
}

static bool forecast_visit(struct forecast_visit *visit, const struct forecast *forecast,
                           const struct cell *cell, uint64_t m)
{
    struct cell copy;
    struct error err;
    return forecast_copy(&copy, cell, m) &&
           schedule_visit(forecast->plan, &copy, 0, forecast_measure, visit, &err) == OK;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* The entry of a variant: its own, a free one, or at the end the last. */
static struct forecast_variant *forecast_entry(struct forecast *forecast, const struct cell *cell)
{
    unsigned i = 0;
    while (i + 1 < FORECAST_VARIANTS && forecast->variant[i].ops &&
           forecast->variant[i].ops != cell->ops)
        i++;
    return &forecast->variant[i];
}

static const struct forecast_variant *forecast_variant(struct forecast *forecast,
                                                       const struct cell *cell)
{
    struct forecast_visit small = {0}, middle = {0}, large = {0};
    struct forecast_variant *variant = forecast_entry(forecast, cell);
    bool known = variant->ops == cell->ops;
    if (known && (progress_clock() > forecast->deadline ||
                  (strcmp(variant->cell->params, cell->params) == 0 &&
                   variant->cell->layout.k == cell->layout.k)))
        return variant;
    if (!forecast_visit(&small, forecast, cell, FORECAST_RATE_M / 4) ||
        !forecast_visit(&middle, forecast, cell, FORECAST_RATE_M))
        return variant;
    *variant = (struct forecast_variant){.ops = cell->ops,
                                         .cell = cell,
                                         .probe = middle.probe,
                                         .rate = middle.rate,
                                         .power = 1,
                                         .rate_per_bit = middle.rate / FORECAST_RATE_M};
    if (middle.rate > 20e-6 && small.rate > 0)
        variant->power = fmax(0, fmin(2, log(middle.rate / small.rate) / log(4)));
    if (variant->power > 1.2 && (double)cell->layout.m > forecast_rate_change &&
        forecast_visit(&large, forecast, cell, FORECAST_RATE_M_LARGE))
        variant->rate_per_bit = large.rate / FORECAST_RATE_M_LARGE;
    return variant;
}

static double forecast_rate(const struct forecast_variant *variant, const struct cell *cell)
{
    double m = (double)cell->layout.m;
    if (!cell->layout.params.m)
        return 0;
    return m > forecast_rate_change ? variant->rate_per_bit * m
                                    : variant->rate * pow(m / FORECAST_RATE_M, variant->power);
}

/* A trial of one member and no query; parameters of the workload at their defaults. */
static bool forecast_trial(struct forecast *forecast)
{
    const struct workload_ops *workload = workload_find(forecast->plan->experiment->workload);
    struct cell copy;
    struct trial_result result;
    struct error err;
    if (!forecast_copy(&copy, &forecast->plan->cells[0], 64) &&
        !forecast_copy(&copy, &forecast->plan->cells[0], forecast->plan->cells[0].layout.m))
        return false;
    copy.n = copy.members = 1;
    copy.queries = 0;
    params_defaults(copy.own, workload->params);
    if (workload->plan && workload->plan(&copy, &err))
        return false;
    for (int i = 0; i < 3; i++) { /* the first one finds cold caches */
        double start = forecast_clock();
        if (schedule_trial(&result, forecast->plan, &copy, 0, &err))
            return false;
        forecast->trial = forecast_clock() - start;
        trial_result_release(&result);
    }
    return true;
}

static double forecast_group(struct forecast *forecast, const struct plan_group *group)
{
    struct forecast_visit visit = {.digest = 5e-9};
    double seconds = 0;
    const struct cell *first = &forecast->plan->cells[group->cells[0]];
    if (first->hash && progress_clock() < forecast->deadline)
        forecast_visit(&visit, forecast, first, FORECAST_RATE_M);
    seconds += (double)group->trials * visit.digest *
               ((double)group->members * group->columns +
                (double)group->queries * fmin(group->columns, 3));
    for (size_t i = 0; i < group->count; i++) {
        const struct cell *cell = &forecast->plan->cells[group->cells[i]];
        const struct forecast_variant *variant = forecast_variant(forecast, cell);
        double probes = 2 * (double)cell->members * forecast_probes(cell) +
                        (double)cell->queries * forecast_query_probes(cell);
        seconds += (double)cell->trials *
                   (forecast->trial + probes * variant->probe + forecast_rate(variant, cell));
    }
    return seconds;
}

double schedule_forecast(const struct plan *plan, const struct schedule *schedule)
{
    struct forecast forecast = {.plan = plan,
                                .deadline = progress_clock() + forecast_budget_seconds};
    double seconds = 0;
    if (plan->result_count == 0)
        return 0;
    if (!workload_find(plan->experiment->workload) || !forecast_trial(&forecast))
        return NAN;
    for (size_t g = 0; g < plan->group_count; g++)
        seconds += forecast_group(&forecast, &plan->groups[g]);
    double tasks = (double)plan->result_count;
    return seconds / fmin(schedule->threads, tasks);
}
