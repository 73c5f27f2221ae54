/* SPDX-License-Identifier: MIT */
#include "harness/schedule/schedule.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "harness/schedule/need.h"
#include "harness/schedule/progress.h"
#include "harness/stages/stages.h"
#include "harness/workload/workload.h"

enum { TICK_NS = 200 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000 };

/* Cells first .. first + count - 1 of a group, one trial of each. */
struct task {
    const struct plan_group *group;
    uint64_t trial;
    size_t first, count;
};

/* What the threads share. Everything below the lock is guarded by it. */
struct crew {
    const struct schedule *schedule;
    const struct plan *plan;
    struct trial_result *results;
    struct part *part;
    struct task *tasks;
    size_t task_count;

    pthread_mutex_t lock;
    pthread_cond_t memory_freed, all_done;
    size_t next_task;
    uint64_t held_bytes, peak_bytes;
    struct progress progress;
    bool stop, over;
    enum status status;
    struct error error;
};

/* ---- one task
 * ------------------------------------------------------------------------------------ */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool task_cell_open(const struct crew *crew, const struct task *task, size_t i)
{
    const struct cell *cell = &crew->plan->cells[task->group->cells[task->first + i]];
    return task->trial < cell->trials && !crew->results[cell->first_result + task->trial].done;
}

static void task_need(struct need *need, const struct crew *crew, const struct task *task)
{
    *need = (struct need){.batch = 1};
    for (size_t i = 0; i < task->count; i++) {
        const struct cell *cell = &crew->plan->cells[task->group->cells[task->first + i]];
        if (!task_cell_open(crew, task, i))
            continue;
        need->cell = cell;
        need->cells++;
        need->members = larger(need->members, cell->members);
        need->queries = larger(need->queries, cell->queries);
        need->columns = (unsigned)larger(need->columns, cell->layout.columns);
        need->batch = (size_t)larger(need->batch, cell->layout.batch);
        need->filter_bytes =
            larger(need->filter_bytes,
                   cell->layout.bytes_max + cell->layout.scratch_bytes + cell->extra_bytes);
    }
}

static void crew_hold(struct crew *crew, uint64_t bytes)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->held_bytes && crew->held_bytes + bytes > crew->schedule->memory_bytes)
        pthread_cond_wait(&crew->memory_freed, &crew->lock);
    crew->held_bytes += bytes;
    crew->peak_bytes = larger(crew->peak_bytes, crew->held_bytes);
    pthread_mutex_unlock(&crew->lock);
}

static void crew_free(struct crew *crew, uint64_t bytes)
{
    pthread_mutex_lock(&crew->lock);
    crew->held_bytes -= bytes;
    pthread_cond_broadcast(&crew->memory_freed);
    pthread_mutex_unlock(&crew->lock);
}

static void crew_fail(struct crew *crew, const struct error *error)
{
    pthread_mutex_lock(&crew->lock);
    if (crew->status == OK) {
        crew->status = error->status;
        crew->error = *error;
    }
    crew->stop = true;
    pthread_mutex_unlock(&crew->lock);
}

static bool crew_stopped(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    if (crew->schedule->interrupt && *crew->schedule->interrupt)
        crew->stop = true;
    bool stop = crew->stop;
    pthread_mutex_unlock(&crew->lock);
    return stop;
}

/* The row is made outside the lock: it takes longer than a trial of a small cell. */
static void crew_finished(struct crew *crew, const struct cell *cell, uint64_t trial)
{
    struct text row = {0};
    if (crew->part)
        part_trial(&row, crew->plan, cell, trial, &crew->results[cell->first_result + trial]);
    pthread_mutex_lock(&crew->lock);
    if (crew->part)
        part_add(crew->part, &row);
    crew->progress.done++;
    pthread_mutex_unlock(&crew->lock);
    text_release(&row);
}

static enum status cell_run(struct trial_result *result, const struct plan *plan,
                            const struct cell *cell, struct trial_keys *keys,
                            struct workspace *space, struct error *err)
{
    const struct workload_ops *workload = workload_find(plan->experiment->workload);
    struct trial_result fresh = {.seed = keys->seed};
    enum status status = workload->run(&fresh, cell, keys, space, err);
    for (unsigned i = 0; !status && workload->params && workload->params[i].name; i++)
        status = trial_measure_add(&fresh, workload->params[i].name, cell->own[i].real, err);
    if (status) {
        trial_result_release(&fresh);
        return status;
    }
    trial_result_finish(&fresh);
    fresh.done = true;
    *result = fresh;
    return OK;
}

