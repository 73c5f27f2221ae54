/* SPDX-License-Identifier: MIT
 *
 * matrix.h: what a run over hashes and key sets leaves besides its page: matrix.md, a table of
 * verdicts in Markdown, and hash-NAME.html, a page for each hash with the bits that its worst cell
 * set.
 */
#ifndef BLOOMLAB_REPORT_MATRIX_H
#define BLOOMLAB_REPORT_MATRIX_H

#include "harness/plot/verdict_matrix.h"

/* Both, and links to them at the end of the run's page. Nothing for a run that does not ask for the
 * plot hash-matrix. */
enum status matrix_write(struct text *page, const struct run_data *run, struct error *err);

/* One page: DIR/hash-NAME.html. The worst cell's first trial is run again from the experiment's
 * text in provenance.json; where that fails the page says so and shows no bits. */
enum status matrix_hash_page(const struct verdict_matrix *matrix, int hash, struct error *err);

#endif
