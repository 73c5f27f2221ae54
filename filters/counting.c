/* SPDX-License-Identifier: MIT
 *
 * counting.c: the classic filter with a small counter in place of every bit, so that keys can be
 * removed.
 *
 * Source: L. Fan, P. Cao, J. Almeida, A. Broder, "Summary Cache: A Scalable Wide-Area Web Cache
 * Sharing Protocol", IEEE/ACM ToN 8(3), 2000.
 *
 * Memory: m counters of counter_bits bits, laid out by counters.h.
 *
 * What surprises: m counts counters. A counter that reaches its maximum sticks there: removals
 * leave it, so no other key is ever lost by an overflow, but it may stay set for nothing. A key
 * that hits one counter several times counts each hit, on insert and on removal. A removal is
 * refused where the key is surely absent: where a counter holds less than the key's own hits on it.
 * What cannot be told from a member (a false positive) is removed, and other keys may then be lost.
 * A union adds counters up, exactly as if all keys had been inserted into one filter.
 */
#include "filters/theory/counting.h"
#include "filters/add.h"
#include "filters/counters.h"
#include "filters/loops.h"
#include "filters/standard.h"

enum counting_param { COUNTING_COUNTER_BITS };
enum counting_geometry { COUNTING_BITS };

static const char *const counting_bits_names[] = {"2", "3", "4", "8", NULL};
static const unsigned counting_bits_values[] = {2, 3, 4, 8};

static const struct param_spec counting_params[] = {
    [COUNTING_COUNTER_BITS] = {.name = "counter_bits",
                               .summary = "width of a counter: 2, 3, 4 or 8 bits",
                               .type = PARAM_CHOICE,
                               .max = 3,
                               .fallback = "4",
                               .choices = counting_bits_names},
    {.name = NULL},
};

struct counting_scratch {
    struct loops_scratch base;
    uint64_t position[]; /* remove, add: probe i of key j at i * FILTER_BATCH + j */
};

static unsigned counting_bits(const struct layout *layout)
{
    return (unsigned)layout->geometry[COUNTING_BITS];
}

static enum status counting_plan(struct layout *layout, const struct filter_params *params,
                                 struct error *err)
{
    unsigned bits = counting_bits_values[params->own[COUNTING_COUNTER_BITS].integer];
    uint64_t bytes = counters_bytes(bits, params->m);
    *layout = (struct layout){
        .params = *params,
        .m = params->m,
        .k = params->k,
        .bytes = bytes,
        .bytes_max = bytes,
        .alignment = 64,
        .columns = params->k,
        .batch = FILTER_BATCH,
        .scratch_bytes = add_scratch_bytes(sizeof(struct counting_scratch), params->k),
        .geometry = {[COUNTING_BITS] = bits},
    };
    if (params->k > params->digest_columns)
        return fail(err, E_IMPOSSIBLE, "counting: k %u needs %u digests, the family gives %u",
                    params->k, params->k, params->digest_columns);
    return reducer_init(&layout->reducer, params->reduction, params->m, params->digest_bits, "m",
                        err);
}

static inline uint64_t counting_range(const struct layout *layout, unsigned column)
{
    (void)layout, (void)column;
    return 0;
}

COUNTERS_INLINE void counting_increment(unsigned bits, struct filter *f, uint64_t position)
{
    if (counters_get(bits, f->memory, position) == counters_max(bits))
        f->overflows++;
    else
        counters_add(bits, f->memory, position, +1);
}

/* ---- removal -------------------------------------------------------------------------------- */

/* Takes the key's hits away one by one; where a counter has run out, gives them back and refuses.
 * Counters that are saturated are passed over both ways: none becomes or ceases to be so here. */
COUNTERS_INLINE bool counting_remove_key(unsigned bits, struct filter *f, const uint64_t *position)
{
    const unsigned k = f->layout->k, max = counters_max(bits);
    unsigned probe = 0;
    for (; probe < k; probe++) {
        uint64_t p = position[(size_t)probe * FILTER_BATCH];
        unsigned value = counters_get(bits, f->memory, p);
        if (value == 0)
            break;
        if (value < max)
            counters_add(bits, f->memory, p, -1);
    }
    if (probe == k)
        return true;
    while (probe-- > 0) {
        uint64_t p = position[(size_t)probe * FILTER_BATCH];
        if (counters_get(bits, f->memory, p) < max)
            counters_add(bits, f->memory, p, +1);
    }
    return false;
}

