/* SPDX-License-Identifier: MIT */
#include "harness/command/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plan/theory_table.h"
#include "harness/plot/plot.h"
#include "harness/provenance/provenance.h"
#include "harness/report/report.h"
#include "harness/schedule/profile.h"
#include "harness/stages/stages.h"
#include "harness/table/file.h"
#include "harness/table/probes.h"
#include "harness/table/tables.h"
#include "harness/workload/workload.h"

/* Families of plots are unknown to the reader of experiments: they are looked up here. */
static enum status check_plots(const struct experiment *experiment, const char *file,
                               struct error *err)
{
    for (size_t i = 0; i < experiment->plot_count; i++)
        if (!plot_family_exists(experiment->plots[i]))
            return fail(err, E_INPUT, "%s: there is no family of plots '%s'", file,
                        experiment->plots[i]);
    return OK;
}

enum status run_open(struct run *run, const char *file, const struct run_options *options,
                     struct error *err)
{
    bool standard_input = strcmp(file, "-") == 0;
    FILE *stream = standard_input ? stdin : fopen(file, "rb");
    if (!stream)
        return fail(err, E_INPUT, "cannot read %s: %s", file, strerror(errno));
    enum status status = experiment_read(
        &run->experiment, stream, standard_input ? "standard input" : file, options->scale, err);
    if (!standard_input)
        fclose(stream);
    if (!status && !workload_find(run->experiment->workload))
        status = fail(err, E_INPUT, "%s: the workload %s cannot be run yet", file,
                      workload_name(run->experiment->workload));
    if (!status)
        status = check_plots(run->experiment, file, err);
    if (!status)
        status = plan_make(&run->plan, run->experiment, &options->limits, err);
    return status;
}

void run_close(struct run *run)
{
    plan_free(run->plan);
    experiment_free(run->experiment);
    *run = (struct run){0};
}

/* Cells differ in cost by a thousand times: dynamic. */
enum status run_summarise(struct cell_summary *summaries, const struct plan *plan,
                          const struct trial_result *results, unsigned threads, struct error *err)
{
    struct theory_table theory;
    enum status worst = theory_table_make(&theory, plan, threads, err);
    if (worst)
        return worst;
#pragma omp parallel for schedule(dynamic) num_threads((int)threads)
    for (size_t c = 0; c < plan->cell_count; c++) {
        struct error error = {0};
        enum stage before = stage_enter(STAGE_THEORY);
        summaries[c].theory = *theory_table_of(&theory, c);
        enum status status =
            cell_summarise_known(&summaries[c], plan, &plan->cells[c], results, &error);
        stage_enter(before);
        if (status) {
#pragma omp critical(run_summarise)
            {
                worst = status;
                *err = error;
            }
        }
    }
    theory_table_release(&theory);
    return worst;
}

static enum status write_all(const char *directory, const struct plan *plan,
                             const struct trial_result *results, const struct profile *profile,
                             const struct run_options *options,
                             const struct schedule_report *report, struct error *err)
{
    const char *names[TABLES_MAX];
    struct provenance provenance = {
        .plan = plan,
        .schedule = &options->schedule,
        .report = report,
        .scale = options->scale,
        .shard = options->limits.shard,
        .shards = options->limits.shards,
        .argc = options->argc,
        .argv = options->argv,
        .tables = names,
    };
    struct cell_summary *summaries =
        calloc(plan->cell_count ? plan->cell_count : 1, sizeof *summaries);
    if (!summaries)
        return fail(err, E_RUN, "no memory for %zu rows of cells.csv", plan->cell_count);
    enum status status = run_summarise(summaries, plan, results, options->schedule.threads, err);
    enum stage before = stage_enter(STAGE_TABLES);
    if (!status)
        status = tables_write(directory, plan, results, summaries, options->schedule.threads, names,
                              &provenance.table_count, err);
    if (!status)
        status = probes_write(directory, plan, profile, err);
    if (!status && profile)
        names[provenance.table_count++] = PROBES_FILE;
    if (!status)
        status = provenance_write(directory, &provenance, err);
    stage_enter(before);
    free(summaries);
    return status;
}

