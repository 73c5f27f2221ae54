/* SPDX-License-Identifier: MIT */
#include "harness/judge/contrast.h"

#include <math.h>

#include "harness/stats/stats.h"

/* An error and how well it is known. */
struct contrast_error {
    double variance; /* of the difference */
    double freedom;  /* of Student's law; INFINITY: normal */
};

double contrast_fisher(double hits_a, double queries_a, double hits_b, double queries_b)
{
    double hits = hits_a + hits_b;
    double first = fmax(0, hits - queries_b), last = fmin(hits, queries_a);
    /* Hypergeometric weights from the mode outwards: each step is a ratio, none overflows. */
    double mode = floor((hits + 1) * (queries_a + 1) / (queries_a + queries_b + 2));
    mode = fmin(fmax(mode, first), last);
    double below = 0, at = 0, above = 0;
    double weight = 1;
    for (double x = mode; x <= last && weight > 0; x++) {
        *(x < hits_a ? &below : x > hits_a ? &above : &at) += weight;
        weight *= (queries_a - x) * (hits - x) / ((x + 1) * (queries_b - hits + x + 1));
    }
    weight = 1;
    for (double x = mode; x > first && weight > 0;) {
        weight *= x * (queries_b - hits + x) / ((queries_a - x + 1) * (hits - x + 1));
        x--;
        *(x < hits_a ? &below : x > hits_a ? &above : &at) += weight;
    }
    return fmin(1, 2 * (fmin(below, above) + at) / (below + at + above));
}

/* Fisher's test of whichever outcome is rarer; 0 (no objection) where both are common. */
static double contrast_counts_p(double hits_a, double n_a, double hits_b, double n_b)
{
    double hits = hits_a + hits_b, misses = n_a + n_b - hits;
    if (fmin(hits, misses) >= CONTRAST_RARE)
        return 0;
    return hits <= misses ? contrast_fisher(hits_a, n_a, hits_b, n_b)
                          : contrast_fisher(n_a - hits_a, n_a, n_b - hits_b, n_b);
}

/* Widens by what the trials scatter beyond what they should: `sum` of squared deviations in units
 * of their expected variance, on `freedom` degrees. */
static void contrast_widen(struct contrast_error *error, double sum, double freedom)
{
    if (!(freedom > 0) || !(sum > freedom))
        return;
    error->variance *= sum / freedom;
    if (exp(stats_chi2_tails(sum, freedom).log_above) < CONTRAST_SCATTER_P)
        error->freedom = fmin(error->freedom, freedom);
}

static void contrast_finish(struct contrast *out, const struct contrast_error *error,
                            double counts_p)
{
    double difference = out->a - out->b;
    if (isnan(difference) || isnan(error->variance)) {
        out->z = out->p = NAN;
    } else if (difference == 0) {
        out->z = 0;
        out->p = 1;
    } else if (error->variance > 0) {
        double t = difference / sqrt(error->variance);
        double p = isinf(error->freedom) ? stats_normal_two_sided(t)
                                         : stats_t_two_sided(t, error->freedom);
        out->p = fmax(p, counts_p);
        out->z = out->p > 0 ? stats_signed_z(out->p, difference) : t;
    } else {
        out->p = counts_p;
        out->z = counts_p > 0 ? stats_signed_z(counts_p, difference)
                              : copysign(STATS_Z_IMPOSSIBLE, difference);
    }
}

/* ---- seeds of their own -----------------------------------------------------------------------
 */

/* The variance of f between filters, from both sides; *freedom: how well it is known. */
static double contrast_tau2(double *freedom, const struct contrast_side *a,
                            const struct contrast_side *b)
{
    double nu = a->trials + b->trials - 2;
    *freedom = INFINITY;
    if (a->tau_known && b->tau_known)
        return fmax(a->tau2, b->tau2);
    *freedom = nu;
    if (!(nu > 0))
        return NAN;
    double sum = 0;
    if (a->trials > 1)
        sum += (a->trials - 1) * a->tau2;
    if (b->trials > 1)
        sum += (b->trials - 1) * b->tau2;
    return sum / nu;
}

/* Of hits per query. Without any f_t the trials' own scatter is all there is. */
static void contrast_query_error(struct contrast_error *error, const struct contrast_side *a,
                                 const struct contrast_side *b)
{
    double n_a = a->trials * a->queries, n_b = b->trials * b->queries, freedom;
    double p = (a->hits + b->hits) / (n_a + n_b), bernoulli = p * (1 - p);
    double sampled = contrast_tau2(&freedom, a, b);
    bool blind = isnan(sampled);
    double tau2 = blind ? 0 : fmin(sampled, bernoulli);
    double one_a = (bernoulli - tau2) / a->queries + tau2;
    double one_b = (bernoulli - tau2) / b->queries + tau2;
    error->variance = one_a / a->trials + one_b / b->trials;
    double share = tau2 * (1 / a->trials + 1 / b->trials) / error->variance;
    error->freedom = share > 0 ? freedom / (share * share) : INFINITY;
    double sum = 0, known = 0;
    if (a->trials > 1 && one_a > 0 && !isnan(a->scatter)) {
        sum += (a->trials - 1) * a->scatter / one_a;
        known += a->trials - 1;
    }
    if (b->trials > 1 && one_b > 0 && !isnan(b->scatter)) {
        sum += (b->trials - 1) * b->scatter / one_b;
        known += b->trials - 1;
    }
    contrast_widen(error, sum, known);
    if (blind)
        error->freedom = known;
    if (blind && !(known > 0))
        error->variance = NAN; /* nothing tells how much filters scatter */
}

