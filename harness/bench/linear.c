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

static double linear_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Plans and runs once; *ns: all of it, the reading of the text included. */
static enum status linear_once(double *ns, enum linear linear, uint64_t amount, struct error *err)
{
    char text[512];
    struct experiment *experiment = NULL;
    struct plan *plan = NULL;
    struct plan_limits limits = {UINT64_MAX, 1, 1};
    struct schedule schedule = {.threads = 1, .memory_bytes = UINT64_C(1) << 30, .quiet = true};
    struct schedule_report report;
    struct trial_result *results = NULL;
    linear_text(text, sizeof text, linear, amount);
    FILE *stream = fmemopen(text, strlen(text), "r");
    double started = linear_clock();
    enum status status = stream ? experiment_read(&experiment, stream, "linear-cost", NULL, err)
                                : fail(err, E_RUN, "no memory for an experiment");
    if (!status)
        status = plan_make(&plan, experiment, &limits, err);
    if (!status && !(results = calloc(plan->result_count, sizeof *results)))
        status = fail(err, E_RUN, "no memory for %zu trials", plan->result_count);
    if (!status)
        status = schedule_run(&report, &schedule, plan, results, NULL, err);
    *ns = linear_clock() - started;
    for (size_t r = 0; results && r < plan->result_count; r++)
        trial_result_release(&results[r]);
    free(results);
    plan_free(plan);
    experiment_free(experiment);
    if (stream)
        fclose(stream);
    return status;
}

static void linear_row(struct timings *timings, enum linear linear, unsigned step, double *ns,
                       unsigned rounds)
{
    struct timing row = {.bits_per_key = NAN,
                         .hit_ratio = NAN,
                         .threads = 1,
                         .floor_ns = NAN,
                         .rounds = rounds,
                         .count = linear_amount(linear, step),
                         .k = 7,
                         .fpr_model = NAN};
    for (unsigned r = 0; r < rounds; r++)
        ns[r] /= (double)row.count;
    row.ns = quartiles_of(ns, rounds);
    row.noisy = quartiles_noisy(&row.ns);
    for (int e = 0; e < COUNTER_COUNT; e++)
        row.per_key.event[e] = NAN;
    snprintf(row.filter, sizeof row.filter, "classic");
    snprintf(row.operation, sizeof row.operation, "%s", linear_name(linear));
    snprintf(row.digests, sizeof row.digests, "computed");
    snprintf(row.path, sizeof row.path, "%s", path_name(path_current()));
    timings_add(timings, &row);
}

enum status linear_run(struct timings *timings, const struct turns_options *options, bool quiet,
                       struct error *err)
{
    enum { SWEEPS = LINEAR_COUNT * LINEAR_STEPS };
    struct progress progress;
    unsigned rounds = options->rounds;
    enum status status = OK;
    bool stop = false;
    double *ns = calloc((size_t)SWEEPS * rounds, sizeof *ns);
    if (!ns)
        return fail(err, E_RUN, "no memory for %u rounds", rounds);
    progress_start(&progress, "linear-cost", 0, (uint64_t)SWEEPS * rounds, quiet);
    for (unsigned i = 0; !status && !stop && i < SWEEPS * rounds; i++) {
        unsigned sweep = i % SWEEPS, round = i / SWEEPS;
        enum linear linear = (enum linear)(sweep % LINEAR_COUNT);
        status = linear_once(&ns[sweep * rounds + round], linear,
                             linear_amount(linear, sweep / LINEAR_COUNT), err);
        progress.done++;
        progress_show(&progress);
        stop = options->interrupt && *options->interrupt;
    }
    progress_end(&progress);
    for (unsigned sweep = 0; !status && !stop && sweep < SWEEPS; sweep++)
        linear_row(timings, (enum linear)(sweep % LINEAR_COUNT), sweep / LINEAR_COUNT,
                   &ns[sweep * rounds], rounds);
    free(ns);
    return status;
}

double linear_slope(const struct timings *timings, enum linear linear)
{
    double count = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t r = 0; r < timings->count; r++) {
        const struct timing *row = &timings->row[r];
        if (strcmp(row->operation, linear_name(linear)) != 0 || row->count == 0)
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
