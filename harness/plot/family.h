/* SPDX-License-Identifier: MIT
 *
 * family.h: a family of plots: one question a run can answer with a picture.
 *
 * One file of this room defines a const struct plot_family plot_NAME; list.h names it; its gnuplot
 * script is scripts/plot/FAMILY.gp.
 */
#ifndef BLOOMLAB_PLOT_FAMILY_H
#define BLOOMLAB_PLOT_FAMILY_H

#include "harness/plot/run_data.h"

struct plot_family {
    const char *name;    /* as experiments write it under `plots:` */
    const char *summary; /* one line */
    enum run_kind kind;  /* of run it shows: benchmarks and claims get all of theirs */
    /* Draws the family's figures into the run's folder. OK without any where the tables hold
     * nothing it could show. */
    enum status (*draw)(const struct run_data *run, struct error *err);
    /* Appends a sentence with the numbers of this run, and where they need it a line for each of
     * several things after it; plain text, lines apart by '\n'. NULL, or nothing appended: it has
     * none. */
    void (*answer)(const struct run_data *run, struct text *out);
};

extern const struct plot_family *const plot_table[];
extern const unsigned plot_count;
const struct plot_family *plot_find(const char *name); /* NULL: none of that name */

/* The families a run asks for, or where it asks for none those that suit it. */
enum { PLOTS_MAX = 16 };
unsigned plot_choose(const struct plot_family *chosen[PLOTS_MAX], const struct run_data *run);

#endif