void contrast_independent(struct contrast *out, const struct contrast_side *a,
                          const struct contrast_side *b)
{
    struct contrast_error error = {NAN, INFINITY};
    if (a->queries > 0 && b->queries > 0) {
        double n_a = a->trials * a->queries, n_b = b->trials * b->queries;
        *out = (struct contrast){.a = a->hits / n_a, .b = b->hits / n_b};
        contrast_query_error(&error, a, b);
        contrast_finish(out, &error, contrast_counts_p(a->hits, n_a, b->hits, n_b));
        return;
    }
    *out = (struct contrast){.a = a->scheme, .b = b->scheme};
    double tau2 = contrast_tau2(&error.freedom, a, b);
    /* X is a whole number: trials that happen to agree know less than their variance of 0 says. */
    double step = fmax(a->step, b->step);
    error.variance = fmax(tau2, step * step / 4) * (1 / a->trials + 1 / b->trials);
    if (isnan(tau2))
        error.variance = NAN;
    contrast_finish(out, &error, 0);
}

/* ---- shared seeds -----------------------------------------------------------------------------
 */

/* Means over the pairs, and what the pairs scatter. */
struct contrast_sums {
    double hits_a, hits_b, scheme_a, scheme_b;
    double filters; /* sample variance of f_a - f_b; NaN: not known */
    double rates;   /* of the difference of the measured rates */
};

static void contrast_sum(struct contrast_sums *s, const struct contrast_pair *pair, size_t count,
                         double queries_a, double queries_b)
{
    double n = (double)count;
    *s = (struct contrast_sums){0};
    for (size_t t = 0; t < count; t++) {
        s->hits_a += pair[t].hits_a / n;
        s->hits_b += pair[t].hits_b / n;
        s->scheme_a += pair[t].scheme_a / n;
        s->scheme_b += pair[t].scheme_b / n;
    }
    for (size_t t = 0; t < count; t++) {
        double f = pair[t].scheme_a - pair[t].scheme_b - (s->scheme_a - s->scheme_b);
        double r =
            (pair[t].hits_a - s->hits_a) / queries_a - (pair[t].hits_b - s->hits_b) / queries_b;
        s->filters += f * f / (n - 1);
        s->rates += r * r / (n - 1);
    }
    if (count == 1) /* one pair tells how filters differ only when they do not */
        s->filters = pair[0].scheme_a == pair[0].scheme_b ? 0 : NAN;
}

/* Of f_a - f_b, nothing having been asked. X is a whole number: see contrast_independent. */
static void contrast_pairs_of_filters(struct contrast *out, const struct contrast_sums *s, double n,
                                      double step)
{
    struct contrast_error error = {isnan(s->filters) ? NAN : fmax(s->filters, step * step / 2) / n,
                                   n - 1};
    *out = (struct contrast){.a = s->scheme_a, .b = s->scheme_b};
    contrast_finish(out, &error, 0);
}

void contrast_paired(struct contrast *out, const struct contrast_pair *pair, size_t count,
                     double queries_a, double queries_b, double step)
{
    struct contrast_sums s;
    double n = (double)count;
    bool asked = queries_a > 0 && queries_b > 0;
    contrast_sum(&s, pair, count, asked ? queries_a : 1, asked ? queries_b : 1);
    if (!asked) {
        contrast_pairs_of_filters(out, &s, n, step);
        return;
    }
    *out = (struct contrast){.a = s.hits_a / queries_a, .b = s.hits_b / queries_b};
    double p = (s.hits_a + s.hits_b) / (queries_a + queries_b);
    double filters = isnan(s.scheme_a - s.scheme_b) ? 0 : s.filters;
    double one = p * (1 - p) * (1 / queries_a + 1 / queries_b) + filters;
    double share = filters / one;
    struct contrast_error error = {one / n, share > 0 ? (n - 1) / (share * share) : INFINITY};
    if (one > 0)
        contrast_widen(&error, (n - 1) * s.rates / one, n - 1);
    contrast_finish(out, &error,
                    contrast_counts_p(s.hits_a * n, queries_a * n, s.hits_b * n, queries_b * n));
}
