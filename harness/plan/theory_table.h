/* SPDX-License-Identifier: MIT
 *
 * theory_table.h: the theory of all cells of a plan. Cells that differ in hash, keys, fault or
 * replica only share theirs, computed once: it costs up to a second where it is simulated.
 */
#ifndef BLOOMLAB_PLAN_THEORY_TABLE_H
#define BLOOMLAB_PLAN_THEORY_TABLE_H

#include "harness/plan/plan.h"
#include "harness/plan/theory.h"

struct theory_table {
    struct cell_theory *theory;
    size_t count;
    size_t *of; /* by cell: an index into theory */
};

enum status theory_table_make(struct theory_table *table, const struct plan *plan, unsigned threads,
                              struct error *err);
/* The theory of one cell alone. Of an altered filter there is none: model and fill are absent. */
void theory_of_cell(struct cell_theory *theory, const struct cell *cell);

void theory_table_release(struct theory_table *table);

static inline const struct cell_theory *theory_table_of(const struct theory_table *table,
                                                        size_t cell)
{
    return &table->theory[table->of[cell]];
}

#endif
