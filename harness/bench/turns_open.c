/* SPDX-License-Identifier: MIT
 *
 * turns_open.c: filters of one size built, their keys made, and what will take turns lined up.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "harness/bench/floor.h"
#include "harness/bench/turns_parts.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

size_t turns_keys(const struct plan *plan, const size_t *cells, size_t count, unsigned key_shift)
{
    uint64_t bytes = 0, batch = 1;
    for (size_t i = 0; i < count; i++) {
        bytes = larger(bytes, plan->cells[cells[i]].layout.bytes_max);
        batch = larger(batch, plan->cells[cells[i]].layout.batch);
    }
    return (size_t)larger(
        (uint64_t)(bytes <= TURNS_NEAR_BYTES ? TURNS_KEYS_NEAR : TURNS_KEYS_FAR) >> key_shift,
        batch);
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

void turns_close(struct turns *turns)
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

size_t turns_of_filter(const struct turns_options *options)
{
    size_t operations = 0, paths = 0;
    for (int o = 0; o < OPERATION_COUNT; o++)
        operations += options->operations[o] ? (o == OPERATION_INSERT ? 1 : POOL_KINDS) : 0;
    for (int p = 0; p < PATH_COUNT; p++)
        paths += options->paths[p];
    return 2 * operations * paths;
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

enum status turns_open(struct turns *turns, const size_t *cells, size_t count, struct error *err)
{
    enum status status = turns_open_memory(turns, cells, count, err);
    return status ? status : turns_line_up(turns, err);
}
