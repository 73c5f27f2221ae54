/* SPDX-License-Identifier: MIT */
#include "harness/command/bench_write.h"

#include <limits.h>
#include <stdio.h>

#include "harness/bench/linear.h"
#include "harness/bench/machine.h"
#include "harness/plot/plot.h"
#include "harness/report/report.h"
#include "harness/table/file.h"

static enum status bench_tables(const char *directory, const struct run *run,
                                const struct bench_options *options,
                                const struct bench_output *output, const struct timings *timings,
                                const struct machine *machine, double seconds, struct error *err)
{
    const char *names[] = {TIMINGS_FILE};
    struct text text = {0};
    struct machine_facts facts;
    struct schedule schedule = {.threads = 1, .memory_bytes = options->turns.memory_bytes};
    struct schedule_report report = {.seconds = seconds};
    machine_facts(&facts, machine);
    struct provenance provenance = {
        .plan = run->plan,
        .schedule = &schedule,
        .report = &report,
        .shard = 1,
        .shards = 1,
        .argc = output->argc,
        .argv = output->argv,
        .tables = names,
        .table_count = 1,
        .facts = facts.fact,
        .fact_count = facts.count,
    };
    timings_format(timings, &text);
    enum status status = file_write(directory, TIMINGS_FILE, &text, err);
    if (!status)
        status = provenance_write(directory, &provenance, err);
    text_release(&text);
    return status;
}

static enum status bench_measure(struct timings *timings, struct machine *machine,
                                 const struct run *run, const struct bench_options *options,
                                 const struct bench_output *output, double *seconds,
                                 struct error *err)
{
    machine_enter(machine);
    double started = progress_clock();
    enum status status = OK;
    if (output->part[BENCH_FILTERS])
        status = bench_run(timings, run->plan, options, err);
    if ((!status || status == E_CHECK) && output->part[BENCH_LINEAR_COST]) {
        struct error error;
        enum status linear = linear_run(timings, &options->turns, machine, options->quiet, &error);
        if (linear) {
            status = linear;
            *err = error;
        }
    }
    *seconds = progress_clock() - started;
    machine_leave(machine);
    return status;
}

static enum status bench_draw(const char *directory, const struct bench_output *output,
                              struct error *err)
{
    enum status status = OK;
    plot_remove_old(directory); /* they would be of an earlier run */
    if (!output->plots)
        return file_remove(directory, "index.html", err);
    status = plot_run(directory, err);
    if (!status)
        status = report_write(directory, err);
    return status ? status : report_index(output->out, err);
}

enum status bench_write(const struct run *run, const struct bench_options *options,
                        const struct bench_output *output, struct error *err)
{
    char directory[PATH_MAX];
    struct timings timings = {0};
    struct machine machine;
    struct error later = {0};
    double seconds;
    int size = snprintf(directory, sizeof directory, "%s/%s", output->out, run->experiment->name);
    if (size < 0 || (size_t)size >= sizeof directory)
        return fail(err, E_INPUT, "--out %.60s... is too long", output->out);
    enum status made = directory_make(directory, err); /* before hours of measuring, not after */
    if (made)
        return made;
    enum status check = bench_measure(&timings, &machine, run, options, output, &seconds, err);
    enum status status = check == E_CHECK ? OK : check;
    bool interrupted = options->turns.interrupt && *options->turns.interrupt;
    if (!status && !interrupted)
        status = bench_tables(directory, run, options, output, &timings, &machine, seconds, &later);
    if (!status && !interrupted)
        status = bench_draw(directory, output, &later);
    timings_release(&timings);
    if (!status || check == status)
        return check;
    *err = later;
    return status;
}
