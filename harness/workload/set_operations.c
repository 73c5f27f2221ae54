/* SPDX-License-Identifier: MIT
 *
 * set_operations.c: two sets A and B of n keys each with a share in common; their filters; the OR
 * and the AND of these; and what the counts of bits say of the sizes of the sets.
 *
 * A is members 0 .. n - 1, B is n - c .. 2 n - c - 1, c = round(overlap n). The row of a trial is
 * that of filter A, but for false negatives: members of A in A, of B in B, of both in OR, and
 * common ones in AND are counted. Queries are members of neither set.
 *
 * Extra memory: filter B, then the OR, in whose place the AND comes.
 */
#include "harness/workload/set_operations.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "filters/theory/set_ops.h"
#include "harness/workload/pass.h"

enum set_param { SET_OVERLAP };

static const struct param_spec set_params[] = {
    [SET_OVERLAP] = {.name = "overlap",
                     .summary = "share of the n keys of either set that is in both",
                     .type = PARAM_REAL,
                     .min = 0,
                     .max = 1,
                     .fallback = "0.5"},
    {.name = NULL},
};

/* ---- planning -------------------------------------------------------------------------------- */

static uint64_t set_common(const struct cell *cell)
{
    return (uint64_t)round(cell->own[SET_OVERLAP].real * (double)cell->n);
}

/* Bytes of a filter, up to where the next one may begin. */
static uint64_t set_stride(const struct layout *layout)
{
    return (layout->bytes + layout->alignment - 1) / layout->alignment * layout->alignment;
}

static enum status set_plan(struct cell *cell, struct error *err)
{
    const unsigned needed = CAN_MERGE_UNION | CAN_ESTIMATE_CARDINALITY;
    if ((cell->ops->capabilities & needed) != needed || (cell->ops->capabilities & CAN_GROW))
        return fail(err, E_IMPOSSIBLE, "%s has no union, or does not tell how many keys it holds",
                    cell->ops->name);
    cell->members = 2 * cell->n - set_common(cell);
    cell->extra_bytes = 2 * set_stride(&cell->layout);
    return OK;
}

/* ---- one trial ------------------------------------------------------------------------------- */

struct set_trial {
    const struct cell *cell;
    struct trial_keys *keys;
    struct trial_result *result;
    struct filter a, b, both; /* both: OR, then AND */
    uint64_t common;
    void *scratch;
};

/* Members of the range that a filter has lost. */
static uint64_t set_missing(const struct set_trial *t, const struct filter *filter, uint64_t first,
                            uint64_t end)
{
    if (!filter->ops->query)
        return 0;
    return end - first - pass_query(filter, &t->keys->members, first, end, NULL, NULL, t->scratch);
}

/* A number that does not exist is no row. */
static enum status set_measure(const struct set_trial *t, const char *name, double value,
                               struct error *err)
{
    return isnan(value) ? OK : trial_measure_add(t->result, name, value, err);
}

/* both := A op B, and how often strangers are found in it: fpr_NAME. */
static enum status set_merge(struct set_trial *t, enum merge_op op, const char *name,
                             struct error *err)
{
    const struct cell *cell = t->cell;
    memcpy(t->both.memory, t->a.memory, cell->layout.bytes);
    t->both.inserted = t->a.inserted;
    enum status status = cell->ops->merge(&t->both, &t->b, op, err);
    if (status || !cell->ops->query)
        return status;
    uint64_t hits =
        pass_query(&t->both, &t->keys->queries, 0, cell->queries, NULL, NULL, t->scratch);
    if (cell->queries)
        status = trial_measure_add(t->result, name, (double)hits / (double)cell->queries, err);
    return status;
}

static enum status set_union(struct set_trial *t, struct error *err)
{
    const struct cell *cell = t->cell;
    enum status status = set_merge(t, MERGE_UNION, "fpr_or", err);
    if (status)
        return status;
    double a = cell->ops->cardinality(&t->a), b = cell->ops->cardinality(&t->b);
    double either = cell->ops->cardinality(&t->both), common = a + b - either;
    t->result->false_negatives += set_missing(t, &t->both, 0, cell->members);
    const struct {
        const char *name;
        double value;
    } measures[] = {
        {"n_a", a},
        {"n_b", b},
        {"n_or", either},
        {"intersection", common < 0 ? 0 : common},
        {"intersection_unclamped", common},
        {"true_union", (double)cell->members},
        {"true_intersection", (double)t->common},
    };
    for (size_t i = 0; i < sizeof measures / sizeof *measures && !status; i++)
        status = set_measure(t, measures[i].name, measures[i].value, err);
    return status;
}

