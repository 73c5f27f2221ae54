/* SPDX-License-Identifier: MIT
 *
 * sizing.h: how many bits and probes for n keys at rate p.
 */
#ifndef BLOOMLAB_THEORY_SIZING_H
#define BLOOMLAB_THEORY_SIZING_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* Bounds of what is sized: those of filter.h, which this room does not see. */
#define THEORY_M_MAX (UINT64_C(1) << 48)
enum { THEORY_K_MAX = 256 };

struct sizing {
    uint64_t m;
    unsigned k;     /* minimises the standard estimate at m */
    uint64_t bytes; /* ceil(m / 8) */
};

/* m = ceil(-n ln p / (ln 2)^2), by MPFR: a double is one off where the product is near an integer.
 * n >= 1, 0 < p < 1; E_INPUT names the parameter and the bound, also when m exceeds THEORY_M_MAX. k
 * is at most THEORY_K_MAX, so that rates below 2^-256 are not reached. */
enum status theory_size(struct sizing *sizing, uint64_t n, double p, struct error *err);

/* The same, capped at bytes_max bytes: m is then at most 8 * bytes_max (>= 1 byte)
 * and k minimises there: the rate then reached is theory_fpr_standard(m, n, k). */
enum status theory_size_capped(struct sizing *sizing, uint64_t n, double p, uint64_t bytes_max,
                               struct error *err);

/* That m alone; 1 .. THEORY_M_MAX + 1, the latter for all that is larger. */
uint64_t theory_size_bits(uint64_t n, double p);

/* Bits per key that other structures need at rate p: the information limit log2(1/p), xor filters
 * 1.23 log2(1/p) (Graf & Lemire 2020), binary fuse 1.13 log2(1/p) (Graf & Lemire 2022), cuckoo
 * (log2(1/p) + 3)/0.955 (Fan et al. 2014). */
double theory_bits_information_limit(double p);
double theory_bits_xor(double p);
double theory_bits_binary_fuse(double p);
double theory_bits_cuckoo(double p);

#endif
