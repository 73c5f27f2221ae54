/* SPDX-License-Identifier: MIT
 *
 * part.h: finished trials while a sweep runs: DIR/trials.part.
 *
 * A head line with the plan's digest, the header row, then per trial its row of trials.csv, its
 * measures and a checksum of all that. Rows are appended in the order in which trials end, one
 * write for many; part_flush is called every 0.2 s and syncs at most once a second. After a crash
 * the rows up to the first broken one are taken, the rest is cut off, and only missing trials run
 * again.
 */
#ifndef BLOOMLAB_TABLE_PART_H
#define BLOOMLAB_TABLE_PART_H

#include "harness/table/trials.h"

struct part;

/* Opens DIR/trials.part and locks it until part_close; while another run holds it, E_RUN. Trials it
 * already holds for this very plan are put into results (by cell->first_result + trial) and
 * counted. fresh: start over whatever is there. A file of another plan is E_INPUT: a sentence that
 * says how to go on. */
enum status part_open(struct part **out, const char *directory, const struct plan *plan,
                      struct trial_result *results, uint64_t *found, bool fresh, struct error *err);

/* What is added of one trial: its row, from any thread into a text that is empty; then the row to
 * those to be written: not thread-safe, the schedule holds its lock. */
void part_trial(struct text *row, const struct plan *plan, const struct cell *cell, uint64_t trial,
                const struct trial_result *result);
void part_add(struct part *part, const struct text *row);

/* Writes what was added; syncs when a second has passed, or always. */
enum status part_flush(struct part *part, bool always_sync, struct error *err);

void part_close(struct part *part);
enum status part_remove(const char *directory, struct error *err);

#endif
