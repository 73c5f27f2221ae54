/* SPDX-License-Identifier: MIT
 *
 * width.h: what narrow digests and biased reductions do to a rate.
 */
#ifndef BLOOMLAB_THEORY_WIDTH_H
#define BLOOMLAB_THEORY_WIDTH_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* Rate of a filter whose k probes all come from `digests` digests of w bits: a query whose digests
 * all equal a member's is a hit whatever m is. floor = 1 - (1 - 2^-(w*digests))^n. */
double theory_width_floor(unsigned width_bits, unsigned digests, uint64_t n);

/* Exact rate of the classic filter with w-bit digests reduced by mod: positions are drawn from the
 * biased law of (uniform w-bit value) mod m, for members and queries alike. The same value holds
 * for multiply_shift, which favours as many positions by as much, only elsewhere. Any m; width 1 ..
 * 64; 0.6 ms at k = 20, 0.3 s at k = 256; relative error about k * 2^-51. */
double theory_fpr_mod_biased(uint64_t m, uint64_t n, unsigned k, unsigned width_bits);

/* Greatest relative excess of a position's probability over 1/m under mod or multiply_shift. */
double theory_reduction_bias(uint64_t range, unsigned width_bits);

/* Share of positions no w-bit digest can reach. */
double theory_unreachable(uint64_t range, unsigned width_bits);

#endif
