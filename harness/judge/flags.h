/* SPDX-License-Identifier: MIT
 *
 * flags.h: what a reader of a cell must know besides its numbers, by name.
 *
 *   hash_collision     queries all of whose digests are a member's, in every trial searched (the
 *                      first four): by chance with P < 2.5e-7 (fail)
 *   hash_too_narrow    the digests' width alone sets a floor above 1 % of the model's rate (warn)
 *   unreachable_bits   positions no digest can reach (warn)
 *   modulo_bias        a position is over 1 % likelier than another under this reduction (warn)
 *   degenerate_step    keys whose step made positions repeat
 *   counter_overflow   a counter was incremented beyond its width
 *   m_rounded          m_actual differs from the m asked for
 *   queries_reduced    a finite key set had fewer queries left than asked for
 *   planted_fault      the experiment planted a fault in the cell
 *   few_hits           fewer than 20 false positives in the whole cell
 *   over_capacity      more keys than positions: n > m
 *   trials_alike       the trials are no replicates: no interval is given (warn)
 *   arrangement        fpr_scheme and the bit-count estimate differ by more than 2 %
 */
#ifndef BLOOMLAB_FLAGS_H
#define BLOOMLAB_FLAGS_H

#include "harness/judge/judge.h"
#include "harness/trial/trial.h"

/* Flags known before judging, separated by ';'; the gravest level among them. replicates: keys or
 * hash seed differ between trials. */
enum flag_level flags_of_cell(char *text, size_t size, const struct cell *cell, double fpr_model,
                              uint64_t hits, const struct trial_result *results, bool replicates);

/* Adds those that follow from the judgement. */
void flags_of_judgement(char *text, size_t size, const struct judgement *judgement);

#endif
