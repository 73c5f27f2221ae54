/* SPDX-License-Identifier: MIT */
#include "harness/bench/turns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "harness/bench/turns_parts.h"

uint64_t turns_count(size_t cells, const struct turns_options *options)
{
    return (options->rounds + 1) * (uint64_t)(cells * turns_of_filter(options));
}

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
        row.count = turn->window * turn->passes;
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
        .keys = turns_keys(plan, cells, count, options->key_shift),
    };
    enum status status = turns_open(&turns, cells, count, err);
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
    size_t keys = turns_keys(plan, cells, count, options->key_shift);
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
