/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/judge/flags.h"
#include "harness/plan/theory_table.h"
#include "harness/table/tables.h"

/* The columns of trials that the judge reads, side by side. */
struct columns {
    uint64_t *hits, *bits_set;
    double *fpr_scheme, *fpr_scheme_se, *fpr_bits;
    bool sampled; /* some fpr_scheme has an error of its own */
};

static bool columns_allocate(struct columns *columns, uint64_t trials)
{
    size_t count = trials ? (size_t)trials : 1;
    columns->hits = malloc(count * sizeof *columns->hits);
    columns->bits_set = malloc(count * sizeof *columns->bits_set);
    columns->fpr_scheme = malloc(count * sizeof *columns->fpr_scheme);
    columns->fpr_scheme_se = malloc(count * sizeof *columns->fpr_scheme_se);
    columns->fpr_bits = malloc(count * sizeof *columns->fpr_bits);
    return columns->hits && columns->bits_set && columns->fpr_scheme && columns->fpr_scheme_se &&
           columns->fpr_bits;
}

static void columns_release(struct columns *columns)
{
    free(columns->hits);
    free(columns->bits_set);
    free(columns->fpr_scheme);
    free(columns->fpr_scheme_se);
    free(columns->fpr_bits);
}

bool cell_replicates(const struct experiment *experiment, const struct cell *cell)
{
    return !key_source_fixed(cell->source->source) || (cell->hash && !experiment->hash_seed_fixed);
}

/* Trials first, first + step, ... side by side; how many they are. */
static size_t columns_fill(struct columns *columns, const struct cell *cell,
                           const struct trial_result *results, struct trial_range range)
{
    size_t count = 0;
    for (uint64_t t = range.first; t < cell->trials; t += range.step, count++) {
        const struct trial_result *result = &results[cell->first_result + t];
        columns->hits[count] = result->false_positives;
        columns->bits_set[count] = result->bits_set;
        columns->fpr_scheme[count] = result->fpr_scheme;
        columns->fpr_scheme_se[count] = trial_measure(result, "fpr_scheme_se", 0);
        columns->sampled |= columns->fpr_scheme_se[count] > 0;
        columns->fpr_bits[count] = result->fpr_bits;
    }
    return count;
}

enum status cell_judge(struct judgement *judgement, const struct plan *plan,
                       const struct cell *cell, const struct trial_result *results,
                       const struct cell_theory *theory, struct trial_range range,
                       enum flag_level flags, struct error *err)
{
    struct columns columns = {0};
    if (!columns_allocate(&columns, cell->trials)) {
        columns_release(&columns);
        return fail(err, E_RUN, "no memory to judge %llu trials", (unsigned long long)cell->trials);
    }
    struct evidence evidence = {
        .trials = columns_fill(&columns, cell, results, range),
        .queries = cell->queries,
        .hits = columns.hits,
        .bits_set = columns.bits_set,
        .fpr_scheme = columns.fpr_scheme,
        .fpr_scheme_se = columns.sampled ? columns.fpr_scheme_se : NULL,
        .fpr_bits = columns.fpr_bits,
        .m = (double)cell->layout.m,
        .k = cell->layout.k,
        .fill = theory->fill,
        .fill_is_throws = cell->ops->capabilities & FILLS_BY_THROWS,
        .throws = cell->n * cell->layout.k,
        .model = theory->model,
        .fpr_standard = theory->standard,
        .fpr_exact = theory->exact,
        .replicates = cell_replicates(plan->experiment, cell),
    };
    judge_cell(judgement, &evidence, flags);
    columns_release(&columns);
    return OK;
}

static void summary_counts(struct cell_summary *summary, const struct cell *cell,
                           const struct trial_result *results)
{
    summary->trials = cell->trials;
    summary->memory_bytes = cell->trials ? 0 : cell->layout.bytes_max;
    for (uint64_t t = 0; t < cell->trials; t++) {
        const struct trial_result *result = &results[cell->first_result + t];
        summary->hits += result->false_positives;
        summary->false_negatives += result->false_negatives;
        if (result->memory_bytes > summary->memory_bytes)
            summary->memory_bytes = result->memory_bytes;
    }
}

enum status cell_summarise_known(struct cell_summary *summary, const struct plan *plan,
                                 const struct cell *cell, const struct trial_result *results,
                                 struct error *err)
{
    *summary = (struct cell_summary){.theory = summary->theory};
    summary_counts(summary, cell, results);
    enum flag_level flags =
        flags_of_cell(summary->flags, sizeof summary->flags, cell, summary->theory.model.fpr,
                      summary->hits, results, cell_replicates(plan->experiment, cell));
    enum status status = cell_judge(&summary->judgement, plan, cell, results, &summary->theory,
                                    (struct trial_range){.first = 0, .step = 1}, flags, err);
    if (!status)
        flags_of_judgement(summary->flags, sizeof summary->flags, &summary->judgement);
    return status;
}

enum status cell_summarise(struct cell_summary *summary, const struct plan *plan,
                           const struct cell *cell, const struct trial_result *results,
                           struct error *err)
{
    theory_of_cell(&summary->theory, cell);
    return cell_summarise_known(summary, plan, cell, results, err);
}
