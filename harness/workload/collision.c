/* SPDX-License-Identifier: MIT */
#include "harness/workload/collision.h"

#include <stdlib.h>

/* A bad hash has many keys of one signature: comparisons of whole keys end here. */
enum { COLLISION_COMPARISONS_MAX = 4 * COLLISION_SUSPECTS_MAX };

bool suspects_wanted(const struct cell *cell, uint64_t trial)
{
    return trial < TRIAL_COLLISION_SEARCHES && cell->hash && cell->layout.columns &&
           cell->ops->query && cell->queries && cell->members &&
           cell->members <= COLLISION_MEMBERS_MAX && cell->layout.batch <= FILTER_BATCH;
}

/* ---- signatures ------------------------------------------------------------------------------ */

/* Digests that go into a signature. */
static unsigned signature_columns(const struct cell *cell)
{
    unsigned width = cell->layout.params.digest_bits, columns = (64 + width - 1) / width;
    return columns < cell->layout.columns ? columns : cell->layout.columns;
}

/* signature[i] of the count keys `which` of the batch (NULL: all of them, in their order). */
static void signatures(uint64_t *signature, const struct cell *cell, struct digests *batch,
                       const uint32_t *which, size_t count)
{
    uint64_t out[FILTER_BATCH];
    for (unsigned column = 0; column < signature_columns(cell); column++) {
        const uint64_t *digest = digests_column(batch, column, which, count, out);
        for (size_t i = 0; i < count; i++)
            signature[i] =
                column ? signature[i] * UINT64_C(0xd1342543de82ef95) + digest[i] : digest[i];
    }
}

/* ---- suspects -------------------------------------------------------------------------------- */

static bool suspects_grow(struct suspects *suspects)
{
    size_t room = suspects->room ? 4 * suspects->room : FILTER_BATCH;
    uint64_t *query = realloc(suspects->query, room * sizeof *query);
    if (query)
        suspects->query = query;
    uint64_t *signature = realloc(suspects->signature, room * sizeof *signature);
    if (signature)
        suspects->signature = signature;
    suspects->failed = !query || !signature;
    suspects->room = suspects->failed ? suspects->room : room;
    return !suspects->failed;
}

void suspects_add(struct suspects *suspects, struct digests *batch, uint64_t first,
                  const uint8_t *present)
{
    uint32_t which[FILTER_BATCH];
    size_t found = 0, left = COLLISION_SUSPECTS_MAX - suspects->count;
    for (size_t i = 0; i < batch->count; i++) {
        which[found] = (uint32_t)i;
        found += present[i];
    }
    found = found < left ? found : left;
    if (!found || (suspects->room < suspects->count + found && !suspects_grow(suspects)))
        return;
    signatures(suspects->signature + suspects->count, suspects->cell, batch, which, found);
    for (size_t i = 0; i < found; i++)
        suspects->query[suspects->count + i] = first + which[i];
    suspects->count += found;
}

void suspects_release(struct suspects *suspects)
{
    free(suspects->query);
    free(suspects->signature);
    *suspects = (struct suspects){0};
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Suspects by signature: open addressing, an eighth full at most. */
struct search {
    const struct suspects *suspects;
    struct trial_keys *keys;
    uint16_t *slot; /* number of the suspect and 1; 0: free */
    unsigned shift; /* 64 - log2 of their number */
    bool *collides; /* by suspect */
    unsigned comparisons;
};

static size_t search_slot(const struct search *search, uint64_t signature)
{
    return (size_t)(signature * UINT64_C(0x9e3779b97f4a7c15) >> search->shift);
}

static bool search_init(struct search *search, const struct suspects *suspects,
                        struct trial_keys *keys)
{
    unsigned log_slots = 8;
    while ((size_t)1 << log_slots < 8 * suspects->count)
        log_slots++;
    size_t mask = ((size_t)1 << log_slots) - 1;
    *search = (struct search){.suspects = suspects, .keys = keys, .shift = 64 - log_slots};
    search->slot = calloc(mask + 1, sizeof *search->slot);
    search->collides = calloc(suspects->count, sizeof *search->collides);
    if (!search->slot || !search->collides)
        return false;
    for (size_t s = 0; s < suspects->count; s++) {
        size_t at = search_slot(search, suspects->signature[s]);
        while (search->slot[at])
            at = (at + 1) & mask;
        search->slot[at] = (uint16_t)(s + 1);
    }
    return true;
}

/* Are all digests of a member those of a query? */
static bool search_equal(struct search *search, uint64_t member, uint64_t query)
{
    uint64_t a[1], b[1];
    search->comparisons++;
    struct digests *members = digest_source_batch(&search->keys->members, member, 1);
    struct digests *queries = digest_source_batch(&search->keys->queries, query, 1);
    for (unsigned column = 0; column < search->suspects->cell->layout.columns; column++)
        if (digests_column(members, column, NULL, 1, a)[0] !=
            digests_column(queries, column, NULL, 1, b)[0])
            return false;
    return true;
}

/* All suspects with the signature of a member. */
static void search_member(struct search *search, uint64_t member, uint64_t signature)
{
    const struct suspects *suspects = search->suspects;
    size_t mask = ((size_t)1 << (64 - search->shift)) - 1;
    for (size_t at = search_slot(search, signature); search->slot[at]; at = (at + 1) & mask) {
        size_t s = search->slot[at] - 1u;
        if (suspects->signature[s] == signature && !search->collides[s] &&
            search->comparisons < COLLISION_COMPARISONS_MAX)
            search->collides[s] = search_equal(search, member, suspects->query[s]);
    }
}

static void search_members(struct search *search)
{
    const struct cell *cell = search->suspects->cell;
    uint64_t signature[FILTER_BATCH];
    for (uint64_t first = 0; first < cell->members; first += cell->layout.batch) {
        uint64_t left = cell->members - first;
        size_t count = left < cell->layout.batch ? (size_t)left : cell->layout.batch;
        struct digests *batch = digest_source_batch(&search->keys->members, first, count);
        signatures(signature, cell, batch, NULL, count);
        for (size_t i = 0; i < count; i++)
            if (search->slot[search_slot(search, signature[i])])
                search_member(search, first + i, signature[i]);
    }
}

enum status suspects_collide(uint64_t *found, const struct suspects *suspects,
                             struct trial_keys *keys, struct error *err)
{
    struct search search;
    *found = 0;
    if (!suspects->count && !suspects->failed)
        return OK;
    bool ready = !suspects->failed && search_init(&search, suspects, keys);
    if (ready) {
        search_members(&search);
        for (size_t s = 0; s < suspects->count; s++)
            *found += search.collides[s];
    }
    if (!suspects->failed) {
        free(search.slot);
        free(search.collides);
    }
    return ready ? OK : fail(err, E_RUN, "no memory to look for collisions");
}
