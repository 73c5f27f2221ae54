/* SPDX-License-Identifier: MIT
 *
 * hyperloglog.c: HyperLogLog: how many distinct keys were inserted, from 2^p registers of 6 bits.
 * It answers no membership query.
 *
 * Source: P. Flajolet, E. Fusy, O. Gandouet, F. Meunier, "HyperLogLog: the analysis of a
 * near-optimal cardinality estimation algorithm", AofA 2007.
 *
 * A key's joined digest (joined.h) of w = 16 .. 64 bits: its top p bits name a register, which
 * keeps the greatest rho seen, rho = 1 + leading zeros of the other w - p bits (w - p + 1 when they
 * are all 0). Its estimate is that of O. Ertl, "New cardinality estimation algorithms for
 * HyperLogLog sketches", arXiv:1702.01284, 2017, less its small bias; the estimate of 2007, Ertl's
 * as published, and what a frequent misreading of rho makes of the sketch are measures.
 *
 * No register of a narrow digest can tell more than w - p + 1. Ertl's estimate counts with that;
 * the large-range correction of 2007, -2^w ln(1 - E/2^w), is not applied to the other: colliding
 * digests take nothing from the greatest rho of n keys, it is the cut at w - p + 1 that does.
 *
 * Memory: four registers in three bytes, register i from bit 6i: 12288 bytes at p = 14.
 */
#include <math.h>
#include <string.h>

#include "filters/filter.h"
#include "filters/joined.h"
#include "filters/regions.h"
#include "filters/standard.h"
#include "filters/theory/classic.h"
#include "filters/theory/hyperloglog.h"

enum { HYPERLOGLOG_PRECISION };   /* layout->geometry */
enum { HYPERLOGLOG_VALUES = 64 }; /* a register holds 0 .. 63 */

static const struct param_spec hyperloglog_params[] = {
    {.name = "precision",
     .summary = "p: 2^p registers; the standard error is 1.04/sqrt(2^p)",
     .type = PARAM_INTEGER,
     .min = HLL_PRECISION_MIN,
     .max = HLL_PRECISION_MAX,
     .fallback = "14"},
    {0},
};

static enum status hyperloglog_plan(struct layout *layout, const struct filter_params *params,
                                    struct error *err)
{
    unsigned precision = (unsigned)params->own[0].integer;
    unsigned bits = joined_bits(params->digest_bits);
    uint64_t registers = UINT64_C(1) << precision;
    *layout = (struct layout){
        .params = *params,
        .m = registers,
        .bytes = registers / 4 * 3,
        .bytes_max = registers / 4 * 3,
        .alignment = 64,
        .columns = joined_columns(params->digest_bits),
        .batch = FILTER_BATCH,
        .scratch_bytes = sizeof(struct joined_scratch),
        .geometry = {[HYPERLOGLOG_PRECISION] = precision},
    };
    if (bits <= precision)
        return fail(err, E_IMPOSSIBLE,
                    "hyperloglog: precision %u leaves nothing of a digest of %u bits", precision,
                    bits);
    return joined_check(params, "hyperloglog", err);
}

