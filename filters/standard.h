/* SPDX-License-Identifier: MIT
 *
 * standard.h: what variants share whose memory is one plain array of layout->m bits (classic,
 * double hashing, partitioned, blocked): clearing, counting, OR and AND, cardinality from the
 * count, and the classic filter's own theory. A variant takes from here what is true of it and no
 * more.
 */
#ifndef BLOOMLAB_STANDARD_H
#define BLOOMLAB_STANDARD_H

#include "filters/filter.h"

void standard_init(struct filter *f);
uint64_t standard_count_bits(const struct filter *f);
double standard_fpr_bits(const struct filter *f); /* (X/m)^k */

/* -(m/k) ln(1 - X/m): Swamidass & Baldi 2007; 0 when empty, INFINITY when saturated. */
double standard_cardinality(const struct filter *f);

void standard_expected_cardinality(const struct layout *layout, uint64_t n,
                                   const struct moments *fill, struct moments *moments);

/* OR or AND of two bit arrays of equal layouts. Of a union, `inserted` counts the keys of both,
 * common ones twice; of an intersection it is the smaller, the most there can be. */
enum status standard_merge(struct filter *a, const struct filter *b, enum merge_op op,
                           struct error *err);

/* E_INPUT unless a and b are of one variant, one geometry and one set of parameters. */
enum status standard_same_layout(const struct filter *a, const struct filter *b, struct error *err);

/* One digest per probe, reduced to the whole array: positions, a look at one bit, and X/m and its
 * square. Counting needs a test of its own. */
void standard_probes(const struct filter *f, uint64_t *position, struct digests *batch,
                     void *scratch);
bool standard_test(const struct filter *f, uint64_t position);
void standard_probe_rates(const struct filter *f, double *single, double *pair);

/* fpr_exact at (layout->m, n, layout->k), its variance between filters, kn throws into m, and keys
 * of k independent positions. */
void standard_expected_fpr(const struct layout *layout, uint64_t n, struct model *model);
void standard_expected_fill(const struct layout *layout, uint64_t n, struct moments *moments);
double standard_expected_overlap(const struct layout *layout, double others);

#endif
