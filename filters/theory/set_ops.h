/* SPDX-License-Identifier: MIT
 *
 * set_ops.h: what the OR and the AND of two classic filters hold, and how well the counts of bits
 * tell the sizes of the sets (cardinality.h) behind them.
 *
 * A and B have the same m, k and hashes. OR is the filter of the union, bit for bit; AND holds the
 * filter of the intersection and, by chance, more. Positions are independent. Variances of counts
 * are exact (covariances of the empty cells of two sets that share keys), those of estimates to
 * first order and biases to second: the delta method.
 */
#ifndef BLOOMLAB_THEORY_SET_OPS_H
#define BLOOMLAB_THEORY_SET_OPS_H

#include <stdint.h>

#include "filters/theory/model.h"

struct set_sizes {
    uint64_t a, b, common; /* |A|, |B|, |A and B| <= min(a, b) */
};

/* The set bits of the AND. */
struct moments theory_set_and_bits(uint64_t m, unsigned k, struct set_sizes sizes);

/* The estimate of |A and B| by inclusion and exclusion, n_a + n_b - n_or, before what is below 0
 * becomes 0; and the estimate from the bits of the AND, as if it were a filter of the common keys:
 * its mean is far above `common` whatever m is. */
struct moments theory_set_intersection(uint64_t m, unsigned k, struct set_sizes sizes);
struct moments theory_set_naive(uint64_t m, unsigned k, struct set_sizes sizes);

/* Rate of the AND filter for members of neither set: E[(X/m)^k] to second order in X. */
double theory_set_and_fpr(uint64_t m, unsigned k, struct set_sizes sizes);

#endif
