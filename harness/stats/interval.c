/* SPDX-License-Identifier: MIT
 *
 * interval.c: intervals of rates and means: STATISTICS 4.
 *
 * Bounds are computed so that small ones keep their digits: Wilson's smaller bound from the product
 * of the two, Clopper & Pearson's on the logarithm of the rate.
 */
#include "harness/stats/stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const struct interval interval_none = {NAN, NAN};

/* The roots x of (x - rate)^2 = c x (1 - x), c = z^2/n: their product is rate^2 / (1 + c), and that
 * of their complements (1 - rate)^2 / (1 + c). */
struct interval stats_wilson_effective(double rate, double queries, double quantile)
{
    if (!(queries > 0) || isnan(rate) || isnan(quantile))
        return interval_none;
    double c = quantile * quantile / queries, one = 1 + c;
    double half = sqrt(c * (rate * (1 - rate) + c / 4));
    double hi = (rate + c / 2 + half) / one, lo_complement = (1 - rate + c / 2 + half) / one;
    double lo = rate <= 0.5 ? rate * (rate / (one * hi)) : 1 - lo_complement;
    if (rate > 0.5)
        hi = 1 - (1 - rate) * ((1 - rate) / (one * lo_complement));
    return (struct interval){.lo = rate <= 0 ? 0 : fmax(0, lo), .hi = rate >= 1 ? 1 : fmin(1, hi)};
}

static double interval_quantile(double level)
{
    return stats_normal_quantile((1 + level) / 2);
}

struct interval stats_wilson(uint64_t hits, uint64_t queries, double level)
{
    if (queries == 0)
        return interval_none;
    return stats_wilson_effective((double)hits / (double)queries, (double)queries,
                                  interval_quantile(level));
}

/* P(Binomial(queries, rate) >= hits). From 1e5 queries on gsl_cdf_beta_P changes to an
 * approximation, then loses digits (1e-6 at 6e9 queries, 3e-4 at 1e12) and finally gives NaN;
 * summed tails do not. */
static double interval_at_least(uint64_t hits, uint64_t queries, double rate)
{
    if (queries < 100000)
        return gsl_cdf_beta_P(rate, (double)hits, (double)(queries - hits) + 1);
    struct mid_tails tails = stats_binomial_tails(hits, queries, rate);
    return exp(tails.log_above) + exp(stats_binomial_log(hits, queries, rate)) / 2;
}

/* The false position rule with the Illinois modification, on x = ln rate in [lo, hi]. */
static double interval_root(uint64_t hits, uint64_t queries, double probability, double lo,
                            double hi)
{
    double f_lo = interval_at_least(hits, queries, exp(lo)) - probability;
    double f_hi = interval_at_least(hits, queries, exp(hi)) - probability;
    int side = 0;
    for (int i = 0; i < 200 && hi - lo > 1e-15 * fabs(lo) + 1e-16; i++) {
        double x = (f_hi * lo - f_lo * hi) / (f_hi - f_lo);
        if (!(lo < x && x < hi) || i % 8 == 7)
            x = (lo + hi) / 2;
        double f = interval_at_least(hits, queries, exp(x)) - probability;
        if (f == 0 || x == lo || x == hi)
            return x;
        if (f < 0) {
            lo = x, f_lo = f;
            f_hi = side == -1 ? f_hi / 2 : f_hi;
            side = -1;
        } else {
            hi = x, f_hi = f;
            f_lo = side == 1 ? f_lo / 2 : f_lo;
            side = 1;
        }
    }
    return (lo + hi) / 2;
}

double stats_binomial_rate(uint64_t hits, uint64_t queries, double probability)
{
    if (hits == 0 || hits > queries || !(probability > 0 && probability < 1))
        return NAN;
    double n = (double)queries;
    if (hits == queries)
        return exp(log(probability) / n);
    if (hits == 1)
        return -expm1(log1p(-probability) / n);
    double z = stats_normal_quantile(probability);
    struct interval guess = stats_wilson_effective(((double)hits - 0.5) / n, n, fabs(z));
    double x = log(z < 0 ? guess.lo : guess.hi), step = 0.1 / sqrt((double)hits);
    double lo = x - step, hi = fmin(0, x + step);
    for (; interval_at_least(hits, queries, exp(lo)) > probability; step *= 2)
        lo -= step;
    for (; hi < 0 && interval_at_least(hits, queries, exp(hi)) < probability; step *= 2)
        hi = fmin(0, hi + step);
    return exp(interval_root(hits, queries, probability, lo, hi));
}

