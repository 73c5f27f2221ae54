/* SPDX-License-Identifier: MIT
 *
 * sweep.c: `bloomlab sweep`: experiments in, tables and plots out.
 *
 * Every file is read and planned before anything is written, so that a mistake in the last one
 * costs nothing. Then each runs, resuming what an earlier run left.
 */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/command.h"
#include "harness/command/run.h"
#include "harness/experiment/values.h"
#include "harness/report/report.h"
#include "harness/schedule/forecast.h"
#include "harness/stages/stages.h"
#include "harness/trial/trial.h"

struct request {
    struct run_options run;
    const char **files;
    int file_count;
    bool dry_run, profile;
};

enum {
    OUT,
    THREADS,
    MEMORY,
    SHARD,
    SCALE,
    FRESH,
    DRY_RUN,
    NO_PLOTS,
    PROFILE,
    PROBE_PROFILE,
    QUIET,
    OPTION_COUNT
};

static enum status take_shard(struct run_options *run, const char *text, struct error *err)
{
    char part[32];
    const char *slash = strchr(text, '/');
    uint64_t shard, shards;
    if (!slash || slash == text || (size_t)(slash - text) >= sizeof part)
        return fail(err, E_INPUT, "--shard %s is not I/N", text);
    snprintf(part, sizeof part, "%.*s", (int)(slash - text), text);
    enum status status = value_integer(&shards, slash + 1, "--shard N", 1, 1000000, err);
    if (!status)
        status = value_integer(&shard, part, "--shard I", 1, shards, err);
    if (!status) {
        run->limits.shard = (unsigned)shard;
        run->limits.shards = (unsigned)shards;
    }
    return status;
}

static enum status take_option(struct request *request, int option, const char *value,
                               struct error *err)
{
    struct run_options *run = &request->run;
    uint64_t threads;
    enum status status;
    switch (option) {
    case OUT:
        run->out = value;
        return *value ? OK : fail(err, E_INPUT, "--out is empty");
    case THREADS:
        status = value_integer(&threads, value, "--threads", 1, 1024, err);
        if (!status)
            run->schedule.threads = (unsigned)threads;
        return status;
    case MEMORY:
        status = value_bytes(&run->limits.memory_bytes, value, "--memory", err);
        run->schedule.memory_bytes = run->limits.memory_bytes;
        return status;
    case SHARD:
        return take_shard(run, value, err);
    case SCALE:
        run->scale = value;
        return OK;
    case FRESH:
        run->fresh = true;
        return OK;
    case DRY_RUN:
        request->dry_run = true;
        return OK;
    case NO_PLOTS:
        run->plots = false;
        return OK;
    case PROFILE:
        request->profile = true;
        return OK;
    case PROBE_PROFILE:
        run->probe_profile = true;
        return OK;
    case QUIET:
        run->schedule.quiet = true;
        return OK;
    default:
        request->files[request->file_count++] = value;
        return OK;
    }
}

static enum status take_options(struct request *request, int argc, char **argv, struct error *err)
{
    static const struct option_spec specs[OPTION_COUNT] = {
        [OUT] = {"out", true},          [THREADS] = {"threads", true},
        [MEMORY] = {"memory", true},    [SHARD] = {"shard", true},
        [SCALE] = {"scale", true},      [FRESH] = {"fresh", false},
        [DRY_RUN] = {"dry-run", false}, [NO_PLOTS] = {"no-plots", false},
        [PROFILE] = {"profile", false}, [PROBE_PROFILE] = {"probe-profile", false},
        [QUIET] = {"quiet", false},
    };
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, OPTION_COUNT, &option, &value, err);
        if (status)
            return status;
        if (option == OPTION_END)
            return request->file_count
                       ? OK
                       : fail(err, E_INPUT, "sweep needs an experiment file (- is standard input)");
        status = take_option(request, option, value, err);
        if (status)
            return status;
    }
}

/* What a run would do: a line per experiment: how much it would compute, and how long that takes.
 */
static void print_plan(const struct run *run, const struct schedule *schedule)
{
    const struct plan *plan = run->plan;
    uint64_t queries = 0, inserts = 0, most = 0, fewest_asked = UINT64_MAX, most_asked = 0;
    for (size_t c = 0; c < plan->cell_count; c++) {
        const struct cell *cell = &plan->cells[c];
        queries += cell->trials * cell->queries;
        inserts += cell->trials * cell->n;
        if (cell->layout.bytes_max > most)
            most = cell->layout.bytes_max;
        if (cell->queries < fewest_asked)
            fewest_asked = cell->queries;
        if (cell->queries > most_asked)
            most_asked = cell->queries;
    }
    printf("%s: %zu cells, %zu skipped, %zu trials", plan->experiment->name, plan->cell_count,
           plan->skipped_count, plan->result_count);
    if (fewest_asked < most_asked)
        printf(" of %" PRIu64 " to %" PRIu64 " queries", fewest_asked, most_asked);
    else if (plan->cell_count)
        printf(" of %" PRIu64 " queries", most_asked);
    printf("; %" PRIu64 " inserts, %" PRIu64 " queries, largest filter %" PRIu64 " bytes", inserts,
           queries, most);
    double seconds = schedule_forecast(plan, schedule);
    if (isnan(seconds))
        puts("");
    else
        printf(seconds < 10 ? "; about %.2g s on %u threads\n" : "; about %.0f s on %u threads\n",
               seconds, schedule->threads);
}

