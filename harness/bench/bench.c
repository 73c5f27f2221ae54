/* SPDX-License-Identifier: MIT */
#include "harness/bench/bench.h"

#include <inttypes.h>
#include <stdlib.h>

/* A cell and its size, to be sorted. */
struct bench_cell {
    uint64_t bytes;
    size_t cell;
};

static int bench_compare(const void *a, const void *b)
{
    const struct bench_cell *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static bool bench_can(const struct cell *cell, uint64_t max_bytes)
{
    return (cell->ops->capabilities & CAN_ANSWER_MEMBERSHIP) && cell->hash && cell->n > 0 &&
           cell->layout.bytes_max <= max_bytes;
}

static size_t bench_choose(struct bench_cell *chosen, const struct plan *plan, uint64_t max_bytes)
{
    size_t count = 0;
    for (size_t c = 0; c < plan->cell_count; c++)
        if (bench_can(&plan->cells[c], max_bytes))
            chosen[count++] = (struct bench_cell){plan->cells[c].layout.bytes_max, c};
    qsort(chosen, count, sizeof *chosen, bench_compare);
    return count;
}

/* How many, from the first on, are of about its size. */
static size_t bench_alike(const struct bench_cell *chosen, size_t count)
{
    size_t alike = 1;
    while (alike < count && (double)chosen[alike].bytes <= SIZES_ALIKE * (double)chosen[0].bytes)
        alike++;
    return alike;
}

static enum status bench_sizes(struct timings *timings, size_t *wrong, const struct plan *plan,
                               const struct bench_cell *chosen, size_t count,
                               const struct bench_options *options, struct progress *progress,
                               struct error *err)
{
    struct counters counters;
    enum status status = OK;
    size_t *cells = malloc(count * sizeof *cells);
    if (!cells)
        return fail(err, E_RUN, "no memory for %zu filters", count);
    for (size_t i = 0; i < count; i++)
        cells[i] = chosen[i].cell;
    counters_open(&counters);
    for (size_t first = 0, alike; !status && first < count; first += alike) {
        alike = bench_alike(chosen + first, count - first);
        if (options->turns.interrupt && *options->turns.interrupt)
            break;
        status = turns_measure(timings, wrong, plan, cells + first, alike, &options->turns,
                               &counters, progress, err);
    }
    counters_close(&counters);
    free(cells);
    return status;
}

enum status bench_run(struct timings *timings, const struct plan *plan,
                      const struct bench_options *options, struct error *err)
{
    struct progress progress;
    size_t wrong = 0;
    struct bench_cell *chosen = malloc((plan->cell_count + 1) * sizeof *chosen);
    if (!chosen)
        return fail(err, E_RUN, "no memory for %zu cells", plan->cell_count);
    size_t count = bench_choose(chosen, plan, options->max_bytes);
    enum status status = OK;
    if (count == 0)
        status = fail(err, E_INPUT,
                      "%s: none of %zu cells is a filter of at most %" PRIu64
                      " bytes that holds keys and answers membership",
                      plan->experiment->name, plan->cell_count, options->max_bytes);
    if (!status) {
        *err = (struct error){0};
        progress_start(&progress, plan->experiment->name, "turns", 0,
                       turns_count(count, &options->turns), options->quiet);
        status = bench_sizes(timings, &wrong, plan, chosen, count, options, &progress, err);
        progress_end(&progress);
    }
    free(chosen);
    return !status && wrong ? E_CHECK : status;
}
