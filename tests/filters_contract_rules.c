/* SPDX-License-Identifier: MIT
 *
 * The rules that hold exactly, for any number of keys. Those of chance are in
 * filters_contract_rates.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/filters_contract_rules.h"

enum status contract_entry(const struct contract_case *c, struct error *err)
{
    return filter_ops_check(c->ops, err);
}

/* Numbers of keys around the edges of a batch. */
enum { EDGE_COUNT = 5 };
static uint64_t contract_edge(const struct stage *stage, unsigned i)
{
    const uint64_t batch = stage->layout.batch;
    const uint64_t edge[EDGE_COUNT] = {0, 1, batch - 1, batch, batch + 1};
    return edge[i];
}

/* The batch the variant likes, as a stage open for n keys has it. */
static enum status contract_batch(uint64_t *batch, const struct contract_case *c, struct error *err)
{
    struct stage stage;
    enum status status = stage_open(&stage, c, 1, err);
    if (status)
        return status;
    *batch = stage.layout.batch;
    return stage_close(&stage, OK, err);
}

/* ---- no false negatives --------------------------------------------------------------------- */

static enum status contract_presence_of(struct stage *stage, uint64_t count, struct error *err)
{
    const char *name = stage->c->ops->name;
    enum status status = stage_insert(stage, 1, 0, count, 0, err);
    if (status)
        return status;
    if (stage->filter.inserted != count)
        return fail(err, E_CHECK, "%s: %" PRIu64 " keys inserted, it says %" PRIu64, name, count,
                    stage->filter.inserted);
    uint8_t *answer = malloc(count + 1);
    for (unsigned piece = 0; piece < 2 && !status; piece++) {
        memset(answer, 7, count + 1);
        uint64_t hits = stage_query(stage, answer, 1, 0, count, piece);
        for (uint64_t i = 0; i < count && !status; i++)
            if (answer[i] != 1)
                status = fail(err, E_CHECK, "%s: key %" PRIu64 " of %" PRIu64 " is lost", name, i,
                              count);
        if (!status && (hits != count || answer[count] != 7))
            status = fail(err, E_CHECK, "%s: %" PRIu64 " of %" PRIu64 " members found", name, hits,
                          count);
    }
    free(answer);
    return status;
}

enum status contract_presence(const struct contract_case *c, struct error *err)
{
    if (!(c->ops->capabilities & CAN_ANSWER_MEMBERSHIP))
        return OK;
    uint64_t batch;
    enum status status = contract_batch(&batch, c, err);
    for (unsigned i = 0; i < EDGE_COUNT && !status; i++) {
        struct stage stage;
        status = stage_open(&stage, c, batch + 1, err);
        if (!status)
            status = stage_close(&stage,
                                 contract_presence_of(&stage, contract_edge(&stage, i), err), err);
    }
    return status;
}

/* ---- a batch is its keys one by one -----------------------------------------------------------
 */

static enum status contract_same_answers(struct stage *stage, uint64_t piece, struct error *err)
{
    enum { STRANGERS = 700 };
    uint8_t whole[STRANGERS], single[STRANGERS];
    if (!(stage->c->ops->capabilities & CAN_ANSWER_MEMBERSHIP))
        return OK;
    uint64_t a = stage_query(stage, whole, 1, STAGE_STRANGERS, STRANGERS, piece);
    uint64_t b = stage_query(stage, single, 1, STAGE_STRANGERS, STRANGERS, 1);
    uint64_t silent = stage_query(stage, NULL, 1, STAGE_STRANGERS, STRANGERS, piece), sum = 0;
    for (unsigned i = 0; i < STRANGERS; i++)
        sum += whole[i];
    if (a != b || a != silent || a != sum || memcmp(whole, single, STRANGERS) != 0)
        return fail(err, E_CHECK, "%s: queries in batches of %" PRIu64 " differ from one by one",
                    stage->c->ops->name, piece);
    return OK;
}

static enum status contract_batches_of(const struct contract_case *c, uint64_t count,
                                       uint64_t piece, struct error *err)
{
    struct stage single, pieces;
    enum status status = stage_open(&single, c, count, err);
    if (status)
        return status;
    status = stage_open(&pieces, c, count, err);
    if (status)
        return stage_close(&single, status, err);
    status = stage_insert(&single, 1, 0, count, 1, err);
    if (!status)
        status = stage_insert(&pieces, 1, 0, count, piece, err);
    if (!status && !stage_equal(&single, &pieces))
        status =
            fail(err, E_CHECK,
                 "%s: %" PRIu64 " keys in batches of %" PRIu64 " leave other bits than one by one",
                 c->ops->name, count, piece);
    if (!status)
        status = contract_same_answers(&pieces, piece, err);
    return stage_close(&single, stage_close(&pieces, status, err), err);
}

enum status contract_batches(const struct contract_case *c, struct error *err)
{
    uint64_t batch;
    enum status status = contract_batch(&batch, c, err);
    const uint64_t piece[] = {batch, batch - 1, 7};
    const uint64_t count[] = {batch - 1, batch, batch + 1};
    for (unsigned i = 0; i < 3 && !status; i++)
        for (unsigned j = 0; j < 3 && !status; j++)
            status = contract_batches_of(c, count[i], piece[j] ? piece[j] : 1, err);
    return status;
}

