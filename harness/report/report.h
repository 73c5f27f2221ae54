/* SPDX-License-Identifier: MIT
 *
 * report.h: DIR/index.html: a run on one page that opens anywhere, without a network.
 */
#ifndef BLOOMLAB_REPORT_H
#define BLOOMLAB_REPORT_H

#include "filters/theory/error.h"

/* From the tables and plots in DIR. */
enum status report_write(const char *directory, struct error *err);

/* RESULTS/index.html and RESULTS/README.md's table of experiments: every run below the folder. */
enum status report_index(const char *results, struct error *err);

/* The same, but only where an index.html that this program wrote is already there. */
enum status report_index_again(const char *results, struct error *err);

#endif
