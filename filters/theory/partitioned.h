/* SPDX-License-Identifier: MIT
 *
 * partitioned.h: k slices of `slice` bits each, one probe a slice (Mullin 1983; Kirsch &
 * Mitzenmacher 2008).
 */
#ifndef BLOOMLAB_THEORY_PARTITIONED_H
#define BLOOMLAB_THEORY_PARTITIONED_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* (1 - (1 - 1/slice)^n)^k: exact, since the slices are independent. slice = floor(m/k) >= 1: a
 * filter of m bits leaves m mod k of them unused. n = 0 gives 0, slice = 1 gives 1 for n >= 1. */
double theory_fpr_partitioned(uint64_t slice, uint64_t n, unsigned k);

/* Variance between filters of f = prod_i X_i/slice. */
double theory_fpr_partitioned_variance(uint64_t slice, uint64_t n, unsigned k);
struct moments theory_fill_partitioned(uint64_t slice, uint64_t n, unsigned k);

#endif
