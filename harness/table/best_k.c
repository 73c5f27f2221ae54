/* SPDX-License-Identifier: MIT
 *
 * best_k.c: rates are the filters' own, fpr_scheme: they have no noise of queries, and find a best
 * k at 1e-12 as well as at 1e-2. They are those of ideal digests, though: where the queries of a
 * cell contradict them (its probe test would be a FAIL), or they are missing, rates are those of
 * the queries.
 */
#include "harness/table/best_k.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/judge/best_k.h"
#include "harness/judge/thresholds.h"

static const char best_k_header[] =
    "experiment,filter,params,hash,family,digest_bits,reduction,keys,m,n,bits_per_key,k_from,k_to,"
    "k_count,trials,basis,k_best,cell_id,fpr,fpr_lo,fpr_hi,interval,fpr_scheme,fpr_scheme_lo,"
    "fpr_scheme_hi,k_set,k_real,k_standard,k_standard_in_set,k_model,k_model_in_set\n";

/* The cells of a group, by k. */
struct k_group {
    const size_t *cells;
    size_t count;
    uint64_t trials; /* least of any */
    bool by_queries;
};

/* What every row is made from. */
struct k_run {
    const struct plan *plan;
    const struct trial_result *results;
    const struct cell_summary *summaries;
};

/* ---- grouping -------------------------------------------------------------------------------- */

