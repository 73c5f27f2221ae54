/* SPDX-License-Identifier: MIT
 *
 * counting.h: overflow of counters, and what deletion costs.
 */
#ifndef BLOOMLAB_THEORY_COUNTING_H
#define BLOOMLAB_THEORY_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* A counter of b bits overflows at its 2^b-th increment: J = 2^b. Sources: Fan, Cao, Almeida,
 * Broder, ToN 8(3), 2000. */
double theory_counter_tail(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_tail_poisson(double load, unsigned counter_bits);
double theory_counter_tail_distinct(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_any_binomial(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_any_poisson(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_any_exact(uint64_t m, uint64_t n, unsigned k,
                                unsigned counter_bits); /* NaN: nk > 1700 */
double theory_counter_fan_union(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_fan_e(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
double theory_counter_fan_ln2(uint64_t m, uint64_t n, unsigned k,
                              unsigned counter_bits); /* NaN outside k <= (m/n) ln 2 */

/* Deleting one key from a plain bit filter by clearing its bits: P(a given other key is lost), with
 * k independent positions, and with k distinct ones. */
double theory_deletion_lost_independent(uint64_t m, unsigned k);
double theory_deletion_lost_distinct(uint64_t m, unsigned k);

#endif
