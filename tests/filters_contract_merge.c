/* SPDX-License-Identifier: MIT
 *
 * The rules about two filters: unions, intersections, refusals, and what another seed changes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/filters_contract_rules.h"

/* Two filters of one layout: a holds keys 0 .. 2n/3 - 1, b keys n/3 .. n - 1 (by thirds). */
struct pair {
    struct stage a, b;
    uint64_t third;
};

static enum status pair_close(struct pair *pair, enum status status, struct error *err)
{
    return stage_close(&pair->a, stage_close(&pair->b, status, err), err);
}

static enum status pair_open(struct pair *pair, const struct contract_case *c, struct error *err)
{
    pair->third = (c->params.n + 2) / 3;
    enum status status = stage_open(&pair->a, c, 4 * pair->third, err);
    if (status)
        return status;
    status = stage_open(&pair->b, c, 4 * pair->third, err);
    if (status)
        return stage_close(&pair->a, status, err);
    status = stage_insert(&pair->a, 1, 0, 2 * pair->third, 0, err);
    if (!status)
        status = stage_insert(&pair->b, 1, pair->third, 2 * pair->third, 0, err);
    return status ? pair_close(pair, status, err) : OK;
}

/* ---- union ------------------------------------------------------------------------------------
 */

/* A filter into which the keys of both went is what their union must be, bit for bit. */
static enum status contract_union_of(struct pair *pair, struct error *err)
{
    const struct filter_ops *ops = pair->a.c->ops;
    struct stage both;
    enum status status = stage_open(&both, pair->a.c, 4 * pair->third, err);
    if (status)
        return status;
    status = stage_insert(&both, 1, 0, 2 * pair->third, 0, err);
    if (!status)
        status = stage_insert(&both, 1, pair->third, 2 * pair->third, 0, err);
    if (!status)
        status = ops->merge(&pair->a.filter, &pair->b.filter, MERGE_UNION, err);
    if (!status && !stage_equal(&pair->a, &both))
        status = fail(err, E_CHECK, "%s: the union has not the bits of both", ops->name);
    return stage_close(&both, status, err);
}

enum status contract_union(const struct contract_case *c, struct error *err)
{
    if (!(c->ops->capabilities & CAN_MERGE_UNION))
        return OK;
    struct pair pair;
    enum status status = pair_open(&pair, c, err);
    return status ? status : pair_close(&pair, contract_union_of(&pair, err), err);
}

/* ---- intersection -----------------------------------------------------------------------------
 */

static uint64_t contract_union_bits(const struct contract_case *c)
{
    struct pair pair;
    if (pair_open(&pair, c, NULL))
        return 0;
    c->ops->merge(&pair.a.filter, &pair.b.filter, MERGE_UNION, NULL);
    uint64_t bits = c->ops->count_bits(&pair.a.filter);
    pair_close(&pair, OK, NULL);
    return bits;
}

static enum status contract_intersection_of(struct pair *pair, struct error *err)
{
    enum { STRANGERS = 2000 };
    static uint8_t in_a[STRANGERS], in_b[STRANGERS], in_both[STRANGERS];
    const struct filter_ops *ops = pair->a.c->ops;
    uint64_t bits = ops->count_bits(&pair->a.filter) + ops->count_bits(&pair->b.filter);
    stage_query(&pair->a, in_a, 1, STAGE_STRANGERS, STRANGERS, 0);
    stage_query(&pair->b, in_b, 1, STAGE_STRANGERS, STRANGERS, 0);
    enum status status = ops->merge(&pair->a.filter, &pair->b.filter, MERGE_INTERSECTION, err);
    if (status)
        return status;
    if (stage_query(&pair->a, NULL, 1, pair->third, pair->third, 0) != pair->third)
        return fail(err, E_CHECK, "%s: the intersection lost a common key", ops->name);
    if (ops->count_bits(&pair->a.filter) != bits - contract_union_bits(pair->a.c))
        return fail(err, E_CHECK, "%s: bits of the intersection and the union do not add up",
                    ops->name);
    stage_query(&pair->a, in_both, 1, STAGE_STRANGERS, STRANGERS, 0);
    for (unsigned i = 0; i < STRANGERS; i++)
        if (in_both[i] > (in_a[i] & in_b[i]))
            return fail(err, E_CHECK, "%s: the intersection holds what one filter does not",
                        ops->name);
    return OK;
}

enum status contract_intersection(const struct contract_case *c, struct error *err)
{
    const unsigned needed = CAN_MERGE_INTERSECTION | CAN_MERGE_UNION | CAN_ANSWER_MEMBERSHIP;
    if ((c->ops->capabilities & needed) != needed)
        return OK;
    struct pair pair;
    enum status status = pair_open(&pair, c, err);
    return status ? status : pair_close(&pair, contract_intersection_of(&pair, err), err);
}

/* ---- refusals ---------------------------------------------------------------------------------
 */

