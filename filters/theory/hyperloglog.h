/* SPDX-License-Identifier: MIT
 *
 * hyperloglog.h: HyperLogLog estimates from a histogram of registers, and how far they are off.
 *
 * precision p in 4 .. 18: 2^p registers. rest >= 1: bits of a digest beyond the p that name a
 * register; a register then holds 0 .. rest + 1, and histogram[r] is the number of those that hold
 * r, r = 0 .. 63 (0 above rest + 1). A digest of 64 bits has rest = 64 - p.
 */
#ifndef BLOOMLAB_THEORY_HYPERLOGLOG_H
#define BLOOMLAB_THEORY_HYPERLOGLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

enum { HLL_PRECISION_MIN = 4, HLL_PRECISION_MAX = 18 };

/* Source: Flajolet, Fusy, Gandouet, Meunier, AofA 2007. */
double theory_hll_alpha(unsigned precision);          /* the constant of the paper */
double theory_hll_standard_error(unsigned precision); /* 1.04 / sqrt(2^p) */

/* The estimate of 2007, with linear counting up to 5m/2. Its correction of large ranges is left
 * out: at 64 bits there is none, and at fewer it would not be the right one (hyperloglog.c of
 * filters/). INFINITY never. */
double theory_hll_estimate(const uint64_t *histogram, unsigned precision);

/* O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", arXiv:1702.01284,
 * 2017: what empty and full registers leave out of the harmonic sum is put back by
 *   sigma(x) = x + sum_(k>=1) x^(2^k) 2^(k-1)                            x in [0, 1], sigma(1) =
 * inf tau(x) = (1 - x - sum_(k>=1) (1 - x^(2^-k))^2 2^-k) / 3              x in [0, 1] so that one
 * formula holds from 0 keys to where every register is full (INFINITY). */
double theory_hll_sigma(double x);
double theory_hll_tau(double x);
double theory_hll_ertl(const uint64_t *histogram, unsigned precision, unsigned rest);

/* The same, its bias to second order taken off, which is 1/(2m) of n while n is small and 1.08/m
 * when it is large: 7 % at p = 4, a thousandth of that at p = 14. */
double theory_hll_centred(const uint64_t *histogram, unsigned precision, unsigned rest);

/* Mean and variance of the three for n distinct keys: by the delta method from the law of Poisson
 * registers, less the variance of a Poisson number of keys. The estimate of 2007 is a mixture about
 * 5m/2, where the first of its formulas gives way to the second. To first order in 1/m: at p = 4
 * within 1 % of n in the mean and an eighth in the standard deviation; both better at once as m
 * grows.
 */
struct moments theory_hll_moments(unsigned precision, uint64_t n);
struct moments theory_hll_ertl_moments(unsigned precision, unsigned rest, uint64_t n);
struct moments theory_hll_centred_moments(unsigned precision, unsigned rest, uint64_t n);

#endif
