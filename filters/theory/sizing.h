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

struct sizing {
    uint64_t m;
    unsigned k;     /* minimises the standard estimate at m */
    uint64_t bytes; /* ceil(m / 8) */
};

/* m = ceil(-n ln p / (ln 2)^2). n >= 1, 0 < p < 1; E_INPUT names the parameter and the bound. */
enum status theory_size(struct sizing *sizing, uint64_t n, double p, struct error *err);

/* The same, capped at bytes_max bytes: m is then at most 8 * bytes_max and k minimises there. */
enum status theory_size_capped(struct sizing *sizing, uint64_t n, double p, uint64_t bytes_max,
                               struct error *err);

/* Bits per key that other structures need at rate p: the information limit log2(1/p), xor filters
 * 1.23 log2(1/p) (Graf & Lemire 2020), binary fuse 1.13 log2(1/p) (Graf & Lemire 2022), cuckoo
 * (log2(1/p) + 3)/0.955 (Fan et al. 2014). */
double theory_bits_information_limit(double p);
double theory_bits_xor(double p);
double theory_bits_binary_fuse(double p);
double theory_bits_cuckoo(double p);

#endif