/* Registers 4q .. 4q + 3, register 4q lowest. */
static inline uint32_t hyperloglog_load(const unsigned char *memory, uint64_t q)
{
    const unsigned char *bytes = memory + 3 * q;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

static inline unsigned hyperloglog_get(const unsigned char *memory, uint64_t i)
{
    return hyperloglog_load(memory, i / 4) >> (6 * (i % 4)) & 63;
}

static inline void hyperloglog_raise(unsigned char *memory, uint64_t i, unsigned rho)
{
    unsigned shift = 6 * (unsigned)(i % 4);
    uint32_t four = hyperloglog_load(memory, i / 4);
    if (rho <= (four >> shift & 63))
        return;
    unsigned char *bytes = memory + 3 * (i / 4);
    four = (four & ~(UINT32_C(63) << shift)) | rho << shift;
    bytes[0] = (unsigned char)four;
    bytes[1] = (unsigned char)(four >> 8);
    bytes[2] = (unsigned char)(four >> 16);
}

static enum status hyperloglog_insert(struct filter *f, struct digests *batch, void *scratch,
                                      struct error *err)
{
    (void)err;
    const struct layout *layout = f->layout;
    const uint64_t *digest = joined_load(batch, layout->params.digest_bits, scratch);
    const unsigned left = 64 - joined_bits(layout->params.digest_bits);
    const unsigned precision = (unsigned)layout->geometry[HYPERLOGLOG_PRECISION];
    const uint64_t end = UINT64_C(1) << (left + precision - 1); /* stops the zeros: w - p at most */
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t top = digest[i] << left;
        unsigned rho = (unsigned)__builtin_clzll(top << precision | end) + 1;
        hyperloglog_raise(f->memory, top >> (64 - precision), rho);
    }
    f->inserted += batch->count;
    return OK;
}

/* Entries are joined digests. A line of the cache begins at register 128 i of each 96 bytes:
 * regions of 2^s bytes by half the register share no byte. */
static void hyperloglog_scatter(struct filter *f, struct regions *queues, struct digests *batch,
                                void *scratch)
{
    const struct layout *layout = f->layout;
    struct joined_scratch *s = scratch;
    const uint64_t *digest = joined_load(batch, layout->params.digest_bits, s);
    const unsigned bits = joined_bits(layout->params.digest_bits);
    const unsigned precision = (unsigned)layout->geometry[HYPERLOGLOG_PRECISION];
    for (size_t i = 0; i < batch->count; i++)
        s->high[i] = digest[i] >> (bits - precision);
    regions_put(queues, s->high, 1, digest, batch->count);
    f->inserted += batch->count;
}

static void hyperloglog_histogram(const struct filter *f, uint64_t *histogram)
{
    memset(histogram, 0, HYPERLOGLOG_VALUES * sizeof *histogram);
    for (uint64_t i = 0; i < f->layout->m; i++)
        histogram[hyperloglog_get(f->memory, i)]++;
}

/* Registers that are not 0. */
static uint64_t hyperloglog_count_bits(const struct filter *f)
{
    uint64_t histogram[HYPERLOGLOG_VALUES];
    hyperloglog_histogram(f, histogram);
    return f->layout->m - histogram[0];
}

/* A key picks a register uniformly: the registers in use are the cells n throws occupy. */
static void hyperloglog_expected_fill(const struct layout *layout, uint64_t n,
                                      struct moments *moments)
{
    *moments = theory_fill(layout->m, n);
}

/* Bits of a digest beyond those that name a register. */
static unsigned hyperloglog_rest(const struct layout *layout)
{
    return joined_bits(layout->params.digest_bits) -
           (unsigned)layout->geometry[HYPERLOGLOG_PRECISION];
}

static double hyperloglog_cardinality(const struct filter *f)
{
    uint64_t histogram[HYPERLOGLOG_VALUES];
    hyperloglog_histogram(f, histogram);
    return theory_hll_centred(histogram, (unsigned)f->layout->geometry[HYPERLOGLOG_PRECISION],
                              hyperloglog_rest(f->layout));
}

static void hyperloglog_expected_cardinality(const struct layout *layout, uint64_t n,
                                             const struct moments *fill, struct moments *moments)
{
    (void)fill;
    *moments = theory_hll_centred_moments((unsigned)layout->geometry[HYPERLOGLOG_PRECISION],
                                          hyperloglog_rest(layout), n);
}

/* The sketch of the union: the greater of each two registers. */
static enum status hyperloglog_merge(struct filter *a, const struct filter *b, enum merge_op op,
                                     struct error *err)
{
    if (op != MERGE_UNION)
        return fail(err, E_INPUT, "hyperloglog: sketches have a union, but no intersection");
    enum status status = standard_same_layout(a, b, err);
    if (status)
        return status;
    for (uint64_t i = 0; i < a->layout->m; i++)
        hyperloglog_raise(a->memory, i, hyperloglog_get(b->memory, i));
    a->inserted += b->inserted;
    return OK;
}