static enum status trial_keys_open(struct trial_keys *keys, const struct plan *plan,
                                   const struct need *need, uint64_t trial, unsigned sharers,
                                   struct error *err)
{
    const struct cell *cell = need->cell;
    struct key_stream stream;
    struct digest_family family;
    keys->trial = trial;
    keys->seed = cell_trial_seed(plan->experiment, cell, trial);
    key_stream_init(&stream, cell->source->source, keys->seed);
    if (cell->hash)
        family = cell_family(plan->experiment, cell, keys->seed);
    const struct digest_family *used = cell->hash ? &family : NULL;
    enum status status =
        digest_source_init(&keys->members, &stream, KEY_MEMBER, used, need->members, need->columns,
                           need->batch, sharers, err);
    if (!status)
        status = digest_source_init(&keys->queries, &stream, KEY_QUERY, used, need->queries,
                                    need->columns, need->batch, sharers, err);
    return status;
}

static void trial_keys_close(struct trial_keys *keys)
{
    digest_source_release(&keys->members);
    digest_source_release(&keys->queries);
}

static enum status task_cells(struct crew *crew, const struct task *task, struct trial_keys *keys,
                              struct workspace *space, struct error *err)
{
    for (size_t i = 0; i < task->count && !crew_stopped(crew); i++) {
        const struct cell *cell = &crew->plan->cells[task->group->cells[task->first + i]];
        if (!task_cell_open(crew, task, i))
            continue;
        enum status status = cell_run(&crew->results[cell->first_result + task->trial], crew->plan,
                                      cell, keys, space, err);
        if (status)
            return status;
        crew_finished(crew, cell, task->trial);
    }
    return OK;
}

static void task_run(struct crew *crew, const struct task *task, struct workspace *space)
{
    struct need need;
    struct error error = {0};
    struct digest_family family;
    struct trial_keys keys = {0};
    task_need(&need, crew, task);
    if (need.cells == 0)
        return;
    if (need.cell->hash)
        family = cell_family(crew->plan->experiment, need.cell, 0);
    const struct digest_family *used = need.cell->hash ? &family : NULL;
    uint64_t share = crew->schedule->memory_bytes / crew->schedule->threads / 4;
    /* A cell alone reads its keys once or twice: making them anew beats filling memory. */
    bool remember = need.cells > 1 && need_key_bytes(&need, used, true) <= share;
    keys.threads = need_threads(&need, crew->schedule->threads, crew->task_count);
    need.batch = keys.threads > 1 ? (size_t)larger(need.batch, FILTER_BATCH) : need.batch;
    uint64_t bytes = need.filter_bytes + need_key_bytes(&need, used, remember);
    uint64_t further = need_threads_bytes(&need, used, keys.threads);
    if (further && bytes + further > crew->schedule->memory_bytes)
        keys.threads = 1;
    bytes += keys.threads > 1 ? further : 0;
    crew_hold(crew, bytes);
    enum status status =
        trial_keys_open(&keys, crew->plan, &need, task->trial, remember ? need.cells : 0, &error);
    if (!status)
        status = task_cells(crew, task, &keys, space, &error);
    trial_keys_close(&keys);
    /* What a thread keeps for its next task is not in the budget: only a small share may stay. */
    if (need.filter_bytes > share)
        workspace_release(space);
    crew_free(crew, bytes);
    if (status)
        crew_fail(crew, &error);
}

/* ---- the crew
 * -------------------------------------------------------------------------------------- */

static void crew_work(struct crew *crew)
{
    struct workspace space = {0};
    enum stage before = stage_enter(STAGE_OTHER);
    for (;;) {
        pthread_mutex_lock(&crew->lock);
        size_t mine = crew->next_task++;
        pthread_mutex_unlock(&crew->lock);
        if (mine >= crew->task_count || crew_stopped(crew))
            break;
        task_run(crew, &crew->tasks[mine], &space);
    }
    workspace_release(&space);
    stage_enter(before);
}

