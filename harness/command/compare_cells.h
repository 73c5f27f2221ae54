/* SPDX-License-Identifier: MIT
 *
 * compare_cells.h: two runs, cell by cell.
 */
#ifndef BLOOMLAB_COMMAND_COMPARE_CELLS_H
#define BLOOMLAB_COMMAND_COMPARE_CELLS_H

#include "harness/command/compare_load.h"
#include "harness/judge/contrast.h"

enum compare_method {
    COMPARE_UNTESTED,    /* nothing tells how much the rates scatter */
    COMPARE_IDENTICAL,   /* every trial has the same hits */
    COMPARE_CERTAIN,     /* the same filters were asked the same keys, and other numbers came out */
    COMPARE_PAIRED,      /* over the trials that share their seed */
    COMPARE_INDEPENDENT, /* by totals, seeds being different or not known */
};

/* One cell that both runs have. */
struct compared {
    const struct loaded_cell *a, *b;
    enum compare_method method;
    bool asked; /* hits of queries are compared, else fpr_scheme */
    struct contrast contrast;
    double q;        /* Benjamini & Hochberg 1995, over the cells compared; NaN where untested */
    double p_family; /* Holm 1979, likewise */
    bool differs;    /* p_family below the level */
};

struct comparison {
    struct compared *cell; /* in the order of A */
    size_t count, tested, identical, differing;
    bool seeds_shared; /* known from provenance or trials, or plain from equal hits */
};

const char *compare_method_name(enum compare_method method);

/* level: of the whole family of cells. E_RUN: no memory. On failure nothing is to be released. */
enum status compare_cells(struct comparison *out, const struct loaded *a, const struct loaded *b,
                          double level, struct error *err);
void comparison_release(struct comparison *comparison);

#endif