static enum status set_intersection(struct set_trial *t, struct error *err)
{
    const struct cell *cell = t->cell;
    if (!(cell->ops->capabilities & CAN_MERGE_INTERSECTION))
        return OK;
    enum status status = set_merge(t, MERGE_INTERSECTION, "fpr_and", err);
    if (status)
        return status;
    t->result->false_negatives += set_missing(t, &t->both, cell->n - t->common, cell->n);
    status = set_measure(t, "intersection_naive", cell->ops->cardinality(&t->both), err);
    return status ? status
                  : set_measure(t, "bits_and", (double)cell->ops->count_bits(&t->both), err);
}

static enum status set_in(struct set_trial *t, struct key_digest *digest, struct error *err)
{
    const struct cell *cell = t->cell;
    struct digest_source *members = &t->keys->members;
    struct trial_result *result = t->result;
    const uint64_t n = cell->n, only_a = n - t->common;
    enum status status = pass_insert(&t->a, members, 0, n, digest, t->scratch, err);
    if (!status)
        status = pass_insert(&t->b, members, only_a, cell->members, digest, t->scratch, err);
    if (status)
        return status;
    result->n_distinct = n;
    result->queries = cell->queries;
    result->false_negatives =
        set_missing(t, &t->a, 0, n) + set_missing(t, &t->b, only_a, cell->members);
    if (cell->ops->query)
        result->false_positives =
            pass_query(&t->a, &t->keys->queries, 0, cell->queries, digest, NULL, t->scratch);
    status = pass_look(result, &t->a, err);
    if (!status)
        status = set_union(t, err);
    if (!status)
        status = set_intersection(t, err);
    return status ? status : pass_measures(result, &t->a, err);
}

static enum status set_run(struct trial_result *result, const struct cell *cell,
                           struct trial_keys *keys, struct workspace *space, struct error *err)
{
    struct key_digest digest;
    struct set_trial t = {.cell = cell, .keys = keys, .result = result, .common = set_common(cell)};
    enum status status = key_digest_open(&digest, err);
    if (!status)
        status = workspace_filter(space, &t.a, cell->ops, &cell->layout, err);
    unsigned char *extra = status ? NULL : workspace_extra(space, cell->extra_bytes);
    if (!status && !extra)
        status =
            fail(err, E_RUN, "no memory for two filters of %" PRIu64 " bytes", cell->layout.bytes);
    if (!status) {
        t.scratch = space->scratch;
        t.b = pass_filter(cell, extra);
        t.both = pass_filter(cell, extra + set_stride(&cell->layout));
        status = set_in(&t, &digest, err);
    }
    result->keys_digest = key_digest_close(&digest);
    return status;
}

/* ---- theory ---------------------------------------------------------------------------------- */

/* Of the classic filter: the means and standard deviations of the estimates. */
static bool set_formula(const struct cell *cell, unsigned i, struct formula *formula)
{
    const uint64_t m = cell->layout.m, n = cell->n, common = set_common(cell);
    const unsigned k = cell->layout.k;
    const struct set_sizes sizes = {n, n, common};
    static const char delta[] = "delta method on the counts of empty bits";
    if (!(cell->ops->capabilities & FILLS_BY_THROWS) ||
        !(cell->ops->capabilities & CAN_MERGE_INTERSECTION))
        return false;
    switch (i) {
    case 0:
        *formula = (struct formula){"expected_intersection",
                                    theory_set_intersection(m, k, sizes).mean, delta};
        return true;
    case 1:
        *formula = (struct formula){"intersection_sd",
                                    sqrt(theory_set_intersection(m, k, sizes).variance), delta};
        return true;
    case 2:
        *formula = (struct formula){"expected_naive", theory_set_naive(m, k, sizes).mean, delta};
        return true;
    case 3:
        *formula =
            (struct formula){"naive_sd", sqrt(theory_set_naive(m, k, sizes).variance), delta};
        return true;
    case 4:
        *formula = (struct formula){"expected_bits_and", theory_set_and_bits(m, k, sizes).mean,
                                    "m (1 - q^a - q^b + q^(a+b-c))"};
        return true;
    case 5:
        *formula = (struct formula){"expected_fpr_and", theory_set_and_fpr(m, k, sizes),
                                    "E[(X/m)^k] to second order in the bits of the AND"};
        return true;
    case 6:
        *formula = (struct formula){"expected_fpr_or", theory_fpr_exact(m, 2 * n - common, k),
                                    "exact rate of a filter of the union"};
        return true;
    case 7:
        *formula = (struct formula){"fpr_of_intersection", theory_fpr_exact(m, common, k),
                                    "exact rate of a filter of the common keys"};
        return true;
    default:
        return false;
    }
}

const struct workload_ops workload_set_operations = {
    .name = "set_operations",
    .summary = "filters of two sets of n keys: their OR and AND, and the sizes the bits tell",
    .params = set_params,
    .plan = set_plan,
    .run = set_run,
    .formula = set_formula,
};
