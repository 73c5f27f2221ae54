/* SPDX-License-Identifier: MIT
 *
 * two_hash_groups.c: which keys hit two or more cells of a query (two_hash_exact.h).
 *
 * Double hashing: a meeting is d b' = e b mod m with 1 <= d < k and |e| < k. The steps b' and -b'
 * have the same sets of positions, so one of the two is looked at and counted twice. Few steps have
 * many meetings each. Enhanced: O(k^4) meetings, few at one step and mostly of different keys,
 * which need no closer look: one key hits two cells instead of two keys one each.
 */
#include "filters/theory/two_hash_exact.h"

#include <stdlib.h>
#include <string.h>

void two_hash_finder_init(struct two_hash_finder *finder, const struct two_hash *scheme)
{
    memset(finder, 0, sizeof *finder);
    finder->scheme = scheme;
    for (unsigned d = 1; d < scheme->k; d++)
        finder->congruence[d] = two_hash_congruence(d, scheme->m);
}

void two_hash_finder_release(struct two_hash_finder *finder)
{
    free(finder->meeting);
    finder->meeting = NULL;
}

static bool two_hash_meeting_add(struct two_hash_finder *finder, struct two_hash_meeting meeting)
{
    if (!two_hash_step_allowed(finder->scheme, meeting.step))
        return true;
    if (finder->count == finder->room) {
        size_t room = finder->room ? finder->room * 2 : 1024;
        struct two_hash_meeting *more = realloc(finder->meeting, room * sizeof *more);
        if (!more)
            return false;
        finder->meeting = more;
        finder->room = room;
    }
    finder->meeting[finder->count++] = meeting;
    return true;
}

/* All solutions b' of d b' = c mod m, as meetings like this one; fold: b' and -b' are one. */
static bool two_hash_meetings_solve(struct two_hash_finder *finder, unsigned d, uint64_t c,
                                    struct two_hash_meeting meeting, bool fold)
{
    const struct two_hash_congruence *congruence = &finder->congruence[d];
    uint64_t step, m = finder->scheme->m;
    if (!two_hash_solve(congruence, c, &step))
        return true;
    for (uint64_t t = 0; t < congruence->divisor; t++, step += congruence->spacing) {
        meeting.step = fold && step > m - step ? m - step : step;
        if (!two_hash_meeting_add(finder, meeting))
            return false;
    }
    return true;
}

static bool two_hash_meetings_double(struct two_hash_finder *finder, uint64_t step)
{
    const struct two_hash *scheme = finder->scheme;
    struct two_hash_meeting any = {0};
    for (unsigned d = 1; d < scheme->k; d++)
        for (unsigned e = 0; e < scheme->k; e++)
            if (!two_hash_meetings_solve(finder, d, e * step % scheme->m, any, true))
                return false;
    return true;
}

static bool two_hash_meetings_enhanced(struct two_hash_finder *finder, unsigned cells)
{
    const struct two_hash *scheme = finder->scheme;
    const uint64_t *cell = finder->cell, m = scheme->m;
    for (uint8_t i = 1; i < scheme->k; i++)
        for (uint8_t h = 0; h < i; h++) {
            uint64_t cubic = two_hash_cubic(scheme, i, h);
            for (uint8_t j = 0; j < cells; j++)
                for (uint8_t l = 0; l < cells; l++) {
                    struct two_hash_meeting meeting = {0, i, h, j, l};
                    uint64_t c = (cell[j] + (m - cell[l]) + (m - cubic)) % m;
                    if (!two_hash_meetings_solve(finder, i - h, c, meeting, false))
                        return false;
                }
        }
    return true;
}

static bool two_hash_meetings_all(struct two_hash_finder *finder)
{
    struct two_hash_meeting any = {0};
    for (; any.step < finder->scheme->m; any.step++)
        if (!two_hash_meeting_add(finder, any))
            return false;
    return true;
}

static int two_hash_meeting_compare(const void *a, const void *b)
{
    uint64_t x = ((const struct two_hash_meeting *)a)->step;
    uint64_t y = ((const struct two_hash_meeting *)b)->step;
    return (x > y) - (x < y);
}

static bool two_hash_groups_add(struct two_hash_groups *groups, uint32_t mask, int32_t count)
{
    if (groups->count == groups->room) {
        size_t room = groups->room ? groups->room * 2 : 1024;
        struct two_hash_group *more = realloc(groups->group, room * sizeof *more);
        if (!more)
            return false;
        groups->group = more;
        groups->room = room;
    }
    groups->group[groups->count++] = (struct two_hash_group){mask, count};
    return true;
}

/* The cells that the key of each translate hits: by translate where m is small, else a hash table
 * of at least twice the k r <= 400 translates. */
enum { TRANSLATE_BITS_MAX = 10 };

struct two_hash_translates {
    uint64_t where[1 << TRANSLATE_BITS_MAX];
    uint32_t mask[1 << TRANSLATE_BITS_MAX]; /* 0: free */
    size_t slots;
};

static void two_hash_translates_step(struct two_hash_translates *translates,
                                     const struct two_hash_finder *finder, unsigned cells,
                                     uint64_t step)
{
    uint64_t m = finder->scheme->m;
    unsigned k = finder->scheme->k, bits = 1;
    while (1u << bits < 2 * k * cells)
        bits++;
    bool direct = m <= UINT64_C(1) << bits;
    size_t slots = translates->slots = direct ? (size_t)m : (size_t)1 << bits;
    memset(translates->mask, 0, slots * sizeof *translates->mask);
    for (unsigned i = 0; i < k; i++) {
        uint64_t offset = two_hash_offset(finder->scheme, step, i);
        for (unsigned j = 0; j < cells; j++) {
            uint64_t a = finder->cell[j] + (finder->cell[j] < offset ? m : 0) - offset;
            size_t slot = (size_t)(direct ? a : (a * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits));
            while (!direct && translates->mask[slot] && translates->where[slot] != a)
                slot = (slot + 1) % slots;
            translates->where[slot] = a;
            translates->mask[slot] |= UINT32_C(1) << j;
        }
    }
}