static enum status check_false_negatives(const struct plan *plan,
                                         const struct trial_result *results, struct error *err)
{
    if (workload_find(plan->experiment->workload)->loses_keys)
        return OK;
    for (size_t c = 0; c < plan->cell_count; c++)
        for (uint64_t t = 0; t < plan->cells[c].trials; t++) {
            uint64_t lost = results[plan->cells[c].first_result + t].false_negatives;
            if (lost)
                return fail(err, E_CHECK,
                            "%s: cell %s (%s), trial %" PRIu64 ": %" PRIu64
                            " false negatives; a filter must have none",
                            plan->experiment->name, plan->cells[c].id, plan->cells[c].ops->name, t,
                            lost);
        }
    return OK;
}

static enum status draw(const char *directory, const struct run_options *options, struct error *err)
{
    if (!options->plots) {
        plot_remove_old(directory); /* they would be of an earlier run */
        return file_remove(directory, "index.html", err);
    }
    enum stage before = stage_enter(STAGE_PLOTS);
    enum status status = plot_run(directory, err);
    if (!status)
        status = report_write(directory, err);
    stage_enter(before);
    return status;
}

static enum status run_finish(const char *directory, const struct run *run,
                              const struct trial_result *results, const struct profile *profile,
                              const struct run_options *options,
                              const struct schedule_report *report, struct error *err)
{
    enum status status = write_all(directory, run->plan, results, profile, options, report, err);
    if (!status)
        status = part_remove(directory, err);
    if (!status)
        status = draw(directory, options, err);
    return status ? status : check_false_negatives(run->plan, results, err);
}

/* The profile, where one is wanted, then everything that is written. */
static enum status run_complete(const char *directory, const struct run *run,
                                const struct trial_result *results,
                                const struct run_options *options,
                                const struct schedule_report *report, struct error *err)
{
    struct profile profile = {0};
    bool interrupted = false;
    enum status status = OK;
    if (options->probe_profile)
        status = profile_run(&profile, &interrupted, &options->schedule, run->plan, err);
    if (!status && !interrupted)
        status = run_finish(directory, run, results, options->probe_profile ? &profile : NULL,
                            options, report, err);
    profile_release(&profile);
    return status;
}

/* Another part of the same experiment that is finished there would be overwritten: refused. */
static enum status check_other_shard(const char *directory, const struct run_options *options,
                                     struct error *err)
{
    char path[PATH_MAX];
    struct text text;
    const char *key = "\"shard\": \"";
    unsigned shard, shards;
    int size = snprintf(path, sizeof path, "%s/provenance.json", directory);
    if (options->fresh || options->limits.shards == 1 || size < 0 || (size_t)size >= sizeof path ||
        file_read(&text, path, NULL) != OK)
        return OK;
    const char *found = strstr(text.data, key);
    bool other = found && sscanf(found + strlen(key), "%u/%u", &shard, &shards) == 2 &&
                 (shard != options->limits.shard || shards != options->limits.shards);
    text_release(&text);
    if (other)
        return fail(err, E_INPUT,
                    "%s holds part %u/%u; give part %u/%u an --out of its own (or --fresh to "
                    "overwrite)",
                    directory, shard, shards, options->limits.shard, options->limits.shards);
    return OK;
}

enum status run_execute(struct run *run, const struct run_options *options, struct error *err)
{
    char directory[PATH_MAX];
    const struct plan *plan = run->plan;
    struct schedule_report report;
    struct part *part = NULL;
    uint64_t found;
    int size = snprintf(directory, sizeof directory, "%s/%s", options->out, plan->experiment->name);
    if (size < 0 || (size_t)size >= sizeof directory)
        return fail(err, E_INPUT, "--out %.60s... is too long", options->out);
    struct trial_result *results =
        calloc(plan->result_count ? plan->result_count : 1, sizeof *results);
    if (!results)
        return fail(err, E_RUN, "no memory for %zu trials", plan->result_count);
    enum status status = check_other_shard(directory, options, err);
    if (!status)
        status = directory_make(directory, err);
    if (!status)
        status = part_open(&part, directory, plan, results, &found, options->fresh, err);
    if (!status)
        status = schedule_run(&report, &options->schedule, plan, results, part, err);
    if (!status && !report.interrupted)
        status = run_complete(directory, run, results, options, &report, err);
    part_close(part); /* and with it the lock, which covers the tables too */
    for (size_t r = 0; r < plan->result_count; r++)
        trial_result_release(&results[r]);
    free(results);
    return status;
}
