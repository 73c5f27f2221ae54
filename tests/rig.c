/* SPDX-License-Identifier: MIT */
#include "tests/rig.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hashes/mix.h"

#define RIG_WEYL UINT64_C(0x9e3779b97f4a7c15)

uint64_t rig_ideal(uint64_t seed, uint64_t key, unsigned column)
{
    uint64_t inner = mix64(mix64(seed * RIG_WEYL + 1) + key * RIG_WEYL);
    return mix64(inner + (column + 1) * UINT64_C(0xd6e8feb86659fd93));
}

uint64_t rig_whole_world8(uint64_t seed, uint64_t key, unsigned column)
{
    (void)seed;
    return key >> (8 * column);
}

static const uint64_t *rig_column(struct digests *self, unsigned column, const uint32_t *which,
                                  size_t count, uint64_t *out)
{
    struct rig *rig = (struct rig *)((char *)self - offsetof(struct rig, batch));
    uint64_t mask = self->bits == 64 ? UINT64_MAX : (UINT64_C(1) << self->bits) - 1;
    cr_assert_lt(column, rig->layout.columns, "column %u of %u", column, rig->layout.columns);
    rig->asked += count;
    for (size_t i = 0; i < count; i++)
        out[i] = rig->digest(rig->seed, rig->first + (which ? which[i] : i), column) & mask;
    return out;
}

void rig_params(struct rig *rig, const char *filter, const char *own, uint64_t m, uint64_t n,
                unsigned k)
{
    struct error err;
    char text[256], *rest = text;
    *rig = (struct rig){.ops = filter_find(filter), .digest = rig_ideal, .seed = 1};
    cr_assert_not_null(rig->ops, "no filter %s", filter);
    rig->params =
        (struct filter_params){.m = m, .n = n, .k = k, .digest_bits = 64, .digest_columns = 4096};
    filter_params_defaults(&rig->params, rig->ops);
    cr_assert_lt(strlen(own), sizeof text);
    strcpy(text, own);
    for (char *name; (name = strtok_r(rest, ";", &rest));) {
        char *value = strchr(name, '=');
        *value++ = '\0';
        cr_assert_eq(filter_params_set(&rig->params, rig->ops, name, value, &err), OK, "%s",
                     err.text);
    }
}

enum status rig_plan(struct rig *rig, struct error *err)
{
    return rig->ops->plan(&rig->layout, &rig->params, err);
}

static void *rig_memory(size_t alignment, uint64_t bytes)
{
    void *memory = aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
    cr_assert_not_null(memory);
    return memory;
}

void rig_open(struct rig *rig)
{
    struct error err;
    cr_assert_eq(rig_plan(rig, &err), OK, "%s", err.text);
    const struct layout *layout = &rig->layout;
    rig->arena.bytes = layout->bytes_max - layout->bytes;
    if (rig->ops->capabilities & CAN_GROW)
        rig->arena.base = rig_memory(64, rig->arena.bytes);
    rig->filter = (struct filter){
        .ops = rig->ops,
        .layout = layout,
        .memory = rig_memory(layout->alignment, layout->bytes),
        .arena = rig->arena.base ? &rig->arena : NULL,
    };
    rig->scratch = rig_memory(64, layout->scratch_bytes);
    rig_empty(rig, rig->seed);
}

void rig_empty(struct rig *rig, uint64_t seed)
{
    rig->seed = seed;
    rig->arena.used = 0;
    if (rig->arena.base)
        memset(rig->arena.base, 0, rig->arena.bytes);
    memset(rig->filter.memory, 0xa5, rig->layout.bytes);
    rig->ops->init(&rig->filter);
}

void rig_close(struct rig *rig)
{
    free(rig->filter.memory);
    free(rig->arena.base);
    free(rig->scratch);
}

size_t rig_next(struct rig *rig, uint64_t first, uint64_t left, size_t piece)
{
    size_t count = piece ? piece : rig->layout.batch;
    rig->first = first;
    rig->batch = (struct digests){
        .column = rig_column,
        .count = left < count ? (size_t)left : count,
        .bits = rig->params.digest_bits,
    };
    return rig->batch.count;
}

enum status rig_insert(struct rig *rig, uint64_t first, uint64_t count, size_t piece,
                       struct error *err)
{
    enum status status = OK;
    for (size_t done; count > 0 && !status; first += done, count -= done) {
        done = rig_next(rig, first, count, piece);
        status = rig->ops->insert(&rig->filter, &rig->batch, rig->scratch, err);
    }
    return status;
}

void rig_add(struct rig *rig, uint64_t first, uint64_t count)
{
    struct error err;
    cr_assert_eq(rig_insert(rig, first, count, 0, &err), OK, "%s", err.text);
}

uint64_t rig_query(struct rig *rig, uint8_t *present, uint64_t first, uint64_t count, size_t piece)
{
    uint64_t hits = 0;
    for (size_t done; count > 0; first += done, count -= done) {
        done = rig_next(rig, first, count, piece);
        hits += rig->ops->query(&rig->filter, present, &rig->batch, rig->scratch);
        present = present ? present + done : NULL;
    }
    return hits;
}

double rig_measure(const struct rig *rig, const char *name)
{
    struct measure measure;
    for (unsigned i = 0; rig->ops->measure(&rig->filter, i, &measure); i++)
        if (strcmp(measure.name, name) == 0)
            return measure.value;
    return NAN;
}

double rig_formula(const struct rig *rig, uint64_t n, const char *name)
{
    struct formula formula;
    for (unsigned i = 0; rig->ops->formula(&rig->layout, n, i, &formula); i++)
        if (strcmp(formula.name, name) == 0)
            return formula.value;
    return NAN;
}

void rig_score(struct rig_scores *scores, struct rig *rig, uint64_t seed, unsigned trials,
               uint64_t queries)
{
    const struct filter_ops *ops = rig->ops;
    struct moments fill;
    struct model model;
    double bits = 0, squares = 0, rate = 0, hits = 0, expected = 0, variance = 0, n = trials;
    ops->expected_fill(&rig->layout, rig->params.n, &fill);
    ops->expected_fpr(&rig->layout, rig->params.n, &model);
    for (unsigned t = 0; t < trials; t++) {
        rig_empty(rig, seed + t);
        rig_add(rig, 0, rig->params.n);
        double x = (double)ops->count_bits(&rig->filter) - fill.mean;
        double f = ops->fpr_scheme(&rig->filter).value;
        bits += x;
        squares += x * x;
        rate += f - model.fpr;
        hits += (double)rig_query(rig, NULL, RIG_STRANGERS, queries, 0);
        expected += (double)queries * f;
        variance += (double)queries * f * (1 - f);
    }
    *scores = (struct rig_scores){
        .fill = bits / sqrt(n * fill.variance),
        .spread = (squares / fill.variance - n) / sqrt(2 * n),
        .rate = rate / sqrt(n * model.variance),
        .probe = (hits - expected) / sqrt(variance),
    };
}
