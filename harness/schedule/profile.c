/* SPDX-License-Identifier: MIT */
#include "harness/schedule/profile.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/schedule/progress.h"
#include "harness/workload/probes.h"

/* Trials are run so many at a time, then added up in their order. */
enum { PROFILE_BLOCK = 128 };

/* One trial of a block. */
struct profile_task {
    size_t cell;
    uint64_t trial;
    struct probe_count *counts; /* malloc'ed by who runs it */
    struct error error;
};

/* Where the next block begins. */
struct profile_walk {
    const struct plan *plan;
    size_t cell;
    uint64_t trial;
};

/* The next trials of cells that have a profile; 0: there are none. */
static size_t profile_next(struct profile_task *tasks, struct profile_walk *walk)
{
    size_t count = 0;
    while (count < PROFILE_BLOCK && walk->cell < walk->plan->cell_count) {
        const struct cell *cell = &walk->plan->cells[walk->cell];
        if (walk->trial >= cell->trials || !probes_rows(cell)) {
            walk->cell++;
            walk->trial = 0;
            continue;
        }
        tasks[count++] = (struct profile_task){.cell = walk->cell, .trial = walk->trial++};
    }
    return count;
}

static enum status profile_visit(void *context, const struct cell *cell, struct trial_keys *keys,
                                 struct workspace *space, struct error *err)
{
    struct profile_task *task = context;
    task->counts = calloc(probes_rows(cell), sizeof *task->counts);
    if (!task->counts)
        return fail(err, E_RUN, "no memory for a probe profile");
    return probes_run(task->counts, cell, keys, space, err);
}

static void profile_block(struct profile_task *tasks, size_t count, unsigned threads,
                          const struct schedule *schedule, const struct plan *plan)
{
#pragma omp parallel for schedule(dynamic) num_threads((int)threads)
    for (size_t t = 0; t < count; t++)
        if (!schedule->interrupt || !*schedule->interrupt)
            schedule_visit(plan, &plan->cells[tasks[t].cell], tasks[t].trial, profile_visit,
                           &tasks[t], &tasks[t].error);
}

/* Serial and in order: the sums are the same in every run. */
static enum status profile_add(struct profile *profile, struct profile_task *tasks, size_t count,
                               const struct plan *plan, struct error *err)
{
    enum status status = OK;
    for (size_t t = 0; t < count; t++) {
        const struct cell *cell = &plan->cells[tasks[t].cell];
        struct probe_tally *tally = profile->cell[tasks[t].cell];
        double queries = (double)cell->queries;
        if (tasks[t].error.status && !status) {
            status = tasks[t].error.status;
            *err = tasks[t].error;
        }
        for (size_t row = 0; !status && tasks[t].counts && row < probes_rows(cell); row++) {
            double rate = tasks[t].counts[row].rate;
            tally[row].queries += cell->queries;
            tally[row].hits += tasks[t].counts[row].hits;
            tally[row].expected += queries * rate;
            tally[row].variance += queries * rate * (1 - rate);
        }
        free(tasks[t].counts);
    }
    return status;
}

static enum status profile_allocate(struct profile *profile, uint64_t *trials, uint64_t *bytes,
                                    const struct plan *plan, struct error *err)
{
    profile->count = plan->cell_count;
    profile->cell = calloc(plan->cell_count + 1, sizeof *profile->cell);
    if (!profile->cell)
        return fail(err, E_RUN, "no memory for the profiles of %zu cells", plan->cell_count);
    for (size_t c = 0; c < plan->cell_count; c++) {
        const struct cell *cell = &plan->cells[c];
        size_t rows = probes_rows(cell);
        if (!rows)
            continue;
        profile->cell[c] = calloc(rows, sizeof **profile->cell);
        if (!profile->cell[c])
            return fail(err, E_RUN, "no memory for a profile of %zu rows", rows);
        *trials += cell->trials;
        if (cell->layout.bytes_max > *bytes)
            *bytes = cell->layout.bytes_max;
    }
    return OK;
}

/* As many threads as filters of this size fit the memory. */
static unsigned profile_threads(const struct schedule *schedule, uint64_t bytes)
{
    uint64_t most = bytes ? schedule->memory_bytes / bytes : schedule->threads;
    return most < schedule->threads ? (most ? (unsigned)most : 1) : schedule->threads;
}

enum status profile_run(struct profile *profile, bool *interrupted, const struct schedule *schedule,
                        const struct plan *plan, struct error *err)
{
    struct profile_task tasks[PROFILE_BLOCK];
    struct profile_walk walk = {.plan = plan};
    struct progress progress;
    char name[EXPERIMENT_NAME_MAX + 16];
    uint64_t trials = 0, bytes = 0;
    *profile = (struct profile){0};
    *interrupted = false;
    snprintf(name, sizeof name, "%s, probes", plan->experiment->name);
    enum status status = profile_allocate(profile, &trials, &bytes, plan, err);
    progress_start(&progress, name, "trials", 0, trials, schedule->quiet);
    for (size_t count; !status && (count = profile_next(tasks, &walk)) > 0;) {
        profile_block(tasks, count, profile_threads(schedule, bytes), schedule, plan);
        status = profile_add(profile, tasks, count, plan, err);
        progress.done += count;
        progress_show(&progress);
        *interrupted = schedule->interrupt && *schedule->interrupt;
        if (*interrupted)
            break;
    }
    progress_end(&progress);
    if (status || *interrupted)
        profile_release(profile);
    return status;
}

void profile_release(struct profile *profile)
{
    for (size_t c = 0; profile->cell && c < profile->count; c++)
        free(profile->cell[c]);
    free(profile->cell);
    *profile = (struct profile){0};
}