/* ---- an empty filter --------------------------------------------------------------------------
 */

static enum status contract_is_zero(const struct stage *stage, const char *what, double value,
                                    struct error *err)
{
    if (value == 0.0)
        return OK;
    return fail(err, E_CHECK, "%s: %s of the empty filter is %g", stage->c->ops->name, what, value);
}

static enum status contract_empty_of(struct stage *stage, struct error *err)
{
    const struct filter_ops *ops = stage->c->ops;
    const struct filter *f = &stage->filter;
    struct model model = {0};
    struct moments fill = {0};
    if (ops->expected_fpr)
        ops->expected_fpr(&stage->layout, 0, &model);
    if (ops->expected_fill)
        ops->expected_fill(&stage->layout, 0, &fill);
    const bool member = ops->capabilities & CAN_ANSWER_MEMBERSHIP;
    const struct {
        const char *what;
        double value;
    } zero[] = {
        {"the number of bits", (double)ops->count_bits(f)},
        {"the number of hits", member ? (double)stage_query(stage, NULL, 1, 0, 600, 0) : 0},
        {"fpr_bits", ops->fpr_bits ? ops->fpr_bits(f) : 0},
        {"fpr_scheme", ops->fpr_scheme ? ops->fpr_scheme(f).value : 0},
        {"the error of fpr_scheme", ops->fpr_scheme ? ops->fpr_scheme(f).se : 0},
        {"cardinality", ops->cardinality ? ops->cardinality(f) : 0},
        {"expected_fpr", model.fpr},
        {"the variance of expected_fpr", model.variance},
        {"expected_fill", fill.mean},
        {"the variance of expected_fill", fill.variance},
    };
    enum status status = OK;
    for (size_t i = 0; i < sizeof zero / sizeof *zero && !status; i++)
        status = contract_is_zero(stage, zero[i].what, zero[i].value, err);
    return status;
}

/* Of variants that store something: absent, rate 0, no NaN. */
enum status contract_empty(const struct contract_case *c, struct error *err)
{
    struct stage stage;
    enum status status = stage_open(&stage, c, c->params.n, err);
    if (status)
        return status;
    if (stage.layout.bytes_max > 0)
        status = stage_insert(&stage, 1, 0, 0, 0, err); /* a batch of no keys changes nothing */
    if (!status && stage.layout.bytes_max > 0)
        status = contract_empty_of(&stage, err);
    return stage_close(&stage, status, err);
}

/* ---- removal ----------------------------------------------------------------------------------
 */

/* Counters that cannot come back to what they were. */
static double contract_saturated(const struct filter *f)
{
    struct measure measure;
    for (unsigned i = 0; f->ops->measure && f->ops->measure(f, i, &measure); i++)
        if (strcmp(measure.name, "saturated_counters") == 0)
            return measure.value;
    return 0;
}

static enum status contract_remove_all(struct stage *stage, const struct stage *before,
                                       uint64_t count, struct error *err)
{
    const char *name = stage->c->ops->name;
    enum status status = stage_insert(stage, 1, count, count, 0, err);
    if (status)
        return status;
    bool exact = contract_saturated(&stage->filter) == 0;
    uint8_t *answer = malloc(count);
    uint64_t gone = stage_remove(stage, answer, 1, count, count, 0);
    for (uint64_t i = 0; i < count; i++)
        if (answer[i] != 1)
            status = fail(err, E_CHECK, "%s: removal of member %" PRIu64 " is refused", name, i);
    free(answer);
    if (status)
        return status;
    if (gone != count || stage->filter.inserted != count)
        return fail(err, E_CHECK, "%s: %" PRIu64 " keys removed of %" PRIu64, name, gone, count);
    if (exact && !stage_equal(stage, before))
        return fail(err, E_CHECK, "%s: remove does not undo insert", name);
    if (stage_query(stage, NULL, 1, 0, count, 0) != count)
        return fail(err, E_CHECK, "%s: removals lost another key", name);
    return OK;
}

static enum status contract_remove_absent(struct stage *stage, uint64_t count, struct error *err)
{
    uint64_t gone = stage_remove(stage, NULL, 1, STAGE_STRANGERS, count, 0);
    if (gone || stage->filter.refused != count || stage->filter.inserted ||
        stage->c->ops->count_bits(&stage->filter))
        return fail(err, E_CHECK, "%s: %" PRIu64 " absent keys removed from the empty filter",
                    stage->c->ops->name, gone);
    return OK;
}

enum status contract_remove(const struct contract_case *c, struct error *err)
{
    const uint64_t count = c->params.n;
    if (!(c->ops->capabilities & CAN_REMOVE))
        return OK;
    struct stage stage, before;
    enum status status = stage_open(&stage, c, 2 * count, err);
    if (status)
        return status;
    status = stage_open(&before, c, 2 * count, err);
    if (status)
        return stage_close(&stage, status, err);
    status = contract_remove_absent(&stage, count, err);
    if (!status)
        status = stage_insert(&before, 1, 0, count, 0, err);
    if (!status)
        status = stage_insert(&stage, 1, 0, count, 0, err);
    if (!status)
        status = contract_remove_all(&stage, &before, count, err);
    return stage_close(&before, stage_close(&stage, status, err), err);
}
