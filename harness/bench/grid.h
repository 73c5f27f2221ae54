/* SPDX-License-Identifier: MIT
 *
 * grid.h: the experiment that `bench` runs when it is given none, as the text of a file.
 */
#ifndef BLOOMLAB_BENCH_GRID_H
#define BLOOMLAB_BENCH_GRID_H

#include "filters/filter.h"
#include "harness/table/text.h"

/* A grid for each filter: so that it takes the wanted bytes, whatever its positions are made of,
 * the same m would not do. */
struct bench_grid {
    const char *const *filters; /* NAME, or NAME:PARAMETER=VALUE;...; "all": see grid_write */
    size_t filter_count;
    const uint64_t *bytes; /* of a filter */
    size_t bytes_count;
    const double *bits_per_key; /* positions per key */
    size_t bits_count;
};

/* Appends `name:`, `question:` and what else stands outside of grids, and the word `grid:`. */
void grid_begin(struct text *text, const char *name, const char *question);

/* Appends an item for each filter of the grid; "all" stands for every variant of a fixed size that
 * answers membership, with its default parameters. E_INPUT: an unknown name or parameter. */
enum status grid_write(struct text *text, const struct bench_grid *grid, struct error *err);

#endif
