/* SPDX-License-Identifier: MIT
 *
 * double_hashing.h: filters whose k positions come from two values a, b uniform on [0, m):
 *
 *   double    p_i = a + i b                    Kirsch & Mitzenmacher, ESA 2006 / RSA 33(2), 2008
 *   enhanced  p_i = a + i b + (i^3 - i)/6      Dillinger & Manolios, FMCAD 2004
 *
 * all mod m, i = 0 .. k - 1. `odd`: b is uniform on the odd values (m a power of two).
 * The members and the query are keys with ideal (uniform, independent) a and b.
 */
#ifndef BLOOMLAB_THEORY_DOUBLE_HASHING_H
#define BLOOMLAB_THEORY_DOUBLE_HASHING_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/model.h"

enum probe_law { LAW_DOUBLE, LAW_ENHANCED };

struct two_hash {
    enum probe_law law;
    bool odd;
    uint64_t m;
    unsigned k;
    bool nonzero; /* b is uniform on [1, m): what a prime m needs */
};

/* Is the exact expectation affordable? Only for k <= 20. Double hashing: m <= 2^16, any m = 2^j
 * with odd steps, and otherwise when (divisors of m) 2^k <= 2^26. Enhanced: m <= 512, or m k^2
 * (k-1)^2 <= 2^22. */
bool theory_two_hash_affordable(const struct two_hash *scheme);

/* E[f] exactly, by inclusion and exclusion over subsets of the query's cells, in MPFR. Affordable
 * schemes only. */
double theory_two_hash_exact(const struct two_hash *scheme, uint64_t n);

/* E[f], its error, the variance of f between filters: exact mean where affordable, everything else
 * by simulation of ideal digests, with a fixed seed (same value on every machine). Remembers
 * nothing. */
void theory_two_hash_model(const struct two_hash *scheme, uint64_t n, struct model *model);

/* Mean and variance of the number of set bits after n keys. */
struct moments theory_two_hash_fill(const struct two_hash *scheme, uint64_t n);

/* The exact share of all (a, b) whose positions are all set in this bit array (bits.h order, m
 * bits): for one step b, AND the rotations of the array and count. Above m = 65536 256 steps,
 * stratified by gcd(b, m), with their standard error. Allocates its work area through malloc; value
 * NaN when that fails. */
struct estimate theory_two_hash_scheme(const struct two_hash *scheme, const unsigned char *array);

/* The same for single probes: single[i] is the share of the (a, b) whose position i is set, pair[i
 * * k + j] that of those whose positions i < j both are; pair may be NULL. Exact for any m; O(m)
 * for every divisor of m below k. */
void theory_two_hash_probes(const struct two_hash *scheme, const unsigned char *array,
                            double *single, double *pair);

#endif
