/* SPDX-License-Identifier: MIT
 *
 * turn.c: one turn of one measurement, and the check of what it answered.
 */
#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "harness/bench/floor.h"
#include "harness/bench/turns_parts.h"

/* The thread's own time: what other programs take from the processor meanwhile is not the filter's.
 * (What they do to its caches is.) */
static double turn_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

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
        double started = turn_clock();
        if (turn->subject)
            hits = stretch_run(turn->operation, &stretch, &turns->answers);
        else
            turn_floor(turns, turn, first);
        spent += turn_clock() - started;
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

/* The memory as a long run of the same would leave it: whatever a cache can hold of it is there.
 * Filters that no cache holds have all their turns one after the other; of those before, and of the
 * window before this one, as much stays as the cache keeps. */
static void turn_warm(struct turns *turns, struct turn *turn, size_t first)
{
    struct counts unused;
    uint64_t lines = turns->spare_bytes / FLOOR_LINE_BYTES;
    if (!turn->subject)
        turns->sink = floor_lines(turns->spare.memory, lines, turns->random, turns->keys);
    else if (turn->operation != OPERATION_INSERT)
        turn_run(turns, turn, first >= turn->window ? first - turn->window : first, 1, &unused);
}

void turn_take(struct turns *turns, struct turn *turn, unsigned round)
{
    struct counts counts;
    size_t windows = turns->keys / turn->window;
    bool insert = turn->subject && turn->operation == OPERATION_INSERT;
    size_t first = insert ? 0 : round % windows * turn->window;
    turn_warm(turns, turn, first);
    if (round == 0) {
        double spent = turn_run(turns, turn, first, 1, &counts);
        double wanted = ceil(turns->options->turn_ns / fmax(spent, 1));
        bool near = turns->spare_bytes <= TURNS_NEAR_BYTES;
        turn->passes = near ? (unsigned)fmax(1, fmin(wanted, TURNS_PASSES_MAX)) : 1;
        return;
    }
    double keys = (double)turn->window * turn->passes;
    turn->ns[round - 1] = turn_run(turns, turn, first, turn->passes, &counts) / keys;
    for (int e = 0; e < COUNTER_COUNT; e++)
        turn->counts.event[e] += counts.event[e];
    turn->counted += insert ? (double)turn->window : keys;
}
