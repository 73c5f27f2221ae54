/* SPDX-License-Identifier: MIT
 *
 * two_hash_model.c: what theory says of the rate of double hashing: mean, error, spread.
 *
 * The delta method. f is a smooth function of the fill X/m and of the arrangement of the bits:
 *
 *     Var[f] = (df/dX)^2 Var[X] + A
 *
 * with df/dX = k p^(k-1)/m at p = E[X]/m, and what steps of low order add to that. Were the bits
 * independent, A would be the covariance of two queries through the cells they share, less what
 * goes through X: with w(M) the keys that hit exactly the cells M of a query,
 *
 *     A1 = p^2k/T sum over M of w(M) (p^-|M| - 1 - |M| (1/p - 1))
 *
 * Members add hits of their own (a member's twin, and its neighbours), f - p^k in all, and
 * simulation finds A2 = 0.45 (f - p^k)^2/n from them.
 *
 * Against simulation, m = 2^12 .. 2^15, k = 3 .. 20, 6 to 24 bits per key, both laws, odd and any
 * steps: the ratio is 0.97 to 1.03 where f < 1.003 p^k, 0.85 to 1.2 where f < 1.5 p^k, and 0.55 to
 * 1.5 beyond, where most hits come from members; the simulation itself is good for 0.3 to 27 %
 * there. variance_se claims half of A1 + A2, the share of members in the rest, and two percent. k >
 * 20 goes without A1, which is a hundredth of the whole there.
 */
#include "filters/theory/two_hash_model.h"

#include <math.h>
#include <stdlib.h>

#include "filters/theory/two_hash_exact.h"

enum {
    MODEL_ARRANGEMENT_QUERIES = 4,
    MODEL_SIMULATE_MAX = 1 << 14,
    MODEL_SIMULATE_ENHANCED_MAX = 1 << 12
};

/* Sum over the groups of a few queries of w(M) (p^-|M| - 1 - |M| (1/p - 1)), per query. */
static double two_hash_arrangement(const struct two_hash *scheme, double p)
{
    struct two_hash_finder finder;
    struct two_hash_groups groups = {0};
    two_hash_finder_init(&finder, scheme);
    uint64_t state = two_hash_stream(scheme, USE_ARRANGEMENT);
    double sum = 0;
    for (unsigned t = 0; t < MODEL_ARRANGEMENT_QUERIES; t++) {
        if (!two_hash_groups_find(&groups, &finder, two_hash_draw_step(&state, scheme)))
            sum = NAN;
        for (size_t i = 0; i < groups.count; i++) {
            int shared = __builtin_popcount(groups.group[i].mask);
            sum += groups.group[i].count * (pow(p, -shared) - 1 - shared * (1 / p - 1));
        }
    }
    free(groups.group);
    two_hash_finder_release(&finder);
    return sum / MODEL_ARRANGEMENT_QUERIES;
}

/* The rate at fill p of keys whose order is below k, and its derivative. */
static void two_hash_short_rate(const struct two_hash *scheme, double p, double *rate,
                                double *slope)
{
    double steps = (double)two_hash_step_count(scheme);
    *rate = *slope = 0;
    if (scheme->law == LAW_ENHANCED || two_hash_steps(scheme) == STEPS_ODD)
        return;
    for (unsigned r = 1; r < scheme->k; r++)
        if (scheme->m % r == 0 && (r > 1 || two_hash_step_allowed(scheme, 0))) {
            *rate += (double)two_hash_totient(r) / steps * pow(p, r);
            *slope += (double)two_hash_totient(r) / steps * r * pow(p, r - 1.0);
        }
}

struct estimate two_hash_delta_variance(const struct two_hash *scheme, uint64_t n, double rate)
{
    struct moments fill = theory_two_hash_fill(scheme, n);
    double m = (double)scheme->m, k = scheme->k, p = fill.mean / m;
    double keys = m * (double)two_hash_step_count(scheme), chance = pow(p, k), short_rate, slope;
    two_hash_short_rate(scheme, p, &short_rate, &slope);
    slope += k * pow(p, k - 1);
    double member = fmax(0, rate - chance - short_rate);
    double beside = 0.45 * member * member / (double)n;
    if (scheme->k <= TWO_HASH_EXACT_K_MAX)
        beside += chance * chance / keys * two_hash_arrangement(scheme, p);
    double through = slope * slope * fill.variance / (m * m);
    double error = beside / 2 + through * member / rate;
    return (struct estimate){through + beside, hypot(error, 0.02 * (through + beside))};
}

/* ---- E[f] over a sample of queries ----------------------------------------------------------- */

struct two_hash_queries {
    struct two_hash_finder finder;
    struct two_hash_groups groups;
    struct two_hash_tally tally;
    uint64_t n;
};

