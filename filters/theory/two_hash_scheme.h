/* SPDX-License-Identifier: MIT
 *
 * two_hash_scheme.h: the rate of one bit array: over all keys, or over a sample of them.
 */
#ifndef BLOOMLAB_THEORY_TWO_HASH_SCHEME_H
#define BLOOMLAB_THEORY_TWO_HASH_SCHEME_H

#include "filters/theory/two_hash_rotor.h"

/* The share of all (a, b) that hit the array loaded; any m, but the time grows with m^2. */
double two_hash_scheme_all(struct two_hash_rotor *rotor);

/* An estimate of it from a sample of steps; m > 2^14. */
struct estimate two_hash_scheme_sample(const struct two_hash *scheme, const unsigned char *array);

/* How many of the places x = 0 .. length - 1 have all bits offset_i + x mod m set, i < k, in an
 * array of m bits in bits.h order; offsets below m, length <= m. */
uint64_t two_hash_window_count(const unsigned char *array, uint64_t m, const uint64_t *offset,
                               unsigned k, uint64_t length);

#endif
