/* SPDX-License-Identifier: MIT
 *
 * deletion.c: insert n members, replace the oldest by new ones (churn), take some out, then ask
 * for those that remain (lost keys) and for non-members.
 *
 * A filter that can remove does so, key by key. In a plain array of bits a removal can only clear
 * the key's bits, and any other key that uses one of them is lost with it: the bits of all removed
 * keys are a filter of their own, B, and what is left is A and not B. That works for every variant
 * whose memory is plain bits, which are those that intersect.
 *
 * Removed are consecutive members (the first follows the last) from one that the trial's seed
 * chooses: each is removed as often as any other.
 *
 * harmful: how many members would, if they alone were removed, take another one with them. A key
 * does where one of its bits is a bit of another key: with T the bits that two keys or more set,
 * the harmless ones are those a filter with the bits (not T) has in it. T takes n passes over the
 * filter, so that it is found where n times the bytes are at most DELETION_HARMFUL_MAX.
 */
#include "harness/workload/deletion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "filters/bits.h"
#include "harness/workload/pass.h"
#include "hashes/mix.h"

enum deletion_param { DELETION_REMOVALS, DELETION_CHURN };

#define DELETION_HARMFUL_MAX (UINT64_C(1) << 26)

static const struct param_spec deletion_params[] = {
    [DELETION_REMOVALS] = {.name = "removals",
                           .summary = "members taken out at the end",
                           .type = PARAM_INTEGER,
                           .max = 0x1p48,
                           .fallback = "1"},
    [DELETION_CHURN] = {.name = "churn",
                        .summary = "before that: how often the oldest member made room for a new",
                        .type = PARAM_INTEGER,
                        .max = 0x1p48,
                        .fallback = "0"},
    {.name = NULL},
};

/* Apart from everything keys and hash seeds are drawn from. */
static const uint64_t deletion_stream = UINT64_C(0x6e6f6974656c6564);

/* ---- planning -------------------------------------------------------------------------------- */

static uint64_t deletion_own(const struct cell *cell, enum deletion_param param)
{
    return (uint64_t)cell->own[param].integer;
}

static bool deletion_clears(const struct cell *cell)
{
    return !(cell->ops->capabilities & CAN_REMOVE);
}

static bool deletion_harmful_wanted(const struct cell *cell)
{
    return deletion_clears(cell) && cell->n && cell->layout.bytes <= DELETION_HARMFUL_MAX / cell->n;
}

static enum status deletion_plan(struct cell *cell, struct error *err)
{
    const struct filter_ops *ops = cell->ops;
    uint64_t removals = deletion_own(cell, DELETION_REMOVALS);
    uint64_t churn = deletion_own(cell, DELETION_CHURN);
    if (deletion_clears(cell) && !(ops->capabilities & CAN_MERGE_INTERSECTION))
        return fail(err, E_IMPOSSIBLE, "%s neither removes keys nor is a plain array of bits",
                    ops->name);
    if (removals > cell->n)
        return fail(err, E_IMPOSSIBLE, "removals %" PRIu64 " is more than n %" PRIu64, removals,
                    cell->n);
    if (churn && deletion_clears(cell))
        return fail(err, E_IMPOSSIBLE, "churn needs a filter that can remove; %s cannot",
                    ops->name);
    if (churn && !cell->n)
        return fail(err, E_IMPOSSIBLE, "churn %" PRIu64 " has nothing to replace: n is 0", churn);
    cell->members = cell->n + churn;
    cell->altered = removals || churn;
    if (deletion_clears(cell))
        cell->extra_bytes = (deletion_harmful_wanted(cell) ? 3 : 1) * cell->layout.bytes;
    return OK;
}

/* ---- one trial ------------------------------------------------------------------------------- */

struct deletion {
    const struct cell *cell;
    struct filter *filter;
    struct digest_source *members;
    void *scratch;
    unsigned char *extra;
    uint64_t oldest; /* members are oldest .. oldest + n - 1 */
    uint64_t first;  /* the first to be removed, counted from the oldest */
};

/* The oldest go, new ones come, a few at a time: the filter never holds less than 1023/1024 of n.
 * (At 15/16 of n a tenth fewer counters of 3 bits would saturate.) */
