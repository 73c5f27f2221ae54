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

/* Source: Putze, Sanders, Singler, WEA 2007 / JEA 14, 2009; split blocks: as in Parquet and Impala.
 * The load of a block is Binomial(n, 1/blocks) exactly; Poisson(n/blocks) is its limit. */

enum inner_formula { INNER_STANDARD, INNER_BLOOM, INNER_EXACT, INNER_DISTINCT };

/* k draws inside a block of block_bits bits: with replacement (STANDARD, BLOOM, EXACT formula) or
 * distinct. */
double theory_fpr_blocked(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k,
                          enum inner_formula inner);
double theory_fpr_blocked_poisson(unsigned block_bits, double load, unsigned k,
                                  enum inner_formula inner);

/* Variance between filters of f = (1/blocks) sum_b (X_b/B)^k, draws with replacement. */
double theory_fpr_blocked_variance(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k);
struct moments theory_fill_blocked(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k);

/* The k in 1 .. k_max that minimises theory_fpr_blocked(.., INNER_EXACT), the smaller on ties. */
unsigned theory_blocked_best_k(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k_max);

/* Split block: `words` words of word_bits bits, exactly one uniform bit in each (k = words). */
double theory_fpr_split(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n);
double theory_fpr_split_poisson(unsigned words, unsigned word_bits, double load);
double theory_fpr_split_variance(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n);
struct moments theory_fill_split(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n);

#endif