/* Every fifth of a second: finished trials to disk, progress to the terminal. */
static void *crew_tick(void *context)
{
    struct crew *crew = context;
    struct error error;
    pthread_mutex_lock(&crew->lock);
    while (!crew->over) {
        struct timespec wake;
        clock_gettime(CLOCK_REALTIME, &wake);
        wake.tv_nsec += TICK_NS;
        wake.tv_sec += wake.tv_nsec / SECOND_NS;
        wake.tv_nsec %= SECOND_NS;
        pthread_cond_timedwait(&crew->all_done, &crew->lock, &wake);
        progress_show(&crew->progress);
        if (crew->part && crew->status == OK && part_flush(crew->part, false, &error)) {
            crew->status = error.status;
            crew->error = error;
            crew->stop = true;
        }
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Groups are cut into pieces when there are too few of them to keep every thread busy: every piece
 * makes its digests anew, so one thread cuts none. */
static enum status crew_plan_tasks(struct crew *crew, struct error *err)
{
    const struct plan *plan = crew->plan;
    const uint64_t threads = crew->schedule->threads, wanted = threads > 1 ? 16 * threads : 1;
    uint64_t whole = 0, count = 0;
    for (size_t g = 0; g < plan->group_count; g++)
        whole += plan->groups[g].trials;
    uint64_t pieces = whole && whole < wanted ? wanted / whole : 1;
    for (size_t g = 0; g < plan->group_count; g++)
        count += plan->groups[g].trials *
                 (pieces < plan->groups[g].count ? pieces : plan->groups[g].count);
    crew->tasks = calloc(count ? count : 1, sizeof *crew->tasks);
    if (!crew->tasks)
        return fail(err, E_RUN, "no memory for %llu tasks", (unsigned long long)count);
    for (size_t g = 0; g < plan->group_count; g++) {
        const struct plan_group *group = &plan->groups[g];
        size_t cut = pieces < group->count ? (size_t)pieces : group->count;
        for (uint64_t trial = 0; trial < group->trials; trial++)
            for (size_t p = 0; p < cut; p++) {
                size_t first = group->count * p / cut, end = group->count * (p + 1) / cut;
                crew->tasks[crew->task_count++] = (struct task){
                    .group = group, .trial = trial, .first = first, .count = end - first};
            }
    }
    return OK;
}

static void crew_run(struct crew *crew)
{
    pthread_t ticker;
    bool ticking = pthread_create(&ticker, NULL, crew_tick, crew) == 0;
#pragma omp parallel num_threads((int)crew->schedule->threads)
    crew_work(crew);
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    pthread_cond_signal(&crew->all_done);
    pthread_mutex_unlock(&crew->lock);
    if (ticking)
        pthread_join(ticker, NULL);
}

enum status schedule_run(struct schedule_report *report, const struct schedule *schedule,
                         const struct plan *plan, struct trial_result *results, struct part *part,
                         struct error *err)
{
    struct crew crew = {
        .schedule = schedule,
        .plan = plan,
        .results = results,
        .part = part,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .memory_freed = PTHREAD_COND_INITIALIZER,
        .all_done = PTHREAD_COND_INITIALIZER,
    };
    uint64_t already = 0;
    *report = (struct schedule_report){0};
    if (!workload_find(plan->experiment->workload))
        return fail(err, E_INPUT, "the workload %s cannot be run yet",
                    workload_name(plan->experiment->workload));
    enum status status = crew_plan_tasks(&crew, err);
    if (status)
        return status;
    for (size_t r = 0; r < plan->result_count; r++)
        already += results[r].done;
    progress_start(&crew.progress, plan->experiment->name, "trials", already, plan->result_count,
                   schedule->quiet);
    crew_run(&crew);
    if (crew.status == OK && part)
        crew.status = part_flush(part, true, &crew.error);
    progress_end(&crew.progress);
    *report = (struct schedule_report){
        .seconds = progress_clock() - crew.progress.started,
        .trials = crew.progress.done - already,
        .peak_task_bytes = crew.peak_bytes,
        .interrupted = crew.status == OK && crew.stop,
    };
    free(crew.tasks);
    if (crew.status && err)
        *err = crew.error;
    return crew.status;
}

enum status schedule_visit(const struct plan *plan, const struct cell *cell, uint64_t trial,
                           trial_visit *visit, void *context, struct error *err)
{
    struct workspace space = {0};
    struct trial_keys keys = {0};
    struct need need = {
        .members = cell->members,
        .queries = cell->queries,
        .columns = cell->layout.columns,
        .batch = cell->layout.batch,
        .cell = cell,
    };
    enum status status = trial_keys_open(&keys, plan, &need, trial, 0, err);
    if (!status)
        status = visit(context, cell, &keys, &space, err);
    trial_keys_close(&keys);
    workspace_release(&space);
    return status;
}

/* What schedule_trial asks for. */
struct trial_wanted {
    struct trial_result *result;
    const struct plan *plan;
};

static enum status trial_visited(void *context, const struct cell *cell, struct trial_keys *keys,
                                 struct workspace *space, struct error *err)
{
    struct trial_wanted *wanted = context;
    return cell_run(wanted->result, wanted->plan, cell, keys, space, err);
}

enum status schedule_trial(struct trial_result *result, const struct plan *plan,
                           const struct cell *cell, uint64_t trial, struct error *err)
{
    struct trial_wanted wanted = {result, plan};
    return schedule_visit(plan, cell, trial, trial_visited, &wanted, err);
}
