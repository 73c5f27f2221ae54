/* SPDX-License-Identifier: MIT
 *
 * hyperloglog_law.h: between hyperloglog.c and hyperloglog_law.c: the law of an estimate.
 */
#ifndef BLOOMLAB_THEORY_HYPERLOGLOG_LAW_H
#define BLOOMLAB_THEORY_HYPERLOGLOG_LAW_H

/* The limit of alpha for many registers, 1/(2 ln 2). */
#define HLL_ALPHA_LIMIT 0.72134752044448170368

/* Of an estimate of n keys, to first order in 1/m: its mean less n, and its variance. */
struct hll_law {
    double bias, variance;
};

/* Of Ertl's estimate; n > 0. */
struct hll_law hll_ertl_law(unsigned precision, unsigned rest, double n);

#endif
