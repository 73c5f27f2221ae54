/* SPDX-License-Identifier: MIT
 *
 * replay_formula.h: formulas of theory as text, with a cell's numbers put in.
 */
#ifndef BLOOMLAB_COMMAND_REPLAY_FORMULA_H
#define BLOOMLAB_COMMAND_REPLAY_FORMULA_H

#include "harness/plan/plan.h"
#include "harness/table/text.h"

/* How the formula of that name is written, or NULL. Besides the names of struct formula: a
 * variant's model (formula_of_model), "f_t VARIANT": the rate of one filter, "E[X] VARIANT":
 * expected fill. In braces stands what has a value in a cell: {m} {n} {k} {kn} {s}: slice, {B} {nb}
 * {load}: blocks, {b}: word, {w} {d}: digests. */
const char *formula_expression(const char *name);

/* Where it comes from, more fully than struct formula says; NULL: no more is known. */
const char *formula_reference(const char *name);

/* The name of the formula behind a model ("exact", "binomial_blocks", ...) of a variant. */
const char *formula_of_model(const struct cell *cell, const char *model);

/* The expression in symbols (braces taken off), or with the numbers of the cell. */
void formula_symbols(struct text *text, const char *expression);
void formula_numbers(struct text *text, const char *expression, const struct cell *cell);

#endif
