/* SPDX-License-Identifier: MIT */
#include "harness/claims/claim_lab.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/schedule/schedule.h"
#include "harness/table/file.h"
#include "harness/trial/trial.h"

static void claim_run_release(struct claim_run *run)
{
    for (size_t r = 0; run->results && r < run->plan->result_count; r++)
        trial_result_release(&run->results[r]);
    free(run->results);
    plan_free(run->plan);
    experiment_free(run->experiment);
    free(run->text);
    *run = (struct claim_run){0};
}

void claim_lab_release(struct claim_lab *lab)
{
    while (lab->count > 0)
        claim_run_release(&lab->runs[--lab->count]);
}

static uint64_t lab_memory(void)
{
    return memory_physical() / 10 * 9;
}

/* A claim needs all its cells: one that is skipped would be missed only in the verdict. */
static enum status lab_plan(struct claim_run *run, const struct claim_lab *lab, struct error *err)
{
    const struct plan_limits limits = {lab_memory(), 1, 1};
    FILE *stream = fmemopen(run->text, strlen(run->text), "r");
    if (!stream)
        return fail(err, E_RUN, "no memory for an experiment");
    enum status status =
        experiment_read(&run->experiment, stream, "an experiment of a claim", lab->scale, err);
    fclose(stream);
    if (!status)
        status = plan_make(&run->plan, run->experiment, &limits, err);
    if (!status && run->plan->skipped_count)
        status = fail(err, E_RUN, "%s: a cell cannot be run: %s", run->experiment->name,
                      run->plan->skipped[0].reason);
    return status;
}

static enum status lab_keep(const struct claim_run *run, const struct claim_lab *lab,
                            struct error *err)
{
    char folder[PATH_MAX], name[EXPERIMENT_NAME_MAX + 8];
    struct text text = {0};
    if (!lab->directory)
        return OK;
    if (snprintf(folder, sizeof folder, "%s/sweeps", lab->directory) >= PATH_MAX)
        return fail(err, E_INPUT, "the path %.60s... is too long", lab->directory);
    snprintf(name, sizeof name, "%s.yaml", run->experiment->name);
    text_add(&text, run->text, strlen(run->text));
    enum status status = directory_make(folder, err);
    if (!status)
        status = file_write(folder, name, &text, err);
    text_release(&text);
    return status;
}

static enum status lab_execute(struct claim_run *run, const struct claim_lab *lab,
                               struct error *err)
{
    struct schedule_report report;
    const struct schedule schedule = {
        .threads = lab->threads,
        .memory_bytes = lab_memory(),
        .interrupt = lab->interrupt,
        .quiet = true,
    };
    run->results = calloc(run->plan->result_count + 1, sizeof *run->results);
    if (!run->results)
        return fail(err, E_RUN, "no memory for %zu trials", run->plan->result_count);
    enum status status = schedule_run(&report, &schedule, run->plan, run->results, NULL, err);
    if (!status && report.interrupted)
        status = fail(err, E_RUN, "interrupted in %s", run->experiment->name);
    return status;
}

enum status claim_lab_run(const struct claim_run **out, struct claim_lab *lab, const char *text,
                          struct error *err)
{
    for (unsigned i = 0; i < lab->count; i++)
        if (strcmp(lab->runs[i].text, text) == 0) {
            *out = &lab->runs[i];
            return OK;
        }
    if (lab->count == CLAIM_RUNS_MAX)
        return fail(err, E_RUN, "claims run at most %d experiments", CLAIM_RUNS_MAX);
    struct claim_run *run = &lab->runs[lab->count];
    *run = (struct claim_run){.text = strdup(text)};
    enum status status = run->text ? OK : fail(err, E_RUN, "no memory for an experiment");
    if (!status)
        status = lab_plan(run, lab, err);
    if (!status)
        status = lab_keep(run, lab, err);
    if (!status)
        status = lab_execute(run, lab, err);
    if (status) {
        claim_run_release(run);
        return status;
    }
    lab->count++;
    *out = run;
    return OK;
}

const struct cell *claim_cell(const struct claim_run *run, const char *filter, uint64_t m,
                              unsigned k)
{
    for (size_t c = 0; c < run->plan->cell_count; c++) {
        const struct cell *cell = &run->plan->cells[c];
        if ((!filter || strcmp(cell->ops->name, filter) == 0) && (!m || cell->layout.m == m) &&
            (!k || cell->layout.k == k))
            return cell;
    }
    return NULL;
}

const struct cell *claim_cell_of_hash(const struct claim_run *run, const char *hash)
{
    for (size_t c = 0; c < run->plan->cell_count; c++) {
        char name[CELL_HASH_MAX];
        cell_hash_format(&run->plan->cells[c], name);
        if (strcmp(name, hash) == 0)
            return &run->plan->cells[c];
    }
    return NULL;
}

enum status claim_summary(struct cell_summary *summary, const struct claim_run *run,
                          const struct cell *cell, struct error *err)
{
    return cell_summarise(summary, run->plan, cell, run->results, err);
}
