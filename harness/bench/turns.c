/* SPDX-License-Identifier: MIT */
#include "harness/bench/turns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/bench/floor.h"
#include "harness/bench/stretch.h"
#include "harness/bench/subject.h"

/* Keys of a list: more than a branch predictor learns by heart; for filters that no second-level
 * cache holds so many that a third-level one has forgotten them when they come again. */
enum { TURNS_KEYS_NEAR = 1 << 16, TURNS_KEYS_FAR = 1 << 19, TURNS_WINDOW_FAR = 1 << 17 };
enum { TURNS_WINDOW_DEPENDENT = 1 << 13, TURNS_PASSES_MAX = 10000 };
#define TURNS_NEAR_BYTES (UINT64_C(2) << 20)

enum { TURNS_FLOOR_LINES, TURNS_FLOOR_DEPENDENT, TURNS_FLOORS };

/* One thing that takes its turn in every round. */
struct turn {
    struct subject *subject; /* NULL: a floor */
    enum operation operation;
    int floor;
    enum pool_kind kind;
    bool computed;
    enum filter_path path;
    size_t window;
    unsigned passes;
    double *ns; /* of each round, a key */
    struct counts counts;
    double counted; /* keys */
};

struct turns {
    const struct turns_options *options;
    const struct counters *counters;
    const struct plan *plan;
    struct pool *pools; /* one for each group of the plan that is used */
    size_t *pool_group;
    size_t pool_count;
    struct subject *subjects;
    size_t subject_count;
    struct workspace spare; /* for what is inserted under the clock; the floors read its memory */
    uint64_t spare_bytes;
    uint64_t *random; /* of the floors */
    struct answers answers;
    size_t keys;
    struct turn *turn;
    size_t turn_count;
    volatile size_t zero;
    volatile uint64_t sink;
};

static double turns_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- one turn ---------------------------------------------------------------------------------
 */

static void turn_floor(struct turns *turns, const struct turn *turn, size_t first)
{
    uint64_t lines = turns->spare_bytes / FLOOR_LINE_BYTES;
    const uint64_t *random = turns->random + first;
    if (turn->floor == TURNS_FLOOR_LINES)
        turns->sink = floor_lines(turns->spare.memory, lines, random, turn->window);
    else
        turns->sink =
            floor_dependent(turns->spare.memory, lines, random, turn->window, turns->zero);
}

static struct stretch turn_stretch(struct turns *turns, const struct turn *turn, size_t first)
{
    struct pool_list *list = &turn->subject->pool->list[turn->kind];
    return (struct stretch){
        .filter = &turn->subject->filter,
        .source = turn->computed ? &list->computed : &list->given,
        .scratch = turn->subject->space.scratch,
        .first = first,
        .count = turn->window,
        .zero = turns->zero,
    };
}

/* An empty filter of the same layout, in the spare memory. */
static void turn_empty(struct turns *turns, const struct turn *turn, struct filter *filter)
{
    struct error unused;
    const struct cell *cell = turn->subject->cell;
    workspace_filter(&turns->spare, filter, cell->ops, &cell->layout, &unused);
}

static void turn_check_insert(struct turns *turns, const struct turn *turn, struct stretch *stretch,
                              uint64_t inserted)
{
    uint64_t found = stretch_run(OPERATION_QUERY_COUNT, stretch, &turns->answers);
    if (inserted != stretch->count || found != stretch->count)
        subject_blame(turn->subject, "%" PRIu64 " of %zu keys are found after they were inserted",
                      found, stretch->count);
}

static void turn_check_query(const struct turns *turns, const struct turn *turn, size_t first,
                             uint64_t hits)
{
    struct subject *subject = turn->subject;
    const uint8_t *present = subject->present[turn->kind] + first;
    uint64_t expected = subject_hits(subject, turn->kind, first, turn->window);
    size_t differ = 0;
    if (turn->operation == OPERATION_QUERY_BYTES)
        for (size_t i = 0; i < turn->window; i++)
            differ += turns->answers.present[i] != present[i];
    if (turn->operation == OPERATION_QUERY_LIST)
        for (size_t i = 0; i < hits && i < turn->window; i++)
            differ += !present[turns->answers.place[i]];
    if (hits != expected || differ)
        subject_blame(subject,
                      "%s over %zu keys finds %" PRIu64 " where %" PRIu64 " are there, %zu wrong",
                      operation_name(turn->operation), turn->window, hits, expected, differ);
}