/* The positions of all probes of the batch: a removal must see the whole key. */
static void counting_positions(const struct filter *f, struct digests *batch, uint64_t *position)
{
    const struct layout *layout = f->layout;
    const unsigned bits = counting_bits(layout);
    const bool far = layout->bytes > LOOPS_PREFETCH_BYTES;
    for (unsigned column = 0; column < layout->k; column++) {
        uint64_t *out = position + (size_t)column * FILTER_BATCH;
        const uint64_t *digest = digests_column(batch, column, NULL, batch->count, out);
        reduce_batch(&layout->reducer, out, digest, batch->count, 0, 0);
        for (size_t i = 0; far && i < batch->count; i++)
            __builtin_prefetch(f->memory + counters_address(bits, out[i]), 0, 2);
    }
}

COUNTERS_INLINE uint64_t counting_remove_as(unsigned bits, struct filter *f, uint8_t *removed,
                                            struct digests *batch, struct counting_scratch *s)
{
    uint64_t gone = 0;
    counting_positions(f, batch, s->position);
    for (size_t i = 0; i < batch->count; i++) {
        bool done = counting_remove_key(bits, f, s->position + i);
        gone += done;
        if (removed)
            removed[i] = done;
    }
    f->refused += batch->count - gone;
    f->inserted -= gone < f->inserted ? gone : f->inserted;
    return gone;
}

/* ---- one set of loops for every width ---------------------------------------------------------
 */

#define COUNTING_WIDTH 2
#include "filters/counting_template.h"
#define COUNTING_WIDTH 3
#include "filters/counting_template.h"
#define COUNTING_WIDTH 4
#include "filters/counting_template.h"
#define COUNTING_WIDTH 8
#include "filters/counting_template.h"

static const struct filter_ops *counting_loops(const struct filter *f)
{
    switch (counting_bits(f->layout)) {
    case 2:
        return &counting2_loops;
    case 3:
        return &counting3_loops;
    case 4:
        return &counting4_loops;
    default:
        return &counting8_loops;
    }
}

static enum status counting_insert(struct filter *f, struct digests *batch, void *scratch,
                                   struct error *err)
{
    return counting_loops(f)->insert(f, batch, scratch, err);
}

static void counting_scatter(struct filter *f, struct regions *queues, struct digests *batch,
                             void *scratch)
{
    counting_loops(f)->scatter(f, queues, batch, scratch);
}

static void counting_settle(struct filter *f, const uint64_t *entry, size_t count, bool near,
                            void *scratch)
{
    counting_loops(f)->settle(f, entry, count, near, scratch);
}

static enum status counting_add(struct filter *f, uint64_t *found, uint8_t *present,
                                struct digests *batch, void *scratch, struct error *err)
{
    return counting_loops(f)->add(f, found, present, batch, scratch, err);
}

static uint64_t counting_query(const struct filter *f, uint8_t *present, struct digests *batch,
                               void *scratch)
{
    return counting_loops(f)->query(f, present, batch, scratch);
}

static uint64_t counting_match(const struct filter *f, uint32_t *which, struct digests *batch,
                               void *scratch)
{
    return counting_loops(f)->match(f, which, batch, scratch);
}

static uint64_t counting_remove(struct filter *f, uint8_t *removed, struct digests *batch,
                                void *scratch)
{
    return counting_loops(f)->remove(f, removed, batch, scratch);
}

static bool counting_test(const struct filter *f, uint64_t position)
{
    return counting_loops(f)->test(f, position);
}

/* ---- the whole filter -------------------------------------------------------------------------
 */

static uint64_t counting_count_bits(const struct filter *f)
{
    return counters_count(counting_bits(f->layout), f->memory, f->layout->bytes, false);
}

static struct estimate counting_fpr_scheme(const struct filter *f)
{
    return (struct estimate){.value = standard_fpr_bits(f)};
}

