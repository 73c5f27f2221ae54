/* SPDX-License-Identifier: MIT
 *
 * two_hash_model.h: the parts of theory_two_hash_model().
 *
 *   mean of f       k <= 20: exact where affordable, else the mean of the exact rates of a sample
 * of queries; k > 20: simulation variance of f   simulation up to m = 2^14 (enhanced: 2^12), beyond
 * that the delta method
 */
#ifndef BLOOMLAB_THEORY_TWO_HASH_MODEL_H
#define BLOOMLAB_THEORY_TWO_HASH_MODEL_H

#include "filters/theory/two_hash.h"

/* E[f] over a sample of query steps, each with its exact rate; k <= 20, m > 512, n >= 1. */
struct estimate two_hash_sampled_mean(const struct two_hash *scheme, uint64_t n);

/* The variance of f between filters for large m, given E[f]. */
struct estimate two_hash_delta_variance(const struct two_hash *scheme, uint64_t n, double rate);

/* Mean and variance of f from filters with ideal digests; k >= 1, n >= 1. NaN when memory ran out.
 */
struct model two_hash_simulate(const struct two_hash *scheme, uint64_t n);

#endif
