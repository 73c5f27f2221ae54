/* SPDX-License-Identifier: MIT
 *
 * counting.h: overflow of counters.
 */
#ifndef BLOOMLAB_THEORY_COUNTING_H
#define BLOOMLAB_THEORY_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

enum { COUNTER_EXACT_MAX = 1700 }; /* throws kn up to which P(any) is found exactly */

/* A counter of b bits (1 .. 16) overflows at its 2^b-th increment: J = 2^b. Sources: Fan, Cao,
 * Almeida, Broder, ToN 8(3), 2000.
 *
 * tail: P(one given counter overflows). It is Bin(nk, 1/m) with independent positions,
 * Poisson(nk/m) in the limit, Bin(n, k/m) with distinct positions. any: P(some counter overflows),
 * counters taken as independent (1 - (1 - tail)^m, a lower bound, as they are negatively
 * associated; m tail is an upper one), and exactly, in MPFR. fan: the upper bounds of the paper,
 * the first two may exceed 1. */
double theory_counter_tail(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_tail_poisson(double load, unsigned counter_bits);
double theory_counter_tail_distinct(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_any_binomial(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_any_poisson(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_any_exact(uint64_t m, uint64_t n, unsigned k,
                                unsigned counter_bits); /* NaN: nk > COUNTER_EXACT_MAX */
double theory_counter_fan_union(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_fan_e(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_fan_ln2(uint64_t m, uint64_t n, unsigned k,
                              unsigned counter_bits); /* NaN outside k <= (m/n) ln 2 */

#endif