static int compare_pointers(const void *a, const void *b)
{
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Of everything of a cell but k. */
static int compare_cells(const struct cell *a, const struct cell *b)
{
    const struct filter_params *p = &a->layout.params, *q = &b->layout.params;
    int order = compare_pointers(a->ops, b->ops);
    if (!order)
        order = compare_pointers(a->source, b->source);
    if (!order)
        order = compare_pointers(a->hash ? a->hash->hash : NULL, b->hash ? b->hash->hash : NULL);
    if (!order && a->hash)
        order = compare_pointers(a->hash->second, b->hash->second);
    if (!order && a->hash)
        order = compare_numbers(a->hash->family, b->hash->family);
    if (!order)
        order = compare_numbers(a->digest_bits, b->digest_bits);
    if (!order)
        order = compare_numbers(p->reduction, q->reduction);
    if (!order)
        order = compare_numbers(p->m, q->m);
    if (!order)
        order = compare_numbers(a->n, b->n);
    if (!order)
        order = compare_numbers(a->replica, b->replica);
    if (!order)
        order = compare_numbers(a->fault.kind, b->fault.kind);
    if (!order)
        order = (a->fault.share > b->fault.share) - (a->fault.share < b->fault.share);
    for (int i = 0; i < PARAMS_MAX && !order; i++)
        order = (a->own[i].real > b->own[i].real) - (a->own[i].real < b->own[i].real);
    return order ? order : strcmp(a->params, b->params);
}

static int compare_members(const void *a, const void *b, void *cells)
{
    const struct cell *all = cells;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = compare_cells(&all[x], &all[y]);
    if (!order)
        order = compare_numbers(all[x].layout.k, all[y].layout.k);
    return order ? order : compare_numbers(x, y);
}

/* Groups in the order of the plan: by their first cell. */
static int compare_groups(const void *a, const void *b)
{
    size_t first[2] = {SIZE_MAX, SIZE_MAX};
    const struct k_group *group[2] = {a, b};
    for (int g = 0; g < 2; g++)
        for (size_t i = 0; i < group[g]->count; i++)
            if (group[g]->cells[i] < first[g])
                first[g] = group[g]->cells[i];
    return compare_numbers(first[0], first[1]);
}

static bool cell_suits(const struct k_run *run, const struct cell *cell)
{
    return (cell->ops->axes & AXIS_K) && (cell->ops->capabilities & CAN_ANSWER_MEMBERSHIP) &&
           cell->n > 0 && !cell->altered && cell->trials >= BEST_K_TRIALS_MIN &&
           cell_replicates(run->plan->experiment, cell) &&
           !run->summaries[cell - run->plan->cells].judgement.trials_alike;
}

/* Do queries decide? False also when nothing can: *usable tells. */
static bool group_by_queries(bool *usable, const struct k_run *run, const struct k_group *group)
{
    bool asked = true, known = true, contradicted = false;
    for (size_t i = 0; i < group->count; i++) {
        const struct cell *cell = &run->plan->cells[group->cells[i]];
        const struct judgement *judgement = &run->summaries[group->cells[i]].judgement;
        asked = asked && cell->queries > 0;
        known = known && !isnan(judgement->fpr_scheme);
        contradicted = contradicted || JUDGE_TESTS * judgement->probe.p < JUDGE_FAIL_P;
    }
    *usable = asked || known;
    return asked && (contradicted || !known);
}

/* Cuts the sorted cells into groups; returns how many have two k or more. */
static size_t groups_cut(struct k_group *groups, const size_t *cells, size_t count,
                         const struct k_run *run)
{
    const struct cell *all = run->plan->cells;
    size_t found = 0;
    for (size_t first = 0, end; first < count; first = end) {
        struct k_group group = {.cells = cells + first, .trials = UINT64_MAX};
        bool usable;
        for (end = first; end < count && !compare_cells(&all[cells[first]], &all[cells[end]]);
             end++)
            if (all[cells[end]].trials < group.trials)
                group.trials = all[cells[end]].trials;
        group.count = end - first;
        group.by_queries = group_by_queries(&usable, run, &group);
        if (group.count >= 2 && usable)
            groups[found++] = group;
    }
    qsort(groups, found, sizeof *groups, compare_groups);
    return found;
}

/* ---- one row --------------------------------------------------------------------------------- */

struct k_choice {
    double *rate; /* see struct k_rates */
    bool *set;
    size_t best;
};

static enum status group_choose(struct k_choice *choice, const struct k_run *run,
                                const struct k_group *group, struct error *err)
{
    size_t trials = (size_t)group->trials;
    choice->rate = malloc(group->count * trials * sizeof *choice->rate);
    choice->set = malloc(group->count * sizeof *choice->set);
    if (!choice->rate || !choice->set)
        return fail(err, E_RUN, "no memory for the rates of %zu k", group->count);
    for (size_t i = 0; i < group->count; i++) {
        const struct cell *cell = &run->plan->cells[group->cells[i]];
        const struct trial_result *result = &run->results[cell->first_result];
        for (size_t t = 0; t < trials; t++)
            choice->rate[i * trials + t] =
                group->by_queries ? (double)result[t].false_positives / (double)cell->queries
                                  : result[t].fpr_scheme;
    }
    struct k_rates rates = {.count = group->count, .trials = trials, .rate = choice->rate};
    choice->best = judge_best_k(choice->set, &rates);
    return OK;
}

static void choice_release(struct k_choice *choice)
{
    free(choice->rate);
    free(choice->set);
}

static void field_set(struct text *text, const struct k_run *run, const struct k_group *group,
                      const bool *set)
{
    struct text list = {0};
    for (size_t i = 0; i < group->count; i++)
        if (set[i])
            text_printf(&list, "%s%u", list.size ? ";" : "",
                        run->plan->cells[group->cells[i]].layout.k);
    field_string(text, list.data ? list.data : "");
    text->failed |= list.failed;
    text_release(&list);
}

/* A k of theory, and whether the set holds it; empty where that k was not measured. */
static void field_theory(struct text *text, unsigned k, const struct k_run *run,
                         const struct k_group *group, const bool *set)
{
    const char *held = "";
    for (size_t i = 0; i < group->count; i++)
        if (run->plan->cells[group->cells[i]].layout.k == k)
            held = set[i] ? "yes" : "no";
    if (k)
        field_count(text, k);
    else
        field_empty(text);
    field_string(text, held);
}

/* Of the measured k, the one whose model is lowest; 0: there is no model. */
static unsigned group_model(const struct k_run *run, const struct k_group *group)
{
    unsigned best = 0;
    double lowest = INFINITY;
    for (size_t i = 0; i < group->count; i++) {
        double rate = run->summaries[group->cells[i]].theory.model.fpr;
        if (rate < lowest) {
            lowest = rate;
            best = run->plan->cells[group->cells[i]].layout.k;
        }
    }
    return best;
}

static void row_identity(struct text *text, const struct k_run *run, const struct k_group *group)
{
    const struct cell *first = &run->plan->cells[group->cells[0]];
    field_string(text, run->plan->experiment->name);
    cell_columns(text, first);
    field_count(text, first->layout.params.m);
    field_count(text, first->n);
    field_rate(text, first->bits_per_key);
    field_count(text, first->layout.k);
    field_count(text, run->plan->cells[group->cells[group->count - 1]].layout.k);
    field_count(text, group->count);
    field_count(text, group->trials);
    field_string(text, group->by_queries ? "queries" : "fpr_scheme");
}

/* The rate of the chosen cell, from the trials that did not choose it. */
static enum status row_rate(struct text *text, const struct k_run *run, const struct cell *cell,
                            struct error *err)
{
    struct judgement judgement;
    const struct cell_summary *summary = &run->summaries[cell - run->plan->cells];
    enum status status = cell_judge(&judgement, run->plan, cell, run->results, &summary->theory,
                                    (struct trial_range){.first = 0, .step = 2}, FLAG_NOTE, err);
    if (status)
        return status;
    field_count(text, cell->layout.k);
    field_string(text, cell->id);
    field_rate(text, judgement.fpr);
    field_rate(text, judgement.fpr_interval.lo);
    field_rate(text, judgement.fpr_interval.hi);
    field_string(text, judgement.interval);
    field_rate(text, judgement.fpr_scheme);
    field_rate(text, judgement.fpr_scheme_interval.lo);
    field_rate(text, judgement.fpr_scheme_interval.hi);
    return OK;
}

static enum status group_row(struct text *text, const struct k_run *run,
                             const struct k_group *group, struct error *err)
{
    struct k_choice choice = {0};
    const struct cell *first = &run->plan->cells[group->cells[0]];
    uint64_t m = first->layout.params.m;
    enum status status = group_choose(&choice, run, group, err);
    row_identity(text, run, group);
    if (!status)
        status = row_rate(text, run, &run->plan->cells[group->cells[choice.best]], err);
    if (!status) {
        field_set(text, run, group, choice.set);
        field_rate(text, (double)m / (double)first->n * M_LN2);
        field_theory(text, theory_best_k(m, first->n, FILTER_K_MAX), run, group, choice.set);
        field_theory(text, group_model(run, group), run, group, choice.set);
        row_end(text);
    }
    choice_release(&choice);
    return status;
}

enum status best_k_table(struct text *text, const struct plan *plan,
                         const struct trial_result *results, const struct cell_summary *summaries,
                         struct error *err)
{
    struct k_run run = {plan, results, summaries};
    size_t *cells = malloc((plan->cell_count + 1) * sizeof *cells), count = 0, rows = 0;
    struct k_group *groups = malloc((plan->cell_count / 2 + 1) * sizeof *groups);
    enum status status = cells && groups ? OK : fail(err, E_RUN, "no memory for the groups of k");
    for (size_t c = 0; !status && c < plan->cell_count; c++)
        if (cell_suits(&run, &plan->cells[c]))
            cells[count++] = c;
    if (!status) {
        qsort_r(cells, count, sizeof *cells, compare_members, plan->cells);
        rows = groups_cut(groups, cells, count, &run);
    }
    text_add(text, best_k_header, strlen(best_k_header));
    for (size_t g = 0; !status && g < rows; g++)
        status = group_row(text, &run, &groups[g], err);
    free(cells);
    free(groups);
    return status;
}
