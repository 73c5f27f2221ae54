/* SPDX-License-Identifier: MIT
 *
 * blocked.h: blocked filters: a key picks one of `blocks` blocks, then positions inside it.
 */
#ifndef BLOOMLAB_THEORY_BLOCKED_H
#define BLOOMLAB_THEORY_BLOCKED_H

#include <stdbool.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "filters/theory/model.h"

/* block_bits >= 2, blocks >= 1, k 1 .. FILTER_K_MAX (INNER_DISTINCT: at most block_bits), word_bits
 * >= 2; n = 0 gives 0. All of them in MPFR by closed forms, without sums over loads (blocked.c):
 * any load, any number of blocks; right to 1e-15.
 *
 * Source: Putze, Sanders, Singler, WEA 2007 / JEA 14, 2009; split blocks: as in Parquet and Impala.
 * The load of a block is Binomial(n, 1/blocks) exactly; Poisson(n/blocks) is its limit. */

enum inner_formula { INNER_STANDARD, INNER_BLOOM, INNER_EXACT, INNER_DISTINCT };

/* k draws inside a block of block_bits bits: with replacement (STANDARD, BLOOM, EXACT formula) or
 * distinct. */
double theory_fpr_blocked(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k,
                          enum inner_formula inner);
double theory_fpr_blocked_poisson(unsigned block_bits, double load, unsigned k,
                                  enum inner_formula inner);

/* Variance between filters of f = (1/blocks) sum_b (X_b/B)^k, draws with replacement: exact, with
 * the covariance of the blocks, whose loads add up to n. Var_b[(X_b/B)^k]/blocks alone is far too
 * large, 3 to 15 times in usual layouts: what one block has too many, others have too few. */
double theory_fpr_blocked_variance(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k);
struct moments theory_fill_blocked(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k);

/* The k in 1 .. k_max that minimises theory_fpr_blocked(.., INNER_EXACT), the smaller on ties; by
 * bisection, the rate being unimodal in k. */
unsigned theory_blocked_best_k(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k_max);

/* Split block: `words` words of word_bits bits, exactly one uniform bit in each (k = words). */
double theory_fpr_split(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n);
double theory_fpr_split_poisson(unsigned words, unsigned word_bits, double load);
double theory_fpr_split_variance(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n);
struct moments theory_fill_split(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n);

#endif