/* E_INPUT, a sentence, and both untouched. */
static enum status contract_refuses(struct stage *a, struct stage *b, enum merge_op op,
                                    const char *why, struct error *err)
{
    const struct filter_ops *ops = a->c->ops;
    struct error said = {.text = ""};
    unsigned char *was_a = malloc(a->layout.bytes), *was_b = malloc(b->layout.bytes);
    memcpy(was_a, a->memory.inside, a->layout.bytes);
    memcpy(was_b, b->memory.inside, b->layout.bytes);
    enum status status = ops->merge(&a->filter, &b->filter, op, &said);
    bool intact = memcmp(was_a, a->memory.inside, a->layout.bytes) == 0 &&
                  memcmp(was_b, b->memory.inside, b->layout.bytes) == 0;
    free(was_a);
    free(was_b);
    if (status != E_INPUT || !said.text[0])
        return fail(err, E_CHECK, "%s: a merge of %s is not refused", ops->name, why);
    if (!intact)
        return fail(err, E_CHECK, "%s: a refused merge of %s changed its inputs", ops->name, why);
    return OK;
}

static enum status contract_refuses_case(const struct contract_case *c,
                                         const struct contract_case *other, const char *why,
                                         struct error *err)
{
    struct stage a, b;
    enum status status = stage_open(&a, c, c->params.n, err);
    if (status)
        return status;
    if (stage_open(&b, other, c->params.n, NULL)) /* there is no such filter to be merged with */
        return stage_close(&a, OK, err);
    if (a.layout.m == b.layout.m && a.layout.k == b.layout.k) /* rounded to the same filter */
        return stage_close(&a, stage_close(&b, OK, err), err);
    status = stage_insert(&a, 1, 0, 50, 0, err);
    if (!status)
        status = stage_insert(&b, 1, 50, 50, 0, err);
    enum merge_op op = c->ops->capabilities & CAN_MERGE_UNION ? MERGE_UNION : MERGE_INTERSECTION;
    if (!status)
        status = contract_refuses(&a, &b, op, why, err);
    return stage_close(&a, stage_close(&b, status, err), err);
}

static enum status contract_refuses_intersection(const struct contract_case *c, struct error *err)
{
    struct pair pair;
    enum status status = pair_open(&pair, c, err);
    if (status)
        return status;
    status = contract_refuses(&pair.a, &pair.b, MERGE_INTERSECTION, "filters without one", err);
    return pair_close(&pair, status, err);
}

enum status contract_merge_refused(const struct contract_case *c, struct error *err)
{
    if (!c->ops->merge)
        return OK;
    struct contract_case wider = *c, longer = *c;
    wider.params.m *= 2;
    longer.params.k += 1;
    enum status status = OK;
    if (c->ops->axes & AXIS_M)
        status = contract_refuses_case(c, &wider, "different m", err);
    if (!status && c->ops->axes & AXIS_K)
        status = contract_refuses_case(c, &longer, "different k", err);
    if (!status && !(c->ops->capabilities & CAN_MERGE_INTERSECTION))
        status = contract_refuses_intersection(c, err);
    return status;
}

/* ---- seeds ------------------------------------------------------------------------------------
 */

/* Common bits of two filters, from their union: X_a + X_b - X_or. Unrelated filters of m cells
 * share X_a X_b / m, hypergeometric for given counts; blocks make the spread greater, hence 8 sd.
 */
static enum status contract_shares(struct stage *a, struct stage *b, struct error *err)
{
    const struct filter_ops *ops = a->c->ops;
    const double m = (double)a->layout.m;
    double x = (double)ops->count_bits(&a->filter), y = (double)ops->count_bits(&b->filter);
    enum status status = ops->merge(&a->filter, &b->filter, MERGE_UNION, err);
    if (status)
        return status;
    double shared = x + y - (double)ops->count_bits(&a->filter), expected = x * y / m;
    double sd = sqrt(x * y * (m - x) * (m - y) / (m * m * (m - 1)));
    if (!(fabs(shared - expected) <= 8 * sd))
        return fail(err, E_CHECK, "%s: filters of two seeds share %g bits, not %g +- %.3g",
                    ops->name, shared, expected, sd);
    return OK;
}

static enum status contract_seeds_of(struct stage *a, struct stage *again, struct stage *other,
                                     struct error *err)
{
    const struct filter_ops *ops = a->c->ops;
    const uint64_t n = a->c->params.n;
    enum status status = stage_insert(a, 1, 0, n, 0, err);
    if (!status)
        status = stage_insert(again, 1, 0, n, 0, err);
    if (!status)
        status = stage_insert(other, 2, 0, n, 0, err);
    if (status || a->layout.bytes_max == 0)
        return status;
    if (!stage_equal(a, again))
        return fail(err, E_CHECK, "%s: one seed leaves two different filters", ops->name);
    if (stage_equal(a, other))
        return fail(err, E_CHECK, "%s: two seeds leave one filter", ops->name);
    return ops->capabilities & CAN_MERGE_UNION && a->layout.m ? contract_shares(a, other, err) : OK;
}

enum status contract_seeds(const struct contract_case *c, struct error *err)
{
    struct stage a, again, other;
    enum status status = stage_open(&a, c, c->params.n, err);
    if (status)
        return status;
    status = stage_open(&again, c, c->params.n, err);
    if (status)
        return stage_close(&a, status, err);
    status = stage_open(&other, c, c->params.n, err);
    if (!status)
        status = stage_close(&other, contract_seeds_of(&a, &again, &other, err), err);
    return stage_close(&a, stage_close(&again, status, err), err);
}