/* The exact rate of the queries with this step; NaN when memory ran out. */
static double two_hash_query_rate(struct two_hash_queries *queries, uint64_t step)
{
    two_hash_tally_clear(&queries->tally);
    if (!two_hash_groups_find(&queries->groups, &queries->finder, step) ||
        !two_hash_tally_add(&queries->tally, &queries->groups, 1))
        return NAN;
    return two_hash_tally_rate(&queries->tally, queries->finder.scheme, queries->n, 0);
}

/* A step of a key with k different cells. */
static uint64_t two_hash_draw_full(uint64_t *state, const struct two_hash *scheme,
                                   const uint64_t *meeting, size_t meetings)
{
    uint64_t step;
    do
        step = two_hash_draw_step(state, scheme);
    while (bsearch(&step, meeting, meetings, sizeof step, two_hash_compare));
    return step;
}

/* For about a tenth of a second: a query costs 140 ns for each of its k^2 (k-1)^2 / 2 meetings, and
 * 25 ns for each of its 2^k subsets. */
static unsigned two_hash_query_count(const struct two_hash *scheme)
{
    double k = scheme->k, cost = 7e-8 * k * k * (k - 1) * (k - 1) + 2.5e-8 * exp2(k) + 2e-5;
    return (unsigned)fmin(4096, fmax(4, 0.12 / cost));
}

/* The mean over `draws` steps, each with k cells (meeting[0 .. meetings) are those without), or,
 * with `among`, each one of these. */
static struct estimate two_hash_query_mean(struct two_hash_queries *queries, uint64_t *state,
                                           const uint64_t *meeting, size_t meetings, bool among,
                                           unsigned draws)
{
    double sum = 0, squares = 0;
    for (unsigned t = 0; t < draws; t++) {
        uint64_t step = among
                            ? meeting[two_hash_draw(state, meetings)]
                            : two_hash_draw_full(state, queries->finder.scheme, meeting, meetings);
        double rate = two_hash_query_rate(queries, step);
        sum += rate;
        squares += rate * rate;
    }
    double mean = sum / draws, variance = fmax(0, squares / draws - mean * mean);
    return (struct estimate){mean, sqrt(variance / (draws - 1))};
}

/* Steps whose positions meet have fewer cells, so higher rates, and would be seen too rarely: they
 * are a stratum of their own. */
struct estimate two_hash_sampled_mean(const struct two_hash *scheme, uint64_t n)
{
    struct two_hash_queries queries = {.n = n};
    size_t meetings, distinct = 0;
    uint64_t *meeting = two_hash_meetings(&meetings, scheme);
    struct estimate few = {0, 0}, mean = {NAN, NAN};
    two_hash_finder_init(&queries.finder, scheme);
    bool enough = two_hash_tally_init(&queries.tally, scheme->k) && meeting;
    for (size_t i = 0; enough && i < meetings; i++)
        if (i == 0 || meeting[i] != meeting[i - 1])
            meeting[distinct++] = meeting[i];
    double share = (double)distinct / (double)two_hash_step_count(scheme);
    unsigned draws = two_hash_query_count(scheme);
    uint64_t state = two_hash_stream(scheme, USE_QUERIES);
    if (enough) {
        if (distinct)
            few = two_hash_query_mean(&queries, &state, meeting, distinct, true, draws);
        if (share < 1)
            mean = two_hash_query_mean(&queries, &state, meeting, distinct, false, draws);
        else
            mean = few;
        mean.value = share * few.value + (1 - share) * mean.value;
        mean.se = hypot(share * few.se, (1 - share) * mean.se);
    }
    free(meeting);
    free(queries.groups.group);
    two_hash_tally_release(&queries.tally);
    two_hash_finder_release(&queries.finder);
    return mean;
}

/* ---- the model ------------------------------------------------------------------------------- */

void theory_two_hash_model(const struct two_hash *scheme, uint64_t n, struct model *model)
{
    *model = (struct model){.fpr = scheme->k == 0, .name = "exact"};
    if (scheme->k == 0 || n == 0)
        return;
    bool exact = theory_two_hash_affordable(scheme), few = scheme->k <= TWO_HASH_EXACT_K_MAX;
    bool large = scheme->m >
                 (scheme->law == LAW_ENHANCED ? MODEL_SIMULATE_ENHANCED_MAX : MODEL_SIMULATE_MAX);
    if (!few || !large)
        *model = two_hash_simulate(scheme, n);
    if (few) {
        struct estimate mean = {0, 0};
        if (exact)
            mean.value = theory_two_hash_exact(scheme, n);
        else
            mean = two_hash_sampled_mean(scheme, n);
        model->fpr = mean.value;
        model->se = mean.se;
    }
    if (large) {
        struct estimate variance = two_hash_delta_variance(scheme, n, model->fpr);
        model->variance = variance.value;
        model->variance_se = variance.se;
    }
    model->name = exact ? "exact" : "simulation";
}