struct interval stats_clopper_pearson(uint64_t hits, uint64_t queries, double level)
{
    if (queries == 0)
        return interval_none;
    double tail = (1 - level) / 2;
    return (struct interval){
        .lo = hits == 0 ? 0 : stats_binomial_rate(hits, queries, tail),
        .hi = hits == queries ? 1 : stats_binomial_rate(hits + 1, queries, 1 - tail),
    };
}

struct moments stats_moments(const double *value, size_t count)
{
    if (count == 0)
        return (struct moments){NAN, NAN};
    double sum = 0, square = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        square += (value[i] - mean) * (value[i] - mean);
    return (struct moments){.mean = mean,
                            .variance = count > 1 ? square / (double)(count - 1) : NAN};
}

struct interval stats_t_interval(const double *value, size_t count, double level)
{
    if (count < 2)
        return interval_none;
    struct moments m = stats_moments(value, count);
    double half =
        stats_t_quantile((1 + level) / 2, (double)count - 1) * sqrt(m.variance / (double)count);
    return (struct interval){.lo = m.mean - half, .hi = m.mean + half};
}

/* 1 + (Q - 1) tau^2 / (f (1 - f)), at least 1; f = 0 or 1 is the same filter every time. */
static double interval_design_effect(struct moments f, uint64_t queries)
{
    double bernoulli = f.mean * (1 - f.mean);
    if (!(bernoulli > 0) || !(f.variance > 0))
        return 1;
    return 1 + ((double)queries - 1) * f.variance / bernoulli;
}

struct interval stats_wilson_cluster(uint64_t hits, uint64_t trials, uint64_t queries,
                                     struct moments scheme, double level, double *deff)
{
    *deff = NAN;
    if (trials < 2 || queries == 0 || isnan(scheme.mean) || isnan(scheme.variance))
        return interval_none;
    *deff = interval_design_effect(scheme, queries);
    double quantile = interval_quantile(level), all = (double)trials * (double)queries;
    if (scheme.variance > 0) {
        double within = scheme.mean * (1 - scheme.mean) / (double)queries;
        double share = 1 + within / scheme.variance;
        quantile = stats_t_quantile((1 + level) / 2, ((double)trials - 1) * share * share);
    }
    return stats_wilson_effective((double)hits / all, all / *deff, quantile);
}

struct interval stats_wilson_model(uint64_t hits, uint64_t trials, uint64_t queries,
                                   struct moments theory, double level, double *deff)
{
    *deff = NAN;
    if (trials == 0 || queries == 0 || isnan(theory.mean) || isnan(theory.variance))
        return interval_none;
    *deff = interval_design_effect(theory, queries);
    double all = (double)trials * (double)queries;
    return stats_wilson_effective((double)hits / all, all / *deff, interval_quantile(level));
}

struct interval_rank {
    double p;
    size_t index;
};

static int interval_rank_compare(const void *a, const void *b)
{
    const struct interval_rank *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

enum status stats_q_values(double *q, const double *p, size_t count, struct error *err)
{
    struct interval_rank *rank = malloc((count + 1) * sizeof *rank);
    if (!rank)
        return fail(err, E_RUN, "q-values: no memory for %zu p-values", count);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        q[i] = NAN;
        if (!isnan(p[i]))
            rank[known++] = (struct interval_rank){.p = p[i], .index = i};
    }
    qsort(rank, known, sizeof *rank, interval_rank_compare);
    double least = 1;
    for (size_t i = known; i > 0; i--) {
        least = fmin(least, rank[i - 1].p * (double)known / (double)i);
        q[rank[i - 1].index] = least;
    }
    free(rank);
    return OK;
}
