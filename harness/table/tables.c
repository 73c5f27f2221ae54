/* SPDX-License-Identifier: MIT */
#include "harness/table/tables.h"

#include <math.h>
#include <string.h>

#include "harness/stages/stages.h"
#include "harness/table/best_k.h"
#include "harness/table/estimates.h"
#include "harness/table/file.h"

static const char cells_header[] =
    "experiment,cell_id,filter,params,hash,family,digest_bits,reduction,keys,m,m_actual,n,k,"
    "bits_per_key,trials,queries_per_trial,queries,false_positives,false_negatives,fpr,fpr_lo,fpr_"
    "hi,"
    "interval,deff,tau,fill,fill_expected,fill_sd_expected,memory_bytes,fpr_standard,fpr_bloom,"
    "fpr_exact,fpr_model,model,model_se,fpr_bits,fpr_scheme,fpr_scheme_lo,fpr_scheme_hi,z_fill,p_"
    "fill,"
    "z_spread,p_spread,z_probe,p_probe,z_model,p_model,ratio,ratio_lo,ratio_hi,mde,verdict,"
    "explained_by,flags\n";

const char measures_header[] = "experiment,cell_id,trial,measure,value\n";
static const char skipped_header[] =
    "experiment,filter,params,hash,family,digest_bits,reduction,keys,m,n,k,reason\n";

static void field_test(struct text *text, struct test_result test)
{
    field_z(text, test.z);
    field_p(text, test.p);
}

static void cell_row_identity(struct text *text, const struct plan *plan, const struct cell *cell)
{
    field_string(text, plan->experiment->name);
    field_string(text, cell->id);
    cell_columns(text, cell);
    field_axis(text, cell->layout.params.m > 0, cell->layout.params.m);
    field_axis(text, cell->layout.m > 0, cell->layout.m);
    field_count(text, cell->n);
    field_axis(text, cell->layout.k > 0, cell->layout.k);
    field_rate(text, cell->bits_per_key);
}

static void cell_row_counts(struct text *text, const struct cell *cell,
                            const struct cell_summary *summary)
{
    field_count(text, cell->trials);
    if (!cell->ops->query) {
        for (int i = 0; i < 4; i++)
            field_empty(text);
        return;
    }
    field_count(text, cell->queries);
    field_count(text, cell->queries * cell->trials);
    field_count(text, summary->hits);
    field_count(text, summary->false_negatives);
}

static void cell_row_theory(struct text *text, const struct cell_theory *theory)
{
    field_rate(text, theory->standard);
    field_rate(text, theory->bloom);
    field_rate(text, theory->exact);
    field_rate(text, theory->model.fpr);
    field_string(text, theory->model.name);
    field_rate(text, theory->model.se);
}

static void cell_row(struct text *text, const struct plan *plan, const struct cell *cell,
                     const struct cell_summary *summary)
{
    const struct judgement *j = &summary->judgement;
    cell_row_identity(text, plan, cell);
    cell_row_counts(text, cell, summary);
    field_rate(text, j->fpr);
    field_rate(text, j->fpr_interval.lo);
    field_rate(text, j->fpr_interval.hi);
    field_string(text, j->interval);
    field_rate(text, j->deff);
    field_rate(text, j->tau);
    field_rate(text, j->fill);
    field_rate(text, j->fill_expected);
    field_rate(text, j->fill_sd_expected);
    field_count(text, summary->memory_bytes);
    cell_row_theory(text, &summary->theory);
    field_rate(text, j->fpr_bits);
    field_rate(text, j->fpr_scheme);
    field_rate(text, j->fpr_scheme_interval.lo);
    field_rate(text, j->fpr_scheme_interval.hi);
    field_test(text, j->fill_test);
    field_test(text, j->spread);
    field_test(text, j->probe);
    field_test(text, j->model_test);
    field_rate(text, j->ratio);
    field_rate(text, j->ratio_interval.lo);
    field_rate(text, j->ratio_interval.hi);
    field_rate(text, j->mde);
    field_string(text, judge_verdict_name(j->verdict));
    field_string(text, j->explained_by);
    field_string(text, summary->flags);
    row_end(text);
}

