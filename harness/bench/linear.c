/* SPDX-License-Identifier: MIT */
#include "harness/bench/linear.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/schedule/schedule.h"

static const char *const linear_names[LINEAR_COUNT] = {
    [LINEAR_MEMBERS] = "sweep_members",
    [LINEAR_QUERIES] = "sweep_queries",
    [LINEAR_CELLS] = "sweep_cells",
};

const char *linear_name(enum linear linear)
{
    return linear_names[linear];
}

uint64_t linear_amount(enum linear linear, unsigned step)
{
    static const double first[LINEAR_COUNT] = {
        [LINEAR_MEMBERS] = 3.5, [LINEAR_QUERIES] = 5, [LINEAR_CELLS] = 1.5};
    return (uint64_t)round(pow(10, first[linear] + step / 2.0));
}

unsigned linear_threads_step(enum linear linear)
{
    return linear == LINEAR_MEMBERS ? LINEAR_STEPS - 1 : LINEAR_STEPS - 2;
}

/* The experiment's text. Cells differ in m only, by 8 bits each, so that they cost alike. */
static void linear_text(char *text, size_t size, enum linear linear, uint64_t amount)
{
    static const char same[] = "name: linear-cost\nquestion: q\ntrials: 1\n"
                               "grid:\n  filter: [classic]\n  hash: [murmur3_x64_128]\n"
                               "  keys: [random64]\n  k: [7]\n";
    if (linear == LINEAR_MEMBERS)
        snprintf(text, size, "%s  n: [%" PRIu64 "]\n  bits_per_key: [10]\nqueries: 0\n", same,
                 amount);
    else if (linear == LINEAR_QUERIES)
        snprintf(text, size, "%s  n: [1000]\n  bits_per_key: [10]\nqueries: %" PRIu64 "\n", same,
                 amount);
    else
        snprintf(text, size, "%s  n: [100]\n  m: [\"100000..%" PRIu64 " by 8\"]\nqueries: 1000\n",
                 same, 100000 + 8 * (amount - 1));
}

/* What one sweep is timed with. */
struct linear_sweep {
    enum linear linear;
    unsigned step, threads;
};

