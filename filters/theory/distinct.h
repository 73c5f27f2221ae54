/* SPDX-License-Identifier: MIT
 *
 * distinct.h: a filter whose keys own uniform k-subsets of the m positions (Bloom 1970).
 */
#ifndef BLOOMLAB_THEORY_DISTINCT_H
#define BLOOMLAB_THEORY_DISTINCT_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* sum_i (-1)^i C(k,i) [C(m-i,k)/C(m,k)]^n, in MPFR. 1 <= k <= m. */
double theory_fpr_distinct(uint64_t m, uint64_t n, unsigned k);
struct moments theory_fill_distinct(uint64_t m, uint64_t n, unsigned k);

#endif
