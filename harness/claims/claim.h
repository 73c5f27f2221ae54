/* SPDX-License-Identifier: MIT
 *
 * claim.h: what published documents state about Bloom filters, and what this program finds.
 *
 * A claim is a const row: the words by which it is known, the value in the source's words, the
 * claimed numbers, and a function that computes or measures them anew. One file of this room per
 * source holds its rows; list.h names the files. Nothing but the claimed numbers, and the inputs
 * that belong to a claim (words, sizes), is written down: every other number of the tables comes
 * out of the project's own formulas, filters and experiments.
 *
 *   claim    a row                            source_*.c, bloom_1970.c
 *   finding  readings, verdict, how           finding.h
 *   lab      experiments run in this process  claim_lab.h
 *   tables   claims.csv, claims.md, readings.csv, timings.csv
 */
#ifndef BLOOMLAB_CLAIM_H
#define BLOOMLAB_CLAIM_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/claims/claim_lab.h"
#include "harness/claims/finding.h"

enum { CLAIM_VALUES_MAX = 4 };

struct claim {
    const char *name;    /* with the source's name the key of the row */
    const char *claimed; /* in the source's words */
    /* The numbers in it, and the unit of the last digit each is given with (0: exact). */
    double value[CLAIM_VALUES_MAX], unit[CLAIM_VALUES_MAX];
    bool timed; /* what is found are times: never in a table that promises the same bytes */
    enum status (*find)(struct finding *finding, const struct claim *claim, struct claim_lab *lab,
                        struct error *err);
};

struct claim_source {
    const char *name;  /* column `source` */
    const char *title; /* of its part of the page and the plot */
    const struct claim *claims;
    size_t count;
};

extern const struct claim_source *const claim_table[]; /* in the order of list.h */
extern const size_t claim_sources;

#endif
