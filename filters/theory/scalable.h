/* SPDX-License-Identifier: MIT
 *
 * scalable.h: scalable filters: capacities, sizes and rates of the slices.
 */
#ifndef BLOOMLAB_THEORY_SCALABLE_H
#define BLOOMLAB_THEORY_SCALABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* Source: Almeida, Baquero, Preguica, Hutchison, IPL 101(6), 2007. */

enum growth { GROWTH_LINEAR, GROWTH_EXPONENTIAL };
enum slice_k { SLICE_K_CEIL, SLICE_K_BEST }; /* k = ceil((m/c) ln 2), or the best integer */

struct scalable_rule {
    enum growth growth;
    uint64_t initial_capacity; /* c0 >= 1 */
    double scale_factor;       /* s: linear > 0, exponential >= 1 */
    double tightening;         /* r in (0, 1]: slice i is sized for first_rate * r^i */
    double first_rate;         /* in (0, 1) */
    enum slice_k slice_k;
};

enum { SCALABLE_SLICES_MAX = 65536 };

struct slice {
    uint64_t capacity; /* c0; then linear int(c0 (s i)), exponential int(c0 s^i); at least 1 */
    uint64_t m;        /* ceil(-c ln P_i / (ln 2)^2) */
    unsigned k;
    double target; /* P_i */
};

/* Slice i >= 0. SLICE_K_CEIL is the rule of published implementations, kept as it is: m = ceil(..)
 * makes (m/c) ln 2 a little larger than log2(1/P), so at P = 2^-j its k is j + 1, and the rate
 * worse than with j (c = 50000, P = 1/16: 0.0654 for 0.0625). SLICE_K_BEST has no such step.
 * E_INPUT: a rule outside the bounds above; past what 64 bits, 2^48 positions or FILTER_K_MAX
 * probes can hold. */
enum status theory_scalable_slice(struct slice *slice, const struct scalable_rule *rule, unsigned i,
                                  struct error *err);

/* How many slices n keys open (1 for n = 0): a slice opens only when a key finds the last one full.
 * E_INPUT: as above, for the first or the last of them, or more than SCALABLE_SLICES_MAX. */
enum status theory_scalable_slices(unsigned *slices, const struct scalable_rule *rule, uint64_t n,
                                   struct error *err);

/* 1 - prod(1 - p_i), through log1p. */
double theory_compound(const double *rate, unsigned count);

/* Compound rates after n keys (the last slice at its actual fill): each slice by one formula. NaN:
 * a rule or an n that theory_scalable_slices refuses. exact: 0.02 ms a slice at k = 7, 2 ms at k =
 * 107. */
double theory_scalable_standard(const struct scalable_rule *rule, uint64_t n);
double theory_scalable_bloom(const struct scalable_rule *rule, uint64_t n);
double theory_scalable_exact(const struct scalable_rule *rule, uint64_t n);
double theory_scalable_all_full(const struct scalable_rule *rule, uint64_t n); /* bloom, all full */
double theory_scalable_nominal(const struct scalable_rule *rule, uint64_t n);  /* targets P_i */
double theory_scalable_union_bound(const struct scalable_rule *rule, uint64_t n);
double theory_scalable_almeida_bound(
    const struct scalable_rule *rule); /* P0/(1-r); NaN at r = 1: no bound */
double theory_scalable_variance(const struct scalable_rule *rule, uint64_t n); /* of f */

#endif
