/* SPDX-License-Identifier: MIT
 *
 * classic.h: the false-positive rate and the fill of the classic filter: k independent uniform
 * positions per key, repeats allowed.
 *
 * m >= 1 bits, n >= 0 distinct keys, k >= 0 probes. n = 0 gives 0 (k >= 1), k = 0 gives 1.
 */
#ifndef BLOOMLAB_THEORY_CLASSIC_H
#define BLOOMLAB_THEORY_CLASSIC_H

#include <stdint.h>

#include "filters/theory/model.h"

/* (1 - e^(-kn/m))^k: the standard estimate. */
double theory_fpr_standard(uint64_t m, uint64_t n, unsigned k);

/* (1 - (1 - 1/m)^(kn))^k: Bloom 1970, Mullin 1983. */
double theory_fpr_bloom(uint64_t m, uint64_t n, unsigned k);

/* E[(X/m)^k], correctly rounded: Bose et al. 2008, Christensen et al. 2010, in MPFR. */
double theory_fpr_exact(uint64_t m, uint64_t n, unsigned k);

/* E[(X/m)^power] after `throws` throws into m cells, in MPFR: fpr_exact has power k, throws kn; the
 * second moment of f has power 2k. power 0 .. 2 * FILTER_K_MAX. */
double theory_power_moment(uint64_t m, uint64_t throws, unsigned power);

/* Variance of f = (X/m)^k between filters: E[(X/m)^2k] - fpr_exact^2, subtracted in MPFR. */
double theory_fpr_variance(uint64_t m, uint64_t n, unsigned k);

/* a^k + k(k-1)/2 a^(k-2) Var[X]/m^2, a = E[X]/m: the second-order approximation. */
double theory_fpr_second_order(uint64_t m, uint64_t n, unsigned k);

/* Mean and variance of the number X of occupied cells after `throws` throws into m. */
struct moments theory_fill(uint64_t m, uint64_t throws);

/* The k >= 1 that minimises theory_fpr_standard, the smaller on ties; m >= 1, n >= 1; at most
 * k_max. */
unsigned theory_best_k(uint64_t m, uint64_t n, unsigned k_max);

#endif
