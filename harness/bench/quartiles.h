/* SPDX-License-Identifier: MIT
 *
 * quartiles.h: what the rounds of one measurement come to.
 */
#ifndef BLOOMLAB_BENCH_QUARTILES_H
#define BLOOMLAB_BENCH_QUARTILES_H

#include <stdbool.h>
#include <stddef.h>

struct quartiles {
    double median, q1, q3;
};

/* Straight lines between the order statistics, the i-th of n (from 0) at i/(n - 1): definition 7 of
 * Hyndman & Fan, "Sample Quantiles in Statistical Packages", American Statistician 50(4), 1996.
 * Sorts the values. count 0: all NaN. */
struct quartiles quartiles_of(double *values, size_t count);

/* Rounds disagree when their middle half spreads over more than this share of the median: another
 * program, a changed clock rate or a page that moved would explain a difference of that size. */
#define QUARTILES_NOISY 0.1

bool quartiles_noisy(const struct quartiles *quartiles);

#endif
