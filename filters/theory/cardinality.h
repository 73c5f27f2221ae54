/* SPDX-License-Identifier: MIT
 *
 * cardinality.h: how many distinct keys are in a filter, from its number X of set bits.
 */
#ifndef BLOOMLAB_THEORY_CARDINALITY_H
#define BLOOMLAB_THEORY_CARDINALITY_H

#include <stdint.h>

#include "filters/theory/model.h"

/* -(m/k) ln(1 - X/m): Swamidass & Baldi, JCIM 47, 2007. 0 at X = 0, INFINITY at X = m. m, k >= 1. */
double theory_cardinality(uint64_t m, unsigned k, uint64_t bits_set);

/* ln(1 - X/m) / (k ln(1 - 1/m)): Papapetrou, Siberski, Nejdl, DAPD 28, 2010. */
double theory_cardinality_papapetrou(uint64_t m, unsigned k, uint64_t bits_set);

/* Mean and variance of the first, to first order: Whang, Vander-Zanden, Taylor, TODS 15, 1990. */
struct moments theory_cardinality_moments(uint64_t m, uint64_t n, unsigned k);

/* |A and B| by inclusion and exclusion from the counts of A, B and A or B; below 0 is 0. */
double theory_cardinality_intersection(uint64_t m, unsigned k, uint64_t bits_a, uint64_t bits_b,
                                       uint64_t bits_or);

#endif
