/* SPDX-License-Identifier: MIT
 *
 * source_001_sets.c: sixteen other words in 128 bits, many times: the mean rate at each k, and in
 * which share of the sets each k is the best. The published page says 14.4 % at k = 16 over 150
 * sets, and calls k = 5 the best for its one set.
 *
 * Trials of one number have the same keys in all cells. Best is the k with the fewest hits, the
 * smaller on ties; a set in which no cell was measured has none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/curves.h"
#include "harness/plot/family.h"
#include "harness/stats/stats.h"

struct sets {
    const struct run_data *run;
    double *hits;  /* [cell][trial]; NaN: not there */
    double *best;  /* sets in which the cell is the best */
    double *worse; /* sets in which it has more hits than the group's first k */
    size_t trials;
};

static void sets_release(struct sets *sets)
{
    free(sets->hits);
    free(sets->best);
    free(sets->worse);
}

/* Cells of one curve over k. */
static bool sets_alike(const struct run_cell *a, const struct run_cell *b)
{
    return a->m == b->m && a->n == b->n && strcmp(a->filter, b->filter) == 0 &&
           strcmp(a->params, b->params) == 0 && strcmp(a->hash, b->hash) == 0 &&
           strcmp(a->family, b->family) == 0 && strcmp(a->digest_bits, b->digest_bits) == 0 &&
           strcmp(a->reduction, b->reduction) == 0 && strcmp(a->keys, b->keys) == 0;
}

static bool sets_before(const struct sets *sets, size_t a, size_t b, size_t trial)
{
    double x = sets->hits[a * sets->trials + trial], y = sets->hits[b * sets->trials + trial];
    return x < y || (x == y && sets->run->cells[a].k < sets->run->cells[b].k);
}

/* Is the cell the best of its curve in that trial, and worse than the curve's least k? */
static void sets_judge(struct sets *sets, size_t cell, size_t trial)
{
    const struct run_data *run = sets->run;
    double hits = sets->hits[cell * sets->trials + trial];
    size_t least = cell;
    bool best = !isnan(hits);
    for (size_t other = 0; other < run->count; other++) {
        if (!sets_alike(&run->cells[cell], &run->cells[other]))
            continue;
        best = best && !sets_before(sets, other, cell, trial);
        if (run->cells[other].k < run->cells[least].k)
            least = other;
    }
    sets->best[cell] += best;
    sets->worse[cell] += hits > sets->hits[least * sets->trials + trial];
}

/* The rows of trials.csv stand in the order of cells.csv. */
static enum status sets_fill(struct sets *sets, struct error *err)
{
    static const char *const wanted[] = {"cell_id", "trial", "false_positives", NULL};
    struct frame frame;
    size_t cell = 0;
    enum status status = frame_read(&frame, sets->run->directory, "trials.csv", wanted, err);
    if (status)
        return status;
    for (size_t r = 0; r < frame.rows; r++) {
        double trial = frame_number(&frame, r, 1);
        while (cell < sets->run->count &&
               strcmp(sets->run->cells[cell].id, frame_text(&frame, r, 0)) != 0)
            cell++;
        if (cell == sets->run->count)
            break;
        if (trial >= 0 && trial < (double)sets->trials)
            sets->hits[cell * sets->trials + (size_t)trial] = frame_number(&frame, r, 2);
    }
    frame_release(&frame);
    for (size_t c = 0; c < sets->run->count; c++)
        for (size_t t = 0; t < sets->trials; t++)
            sets_judge(sets, c, t);
    return OK;
}

static enum status sets_read(struct sets *sets, const struct run_data *run, struct error *err)
{
    *sets = (struct sets){.run = run};
    stats_init();
    for (size_t c = 0; c < run->count; c++)
        if (run->cells[c].trials > (double)sets->trials)
            sets->trials = (size_t)run->cells[c].trials;
    size_t all = run->count * sets->trials;
    sets->hits = malloc((all + 1) * sizeof *sets->hits);
    sets->best = calloc(run->count + 1, sizeof *sets->best);
    sets->worse = calloc(run->count + 1, sizeof *sets->worse);
    enum status status = sets->hits && sets->best && sets->worse
                             ? OK
                             : fail(err, E_RUN, "no memory for the sets of %zu cells", run->count);
    for (size_t i = 0; !status && i < all; i++)
        sets->hits[i] = NAN;
    if (!status)
        status = sets_fill(sets, err);
    if (status)
        sets_release(sets);
    return status;
}

