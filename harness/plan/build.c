/* SPDX-License-Identifier: MIT */
#include "harness/plan/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- a set of ids ---------------------------------------------------------------------------- */

static bool id_set_insert(struct id_set *set, uint64_t id);

static bool id_set_grow(struct id_set *set)
{
    struct id_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            id_set_insert(&larger, set->slots[i]);
    larger.zero = set->zero;
    free(set->slots);
    *set = larger;
    return true;
}

/* True when the id is new. There must be room. */
static bool id_set_insert(struct id_set *set, uint64_t id)
{
    if (id == 0) {
        bool is_new = !set->zero;
        set->zero = true;
        return is_new;
    }
    size_t at = (size_t)id & (set->capacity - 1);
    while (set->slots[at] && set->slots[at] != id)
        at = (at + 1) & (set->capacity - 1);
    if (set->slots[at] == id)
        return false;
    set->slots[at] = id;
    set->count++;
    return true;
}

static enum status id_set_add(struct id_set *set, uint64_t id, bool *is_new, struct error *err)
{
    if (2 * (set->count + 1) > set->capacity && !id_set_grow(set))
        return fail(err, E_RUN, "no memory for the ids of %zu cells", set->count);
    *is_new = id_set_insert(set, id);
    return OK;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Room for one more element of `bytes` bytes; false when memory is out. */
static bool grow(void **list, size_t *room, size_t count, size_t bytes)
{
    if (count < *room)
        return true;
    size_t larger = *room ? 2 * *room : 64;
    void *moved = realloc(*list, larger * bytes);
    if (!moved)
        return false;
    *list = moved;
    *room = larger;
    return true;
}

enum status plan_build_start(struct plan_build *build, const struct experiment *experiment,
                             const struct plan_limits *limits, struct error *err)
{
    size_t sources = 0;
    *build = (struct plan_build){.limits = limits, .plan = calloc(1, sizeof *build->plan)};
    for (size_t g = 0; g < experiment->grid_count; g++)
        sources += experiment->grids[g].keys_count;
    if (build->plan) {
        build->plan->experiment = experiment;
        build->plan->sources = calloc(sources ? sources : 1, sizeof *build->plan->sources);
    }
    if (!build->plan || !build->plan->sources)
        return fail(err, E_RUN, "no memory for a plan");
    return OK;
}

enum status plan_build_source(struct plan_build *build, const struct key_spec *spec,
                              const struct plan_source **source, struct error *err)
{
    struct plan_source *opened = &build->plan->sources[build->plan->source_count];
    enum status status = key_source_open(&opened->source, spec, err);
    if (status)
        return status;
    for (size_t i = 0; i < build->plan->source_count; i++)
        if (strcmp(key_source_identity(build->plan->sources[i].source),
                   key_source_identity(opened->source)) == 0) {
            key_source_free(opened->source);
            opened->source = NULL;
            *source = &build->plan->sources[i];
            return OK;
        }
    key_spec_format(spec, opened->name, sizeof opened->name);
    if (strlen(opened->name) == sizeof opened->name - 1) {
        /* Cut off: what tells it from another of the same beginning stands at the end. */
        const char *identity = key_source_identity(opened->source);
        char *tail = opened->name + sizeof opened->name - 21;
        snprintf(tail, 21, "...#%016" PRIx64, (uint64_t)XXH3_64bits(identity, strlen(identity)));
    }
    build->plan->source_count++;
    *source = opened;
    return OK;
}

enum status plan_build_cell(struct plan_build *build, const struct cell *cell, struct error *err)
{
    struct plan *plan = build->plan;
    uint64_t id = strtoull(cell->id, NULL, 16);
    bool is_new;
    enum status status = id_set_add(&build->seen, id, &is_new, err);
    if (status || !is_new)
        return status;
    if (id % build->limits->shards != build->limits->shard - 1)
        return OK;
    if (!grow((void **)&plan->cells, &build->cell_room, plan->cell_count, sizeof *plan->cells))
        return fail(err, E_RUN, "no memory for %zu cells", plan->cell_count + 1);
    plan->cells[plan->cell_count++] = *cell;
    return OK;
}

enum status plan_build_skipped(struct plan_build *build, const struct cell *cell,
                               const char *reason, struct error *err)
{
    struct plan *plan = build->plan;
    char text[1024], hash[CELL_HASH_MAX], own[CELL_PARAMS_MAX];
    const struct filter_params *params = &cell->layout.params;
    cell_hash_format(cell, hash);
    params_format(cell->own, workload_params(plan->experiment->workload), own, sizeof own);
    snprintf(text, sizeof text, "%s %s %s %s %u %d %s %" PRIu64 " %" PRIu64 " %u %s %s",
             cell->ops->name, cell->params, hash, cell->hash ? family_name(cell->hash->family) : "",
             cell->digest_bits, (int)params->reduction, cell->source->name, params->m, cell->n,
             params->k, own, reason);
    bool is_new;
    enum status status = id_set_add(&build->seen, XXH3_64bits(text, strlen(text)), &is_new, err);
    if (status || !is_new)
        return status;
    if (!grow((void **)&plan->skipped, &build->skipped_room, plan->skipped_count,
              sizeof *plan->skipped))
        return fail(err, E_RUN, "no memory for %zu skipped cells", plan->skipped_count + 1);
    struct skipped_cell *skipped = &plan->skipped[plan->skipped_count++];
    skipped->cell = *cell;
    snprintf(skipped->reason, sizeof skipped->reason, "%s", reason);
    return OK;
}

/* ---- finishing ------------------------------------------------------------------------------- */

/* Do two cells draw their digests from the same keys and hash? */
static bool same_digests(const struct experiment *experiment, const struct cell *a,
                         const struct cell *b)
{
    if (experiment->independent || a->source != b->source || !a->hash != !b->hash)
        return false;
    if (!a->hash)
        return true;
    return a->hash->hash == b->hash->hash && a->hash->second == b->hash->second &&
           a->hash->family == b->hash->family && a->digest_bits == b->digest_bits;
}

static enum status plan_assign_groups(struct plan *plan, struct error *err)
{
    size_t room = 0;
    for (size_t c = 0; c < plan->cell_count; c++) {
        struct cell *cell = &plan->cells[c];
        /* Backwards: neighbours in the grid mostly share, and groups may be many. */
        size_t g = plan->experiment->independent ? 0 : plan->group_count;
        while (g > 0 &&
               !same_digests(plan->experiment, &plan->cells[plan->groups[g - 1].columns], cell))
            g--;
        if (g == 0) {
            if (!grow((void **)&plan->groups, &room, plan->group_count, sizeof *plan->groups))
                return fail(err, E_RUN, "no memory for %zu groups", plan->group_count + 1);
            /* Until the groups are filled, `columns` holds the index of the first cell. */
            plan->groups[plan->group_count++] = (struct plan_group){.columns = (unsigned)c};
            g = plan->group_count;
        }
        cell->group = g - 1;
        plan->groups[g - 1].count++;
    }
    return OK;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static enum status plan_fill_groups(struct plan *plan, struct error *err)
{
    for (size_t g = 0; g < plan->group_count; g++) {
        struct plan_group *group = &plan->groups[g];
        group->cells = calloc(group->count, sizeof *group->cells);
        if (!group->cells)
            return fail(err, E_RUN, "no memory for a group of %zu cells", group->count);
        group->count = group->columns = 0;
    }
    for (size_t c = 0; c < plan->cell_count; c++) {
        struct cell *cell = &plan->cells[c];
        struct plan_group *group = &plan->groups[cell->group];
        group->cells[group->count++] = c;
        group->trials = larger(group->trials, cell->trials);
        group->members = larger(group->members, cell->members);
        group->queries = larger(group->queries, cell->queries);
        group->columns = (unsigned)larger(group->columns, cell->layout.columns);
    }
    return OK;
}

static int compare_ids(const void *a, const void *b, void *cells)
{
    const struct cell *all = cells;
    return strcmp(all[*(const size_t *)a].id, all[*(const size_t *)b].id);
}

static enum status plan_sort_ids(struct plan *plan, struct error *err)
{
    plan->by_id = calloc(plan->cell_count ? plan->cell_count : 1, sizeof *plan->by_id);
    if (!plan->by_id)
        return fail(err, E_RUN, "no memory for the ids of %zu cells", plan->cell_count);
    for (size_t c = 0; c < plan->cell_count; c++)
        plan->by_id[c] = c;
    qsort_r(plan->by_id, plan->cell_count, sizeof *plan->by_id, compare_ids, plan->cells);
    return OK;
}

const struct cell *plan_find(const struct plan *plan, const char *id)
{
    size_t low = 0, high = plan->cell_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct cell *cell = &plan->cells[plan->by_id[middle]];
        int order = strcmp(id, cell->id);
        if (order == 0)
            return cell;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

enum status plan_build_finish(struct plan_build *build, struct error *err)
{
    struct plan *plan = build->plan;
    free(build->seen.slots);
    build->seen.slots = NULL;
    enum status status = plan_assign_groups(plan, err);
    if (!status)
        status = plan_fill_groups(plan, err);
    if (!status)
        status = plan_sort_ids(plan, err);
    if (status)
        return status;
    XXH64_hash_t digest = XXH3_64bits(&plan->experiment->seed, sizeof plan->experiment->seed);
    for (size_t c = 0; c < plan->cell_count; c++) {
        struct cell *cell = &plan->cells[c];
        char text[128];
        cell->first_result = plan->result_count;
        plan->result_count += cell->trials;
        snprintf(text, sizeof text, "%s %" PRIu64 " %" PRIu64 " %d", cell->id, cell->trials,
                 cell->queries, plan->experiment->independent);
        digest = XXH3_64bits_withSeed(text, strlen(text), digest);
    }
    plan->digest = digest;
    return OK;
}

void plan_build_abandon(struct plan_build *build)
{
    free(build->seen.slots);
    plan_free(build->plan);
    build->plan = NULL;
}

void plan_free(struct plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->source_count; i++)
        key_source_free(plan->sources[i].source);
    for (size_t g = 0; g < plan->group_count; g++)
        free(plan->groups[g].cells);
    free(plan->sources);
    free(plan->cells);
    free(plan->by_id);
    free(plan->skipped);
    free(plan->groups);
    free(plan);
}
