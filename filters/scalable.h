/* SPDX-License-Identifier: MIT
 *
 * scalable.h: what the two scalable variants share: everything but the rule of growth.
 *
 * A scalable filter is a row of classic filters, its slices. Keys go into the newest; when a key
 * finds it full (its capacity counts keys inserted, not distinct ones), a larger and stricter one
 * opens. A key is present when any slice says so. Inserts do not ask first whether the key is
 * there.
 *
 * Source: P. Almeida, C. Baquero, N. Preguica, D. Hutchison, "Scalable Bloom Filters", IPL 101(6),
 * 2007.
 *
 * Memory: f->memory holds a head and the table of slices, one row per slice that n keys need; the
 * bits of slice i stand in f->arena at an offset the table tells, ceil(m_i / 8) bytes, taken when
 * it opens. No pointer is stored, so equal contents are equal bytes. Probe j of every slice is
 * digest j of the key.
 */
#ifndef BLOOMLAB_SCALABLE_H
#define BLOOMLAB_SCALABLE_H

#include "filters/filter.h"
#include "filters/theory/scalable.h"

/* Order of the variants' own parameters. */
enum {
    SCALABLE_INITIAL_CAPACITY,
    SCALABLE_SCALE_FACTOR,
    SCALABLE_TIGHTENING,
    SCALABLE_TARGET_RATE,
    SCALABLE_TOTAL_RATE,
    SCALABLE_LOOKUP,
    SCALABLE_SLICE_K,
};

/* layout->geometry: most slices there can be; enum growth. */
enum { SCALABLE_SLICES, SCALABLE_GROWTH };

/* Slices that measure() tells one by one; the totals count all. */
enum { SCALABLE_MEASURED = 64 };

extern const char *const scalable_lookups[];
extern const char *const scalable_slice_ks[];

/* The table of parameters but for the bounds of scale_factor. */
#define SCALABLE_PARAMS(scale_min, scale_max)                                                      \
    {                                                                                              \
        {.name = "initial_capacity",                                                               \
         .summary = "keys the first slice holds",                                                  \
         .type = PARAM_INTEGER,                                                                    \
         .min = 1,                                                                                 \
         .max = (double)FILTER_N_MAX,                                                              \
         .fallback = "1000"},                                                                      \
            {.name = "scale_factor",                                                               \
             .summary = "how capacities grow",                                                     \
             .type = PARAM_REAL,                                                                   \
             .min = (scale_min),                                                                   \
             .max = (scale_max),                                                                   \
             .fallback = "2"},                                                                     \
            {.name = "tightening",                                                                 \
             .summary = "r: slice i is sized for the rate of the first times r^i; above 0",        \
             .type = PARAM_REAL,                                                                   \
             .min = 0,                                                                             \
             .max = 1,                                                                             \
             .fallback = "0.5"},                                                                   \
            {.name = "target_rate",                                                                \
             .summary = "rate of the first slice; 0.01 when neither this nor total_rate is given", \
             .type = PARAM_REAL,                                                                   \
             .min = 0,                                                                             \
             .max = 1,                                                                             \
             .fallback = ""},                                                                      \
            {.name = "total_rate",                                                                 \
             .summary =                                                                            \
                 "bound of the compound rate: the first slice gets total_rate (1 - tightening)",   \
             .type = PARAM_REAL,                                                                   \
             .min = 0,                                                                             \
             .max = 1,                                                                             \
             .fallback = ""},                                                                      \
            {.name = "lookup",                                                                     \
             .summary = "which slice is asked first",                                              \
             .type = PARAM_CHOICE,                                                                 \
             .fallback = "newest_first",                                                           \
             .choices = scalable_lookups},                                                         \
            {.name = "slice_k",                                                                    \
             .summary = "probes in a slice: ceil((m/c) ln 2), or the best whole number",           \
             .type = PARAM_CHOICE,                                                                 \
             .fallback = "ceil",                                                                   \
             .choices = scalable_slice_ks},                                                        \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

enum {
    SCALABLE_AXES = AXIS_REDUCTION | AXIS_HASH,
    SCALABLE_CAPABILITIES = CAN_GROW | CAN_ESTIMATE_CARDINALITY | CAN_ANSWER_MEMBERSHIP,
};

/* layout->params tells what is in force: target_rate is written into it when neither rate was
 * given. E_INPUT: both rates given, a rate outside (0, 1), tightening 0, or 1 with total_rate.
 * E_IMPOSSIBLE: a slice too large or of too many probes, digests missing, mask where an m_i is no
 * power of two. */
enum status scalable_plan(struct layout *layout, const struct filter_params *params,
                          enum growth growth, const char *variant, struct error *err);

void scalable_init(struct filter *f);
enum status scalable_insert(struct filter *f, struct digests *batch, void *scratch,
                            struct error *err);
uint64_t scalable_query(const struct filter *f, uint8_t *present, struct digests *batch,
                        void *scratch);

uint64_t scalable_count_bits(const struct filter *f);
double scalable_fpr_bits(const struct filter *f);
struct estimate scalable_fpr_scheme(const struct filter *f);
double scalable_cardinality(const struct filter *f); /* sum over slices */
bool scalable_measure(const struct filter *f, unsigned i, struct measure *measure);

void scalable_expected_fpr(const struct layout *layout, uint64_t n, struct model *model);
void scalable_expected_fill(const struct layout *layout, uint64_t n, struct moments *moments);
bool scalable_formula(const struct layout *layout, uint64_t n, unsigned i, struct formula *formula);

/* ---- shared by the files of the implementation ----------------------------------------------- */

struct scalable_slice {
    uint64_t offset; /* of its bits in the arena */
    uint64_t m, capacity;
    uint64_t keys; /* inserted */
    uint64_t k;
    struct reducer reducer; /* over m */
};

struct scalable_head {
    uint64_t slices; /* open ones */
    uint64_t unused[7];
};

struct scalable_table {
    struct scalable_head head;
    struct scalable_slice slice[];
};

static inline struct scalable_table *scalable_table_of(const struct filter *f)
{
    return (struct scalable_table *)f->memory;
}

/* The rule that a plan settled on. */
struct scalable_rule scalable_rule_of(const struct layout *layout);

#endif
