/* SPDX-License-Identifier: MIT
 *
 * binomial.c: tails of counts of hits.
 *
 * Why not GSL's gsl_cdf_binomial_*: it counts in 32 bits, and the incomplete beta function below it
 * gives NaN from about 1e6 hits on. A tail is summed from the observed count outward, away from the
 * mean: positive, falling terms, the first from Loader's formula, so small tails keep their digits.
 */
#include "harness/stats/law.h"
#include "harness/stats/saddlepoint.h"
#include "harness/stats/stats.h"

#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_log.h>
#include <math.h>
#include <stdlib.h>

#define BINOMIAL_SUM_VARIANCE                                                                      \
    1e6 /* above: the saddlepoint is good to 4e-10 up to z = 8 (measured) */
#define BINOMIAL_EXACT_COUNT 2000 /* expected hits (or misses) below which laws are convolved */

/* x ln(x/mean) + mean - x: Loader's bd0. */
static double binomial_deviance(double x, double mean)
{
    if (x == 0)
        return mean;
    double e = (x - mean) / mean;
    if (e > 0.5)
        return x * log(x / mean) + mean - x;
    return mean * ((1 + e) * gsl_sf_log_1plusx_mx(e) + e * e);
}

/* ln x! less Stirling's formula sqrt(2 pi x) (x/e)^x. x >= 1. */
static double binomial_stirling(double x)
{
    return log(gsl_sf_gammastar(x));
}

double stats_binomial_log(uint64_t hits, uint64_t queries, double rate)
{
    if (hits > queries || isnan(rate))
        return hits > queries ? -INFINITY : NAN;
    double n = (double)queries, x = (double)hits, rest = (double)(queries - hits);
    if (rate <= 0 || rate >= 1)
        return hits == (rate <= 0 ? 0 : queries) ? 0 : -INFINITY;
    if (hits == 0)
        return n * log1p(-rate);
    if (hits == queries)
        return n * log(rate);
    return binomial_stirling(n) - binomial_stirling(x) - binomial_stirling(rest) -
           binomial_deviance(x, n * rate) - binomial_deviance(rest, n * (1 - rate)) +
           log(n / (2 * M_PI * x * rest)) / 2;
}

/* ln of the tail beyond hits, with half of hits itself. up: the upper tail, hits at or above the
 * mean. */
static double binomial_outward(uint64_t hits, uint64_t queries, double rate, bool up)
{
    double n = (double)queries, j = (double)hits, odds = rate / (1 - rate);
    double term = 1, sum = 0.5;
    while (term > 1e-17 * sum && (up ? j < n : j > 0)) {
        term *= up ? (n - j) / (j + 1) * odds : j / (n - j + 1) / odds;
        sum += term;
        j += up ? 1 : -1;
    }
    return stats_binomial_log(hits, queries, rate) + log(sum);
}

struct mid_tails stats_binomial_tails(uint64_t hits, uint64_t queries, double rate)
{
    if (isnan(rate) || hits > queries)
        return (struct mid_tails){NAN, NAN};
    double n = (double)queries, mean = n * rate;
    if (rate <= 0 || rate >= 1 || queries == 0) {
        bool sure = hits == (rate >= 1 ? queries : 0);
        double other = sure ? -M_LN2 : rate <= 0 ? -INFINITY : 0;
        return (struct mid_tails){.log_below = sure || rate >= 1 ? (sure ? -M_LN2 : -INFINITY) : 0,
                                  .log_above = other};
    }
    if (mean * (1 - rate) > BINOMIAL_SUM_VARIANCE) {
        struct rate_law law = {.rate = &rate, .nodes = 1, .trials = 1, .queries = n};
        return saddlepoint_tails(&law, (double)hits);
    }
    bool up = (double)hits >= mean;
    double tail = fmin(0, binomial_outward(hits, queries, rate, up));
    double other = log1p(-exp(tail));
    return up ? (struct mid_tails){other, tail} : (struct mid_tails){tail, other};
}