/* The time of all passes. What is inserted goes into an empty filter, emptied while the clock
 * stands. */
static double turn_run(struct turns *turns, struct turn *turn, size_t first, unsigned passes,
                       struct counts *counts)
{
    double spent = 0;
    uint64_t hits = 0;
    struct stretch stretch = {0};
    struct filter empty;
    if (turn->subject)
        stretch = turn_stretch(turns, turn, first);
    bool insert = turn->subject && turn->operation == OPERATION_INSERT;
    if (insert)
        stretch.filter = &empty;
    path_limit(turn->path);
    for (unsigned pass = 0; pass < passes; pass++) {
        if (insert)
            turn_empty(turns, turn, &empty);
        if (pass == 0)
            counters_start(turns->counters);
        double started = turns_clock();
        if (turn->subject)
            hits = stretch_run(turn->operation, &stretch, &turns->answers);
        else
            turn_floor(turns, turn, first);
        spent += turns_clock() - started;
        if (insert && pass == 0)
            counters_stop(turns->counters, counts);
    }
    if (!insert)
        counters_stop(turns->counters, counts);
    if (insert)
        turn_check_insert(turns, turn, &stretch, hits);
    else if (turn->subject)
        turn_check_query(turns, turn, first, hits);
    return spent;
}

/* Round 0 is the one before the first. */
static void turn_take(struct turns *turns, struct turn *turn, unsigned round)
{
    struct counts counts;
    size_t windows = turns->keys / turn->window;
    size_t first =
        turn->subject && turn->operation == OPERATION_INSERT ? 0 : round % windows * turn->window;
    bool near = turns->spare_bytes <= TURNS_NEAR_BYTES;
    if (round == 0 || near) {
        double spent = turn_run(turns, turn, first, 1, &counts);
        if (round == 0) {
            double wanted = ceil(turns->options->turn_ns / fmax(spent, 1));
            turn->passes = near ? (unsigned)fmax(1, fmin(wanted, TURNS_PASSES_MAX)) : 1;
            return;
        }
    }
    double keys = (double)turn->window * turn->passes;
    turn->ns[round - 1] = turn_run(turns, turn, first, turn->passes, &counts) / keys;
    bool insert = turn->subject && turn->operation == OPERATION_INSERT;
    for (int e = 0; e < COUNTER_COUNT; e++)
        turn->counts.event[e] += counts.event[e];
    turn->counted += insert ? (double)turn->window : keys;
}

/* ---- setting up -------------------------------------------------------------------------------
 */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static size_t turns_keys(const struct plan *plan, const size_t *cells, size_t count)
{
    uint64_t bytes = 0, batch = 1;
    for (size_t i = 0; i < count; i++) {
        bytes = larger(bytes, plan->cells[cells[i]].layout.bytes_max);
        batch = larger(batch, plan->cells[cells[i]].layout.batch);
    }
    return (size_t)larger(bytes <= TURNS_NEAR_BYTES ? TURNS_KEYS_NEAR : TURNS_KEYS_FAR, batch);
}

/* What the cells of one group of the plan, out of these, need of their pool. */
static enum status pool_of_group(struct pool *pool, const struct plan *plan, size_t group,
                                 const size_t *cells, size_t count, size_t keys, struct error *err)
{
    const struct cell *cell = NULL;
    uint64_t members = UINT64_MAX, columns = 0, batch = 1, strangers = UINT64_MAX;
    struct key_stream stream;
    for (size_t i = 0; i < count; i++) {
        const struct cell *other = &plan->cells[cells[i]];
        if (other->group != group)
            continue;
        cell = other;
        members = cell->n < members ? cell->n : members;
        columns = larger(columns, cell->layout.columns);
        batch = larger(batch, cell->layout.batch);
        uint64_t left = key_source_queries(cell->source->source, cell->n);
        strangers = left < strangers ? left : strangers;
    }
    uint64_t seed = cell_trial_seed(plan->experiment, cell, 0);
    struct digest_family family = cell_family(plan->experiment, cell, seed);
    key_stream_init(&stream, cell->source->source, seed);
    return pool_open(pool, &stream, &family, members < keys ? (size_t)members : keys, strangers,
                     keys, (unsigned)columns, (size_t)batch, err);
}

