/* SPDX-License-Identifier: MIT */
#include "harness/plan/theory_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A cell by everything its theory depends on. */
struct theory_key {
    uint64_t key;
    size_t cell;
};

static uint64_t theory_key_of(const struct cell *cell)
{
    char text[CELL_PARAMS_MAX + 256];
    const struct filter_params *params = &cell->layout.params;
    int size =
        snprintf(text, sizeof text, "%s %s %" PRIu64 " %" PRIu64 " %u %d %u %u %d", cell->ops->name,
                 cell->params, params->m, cell->n, params->k, (int)params->reduction,
                 params->digest_bits, params->digest_columns, cell->altered);
    return XXH3_64bits(text, (size_t)size);
}

static int theory_key_compare(const void *a, const void *b)
{
    const struct theory_key *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

void theory_of_cell(struct cell_theory *theory, const struct cell *cell)
{
    theory_of_layout(theory, cell->ops, &cell->layout, cell->n);
    if (!cell->altered)
        return;
    theory->model = (struct model){.fpr = NAN, .se = NAN, .variance = NAN, .variance_se = NAN};
    theory->fill = (struct moments){NAN, NAN};
}

void theory_table_release(struct theory_table *table)
{
    free(table->theory);
    free(table->of);
    *table = (struct theory_table){0};
}

/* Numbers the cells; first[i] becomes a cell that has theory i. */
static void theory_table_number(struct theory_table *table, struct theory_key *keys, size_t *first,
                                const struct plan *plan)
{
    for (size_t c = 0; c < plan->cell_count; c++)
        keys[c] = (struct theory_key){theory_key_of(&plan->cells[c]), c};
    qsort(keys, plan->cell_count, sizeof *keys, theory_key_compare);
    for (size_t i = 0; i < plan->cell_count; i++) {
        if (i == 0 || keys[i].key != keys[i - 1].key)
            first[table->count++] = keys[i].cell;
        table->of[keys[i].cell] = table->count - 1;
    }
}

enum status theory_table_make(struct theory_table *table, const struct plan *plan, unsigned threads,
                              struct error *err)
{
    size_t room = plan->cell_count ? plan->cell_count : 1;
    struct theory_key *keys = malloc(room * sizeof *keys);
    size_t *first = malloc(room * sizeof *first);
    *table = (struct theory_table){.of = malloc(room * sizeof *table->of)};
    if (keys && first && table->of) {
        theory_table_number(table, keys, first, plan);
        table->theory = calloc(room, sizeof *table->theory);
    }
    if (!table->theory) {
        theory_table_release(table);
        free(keys);
        free(first);
        return fail(err, E_RUN, "no memory for the theory of %zu cells", plan->cell_count);
    }
    /* They differ in cost by a thousand times: dynamic. */
#pragma omp parallel for schedule(dynamic) num_threads((int)threads)
    for (size_t i = 0; i < table->count; i++) {
        theory_of_cell(&table->theory[i], &plan->cells[first[i]]);
    }
    free(keys);
    free(first);
    return OK;
}
