/* SPDX-License-Identifier: MIT
 *
 * stats.h: intervals and tail probabilities, on top of GSL's distributions (its error handler off).
 *
 * Everything is two-sided at a stated level; p-values are exact where a normal law would lie. Tails
 * are carried as logarithms, so that a p-value of 1e-300 (or 1e-30000) still has its normal score.
 * All functions are pure and may run in many threads. Laws of whole numbers: law.h; tails from a
 * cumulant generating function: saddlepoint.h.
 */
#ifndef BLOOMLAB_STATS_H
#define BLOOMLAB_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

struct interval {
    double lo, hi;
};

/* Both tails of an observation x of X, as natural logarithms: P(X < x) + P(X = x)/2 and
 * P(X > x) + P(X = x)/2. Half of the observed value's own probability goes to each (mid-p:
 * Lancaster, JASA 56, 1961), so that the two add up to 1. -INFINITY: impossible. */
struct mid_tails {
    double log_below, log_above;
};

/* A two-sided p-value and the signed normal score it stands for: P(|Z| > |z|) = p. */
struct score {
    double z; /* > 0: more than expected; never infinite: STATS_Z_IMPOSSIBLE stands for p = 0 */
    double p;
};

#define STATS_Z_IMPOSSIBLE 1e6

/* Once per process, before anything else here: GSL must not abort. */
void stats_init(void);

/* ---- intervals ----------------------------------------------------------------------------- */

/* Wilson's score interval, JASA 22, 1927. hits <= queries; queries = 0 gives NaN, NaN. */
struct interval stats_wilson(uint64_t hits, uint64_t queries, double level);

/* The same for a rate and a real effective number of queries, with a given quantile. */
struct interval stats_wilson_effective(double rate, double queries, double quantile);

/* Clopper & Pearson, Biometrika 26, 1934: by bracketing the forward beta distribution. */
struct interval stats_clopper_pearson(uint64_t hits, uint64_t queries, double level);

/* The rate p at which P(Binomial(queries, p) >= hits) = probability. 1 <= hits <= queries. */
double stats_binomial_rate(uint64_t hits, uint64_t queries, double probability);

/* Mean and sample variance (n - 1), summed serially in order. variance NaN for count < 2. */
struct moments stats_moments(const double *value, size_t count);

/* Student's interval of the mean of `count` values; NaN, NaN for count < 2. */
struct interval stats_t_interval(const double *value, size_t count, double level);

/* The cell's interval: STATISTICS 4, wilson_cluster. hits over trials * queries; scheme: mean and
 * sample variance of the trials' f (its mean, not the hits, makes the design effect: it is there
 * when nothing was hit). Writes the design effect (>= 1). */
struct interval stats_wilson_cluster(uint64_t hits, uint64_t trials, uint64_t queries,
                                     struct moments scheme, double level, double *deff);

/* One trial, or few: mean and variance of f between filters from theory (wilson_model). */
struct interval stats_wilson_model(uint64_t hits, uint64_t trials, uint64_t queries,
                                   struct moments theory, double level, double *deff);

/* ---- distributions ------------------------------------------------------------------------- */

double stats_normal_quantile(double p);                 /* z with P(Z < z) = p */
double stats_t_quantile(double p, double freedom);      /* freedom > 0, may be fractional */
double stats_normal_two_sided(double z);                /* P(|Z| > |z|) */
double stats_t_two_sided(double t, double freedom);     /* P(|T| > |t|) */
double stats_signed_z(double p_two_sided, double sign); /* the normal score a p-value stands for */

/* ln P(Z > z), and the z whose upper tail has this logarithm (<= 0; -INFINITY: impossible). */
double stats_normal_log_tail(double z);
double stats_normal_from_log_tail(double log_tail);

struct score stats_score(struct mid_tails tails); /* p = twice the smaller tail, at most 1 */
struct score stats_score_normal(double z);

/* Two-sided p of a chi-squared statistic: 2 min(lower, upper), at most 1. */
double stats_chi2_two_sided(double statistic, double freedom);
struct mid_tails stats_chi2_tails(double statistic,
                                  double freedom); /* freedom > 0, fractional too */

/* ---- counts -------------------------------------------------------------------------------- */

/* ln P(Binomial(queries, rate) = hits): Loader, "Fast and Accurate Computation of Binomial
 * Probabilities", 2000. */
double stats_binomial_log(uint64_t hits, uint64_t queries, double rate);

/* Two-sided mid-p of hits under Binomial(queries, rate), and under a Poisson-binomial law of T
 * trials of `queries` each with rates f_t. Sums of positive terms: no cancellation at any size. The
 * second is exact where fewer than 2000 hits (or misses) are expected, else a saddlepoint tail,
 * good to 1e-6. */
double stats_binomial_mid_p(uint64_t hits, uint64_t queries, double rate);
double stats_poisson_binomial_mid_p(uint64_t hits, const double *rate, size_t trials,
                                    uint64_t queries);
struct mid_tails stats_binomial_tails(uint64_t hits, uint64_t queries, double rate);
struct mid_tails stats_poisson_binomial_tails(uint64_t hits, const double *rate, size_t trials,
                                              uint64_t queries);

/* Benjamini & Hochberg, JRSS B 57, 1995: q-values of count p-values, NaN where p is NaN. Serves to
 * order a list of suspects, never a verdict. E_RUN: no memory. */
enum status stats_q_values(double *q, const double *p, size_t count, struct error *err);

#endif