/* Of one thread its processor time, which other programs do not add to; of several what passes. */
static double linear_clock(unsigned threads)
{
    struct timespec now;
    clock_gettime(threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Plans and runs once; *ns: all of it, the reading of the text included. */
static enum status linear_once(double *ns, const struct linear_sweep *sweep, struct error *err)
{
    char text[512];
    struct experiment *experiment = NULL;
    struct plan *plan = NULL;
    struct plan_limits limits = {UINT64_MAX, 1, 1};
    struct schedule schedule = {
        .threads = sweep->threads, .memory_bytes = UINT64_C(1) << 30, .quiet = true};
    struct schedule_report report;
    struct trial_result *results = NULL;
    linear_text(text, sizeof text, sweep->linear, linear_amount(sweep->linear, sweep->step));
    FILE *stream = fmemopen(text, strlen(text), "r");
    double started = linear_clock(sweep->threads);
    enum status status = stream ? experiment_read(&experiment, stream, "linear-cost", NULL, err)
                                : fail(err, E_RUN, "no memory for an experiment");
    if (!status)
        status = plan_make(&plan, experiment, &limits, err);
    if (!status && !(results = calloc(plan->result_count, sizeof *results)))
        status = fail(err, E_RUN, "no memory for %zu trials", plan->result_count);
    if (!status)
        status = schedule_run(&report, &schedule, plan, results, NULL, err);
    *ns = linear_clock(sweep->threads) - started;
    for (size_t r = 0; results && r < plan->result_count; r++)
        trial_result_release(&results[r]);
    free(results);
    plan_free(plan);
    experiment_free(experiment);
    if (stream)
        fclose(stream);
    return status;
}

static void linear_row(struct timings *timings, const struct linear_sweep *sweep, double *ns,
                       unsigned rounds)
{
    struct timing row = {.bits_per_key = NAN,
                         .hit_ratio = NAN,
                         .threads = sweep->threads,
                         .floor_ns = NAN,
                         .rounds = rounds,
                         .count = linear_amount(sweep->linear, sweep->step),
                         .k = 7,
                         .fpr_model = NAN};
    for (unsigned r = 0; r < rounds; r++)
        ns[r] /= (double)row.count;
    row.ns = quartiles_of(ns, rounds);
    row.noisy = quartiles_noisy(&row.ns);
    for (int e = 0; e < COUNTER_COUNT; e++)
        row.per_key.event[e] = NAN;
    snprintf(row.filter, sizeof row.filter, "classic");
    snprintf(row.operation, sizeof row.operation, "%s", linear_name(sweep->linear));
    snprintf(row.digests, sizeof row.digests, "computed");
    snprintf(row.path, sizeof row.path, "%s", path_name(path_current()));
    timings_add(timings, &row);
}

enum { LINEAR_SWEEPS = LINEAR_COUNT * (LINEAR_STEPS + 1) };

/* All steps on one thread; one step on all processors, where there are several. */
static unsigned linear_sweeps(struct linear_sweep sweeps[LINEAR_SWEEPS], unsigned processors)
{
    unsigned count = 0;
    for (unsigned step = 0; step < LINEAR_STEPS; step++)
        for (int linear = 0; linear < LINEAR_COUNT; linear++)
            sweeps[count++] = (struct linear_sweep){(enum linear)linear, step, 1};
    for (int linear = 0; linear < LINEAR_COUNT && processors > 1; linear++)
        sweeps[count++] = (struct linear_sweep){
            (enum linear)linear, linear_threads_step((enum linear)linear), processors};
    return count;
}

enum status linear_run(struct timings *timings, const struct turns_options *options,
                       const struct machine *machine, bool quiet, struct error *err)
{
    struct linear_sweep sweeps[LINEAR_SWEEPS];
    struct progress progress;
    unsigned rounds = options->rounds, count = linear_sweeps(sweeps, machine->processors);
    enum status status = OK;
    bool stop = false;
    double *ns = calloc((size_t)count * rounds, sizeof *ns);
    if (!ns)
        return fail(err, E_RUN, "no memory for %u rounds", rounds);
    progress_start(&progress, "linear-cost", "sweeps", 0, (uint64_t)count * rounds, quiet);
    for (unsigned i = 0; !status && !stop && i < count * rounds; i++) {
        const struct linear_sweep *sweep = &sweeps[i % count];
        if (sweep->threads > 1)
            machine_leave(machine);
        status = linear_once(&ns[i % count * rounds + i / count], sweep, err);
        if (sweep->threads > 1)
            machine_pin(machine);
        progress.done++;
        progress_show(&progress);
        stop = options->interrupt && *options->interrupt;
    }
    progress_end(&progress);
    for (unsigned sweep = 0; !status && !stop && sweep < count; sweep++)
        linear_row(timings, &sweeps[sweep], &ns[sweep * rounds], rounds);
    free(ns);
    return status;
}

bool linear_single(const struct timing *row, enum linear linear)
{
    return row->threads <= 1 && strcmp(row->operation, linear_name(linear)) == 0;
}

double linear_speedup(const struct timings *timings, enum linear linear, unsigned *threads)
{
    const struct timing *several = NULL, *one = NULL;
    for (size_t r = 0; r < timings->count; r++)
        if (timings->row[r].threads > 1 &&
            strcmp(timings->row[r].operation, linear_name(linear)) == 0)
            several = &timings->row[r];
    for (size_t r = 0; several && r < timings->count; r++)
        if (linear_single(&timings->row[r], linear) && timings->row[r].count == several->count)
            one = &timings->row[r];
    if (!one || one->noisy || several->noisy)
        return NAN;
    *threads = several->threads;
    return one->ns.median / several->ns.median;
}

double linear_slope(const struct timings *timings, enum linear linear)
{
    double count = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t r = 0; r < timings->count; r++) {
        const struct timing *row = &timings->row[r];
        if (!linear_single(row, linear) || row->count == 0)
            continue;
        double lx = log((double)row->count), ly = lx + log(row->ns.median);
        count++;
        x += lx;
        y += ly;
        xx += lx * lx;
        xy += lx * ly;
    }
    double width = count * xx - x * x;
    return count < 2 || !(width > 0) ? NAN : (count * xy - x * y) / width;
}
