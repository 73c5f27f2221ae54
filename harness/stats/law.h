/* SPDX-License-Identifier: MIT
 *
 * law.h: laws of whole numbers, written out: what tests use where nothing is normal.
 *
 * A law owns its array; law_release frees it. Probabilities below LAW_CUT at either end are cut
 * off, and every operation adds and multiplies positive numbers only, so each value is good to a
 * few ulp times the number of steps. A function that returns false (no memory, or more than
 * LAW_COUNT_MAX values, or more than LAW_WORK_MAX steps, twice that for a sum) leaves an empty law:
 * the caller has an approximation.
 */
#ifndef BLOOMLAB_LAW_H
#define BLOOMLAB_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/stats/stats.h"

#define LAW_CUT 1e-32
#define LAW_COUNT_MAX 16384u
#define LAW_WORK_MAX 1e6 /* of one operation: about a millisecond */

struct law {
    int64_t first; /* p[i] = P(X = first + i) */
    size_t count;  /* 0: empty */
    double *p;
};

void law_release(struct law *law);

bool law_binomial(struct law *out, uint64_t n, double rate);

/* Of the number of occupied cells after `throws` throws into m cells: the chain x -> x with x/m,
 * else x + 1 (THEORY 1). False when it would take more than LAW_WORK_MAX steps. */
bool law_occupancy(struct law *out, uint64_t m, uint64_t throws);

/* The law of Panjer's class, p_j / p_(j-1) = a + b/j (ASTIN Bulletin 12, 1981), with this mean and
 * variance, both > 0: Poisson where they are equal, a negative binomial where the variance is
 * greater, a binomial (of real n) where it is smaller. */
bool law_panjer(struct law *out, double mean, double variance);

bool law_convolve(struct law *out, const struct law *a, const struct law *b);
bool law_power(struct law *out, const struct law *a, uint64_t times); /* sum of independent ones */

bool law_stretch(struct law *out, const struct law *a, unsigned factor); /* of factor * X, X >= 0 */

/* Of (X - Y)^2 for independent X, Y of one law. */
bool law_squared_difference(struct law *out, const struct law *a);

struct moments law_moments(const struct law *law);
struct mid_tails law_tails(const struct law *law, int64_t value);

#endif
