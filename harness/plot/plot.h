/* SPDX-License-Identifier: MIT
 *
 * plot.h: plots of one run, drawn by gnuplot from its tables alone.
 *
 * DIR/cells.csv, trials.csv, measures.csv and provenance.json give everything: which plot families
 * the experiment asks for (or, where it asks for none, which suit its grid), captions, seed and
 * commit.
 */
#ifndef BLOOMLAB_PLOT_H
#define BLOOMLAB_PLOT_H

#include <stdbool.h>

#include "filters/theory/error.h"

/* A family of plots: one gnuplot script of scripts/plot/, and the data it is given. */
bool plot_family_exists(const char *name);

/* Removes the figures of an earlier drawing, which would look like this run's. */
void plot_remove_old(const char *directory);

/* Draws every plot of the run in DIR (SVG, PNG, PDF). E_INPUT: no run there. E_RUN: gnuplot failed,
 * with what it said. No gnuplot on the machine: E_RUN with the package's name. */
enum status plot_run(const char *directory, struct error *err);

#endif
