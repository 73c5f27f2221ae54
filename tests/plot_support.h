/* SPDX-License-Identifier: MIT
 *
 * plot_support.h: runs made up for tests of plots and pages, in a folder of their own.
 */
#ifndef BLOOMLAB_TESTS_PLOT_SUPPORT_H
#define BLOOMLAB_TESTS_PLOT_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/table/text.h"

/* What of a cell matters; the rest follows from it. Only classic cells have a model. */
struct made_cell {
    const char *filter, *params, *hash, *keys;
    unsigned digest_bits;
    double m, n, k; /* 0: empty */
    double queries; /* of each of 10 trials */
    double hits;    /* in all of them */
    double scheme;  /* fpr_scheme; 0: empty */
    const char *verdict;
    double memory_bytes; /* 0: m / 8 */
};

struct made_run {
    char directory[128];
    struct text cells, trials, measures, estimates, skipped;
    size_t count;
};

/* A folder below the system's one for temporary files, with empty tables. */
void made_open(struct made_run *run);
void made_add(struct made_run *run, struct made_cell cell);
void made_measure(struct made_run *run, const char *measure, double value); /* of the last cell */
void made_estimate(struct made_run *run, const char *estimate, double value);

/* Writes the tables; yaml: the experiment, for provenance.json. NULL: no provenance.json. */
void made_write(struct made_run *run, const char *yaml);
void made_remove(struct made_run *run); /* the folder, and all in it */

/* The text of a file of the run; a failed assertion when it is not there. text_release it. */
struct text made_read(const struct made_run *run, const char *name);
bool made_has(const struct made_run *run, const char *name);

/* Writes the tables and an experiment whose only use is to name the family. */
void made_write_for(struct made_run *run, const char *family);

/* Writes and draws; the SVG of the family's first figure. */
struct text made_drawn(struct made_run *run, const char *family);
struct text made_answer(const struct made_run *run, const char *family); /* of a written run */

void expect_part(const struct text *text, const char *part);
size_t occurrences(const char *text, const char *part);

/* Are all tags closed in their order? What an XML reader would complain of first. */
bool xml_balanced(const char *text);

#endif