/* Adds what the keys with this step do: k keys fewer for each cell alone, and those that there are.
 */
static bool two_hash_groups_step(struct two_hash_groups *groups,
                                 const struct two_hash_finder *finder, uint64_t step,
                                 int32_t weight, int32_t *single)
{
    struct two_hash_translates translates;
    two_hash_translates_step(&translates, finder, groups->cells, step);
    for (unsigned j = 0; j < groups->cells; j++)
        single[j] -= weight * (int32_t)finder->scheme->k;
    for (size_t slot = 0; slot < translates.slots; slot++) {
        uint32_t set = translates.mask[slot];
        if (set && (set & (set - 1)) == 0)
            single[__builtin_ctz(set)] += weight;
        else if (set && !two_hash_groups_add(groups, set, weight))
            return false;
    }
    return true;
}

static int two_hash_group_compare(const void *a, const void *b)
{
    uint32_t x = ((const struct two_hash_group *)a)->mask;
    uint32_t y = ((const struct two_hash_group *)b)->mask;
    return (x > y) - (x < y);
}

void two_hash_groups_merge(struct two_hash_groups *groups)
{
    size_t kept = 0;
    if (groups->count)
        qsort(groups->group, groups->count, sizeof *groups->group, two_hash_group_compare);
    for (size_t i = 0; i < groups->count;) {
        struct two_hash_group sum = {groups->group[i].mask, 0};
        for (; i < groups->count && groups->group[i].mask == sum.mask; i++)
            sum.count += groups->group[i].count;
        if (sum.count)
            groups->group[kept++] = sum;
    }
    groups->count = kept;
}

enum { MEETINGS_FEW = 16 };

/* Do these meetings at one step belong to as many different keys? Three positions on one key are
 * three meetings of it. */
static bool two_hash_meetings_apart(const struct two_hash_finder *finder,
                                    const struct two_hash_meeting *meeting, size_t count)
{
    uint64_t translate[MEETINGS_FEW], m = finder->scheme->m;
    if (count > MEETINGS_FEW)
        return false;
    for (size_t t = 0; t < count; t++) {
        if (meeting[t].i == meeting[t].h)
            return false;
        uint64_t offset = two_hash_offset(finder->scheme, meeting[t].step, meeting[t].i);
        translate[t] = (finder->cell[meeting[t].j] + (m - offset)) % m;
        for (size_t u = 0; u < t; u++)
            if (translate[u] == translate[t])
                return false;
    }
    return true;
}

/* One key hits cells j and l, instead of two keys one each. */
static bool two_hash_groups_pairs(struct two_hash_groups *groups,
                                  const struct two_hash_meeting *meeting, size_t count,
                                  int32_t *single)
{
    for (size_t t = 0; t < count; t++) {
        single[meeting[t].j]--;
        single[meeting[t].l]--;
        uint32_t mask = UINT32_C(1) << meeting[t].j | UINT32_C(1) << meeting[t].l;
        if (!two_hash_groups_add(groups, mask, 1))
            return false;
    }
    return true;
}

/* From meetings sorted by step to groups. */
static bool two_hash_groups_collect(struct two_hash_groups *groups,
                                    const struct two_hash_finder *finder)
{
    int32_t single[TWO_HASH_EXACT_K_MAX] = {0};
    bool fold = finder->scheme->law == LAW_DOUBLE, enough = true;
    for (size_t i = 0, next; i < finder->count && enough; i = next) {
        const struct two_hash_meeting *first = &finder->meeting[i];
        uint64_t step = first->step;
        for (next = i + 1; next < finder->count && finder->meeting[next].step == step;)
            next++;
        if (two_hash_meetings_apart(finder, first, next - i)) {
            enough = two_hash_groups_pairs(groups, first, next - i, single);
        } else {
            bool twice = fold && step != 0 && step != finder->scheme->m - step;
            enough = two_hash_groups_step(groups, finder, step, twice ? 2 : 1, single);
        }
    }
    for (unsigned j = 0; j < groups->cells && enough; j++)
        enough = two_hash_groups_add(groups, UINT32_C(1) << j, single[j]);
    return enough;
}

bool two_hash_groups_find(struct two_hash_groups *groups, struct two_hash_finder *finder,
                          uint64_t step)
{
    const struct two_hash *scheme = finder->scheme;
    groups->count = 0;
    groups->cells = two_hash_cells(scheme, step, finder->cell);
    finder->count = 0;
    bool enough;
    if (scheme->m < 7 * scheme->k * groups->cells && scheme->law == LAW_ENHANCED)
        enough = two_hash_meetings_all(finder);
    else if (scheme->law == LAW_ENHANCED)
        enough = two_hash_meetings_enhanced(finder, groups->cells);
    else
        enough = two_hash_meetings_double(finder, step);
    if (!enough)
        return false;
    if (finder->count)
        qsort(finder->meeting, finder->count, sizeof *finder->meeting, two_hash_meeting_compare);
    return two_hash_groups_collect(groups, finder);
}

bool two_hash_groups_equal(const struct two_hash_groups *a, const struct two_hash_groups *b)
{
    return a->cells == b->cells && a->count == b->count &&
           (a->count == 0 || memcmp(a->group, b->group, a->count * sizeof *a->group) == 0);
}