/* A scale is a matter of each experiment; one that none of them has was mistyped. */
static enum status check_scale(const struct run *runs, const struct request *request,
                               struct error *err)
{
    if (!request->run.scale || !*request->run.scale)
        return OK;
    for (int i = 0; i < request->file_count; i++)
        if (runs[i].experiment->scaled)
            return OK;
    return fail(err, E_INPUT, "none of the experiments has a scale '%s'", request->run.scale);
}

static enum status open_all(struct run *runs, const struct request *request, struct error *err)
{
    for (int i = 0; i < request->file_count; i++) {
        enum status status = run_open(&runs[i], request->files[i], &request->run, err);
        if (status)
            return status;
        for (int j = 0; j < i; j++)
            if (strcmp(runs[i].experiment->name, runs[j].experiment->name) == 0)
                return fail(err, E_INPUT, "%s and %s both have the name %s", request->files[j],
                            request->files[i], runs[i].experiment->name);
    }
    return check_scale(runs, request, err);
}

/* What will not run is told even to who asked for quiet when nothing else will. */
static void tell_skipped(const struct plan *plan, bool quiet)
{
    if (plan->skipped_count && (!quiet || !plan->cell_count))
        fprintf(stderr, "%s: %zu of %zu cells cannot be run (skipped.csv); the first: %s\n",
                plan->experiment->name, plan->skipped_count, plan->skipped_count + plan->cell_count,
                plan->skipped[0].reason);
}

/* Where the time went: the sums of all threads. */
static void print_profile(const struct run *run)
{
    double all = 0;
    for (int s = STAGE_NONE + 1; s < STAGE_COUNT; s++)
        all += stage_seconds((enum stage)s);
    printf("%s: %.3f s of all threads\n", run->experiment->name, all);
    for (int s = STAGE_NONE + 1; s < STAGE_COUNT; s++) {
        double seconds = stage_seconds((enum stage)s);
        printf("  %-8s %10.3f s %5.1f %%\n", stage_name((enum stage)s), seconds,
               all > 0 ? 100 * seconds / all : 0);
    }
}

/* Runs all; a failed check does not keep the others from running, a failed run does. */
static enum status run_all(struct run *runs, const struct request *request, struct error *err)
{
    enum status worst = OK;
    for (int i = 0; i < request->file_count && !command_interrupted; i++) {
        if (request->dry_run) {
            print_plan(&runs[i], &request->run.schedule);
            continue;
        }
        tell_skipped(runs[i].plan, request->run.schedule.quiet);
        struct error error = {0};
        if (request->profile)
            stages_start();
        enum status status = run_execute(&runs[i], &request->run, &error);
        if (request->profile && !command_interrupted && (!status || status == E_CHECK))
            print_profile(&runs[i]);
        if (status && !worst) {
            worst = status;
            *err = error;
        }
        if (status && status != E_CHECK)
            break;
    }
    if ((request->dry_run || request->profile) && !worst)
        worst = output_finish(err);
    if (request->dry_run)
        return worst;
    if (!worst && request->run.plots && !command_interrupted)
        worst = report_index(request->run.out, err);
    return worst;
}

static enum status sweep_run(int argc, char **argv, struct error *err)
{
    uint64_t physical = memory_physical();
    struct request request = {
        .files = calloc((size_t)argc, sizeof *request.files),
        .run = {.out = "results", .plots = true, .argc = argc, .argv = argv},
    };
    request.run.limits = (struct plan_limits){physical / 10 * 9, 1, 1};
    request.run.schedule = (struct schedule){
        .threads = (unsigned)omp_get_max_threads(),
        .memory_bytes = physical / 10 * 9,
        .interrupt = &command_interrupted,
    };
    struct run *runs = calloc((size_t)argc, sizeof *runs);
    enum status status = request.files && runs ? OK : fail(err, E_RUN, "no memory");
    if (!status)
        status = take_options(&request, argc, argv, err);
    if (!status)
        status = open_all(runs, &request, err);
    if (!status)
        status = run_all(runs, &request, err);
    for (int i = 0; runs && i < argc; i++)
        run_close(&runs[i]);
    free(runs);
    free(request.files);
    return status;
}

const struct command command_sweep = {
    .name = "sweep",
    .summary = "run experiments: tables and plots in DIR/NAME/",
    .help = "usage: bloomlab sweep FILE... [OPTION]...\n\n"
            "Each FILE is an experiment in YAML (- is standard input); its tables and plots go to "
            "DIR/NAME/.\n"
            "An interrupted run resumes where it stopped.\n\n"
            "  --out DIR       where results go (default results)\n"
            "  --threads T     threads (default: one a core); the numbers do not depend on it\n"
            "  --memory SIZE   what filters and keys may take together (default: 90 % of the "
            "machine's);\n"
            "                  cells that need more are skipped and listed in skipped.csv\n"
            "  --shard I/N     only the I-th of N parts of the cells, counted from 1\n"
            "  --scale NAME    the settings under `scales: NAME:` of the experiment, where it has "
            "them\n"
            "  --fresh         start over instead of resuming\n"
            "  --dry-run       say what would run\n"
            "  --no-plots      tables only\n"
            "  --profile       print where the time went: keys, digests, insert, query, ...\n"
            "  --probe-profile test every probe, and every two, of all queries: probes.csv\n"
            "  --quiet         no progress\n",
    .run = sweep_run,
};