/* ---- the figure --------------------------------------------------------------------------------
 */

static void sets_value(const void *context, const struct run_cell *cell, unsigned box,
                       unsigned kind, struct curve_point *point)
{
    const struct sets *sets = context;
    size_t c = (size_t)(cell - sets->run->cells);
    (void)kind;
    if (box == 0) {
        point->y = cell->rate;
        point->lo = cell->rate_lo;
        point->hi = cell->rate_hi;
        point->line = cell->model;
        point->guide = cell->standard;
        return;
    }
    struct interval share = stats_wilson((uint64_t)sets->best[c], (uint64_t)cell->trials, 0.95);
    point->y = point->line = sets->best[c] / cell->trials;
    point->lo = share.lo;
    point->hi = share.hi;
}

static enum status source_001_sets_draw(const struct run_data *run, struct error *err)
{
    struct sets sets;
    enum status status = sets_read(&sets, run, err);
    if (status)
        return status;
    struct curves_style style = {
        .family = "source-001-sets",
        .x = "k",
        .x_label = "probes per key k",
        .boxes = 2,
        .kinds = 1,
        .log_y = {true, false},
        .value = sets_value,
        .context = &sets,
        .in_place = {true, true},
        .rates = true,
        .caption =
            "Below: the share of the key sets in which this k has the fewest false positives "
            "(the smaller k on ties), with Wilson's 95 % interval.",
    };
    status = curves_draw(run, &style, err);
    sets_release(&sets);
    return status;
}

static const struct run_cell *sets_most(const struct sets *sets, size_t first)
{
    size_t most = first;
    for (size_t c = 0; c < sets->run->count; c++)
        if (sets_alike(&sets->run->cells[c], &sets->run->cells[first]) &&
            sets->best[c] > sets->best[most])
            most = c;
    return &sets->run->cells[most];
}

/* Of the first curve that was measured: its greatest k, against the least one and theory; the best
 * k. */
static void source_001_sets_answer(const struct run_data *run, struct text *out)
{
    struct sets sets;
    struct error unused;
    if (run->count == 0 || sets_read(&sets, run, &unused))
        return;
    size_t great = run->count;
    for (size_t c = 0; c < run->count; c++)
        if (sets.best[c] > 0 && run->cells[c].k > 0 && great == run->count)
            great = c;
    for (size_t c = 0; great < run->count && c < run->count; c++)
        if (sets_alike(&run->cells[c], &run->cells[great]) && run->cells[c].k > run->cells[great].k)
            great = c;
    if (great == run->count || !(run->cells[great].rate >= 0)) {
        sets_release(&sets);
        return;
    }
    const struct run_cell *cell = &run->cells[great], *best = sets_most(&sets, great);
    text_printf(
        out,
        "%.0f sets of %.0f keys in %.0f bits: %.2f %% on average at k = %.0f (95 %% interval "
        "%.2f to %.2f %%; exact expectation %.2f %%",
        cell->trials, cell->n, cell->m, 100 * cell->rate, cell->k, 100 * cell->rate_lo,
        100 * cell->rate_hi, 100 * cell->model);
    if (cell->m == 128 && cell->n == 16 && cell->k == 16)
        text_printf(out, "; published over 150 sets: 14.4 %%");
    text_printf(
        out,
        "), more than at the least k in %.0f %% of the sets; best is k = %.0f in %.0f %% of "
        "them, more often than any other.",
        100 * sets.worse[great] / cell->trials, best->k,
        100 * sets.best[best - run->cells] / best->trials);
    sets_release(&sets);
}

const struct plot_family plot_source_001_sets = {
    .name = "source-001-sets",
    .summary = "mean rate over many key sets, and how often each k is the best",
    .draw = source_001_sets_draw,
    .answer = source_001_sets_answer,
};
