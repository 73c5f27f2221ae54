/* SPDX-License-Identifier: MIT
 *
 * partitioned.c: k slices of s = floor(m / k) bits, one probe in each.
 *
 * Source: J. Mullin, "A Second Look at Bloom Filters", CACM 26(8), 1983; A. Kirsch, M.
 * Mitzenmacher, "Less Hashing, Same Performance", RSA 33(2), 2008, section 5.
 *
 * Memory: m_actual = s k bits in ceil(s k / 8) bytes; slice i is bits s i .. s (i + 1) - 1, whether
 * or not a byte begins there.
 *
 * What surprises: m mod k bits are not used. Digests are reduced to the slice, so that the
 * reduction mask needs a slice, not m, that is a power of two.
 */
#include <inttypes.h>

#include "filters/add.h"
#include "filters/bits.h"
#include "filters/loops.h"
#include "filters/standard.h"
#include "filters/theory/deletion.h"
#include "filters/theory/partitioned.h"

enum partitioned_geometry { PARTITIONED_SLICE };

static enum status partitioned_plan(struct layout *layout, const struct filter_params *params,
                                    struct error *err)
{
    uint64_t slice = params->m / params->k;
    uint64_t m = slice * params->k;
    *layout = (struct layout){
        .params = *params,
        .m = m,
        .k = params->k,
        .bytes = bits_bytes(m),
        .bytes_max = bits_bytes(m),
        .alignment = 64,
        .columns = params->k,
        .batch = FILTER_BATCH,
        .scratch_bytes = add_scratch_bytes(LOOPS_SCRATCH_BYTES, params->k),
        .geometry = {[PARTITIONED_SLICE] = slice},
    };
    if (params->k > params->digest_columns)
        return fail(err, E_IMPOSSIBLE, "partitioned: k %u needs %u digests, the family gives %u",
                    params->k, params->k, params->digest_columns);
    if (slice == 0)
        return fail(err, E_IMPOSSIBLE,
                    "partitioned: k %u slices need a bit each, but m is only %" PRIu64, params->k,
                    params->m);
    return reducer_init(&layout->reducer, params->reduction, slice, params->digest_bits,
                        "the slice m / k", err);
}

static inline uint64_t partitioned_range(const struct layout *layout, unsigned column)
{
    return column * layout->geometry[PARTITIONED_SLICE];
}

static inline void partitioned_set(struct filter *f, uint64_t position)
{
    bits_set(f->memory, position);
}

static inline const void *partitioned_address(const unsigned char *memory, uint64_t position)
{
    return memory + (position >> 3);
}

#define LOOPS_NAME partitioned
#define LOOPS_RANGE partitioned_range
#define LOOPS_TEST bits_test
#define LOOPS_LOG_WIDTH 0
#define LOOPS_SET partitioned_set
#define LOOPS_ADDRESS partitioned_address
#include "filters/loops_template.h"

#define ADD_NAME partitioned
#define ADD_RANGE partitioned_range
#define ADD_SET add_bit
#define ADD_ADDRESS partitioned_address
#include "filters/add_template.h"

/* prod_i X_i / s: a fresh key hits every slice independently. */
static struct estimate partitioned_fpr_scheme(const struct filter *f)
{
    uint64_t slice = f->layout->geometry[PARTITIONED_SLICE];
    double rate = 1;
    for (unsigned i = 0; i < f->layout->k; i++)
        rate *= (double)bits_count_range(f->memory, i * slice, (i + 1) * slice) / (double)slice;
    return (struct estimate){.value = rate};
}

static void partitioned_probes(const struct filter *f, uint64_t *position, struct digests *batch,
                               void *scratch)
{
    standard_probes(f, position, batch, scratch);
    for (unsigned probe = 1; probe < f->layout->k; probe++)
        for (size_t i = 0; i < batch->count; i++)
            position[probe * f->layout->batch + i] += partitioned_range(f->layout, probe);
}

static void partitioned_probe_rates(const struct filter *f, double *single, double *pair)
{
    const uint64_t slice = f->layout->geometry[PARTITIONED_SLICE];
    const unsigned k = f->layout->k;
    for (unsigned i = 0; i < k; i++) {
        uint64_t set = bits_count_range(f->memory, i * slice, (i + 1) * slice);
        single[i] = (double)set / (double)slice;
    }
    for (unsigned i = 0; pair && i < k; i++)
        for (unsigned j = i + 1; j < k; j++)
            pair[i * k + j] = single[i] * single[j];
}

static void partitioned_expected_fpr(const struct layout *layout, uint64_t n, struct model *model)
{
    uint64_t slice = layout->geometry[PARTITIONED_SLICE];
    *model = (struct model){
        .fpr = theory_fpr_partitioned(slice, n, layout->k),
        .variance = theory_fpr_partitioned_variance(slice, n, layout->k),
        .name = "partitioned",
    };
}

static void partitioned_expected_fill(const struct layout *layout, uint64_t n,
                                      struct moments *moments)
{
    *moments = theory_fill_partitioned(layout->geometry[PARTITIONED_SLICE], n, layout->k);
}

static double partitioned_expected_overlap(const struct layout *layout, double others)
{
    return theory_overlap_partitioned(layout->geometry[PARTITIONED_SLICE], layout->k, others);
}

/* Every slice is a filter of s bits and one probe, all with one expected fill: their mean fill
 * inverted, -s ln(1 - X/(s k)), is the standard estimate at m_actual. A mean of the slices' own
 * estimates would be infinite as soon as one slice is full. */
const struct filter_ops filter_partitioned = {
    .name = "partitioned",
    .summary = "k slices of floor(m/k) bits, one probe in each",
    .source = "Mullin, CACM 26(8), 1983; Kirsch & Mitzenmacher, RSA 33(2), 2008",
    .axes = AXES_ALL,
    .capabilities =
        CAN_MERGE_UNION | CAN_MERGE_INTERSECTION | CAN_ESTIMATE_CARDINALITY | CAN_ANSWER_MEMBERSHIP,
    .plan = partitioned_plan,
    .init = standard_init,
    .insert = partitioned_insert,
    .scatter = partitioned_scatter,
    .settle = partitioned_settle,
    .add = partitioned_add,
    .query = partitioned_query,
    .match = partitioned_match,
    .count_bits = standard_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = partitioned_fpr_scheme,
    .expected_fpr = partitioned_expected_fpr,
    .expected_fill = partitioned_expected_fill,
    .expected_overlap = partitioned_expected_overlap,
    .cardinality = standard_cardinality,
    .expected_cardinality = standard_expected_cardinality,
    .merge = standard_merge,
    .probes = partitioned_probes,
    .test = standard_test,
    .probe_rates = partitioned_probe_rates,
};
