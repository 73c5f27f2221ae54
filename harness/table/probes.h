/* SPDX-License-Identifier: MIT
 *
 * probes.h: probes.csv: the probe profile, one row per probe and per pair of probes of a cell.
 */
#ifndef BLOOMLAB_TABLE_PROBES_H
#define BLOOMLAB_TABLE_PROBES_H

#include "harness/schedule/profile.h"
#include "harness/table/text.h"

#define PROBES_FILE "probes.csv"

/* Is the number of hits what the filters' own bits make it? Two-sided, mid-p of a sum of binomial
 * counts (the score of a binomial of the mean rate, brought to the sum's own, smaller variance). */
struct score probes_score(const struct probe_tally *tally);

/* Columns: results/README.md. Cells without a profile have no rows. */
void probes_table(struct text *text, const struct plan *plan, const struct profile *profile);

/* Writes DIR/probes.csv; profile NULL: none was asked for, and an earlier run's is removed. */
enum status probes_write(const char *directory, const struct plan *plan,
                         const struct profile *profile, struct error *err);

#endif
