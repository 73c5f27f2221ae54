/* SPDX-License-Identifier: MIT
 *
 * theory.h: what theory says of a planned filter, whatever the variant.
 */
#ifndef BLOOMLAB_PLAN_THEORY_H
#define BLOOMLAB_PLAN_THEORY_H

#include "filters/filter.h"

/* Absent numbers are NaN. standard, bloom and exact are the classic filter's at (m_actual, n, k),
 * or what the variant says under these names (scalable: compounds over the slices). */
struct cell_theory {
    double standard, bloom, exact;
    struct model model;
    struct moments fill;
};

/* Costly where the model has to be simulated: up to a second. */
void theory_of_layout(struct cell_theory *theory, const struct filter_ops *ops,
                      const struct layout *layout, uint64_t n);

/* The i-th formula that applies: the classic ones first, then the variant's own; false past the
 * last. */
bool theory_formula(const struct filter_ops *ops, const struct layout *layout, uint64_t n,
                    unsigned i, struct formula *formula);

#endif
