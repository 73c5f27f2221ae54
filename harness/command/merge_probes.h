/* SPDX-License-Identifier: MIT
 *
 * merge_probes.h: the probe profiles of the parts of a run, joined.
 */
#ifndef BLOOMLAB_COMMAND_MERGE_PROBES_H
#define BLOOMLAB_COMMAND_MERGE_PROBES_H

#include "harness/command/finished.h"

/* Writes DIR/probes.csv, cells in the order of the plan, when every part has one; else none stays
 * there. *there: it was written. E_CHECK: a part's table has lost its sum or has a foreign row. */
enum status merge_probes(const char *directory, const struct plan *plan,
                         const struct finished *parts, unsigned part_count, bool *there,
                         struct error *err);

#endif