/* The estimate of 2007 where rho is taken for the zeros themselves, without the 1: every register
 * holds one less, and the sum comes out double. */
static double hyperloglog_wrong_rho(const uint64_t *histogram, unsigned precision)
{
    uint64_t shifted[HYPERLOGLOG_VALUES] = {histogram[0]};
    for (unsigned r = 1; r < HYPERLOGLOG_VALUES; r++)
        shifted[r - 1] += histogram[r];
    return theory_hll_estimate(shifted, precision);
}

static bool hyperloglog_measure(const struct filter *f, unsigned i, struct measure *measure)
{
    static const char *const names[] = {"zero_registers", "greatest_register", "cardinality_2007",
                                        "cardinality_ertl", "cardinality_wrong_rho"};
    if (i >= sizeof names / sizeof *names)
        return false;
    uint64_t histogram[HYPERLOGLOG_VALUES];
    unsigned precision = (unsigned)f->layout->geometry[HYPERLOGLOG_PRECISION];
    hyperloglog_histogram(f, histogram);
    unsigned greatest = HYPERLOGLOG_VALUES - 1;
    while (greatest > 0 && histogram[greatest] == 0)
        greatest--;
    double values[] = {
        (double)histogram[0],
        greatest,
        theory_hll_estimate(histogram, precision),
        theory_hll_ertl(histogram, precision, hyperloglog_rest(f->layout)),
        hyperloglog_wrong_rho(histogram, precision),
    };
    *measure = (struct measure){.name = names[i], .value = values[i]};
    return true;
}

/* Bias and standard deviation of the other two estimates, relative to n; of the filter's own they
 * are told with the workload. */
static bool hyperloglog_formula(const struct layout *layout, uint64_t n, unsigned i,
                                struct formula *formula)
{
    static const char *const names[] = {"hll_standard_error", "cardinality_2007_bias",
                                        "cardinality_2007_sd", "cardinality_ertl_bias",
                                        "cardinality_ertl_sd"};
    static const char *const sources[] = {"1.04/sqrt(2^p): Flajolet et al. 2007",
                                          "Flajolet et al. 2007: delta method",
                                          "Ertl 2017: delta method"};
    unsigned precision = (unsigned)layout->geometry[HYPERLOGLOG_PRECISION];
    struct moments moments = {0, 0};
    double value = theory_hll_standard_error(precision);
    if (i >= (n ? sizeof names / sizeof *names : 1))
        return false;
    if (i > 0) {
        moments = i < 3 ? theory_hll_moments(precision, n)
                        : theory_hll_ertl_moments(precision, hyperloglog_rest(layout), n);
        value = i % 2 ? moments.mean / (double)n - 1 : sqrt(moments.variance) / (double)n;
    }
    *formula = (struct formula){names[i], value, sources[(i + 1) / 2]};
    return true;
}

const struct filter_ops filter_hyperloglog = {
    .name = "hyperloglog",
    .summary = "counts distinct keys in 2^precision registers; no membership",
    .source = "Flajolet, Fusy, Gandouet, Meunier, AofA 2007; Ertl, arXiv:1702.01284, 2017",
    .params = hyperloglog_params,
    .axes = AXIS_HASH,
    .capabilities = CAN_MERGE_UNION | CAN_ESTIMATE_CARDINALITY,
    .plan = hyperloglog_plan,
    .init = standard_init,
    .insert = hyperloglog_insert,
    .scatter = hyperloglog_scatter,
    .settle = regions_settle_joined,
    .count_bits = hyperloglog_count_bits,
    .expected_fill = hyperloglog_expected_fill,
    .formula = hyperloglog_formula,
    .cardinality = hyperloglog_cardinality,
    .expected_cardinality = hyperloglog_expected_cardinality,
    .merge = hyperloglog_merge,
    .measure = hyperloglog_measure,
};
