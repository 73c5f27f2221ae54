/* SPDX-License-Identifier: MIT
 *
 * gnuplot.h: the program that draws.
 */
#ifndef BLOOMLAB_PLOT_GNUPLOT_H
#define BLOOMLAB_PLOT_GNUPLOT_H

#include "filters/theory/error.h"

/* Where the scripts are: $BLOOMLAB_SCRIPTS, else scripts/plot below the working directory, else
 * beside the program (../scripts/plot and ../../scripts/plot from its folder). path has PATH_MAX
 * bytes; the folder holds FAMILY.gp. E_RUN: it is nowhere. */
enum status gnuplot_scripts(char *path, const char *family, struct error *err);

/* Runs gnuplot on DIR/SCRIPT in the C locale, without anybody's start-up file. Whatever it prints
 * is a failure (E_RUN, with its words): a warning means a plot that lacks something. */
enum status gnuplot_run(const char *directory, const char *script, struct error *err);

#endif
