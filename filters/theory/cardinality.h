/* SPDX-License-Identifier: MIT
 *
 * cardinality.h: how many distinct keys are in a filter, from its number X of set bits.
 */
#ifndef BLOOMLAB_THEORY_CARDINALITY_H
#define BLOOMLAB_THEORY_CARDINALITY_H

#include <stdint.h>

#include "filters/theory/model.h"

/* -(m/k) ln(1 - X/m): Swamidass & Baldi, JCIM 47, 2007. 0 at X = 0, INFINITY at X = m. m, k >= 1.
 */
double theory_cardinality(uint64_t m, unsigned k, uint64_t bits_set);

/* ln(1 - X/m) / (k ln(1 - 1/m)): Papapetrou, Siberski, Nejdl, DAPD 28, 2010. */
double theory_cardinality_papapetrou(uint64_t m, unsigned k, uint64_t bits_set);

/* The same two at a real number of bits, such as an expected count. */
double theory_cardinality_at(uint64_t m, unsigned k, double bits);
double theory_cardinality_papapetrou_at(uint64_t m, unsigned k, double bits);

/* Mean and variance of the first, to first order: Whang, Vander-Zanden, Taylor, TODS 15, 1990. */
struct moments theory_cardinality_moments(uint64_t m, uint64_t n, unsigned k);

/* Of -scale ln(1 - X/m), by the delta method from the mean and the variance of X, 0 <= mean <= m;
 * scale > 0, m/k for the first. NaN where no bit is left clear. */
struct moments theory_cardinality_delta(uint64_t m, double scale, struct moments fill);

/* |A and B| by inclusion and exclusion from the counts of A, B and A or B; below 0 is 0. With
 * papapetrou for the three sizes this is the formula of Papapetrou et al. 2010. A saturated union:
 * INFINITY when A and B are saturated too, else NaN (infinity from both sides). */
double theory_cardinality_intersection(uint64_t m, unsigned k, uint64_t bits_a, uint64_t bits_b,
                                       uint64_t bits_or);

/* Expected set bits of (A and B), |A| = a, |B| = b, |A and B| = common <= min(a, b):
 * m (1 - q^a - q^b + q^(a+b-common)), q = (1 - 1/m)^k. More than the filter of the intersection
 * holds: m (1 - q^common), by the bits that keys of A alone and of B alone both set. */
double theory_fill_intersection(uint64_t m, unsigned k, uint64_t a, uint64_t b, uint64_t common);

#endif
