/* SPDX-License-Identifier: MIT
 *
 * best_k.h: best_k.csv: for every group of cells that differ in k only, the best k, its rate, the k
 * that cannot be told from it, and what theory had said. Column by column in results/README.md.
 */
#ifndef BLOOMLAB_TABLE_BEST_K_H
#define BLOOMLAB_TABLE_BEST_K_H

#include "harness/table/tables.h"

#define BEST_K_FILE "best_k.csv"

/* A group has two k or more, four trials of each, and trials that are replicates. E_RUN: no memory.
 */
enum status best_k_table(struct text *text, const struct plan *plan,
                         const struct trial_result *results, const struct cell_summary *summaries,
                         struct error *err);

#endif
