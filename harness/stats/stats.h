/* SPDX-License-Identifier: MIT
 *
 * stats.h: intervals and tail probabilities, on top of GSL's distributions (its error handler off).
 *
 * Everything is two-sided at a stated level; p-values are exact where a normal law would lie.
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

/* Once per process, before anything else here: GSL must not abort. */
void stats_init(void);

/* Wilson's score interval, JASA 22, 1927. hits <= queries; queries = 0 gives NaN, NaN. */
struct interval stats_wilson(uint64_t hits, uint64_t queries, double level);

/* The same for a rate and a real effective number of queries, with a given quantile. */
struct interval stats_wilson_effective(double rate, double queries, double quantile);

/* Clopper & Pearson, Biometrika 26, 1934: by bracketing the forward beta distribution. */
struct interval stats_clopper_pearson(uint64_t hits, uint64_t queries, double level);

double stats_normal_quantile(double p);              /* z with P(Z < z) = p */
double stats_t_quantile(double p, double freedom);   /* freedom > 0, may be fractional */
double stats_normal_two_sided(double z);             /* P(|Z| > |z|) */
double stats_signed_z(double p_two_sided, double sign); /* the normal score a p-value stands for */

/* Two-sided p of a chi-squared statistic: 2 min(lower, upper), at most 1. */
double stats_chi2_two_sided(double statistic, double freedom);

/* Two-sided mid-p of hits under Binomial(queries, rate), and under a Poisson-binomial law of T trials
 * of `queries` each with rates f_t (T may be large: falls back to what is still exact to 1e-6). */
double stats_binomial_mid_p(uint64_t hits, uint64_t queries, double rate);
double stats_poisson_binomial_mid_p(uint64_t hits, const double *rate, size_t trials,
                                    uint64_t queries);

/* Mean and sample variance (n - 1), summed serially in order. variance NaN for count < 2. */
struct moments stats_moments(const double *value, size_t count);

/* Student's interval of the mean of `count` values. */
struct interval stats_t_interval(const double *value, size_t count, double level);

/* The cell's interval: STATISTICS 4, wilson_cluster. hits over trials * queries; tau2 = sample variance
 * of the trials' f. Writes the design effect (>= 1). */
struct interval stats_wilson_cluster(uint64_t hits, uint64_t trials, uint64_t queries, double tau2,
                                     double level, double *deff);

/* One trial only: tau2 from theory (wilson_model). */
struct interval stats_wilson_model(uint64_t hits, uint64_t queries, double tau2, double level,
                                   double *deff);

#endif