static void trials_table(struct text *text, const struct plan *plan,
                         const struct trial_result *results)
{
    text_add(text, trials_header, strlen(trials_header));
    for (size_t c = 0; c < plan->cell_count; c++)
        for (uint64_t t = 0; t < plan->cells[c].trials; t++) {
            const struct trial_result *result = &results[plan->cells[c].first_result + t];
            trial_row(text, plan, &plan->cells[c], t, result);
            row_end(text);
        }
}

static void measures_table(struct text *text, const struct plan *plan,
                           const struct trial_result *results)
{
    text_add(text, measures_header, strlen(measures_header));
    for (size_t c = 0; c < plan->cell_count; c++)
        for (uint64_t t = 0; t < plan->cells[c].trials; t++) {
            const struct trial_result *result = &results[plan->cells[c].first_result + t];
            for (unsigned i = 0; i < result->measure_count; i++) {
                field_string(text, plan->experiment->name);
                field_string(text, plan->cells[c].id);
                field_count(text, t);
                field_string(text, result->measures[i].name);
                field_empty(text);
                measure_value(text, result->measures[i].value);
                row_end(text);
            }
        }
}

static void skipped_table(struct text *text, const struct plan *plan)
{
    text_add(text, skipped_header, strlen(skipped_header));
    for (size_t s = 0; s < plan->skipped_count; s++) {
        const struct cell *cell = &plan->skipped[s].cell;
        field_string(text, plan->experiment->name);
        cell_columns(text, cell);
        field_axis(text, cell->layout.params.m > 0, cell->layout.params.m);
        field_count(text, cell->n);
        field_axis(text, cell->layout.params.k > 0, cell->layout.params.k);
        field_string(text, plan->skipped[s].reason);
        row_end(text);
    }
}

static void cells_table(struct text *text, const struct plan *plan,
                        const struct cell_summary *summaries)
{
    text_add(text, cells_header, strlen(cells_header));
    for (size_t c = 0; c < plan->cell_count; c++)
        cell_row(text, plan, &plan->cells[c], &summaries[c]);
}

const char *table_name(unsigned i)
{
    static const char *const names[] = {"trials.csv",   "cells.csv",   "estimates.csv",
                                        "measures.csv", "skipped.csv", BEST_K_FILE};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

enum status table_text(struct text *text, unsigned i, const struct plan *plan,
                       const struct trial_result *results, const struct cell_summary *summaries,
                       struct error *err)
{
    switch (i) {
    case 0:
        trials_table(text, plan, results);
        return OK;
    case 1:
        cells_table(text, plan, summaries);
        return OK;
    case 2:
        return estimates_table(text, plan, summaries, err);
    case 3:
        measures_table(text, plan, results);
        return OK;
    case 4:
        skipped_table(text, plan);
        return OK;
    default:
        return best_k_table(text, plan, results, summaries, err);
    }
}

static enum status table_write(const char *directory, unsigned i, const struct plan *plan,
                               const struct trial_result *results,
                               const struct cell_summary *summaries, struct error *err)
{
    struct text text = {0};
    enum stage before = stage_enter(STAGE_TABLES);
    enum status status = table_text(&text, i, plan, results, summaries, err);
    if (!status)
        status = file_write(directory, table_name(i), &text, err);
    text_release(&text);
    stage_enter(before);
    return status;
}

enum status tables_write(const char *directory, const struct plan *plan,
                         const struct trial_result *results, const struct cell_summary *summaries,
                         unsigned threads, const char *names[TABLES_MAX], unsigned *count,
                         struct error *err)
{
    struct error first = {0};
    unsigned tables = 0, failed = TABLES_MAX; /* the first that fails is told, whoever writes it */
    for (; table_name(tables); tables++)
        names[tables] = table_name(tables);
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)threads)
    for (unsigned i = 0; i < tables; i++) {
        struct error error = {0};
        enum status status = table_write(directory, i, plan, results, summaries, &error);
#pragma omp critical(tables_write)
        if (status && i < failed) {
            failed = i;
            first = error;
        }
    }
    *count = tables;
    if (failed < TABLES_MAX && err)
        *err = first;
    return failed < TABLES_MAX ? first.status : OK;
}