static enum status counting_merge(struct filter *a, const struct filter *b, enum merge_op op,
                                  struct error *err)
{
    enum status status = standard_same_layout(a, b, err);
    if (status)
        return status;
    if (op != MERGE_UNION)
        return fail(err, E_INPUT, "counting: there is no intersection of counters");
    const unsigned bits = counting_bits(a->layout), max = counters_max(bits);
    for (uint64_t i = 0; i < a->layout->m; i++) {
        unsigned sum = counters_get(bits, a->memory, i) + counters_get(bits, b->memory, i);
        if (sum > max)
            a->overflows += sum - max;
        counters_set(bits, a->memory, i, sum < max ? sum : max);
    }
    a->inserted += b->inserted;
    a->overflows += b->overflows;
    a->refused += b->refused;
    return OK;
}

static bool counting_measure(const struct filter *f, unsigned i, struct measure *measure)
{
    const unsigned bits = counting_bits(f->layout);
    switch (i) {
    case 0:
        *measure = (struct measure){"overflows", (double)f->overflows};
        return true;
    case 1:
        *measure = (struct measure){
            "saturated_counters", (double)counters_count(bits, f->memory, f->layout->bytes, true)};
        return true;
    case 2:
        *measure = (struct measure){"refused_removals", (double)f->refused};
        return true;
    default:
        return false;
    }
}

/* ---- overflow theory --------------------------------------------------------------------------
 */

static const struct counting_formula {
    const char *name, *source;
    double (*value)(uint64_t m, uint64_t n, unsigned k, unsigned counter_bits);
} counting_formulas[] = {
    {"counter_overflow", "binomial tail: Fan et al., ToN 8(3), 2000", theory_counter_tail},
    {"any_overflow_binomial", "counters taken as independent", theory_counter_any_binomial},
    {"any_overflow_poisson", "counters taken as Poisson", theory_counter_any_poisson},
    {"fan_union_bound", "Fan et al., ToN 8(3), 2000", theory_counter_fan_union},
    {"fan_e_bound", "Fan et al., ToN 8(3), 2000", theory_counter_fan_e},
    {"fan_ln2_bound", "Fan et al., ToN 8(3), 2000", theory_counter_fan_ln2},
};

/* Those that do not apply (NaN) are left out, not numbered. */
static bool counting_formula(const struct layout *layout, uint64_t n, unsigned i,
                             struct formula *formula)
{
    for (size_t j = 0; j < sizeof counting_formulas / sizeof *counting_formulas; j++) {
        const struct counting_formula *row = &counting_formulas[j];
        double value = row->value(layout->m, n, layout->k, counting_bits(layout));
        if (value == value && i-- == 0) {
            *formula = (struct formula){.name = row->name, .value = value, .source = row->source};
            return true;
        }
    }
    return false;
}

const struct filter_ops filter_counting = {
    .name = "counting",
    .summary = "a small counter in place of every bit: keys can be removed",
    .source = "Fan, Cao, Almeida & Broder, ToN 8(3), 2000",
    .params = counting_params,
    .axes = AXES_ALL,
    .capabilities = CAN_REMOVE | CAN_MERGE_UNION | CAN_ESTIMATE_CARDINALITY |
                    CAN_ANSWER_MEMBERSHIP | FILLS_BY_THROWS,
    .plan = counting_plan,
    .init = standard_init,
    .insert = counting_insert,
    .scatter = counting_scatter,
    .settle = counting_settle,
    .add = counting_add,
    .query = counting_query,
    .match = counting_match,
    .remove = counting_remove,
    .count_bits = counting_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = counting_fpr_scheme,
    .expected_fpr = standard_expected_fpr,
    .expected_fill = standard_expected_fill,
    .expected_overlap = standard_expected_overlap,
    .formula = counting_formula,
    .cardinality = standard_cardinality,
    .expected_cardinality = standard_expected_cardinality,
    .merge = counting_merge,
    .measure = counting_measure,
    .probes = standard_probes,
    .test = counting_test,
    .probe_rates = standard_probe_rates,
};
