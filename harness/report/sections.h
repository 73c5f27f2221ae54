/* SPDX-License-Identifier: MIT
 *
 * sections.h: the parts of a run's page below its plots. Each adds nothing where there is nothing
 * to say.
 */
#ifndef BLOOMLAB_REPORT_SECTIONS_H
#define BLOOMLAB_REPORT_SECTIONS_H

#include "harness/plot/run_data.h"

void section_verdicts(struct text *page, const struct run_data *run);
void section_claims(struct text *page, const struct run_data *run);
void section_times(struct text *page);
void section_cells(struct text *page, const struct run_data *run); /* the first SECTION_ROWS_MAX */
void section_skipped(struct text *page, const struct run_data *run);
void section_provenance(struct text *page, const struct run_data *run);
void section_citation(struct text *page, const struct run_data *run);

enum { SECTION_ROWS_MAX = 200 };

#endif