static struct pool *turns_pool(struct turns *turns, size_t group)
{
    for (size_t p = 0; p < turns->pool_count; p++)
        if (turns->pool_group[p] == group)
            return &turns->pools[p];
    return NULL;
}

static enum status turns_open_pools(struct turns *turns, const size_t *cells, size_t count,
                                    struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        size_t group = turns->plan->cells[cells[i]].group;
        if (turns_pool(turns, group))
            continue;
        turns->pool_group[turns->pool_count] = group;
        enum status status = pool_of_group(&turns->pools[turns->pool_count++], turns->plan, group,
                                           cells, count, turns->keys, err);
        if (status)
            return status;
    }
    return OK;
}

static enum status turns_open_spare(struct turns *turns, struct error *err)
{
    const struct cell *most = turns->subjects[0].cell;
    struct filter filter;
    for (size_t s = 1; s < turns->subject_count; s++)
        if (turns->subjects[s].cell->layout.bytes > most->layout.bytes)
            most = turns->subjects[s].cell;
    enum status status = workspace_filter(&turns->spare, &filter, most->ops, &most->layout, err);
    turns->spare_bytes = larger(most->layout.bytes, FLOOR_LINE_BYTES);
    if (!status && turns->spare.memory_room < turns->spare_bytes)
        status =
            fail(err, E_RUN, "no memory for the floor of %" PRIu64 " bytes", turns->spare_bytes);
    return status;
}

static enum status turns_open_memory(struct turns *turns, const size_t *cells, size_t count,
                                     struct error *err)
{
    turns->pools = calloc(count, sizeof *turns->pools);
    turns->pool_group = calloc(count, sizeof *turns->pool_group);
    turns->subjects = calloc(count, sizeof *turns->subjects);
    turns->random = malloc(turns->keys * sizeof *turns->random);
    turns->answers.present = malloc(turns->keys);
    turns->answers.place = malloc(turns->keys * sizeof *turns->answers.place);
    if (!turns->pools || !turns->pool_group || !turns->subjects || !turns->random ||
        !turns->answers.present || !turns->answers.place)
        return fail(err, E_RUN, "no memory for a benchmark of %zu filters", count);
    uint64_t state = 2;
    for (size_t i = 0; i < turns->keys; i++)
        turns->random[i] = splitmix64(&state);
    enum status status = turns_open_pools(turns, cells, count, err);
    for (size_t i = 0; !status && i < count; i++) {
        const struct cell *cell = &turns->plan->cells[cells[i]];
        status = subject_open(&turns->subjects[turns->subject_count++], turns->plan, cell,
                              turns_pool(turns, cell->group), err);
    }
    return status ? status : turns_open_spare(turns, err);
}

static void turns_close(struct turns *turns)
{
    for (size_t t = 0; t < turns->turn_count; t++)
        free(turns->turn[t].ns);
    for (size_t s = 0; s < turns->subject_count; s++)
        subject_release(&turns->subjects[s]);
    for (size_t p = 0; p < turns->pool_count; p++)
        pool_release(&turns->pools[p]);
    workspace_release(&turns->spare);
    free(turns->turn);
    free(turns->pools);
    free(turns->pool_group);
    free(turns->subjects);
    free(turns->random);
    free(turns->answers.present);
    free(turns->answers.place);
}

/* ---- what takes turns -------------------------------------------------------------------------
 */

static size_t turns_window(const struct turns *turns, const struct turn *turn)
{
    const struct subject *subject = turn->subject;
    bool one_by_one = subject ? turn->operation == OPERATION_QUERY_DEPENDENT
                              : turn->floor == TURNS_FLOOR_DEPENDENT;
    size_t window = turns->keys < TURNS_WINDOW_FAR ? turns->keys : TURNS_WINDOW_FAR;
    if (one_by_one)
        return window < TURNS_WINDOW_DEPENDENT ? window : TURNS_WINDOW_DEPENDENT;
    if (subject)
        window = (size_t)larger(window, subject->cell->layout.batch);
    if (subject && turn->operation == OPERATION_INSERT && window > subject->pool->members)
        window = subject->pool->members;
    return window;
}

