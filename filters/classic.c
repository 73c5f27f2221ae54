/* SPDX-License-Identifier: MIT
 *
 * classic.c: the classic Bloom filter: k digests, k positions in one array of m bits.
 *
 * Source: B. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", CACM 13(7), 1970.
 * Positions may repeat within a key (Bloom's own analysis had them distinct), hence the exact rate
 * of Bose et al. 2008.
 *
 * Memory: ceil(m / 8) bytes of bits.
 */
#include "filters/add.h"
#include "filters/bits.h"
#include "filters/filter.h"
#include "filters/loops.h"
#include "filters/standard.h"

static enum status classic_plan(struct layout *layout, const struct filter_params *params,
                                struct error *err)
{
    *layout = (struct layout){
        .params = *params,
        .m = params->m,
        .k = params->k,
        .bytes = bits_bytes(params->m),
        .bytes_max = bits_bytes(params->m),
        .alignment = 64,
        .columns = params->k,
        .batch = FILTER_BATCH,
        .scratch_bytes = add_scratch_bytes(LOOPS_SCRATCH_BYTES, params->k),
    };
    if (params->k > params->digest_columns)
        return fail(err, E_IMPOSSIBLE, "classic: k %u needs %u digests, the family gives %u",
                    params->k, params->k, params->digest_columns);
    return reducer_init(&layout->reducer, params->reduction, params->m, params->digest_bits, "m",
                        err);
}

static inline uint64_t classic_range(const struct layout *layout, unsigned column)
{
    (void)layout, (void)column;
    return 0;
}

static inline void classic_set(struct filter *f, uint64_t position)
{
    bits_set(f->memory, position);
}

static inline const void *classic_address(const unsigned char *memory, uint64_t position)
{
    return memory + (position >> 3);
}

#define LOOPS_NAME classic
#define LOOPS_RANGE classic_range
#define LOOPS_TEST bits_test
#define LOOPS_LOG_WIDTH 0
#define LOOPS_SET classic_set
#define LOOPS_ADDRESS classic_address
#include "filters/loops_template.h"

#define ADD_NAME classic
#define ADD_RANGE classic_range
#define ADD_SET add_bit
#define ADD_ADDRESS classic_address
#include "filters/add_template.h"

static struct estimate classic_fpr_scheme(const struct filter *f)
{
    return (struct estimate){.value = standard_fpr_bits(f)};
}

const struct filter_ops filter_classic = {
    .name = "classic",
    .summary = "k digests, k positions in one array of m bits",
    .source = "Bloom, CACM 13(7), 1970",
    .axes = AXES_ALL,
    .capabilities = CAN_MERGE_UNION | CAN_MERGE_INTERSECTION | CAN_ESTIMATE_CARDINALITY |
                    CAN_ANSWER_MEMBERSHIP | FILLS_BY_THROWS,
    .plan = classic_plan,
    .init = standard_init,
    .insert = classic_insert,
    .scatter = classic_scatter,
    .settle = classic_settle,
    .add = classic_add,
    .query = classic_query,
    .match = classic_match,
    .count_bits = standard_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = classic_fpr_scheme,
    .expected_fpr = standard_expected_fpr,
    .expected_fill = standard_expected_fill,
    .expected_overlap = standard_expected_overlap,
    .cardinality = standard_cardinality,
    .expected_cardinality = standard_expected_cardinality,
    .merge = standard_merge,
    .probes = standard_probes,
    .test = standard_test,
    .probe_rates = standard_probe_rates,
};