static enum status deletion_churn(struct deletion *d, struct key_digest *digest, struct error *err)
{
    const uint64_t churn = deletion_own(d->cell, DELETION_CHURN), n = d->cell->n;
    uint64_t step = n < 1024 ? 1 : n / 1024;
    enum status status = OK;
    if (step > d->cell->layout.batch)
        step = d->cell->layout.batch;
    for (uint64_t done = 0; done < churn && !status; done += step) {
        uint64_t some = churn - done < step ? churn - done : step;
        pass_remove(d->filter, d->members, done, done + some, d->scratch);
        status =
            pass_insert(d->filter, d->members, n + done, n + done + some, digest, d->scratch, err);
    }
    d->oldest = churn;
    return status;
}

/* The removed members are two ranges, the second often empty; range 2 and 3 are the others. */
static void deletion_range(const struct deletion *d, unsigned range, uint64_t *first, uint64_t *end)
{
    const uint64_t n = d->cell->n, removals = deletion_own(d->cell, DELETION_REMOVALS);
    uint64_t last = d->first + removals, over = last > n ? last - n : 0;
    const uint64_t bounds[4][2] = {
        {d->first, over ? n : last}, {0, over}, {over, d->first}, {over ? n : last, n}};
    *first = d->oldest + bounds[range][0];
    *end = d->oldest + bounds[range][1];
}

static enum status deletion_remove(struct deletion *d, struct error *err)
{
    enum status status = OK;
    uint64_t first, end;
    struct filter removed = {0};
    if (deletion_clears(d->cell))
        removed = pass_filter(d->cell, d->extra);
    for (unsigned range = 0; range < 2 && !status; range++) {
        deletion_range(d, range, &first, &end);
        if (removed.ops)
            status = pass_insert(&removed, d->members, first, end, NULL, d->scratch, err);
        else
            pass_remove(d->filter, d->members, first, end, d->scratch);
    }
    for (uint64_t i = 0; removed.ops && i < d->cell->layout.bytes; i++)
        d->filter->memory[i] &= (unsigned char)~removed.memory[i];
    return status;
}

/* How many of the remaining members are gone. */
static uint64_t deletion_lost(const struct deletion *d)
{
    uint64_t first, end, lost = 0;
    for (unsigned range = 2; range < 4; range++) {
        deletion_range(d, range, &first, &end);
        lost += end - first - pass_query(d->filter, d->members, first, end, NULL, NULL, d->scratch);
    }
    return lost;
}

/* Bits set by a further key: for the first time, or not. */
static void deletion_note(unsigned char *restrict once, unsigned char *restrict twice,
                          const unsigned char *restrict key, uint64_t bytes)
{
    uint64_t b = 0;
    for (; b + 8 <= bytes; b += 8) {
        uint64_t set = bits_load(key + b), before = bits_load(once + b);
        uint64_t again = bits_load(twice + b) | (set & before);
        set |= before;
        memcpy(twice + b, &again, sizeof again);
        memcpy(once + b, &set, sizeof set);
    }
    for (; b < bytes; b++) {
        twice[b] |= once[b] & key[b];
        once[b] |= key[b];
    }
}

static enum status deletion_harmful(const struct deletion *d, double *harmful, struct error *err)
{
    const uint64_t bytes = d->cell->layout.bytes, n = d->cell->n;
    struct filter one = pass_filter(d->cell, d->extra);
    unsigned char *once = d->extra + bytes, *twice = once + bytes;
    memset(once, 0, 2 * bytes);
    for (uint64_t i = 0; i < n; i++) {
        d->cell->ops->init(&one);
        enum status status = pass_insert(&one, d->members, i, i + 1, NULL, d->scratch, err);
        if (status)
            return status;
        deletion_note(once, twice, one.memory, bytes);
    }
    for (uint64_t b = 0; b < bytes; b++)
        one.memory[b] = (unsigned char)~twice[b];
    *harmful = (double)(n - pass_query(&one, d->members, 0, n, NULL, NULL, d->scratch));
    return OK;
}

