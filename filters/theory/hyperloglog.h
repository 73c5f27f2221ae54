/* SPDX-License-Identifier: MIT
 *
 * hyperloglog.h: HyperLogLog estimates from a histogram of registers.
 */
#ifndef BLOOMLAB_THEORY_HYPERLOGLOG_H
#define BLOOMLAB_THEORY_HYPERLOGLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* Source: Flajolet, Fusy, Gandouet, Meunier, AofA 2007. precision p in 4 .. 18, 2^p registers. */
double theory_hll_alpha(unsigned precision);          /* the constant of the paper */
double theory_hll_standard_error(unsigned precision); /* 1.04 / sqrt(2^p) */

/* histogram[r] = registers that hold r, r = 0 .. 65 - p; with linear counting below 5m/2. */
double theory_hll_estimate(const uint64_t *histogram, unsigned precision);

#endif