double stats_binomial_mid_p(uint64_t hits, uint64_t queries, double rate)
{
    return stats_score(stats_binomial_tails(hits, queries, rate)).p;
}

/* Trials in a fixed order: ascending rates, so that equal ones stand together. */
static int binomial_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The law of the hits of trials first .. last - 1: halves are made alike and convolved, so that the
 * work is that of the last few convolutions. */
static bool binomial_halves(struct law *out, const double *rate, size_t first, size_t last,
                            uint64_t queries)
{
    uint64_t trials = last - first;
    if (rate[first] == rate[last - 1] && queries <= UINT64_MAX / trials)
        return law_binomial(out, queries * trials, rate[first]);
    struct law left = {0}, right = {0};
    size_t middle = first + trials / 2;
    bool fine = binomial_halves(&left, rate, first, middle, queries) &&
                binomial_halves(&right, rate, middle, last, queries) &&
                law_convolve(out, &left, &right);
    law_release(&left);
    law_release(&right);
    return fine;
}

/* Exact tails where they are above 1e-20: deeper ones have lost terms to LAW_CUT. misses: of a law
 * of misses. */
static bool binomial_exact(struct mid_tails *tails, uint64_t hits, const double *sorted,
                           size_t trials, uint64_t queries)
{
    struct law law = {0};
    if (!binomial_halves(&law, sorted, 0, trials, queries))
        return false;
    *tails = law_tails(&law, (int64_t)hits);
    law_release(&law);
    return fmin(tails->log_below, tails->log_above) > -46;
}

/* rate becomes the sorted rates of hits, or of misses where those are rarer. */
static struct mid_tails binomial_sorted(uint64_t hits, double *rate, size_t trials,
                                        uint64_t queries)
{
    double sum = 0, n = (double)queries;
    for (size_t t = 0; t < trials; t++)
        sum += rate[t];
    bool flip = 2 * sum > (double)trials;
    for (size_t t = 0; flip && t < trials; t++)
        rate[t] = 1 - rate[t];
    uint64_t count = flip ? (uint64_t)trials * queries - hits : hits;
    qsort(rate, trials, sizeof *rate, binomial_compare);
    struct mid_tails tails;
    double expected = n * (flip ? (double)trials - sum : sum);
    if (rate[0] == rate[trials - 1])
        tails = stats_binomial_tails(count, (uint64_t)trials * queries, rate[0]);
    else if (expected >= BINOMIAL_EXACT_COUNT ||
             !binomial_exact(&tails, count, rate, trials, queries)) {
        struct rate_law law = {.rate = rate, .nodes = trials, .trials = 1, .queries = n};
        tails = saddlepoint_tails(&law, (double)count);
        if (isnan(tails.log_below)) /* beyond all it could be: rates of 0 or 1 among them */
            tails = (double)count > expected ? (struct mid_tails){0, -INFINITY}
                                             : (struct mid_tails){-INFINITY, 0};
    }
    return flip ? (struct mid_tails){tails.log_above, tails.log_below} : tails;
}

struct mid_tails stats_poisson_binomial_tails(uint64_t hits, const double *rate, size_t trials,
                                              uint64_t queries)
{
    struct mid_tails none = {NAN, NAN};
    double *own = trials ? malloc(trials * sizeof *own) : NULL;
    if (!own)
        return none;
    for (size_t t = 0; t < trials; t++) {
        own[t] = fmax(0, fmin(1, rate[t]));
        if (isnan(rate[t])) {
            free(own);
            return none;
        }
    }
    struct mid_tails tails = binomial_sorted(hits, own, trials, queries);
    free(own);
    return tails;
}

double stats_poisson_binomial_mid_p(uint64_t hits, const double *rate, size_t trials,
                                    uint64_t queries)
{
    return stats_score(stats_poisson_binomial_tails(hits, rate, trials, queries)).p;
}