static enum status deletion_in(struct trial_result *result, struct deletion *d,
                               struct trial_keys *keys, struct key_digest *digest,
                               struct error *err)
{
    const struct cell *cell = d->cell;
    double harmful = NAN;
    enum status status = pass_insert(d->filter, d->members, 0, cell->n, digest, d->scratch, err);
    if (!status && deletion_harmful_wanted(cell))
        status = deletion_harmful(d, &harmful, err);
    if (!status)
        status = deletion_churn(d, digest, err);
    if (!status)
        status = deletion_remove(d, err);
    if (status)
        return status;
    result->n_distinct = cell->n;
    result->queries = cell->queries;
    result->false_negatives = deletion_lost(d);
    result->false_positives =
        pass_query(d->filter, &keys->queries, 0, cell->queries, digest, NULL, d->scratch);
    status = pass_look(result, d->filter, err);
    if (!status)
        status = trial_measure_add(result, "lost_keys", (double)result->false_negatives, err);
    if (!status && !isnan(harmful))
        status = trial_measure_add(result, "harmful", harmful, err);
    return status ? status : pass_measures(result, d->filter, err);
}

static enum status deletion_run(struct trial_result *result, const struct cell *cell,
                                struct trial_keys *keys, struct workspace *space, struct error *err)
{
    struct filter filter;
    struct key_digest digest;
    struct deletion d = {.cell = cell, .filter = &filter, .members = &keys->members};
    enum status status = key_digest_open(&digest, err);
    if (!status)
        status = workspace_filter(space, &filter, cell->ops, &cell->layout, err);
    if (!status && !(d.extra = workspace_extra(space, cell->extra_bytes)))
        status = fail(err, E_RUN, "no memory for %" PRIu64 " bytes", cell->extra_bytes);
    d.scratch = space->scratch;
    if (cell->n)
        d.first = mix64(keys->seed ^ deletion_stream) % cell->n;
    if (!status)
        status = deletion_in(result, &d, keys, &digest, err);
    result->keys_digest = key_digest_close(&digest);
    return status;
}

/* ---- theory ---------------------------------------------------------------------------------- */

/* Mean share of positions that x keys set; NaN: nobody knows. */
static double deletion_fill(const struct cell *cell, uint64_t keys)
{
    struct moments fill = {NAN, NAN};
    if (cell->ops->expected_fill && cell->layout.m)
        cell->ops->expected_fill(&cell->layout, keys, &fill);
    return fill.mean / (double)cell->layout.m;
}

/* Of plain bits: keys lost and harmful ones by the probability that keys overlap; of the bits left
 * those that a remaining key sets and no removed one does (by symmetry of the positions). */
static bool deletion_clearing_formula(const struct cell *cell, unsigned i, struct formula *formula)
{
    const uint64_t n = cell->n, removals = deletion_own(cell, DELETION_REMOVALS);
    static const char overlap[] = "keys that share a position, ideal digests";
    double (*shared)(const struct layout *, double) = cell->ops->expected_overlap;
    double alone = shared && n ? shared(&cell->layout, (double)(n - 1)) : NAN;
    switch (i) {
    case 0:
        *formula = (struct formula){
            "expected_lost_keys",
            shared ? (double)(n - removals) * shared(&cell->layout, (double)removals) : NAN,
            overlap};
        return true;
    case 1:
        *formula = (struct formula){"expected_any_lost", alone, "of one removal alone"};
        return true;
    case 2:
        *formula = (struct formula){"expected_harmful", (double)n * alone, overlap};
        return true;
    case 3:
        *formula = (struct formula){"expected_fill_after",
                                    deletion_fill(cell, n - removals) *
                                        (1 - deletion_fill(cell, removals)),
                                    "bits of a remaining key and of no removed one"};
        return true;
    default:
        return false;
    }
}

static bool deletion_formula(const struct cell *cell, unsigned i, struct formula *formula)
{
    if (deletion_clears(cell))
        return deletion_clearing_formula(cell, i, formula);
    *formula = (struct formula){"expected_lost_keys", 0, "members are removed, and counters stick"};
    return i == 0;
}

const struct workload_ops workload_deletion = {
    .name = "deletion",
    .summary = "insert n members, replace and remove some, count the others that are lost",
    .params = deletion_params,
    .loses_keys = true,
    .plan = deletion_plan,
    .run = deletion_run,
    .formula = deletion_formula,
};