static enum status turns_add(struct turns *turns, struct turn turn, struct error *err)
{
    turn.window = turns_window(turns, &turn);
    turn.ns = calloc(turns->options->rounds, sizeof *turn.ns);
    if (!turn.ns)
        return fail(err, E_RUN, "no memory for %u rounds", turns->options->rounds);
    turns->turn[turns->turn_count++] = turn;
    return OK;
}

static size_t turns_of_filter(const struct turns_options *options)
{
    size_t operations = 0, paths = 0;
    for (int o = 0; o < OPERATION_COUNT; o++)
        operations += options->operations[o] ? (o == OPERATION_INSERT ? 1 : POOL_KINDS) : 0;
    for (int p = 0; p < PATH_COUNT; p++)
        paths += options->paths[p];
    return 2 * operations * paths;
}

uint64_t turns_count(size_t cells, const struct turns_options *options)
{
    return (options->rounds + 1) * (uint64_t)(cells * turns_of_filter(options));
}

static enum status turns_add_subject(struct turns *turns, struct subject *subject,
                                     struct error *err)
{
    enum status status = OK;
    for (int path = 0; path < PATH_COUNT; path++)
        for (int o = 0; turns->options->paths[path] && o < OPERATION_COUNT; o++)
            for (int kind = 0; turns->options->operations[o] && kind < POOL_KINDS; kind++)
                for (int computed = 0; !status && computed < 2; computed++) {
                    struct turn turn = {
                        .subject = subject,
                        .operation = (enum operation)o,
                        .kind = (enum pool_kind)kind,
                        .computed = computed,
                        .path = (enum filter_path)path,
                    };
                    if (o != OPERATION_INSERT || kind == POOL_MEMBERS)
                        status = turns_add(turns, turn, err);
                }
    return status;
}

static enum status turns_line_up(struct turns *turns, struct error *err)
{
    size_t most = TURNS_FLOORS + turns->subject_count * turns_of_filter(turns->options);
    turns->turn = calloc(most, sizeof *turns->turn);
    enum status status = turns->turn ? OK : fail(err, E_RUN, "no memory for %zu turns", most);
    for (int floor = 0; !status && floor < TURNS_FLOORS; floor++)
        status = turns_add(turns, (struct turn){.floor = floor, .path = PATH_AVX512}, err);
    for (size_t s = 0; !status && s < turns->subject_count; s++)
        status = turns_add_subject(turns, &turns->subjects[s], err);
    return status;
}

/* ---- rounds and rows --------------------------------------------------------------------------
 */

static bool turns_interrupted(const struct turns *turns)
{
    return turns->options->interrupt && *turns->options->interrupt;
}

static void turns_go(struct turns *turns, struct progress *progress)
{
    size_t count = turns->turn_count;
    for (unsigned round = 0; round <= turns->options->rounds; round++)
        for (size_t i = 0; i < count && !turns_interrupted(turns); i++) {
            struct turn *turn = &turns->turn[(i + (size_t)round * count / 3) % count];
            if (turn->subject && turn->subject->wrong)
                continue;
            turn_take(turns, turn, round);
            progress->done += turn->subject ? 1 : 0;
            progress_show(progress);
        }
    path_limit(PATH_AVX512);
}

