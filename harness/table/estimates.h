/* SPDX-License-Identifier: MIT
 *
 * estimates.h: estimates.csv: every formula that applies to a cell beside what was measured.
 */
#ifndef BLOOMLAB_TABLE_ESTIMATES_H
#define BLOOMLAB_TABLE_ESTIMATES_H

#include "harness/table/tables.h"

/* Columns cell_id, estimate, value, z, p, q, source. z tests the measured rate against the formula
 * with the cell's own clustered error; q is p adjusted over the run (Benjamini & Hochberg 1995),
 * made to order the most suspicious rows and to judge none. */
enum status estimates_table(struct text *text, const struct plan *plan,
                            const struct cell_summary *summaries, struct error *err);

#endif
