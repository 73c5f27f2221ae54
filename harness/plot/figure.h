/* SPDX-License-Identifier: MIT
 *
 * figure.h: one figure: what C tells a gnuplot script, and the script's run.
 *
 * A figure is a set of gnuplot variables and one data block, $DATA, of numbered data sets. The
 * script of its family, scripts/plot/FAMILY.gp, draws them; scripts/plot/style.gp holds everything
 * all families share. The numbers of the columns are agreed on in the head of the family's script.
 */
#ifndef BLOOMLAB_PLOT_FIGURE_H
#define BLOOMLAB_PLOT_FIGURE_H

#include "harness/plot/run_data.h"

struct figure {
    const struct run_data *run;
    const char *family;
    unsigned number;   /* 1: FAMILY.svg; 2: FAMILY-2.svg; ... */
    struct text setup; /* gnuplot statements */
    struct text data;  /* the body of $DATA */
    unsigned sets;     /* finished in it */
};

#define FIGURE_ONE_COLUMN_CM 8.8
#define FIGURE_TWO_COLUMNS_CM 18.0

/* Starts one: title (enhanced text), size and caption. rates: its bars are those of the cells'
 * rates, and the caption explains them; caption: what else it says, "" for nothing. */
void figure_open(struct figure *figure, const struct run_data *run, const char *family,
                 unsigned number, const char *title, double width_cm, bool rates,
                 const char *caption);
void figure_release(struct figure *figure);

/* name = value. */
void figure_number(struct figure *figure, const char *name, double value);
void figure_string(struct figure *figure, const char *name, const char *value);
/* Element index (from 1) of an array that figure_array declared. */
void figure_array(struct figure *figure, const char *name, unsigned count);
void figure_element(struct figure *figure, const char *name, unsigned index, const char *value);

/* Rows of the data set under way, and its end; a set without rows is one row of NaN. */
void figure_row(struct figure *figure, const double *values, unsigned count);
void figure_set_end(struct figure *figure, unsigned columns);

/* Writes FAMILY[-NUMBER].svg, .png and .pdf into the run's folder. E_RUN: gnuplot is missing,
 * failed or said anything; the scripts are not to be found. */
enum status figure_draw(struct figure *figure, struct error *err);

/* The figure's file without its ending. */
void figure_name(char *name, size_t size, const char *family, unsigned number);

#endif