static void turn_row(struct timing *row, const struct turn *turn)
{
    const struct cell *cell = turn->subject->cell;
    bool insert = turn->operation == OPERATION_INSERT;
    *row = (struct timing){
        .bytes = cell->layout.bytes_max,
        .bits_per_key = cell->bits_per_key,
        .hit_ratio = insert ? NAN : pool_hit_ratio(turn->kind),
        .threads = 1,
        .m = cell->layout.m,
        .n = cell->n,
        .k = cell->layout.k,
        .fpr_model = turn->subject->fpr_model,
    };
    snprintf(row->filter, sizeof row->filter, "%s", cell->ops->name);
    snprintf(row->params, sizeof row->params, "%s", cell->params);
    snprintf(row->operation, sizeof row->operation, "%s", operation_name(turn->operation));
    snprintf(row->digests, sizeof row->digests, "%s", turn->computed ? "computed" : "given");
    snprintf(row->path, sizeof row->path, "%s", path_name(turn->path));
    cell_hash_format(cell, row->hash);
    snprintf(row->family, sizeof row->family, "%s", family_name(cell->hash->family));
    snprintf(row->reduction, sizeof row->reduction, "%s",
             reduction_name(cell->layout.params.reduction));
    snprintf(row->keys, sizeof row->keys, "%s", cell->source->name);
}

static void turns_rows(struct timings *timings, struct turns *turns)
{
    unsigned rounds = turns->options->rounds;
    double floor_ns[TURNS_FLOORS];
    for (int f = 0; f < TURNS_FLOORS; f++)
        floor_ns[f] = quartiles_of(turns->turn[f].ns, rounds).median;
    for (size_t t = TURNS_FLOORS; t < turns->turn_count; t++) {
        struct turn *turn = &turns->turn[t];
        struct timing row;
        if (turn->subject->wrong)
            continue;
        turn_row(&row, turn);
        row.ns = quartiles_of(turn->ns, rounds);
        row.rounds = rounds;
        row.noisy = quartiles_noisy(&row.ns);
        row.floor_ns = floor_ns[turn->operation == OPERATION_QUERY_DEPENDENT ? TURNS_FLOOR_DEPENDENT
                                                                             : TURNS_FLOOR_LINES];
        for (int e = 0; e < COUNTER_COUNT; e++)
            row.per_key.event[e] = turn->counts.event[e] / turn->counted;
        timings_add(timings, &row);
    }
}

static size_t turns_blame(const struct turns *turns, struct error *err)
{
    size_t wrong = 0;
    for (size_t s = 0; s < turns->subject_count; s++) {
        const struct subject *subject = &turns->subjects[s];
        if (!subject->wrong)
            continue;
        if (err->status == OK)
            fail(err, E_CHECK, "%s of %" PRIu64 " bytes: %s", subject->cell->ops->name,
                 subject->cell->layout.bytes_max, subject->why);
        wrong++;
    }
    return wrong;
}

/* These cells at once. */
static enum status turns_together(struct timings *timings, size_t *wrong, const struct plan *plan,
                                  const size_t *cells, size_t count,
                                  const struct turns_options *options,
                                  const struct counters *counters, struct progress *progress,
                                  struct error *err)
{
    struct turns turns = {
        .options = options,
        .counters = counters,
        .plan = plan,
        .keys = turns_keys(plan, cells, count),
    };
    enum status status = turns_open_memory(&turns, cells, count, err);
    if (!status)
        status = turns_line_up(&turns, err);
    if (!status)
        turns_go(&turns, progress);
    if (!status && !turns_interrupted(&turns)) {
        turns_rows(timings, &turns);
        *wrong += turns_blame(&turns, err);
    }
    turns_close(&turns);
    return status;
}

static uint64_t turns_cell_bytes(const struct cell *cell, size_t keys)
{
    return cell->layout.bytes_max + cell->layout.scratch_bytes + POOL_KINDS * (uint64_t)keys;
}

enum status turns_measure(struct timings *timings, size_t *wrong, const struct plan *plan,
                          const size_t *cells, size_t count, const struct turns_options *options,
                          const struct counters *counters, struct progress *progress,
                          struct error *err)
{
    enum status status = OK;
    size_t keys = turns_keys(plan, cells, count);
    for (size_t first = 0, next; !status && first < count; first = next) {
        const struct cell *cell = &plan->cells[cells[first]];
        uint64_t bytes =
            cell->layout.bytes_max + pool_bytes(cell->source->source, keys, cell->layout.columns);
        for (next = first; next < count; next++) {
            bytes += turns_cell_bytes(&plan->cells[cells[next]], keys);
            if (next > first && bytes > options->memory_bytes)
                break;
        }
        status = turns_together(timings, wrong, plan, cells + first, next - first, options,
                                counters, progress, err);
    }
    return status;
}
