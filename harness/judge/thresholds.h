/* SPDX-License-Identifier: MIT
 *
 * thresholds.h: every number a verdict depends on, in one place: STATISTICS 2 and 3.
 */
#ifndef BLOOMLAB_THRESHOLDS_H
#define BLOOMLAB_THRESHOLDS_H

/* The four p-values of a cell become one, P = JUDGE_TESTS * min p, whether or not all four apply.
 */
#define JUDGE_TESTS 4
#define JUDGE_FAIL_P 1e-6
#define JUDGE_WARN_P 1e-3

/* FAIL asks for an effect too: its JUDGE_EFFECT_LEVEL interval outside [1/JUDGE_EFFECT,
 * JUDGE_EFFECT]. */
#define JUDGE_EFFECT 1.02
#define JUDGE_EFFECT_LEVEL 0.999

/* The flag hash_collision makes a FAIL by itself, whatever the four tests say: chance makes it with
 * a probability below JUDGE_FAIL_P / JUDGE_TESTS, and two keys that no seed tells apart are a fault
 * of the hash at any rate of the filter. */

#define JUDGE_LEVEL 0.95 /* of every interval that is printed */

/* WEAK: the smallest ratio that P < JUDGE_WARN_P would have found with this power is greater. */
#define JUDGE_WEAK_MDE 1.25
#define JUDGE_POWER 0.8

/* Below these a normal law is not used: Var * T for fill, expected hits for probe. At Var * T = 25
 * and a Poisson's skewness of 1/5 the normal tail beyond z = 4.9 is wrong by a factor of 50, at 100
 * by 7; the exact laws cost little up to there. */
#define JUDGE_FILL_NORMAL 100
#define JUDGE_PROBE_NORMAL 1000

/* Spread: exact (by pairs of trials) where the variance of X is below the first and Var * T below
 * the second; else chi-squared. */
#define JUDGE_SPREAD_LATTICE 2
#define JUDGE_SPREAD_EXACT 100

/* The model test is at most WARN when the law of f is fitted, not known (it is for (X/m)^k, X
 * occupancy: written out, or normal from this variance on), there are fewer trials than this, and f
 * scatters between filters by more than this share of its mean. */
#define JUDGE_MODEL_NORMAL 25
#define JUDGE_MODEL_TRIALS 10
#define JUDGE_MODEL_SCATTER 0.05

/* Farther out than this the law of f, written out for 10 standard deviations, says nothing, and the
 * digits of z would differ between machines: the plain (fpr - p)/se0 takes over. */
#define JUDGE_MODEL_FAR 16

/* A fitted law of f is not believed where f's scatter is above the first and that of the mean of T
 * above the second (blocked filters of a few keys: 16 % of p-values below 1 % otherwise). */
#define JUDGE_MODEL_SHAPELESS 0.5
#define JUDGE_MODEL_MEAN 0.25

/* Near 1 it is 1 - f whose scatter counts. Where all hit, and theory's rate is above this, the
 * mean stands at the end of its law, and the variance that theory (or a simulation of filters that
 * were all full) tells is no guide: the greatest of any law, p (1 - p), takes its place. */
#define JUDGE_MODEL_FULL 0.9

/* trials_alike: every X_t and every H_t equal, which independent trials would do this rarely. */
#define JUDGE_ALIKE_P 1e-4

/* wilson_model (theory's variance of f, when greater than the sample's) replaces wilson_cluster
 * below so many trials or so small a Var * T of set bits: the sample's then is 0 too often. */
#define JUDGE_CLUSTER_TRIALS 5
#define JUDGE_CLUSTER_VARIANCE 25

/* Attribution: from so many hits and trials on, the hash term takes its error from the trials. */
#define JUDGE_PAIRED_HITS 30
#define JUDGE_PAIRED_TRIALS 3

#endif
