/* SPDX-License-Identifier: MIT
 *
 * blocked.c: a key picks one block of block_bits bits (512: one cache line), then k positions
 * inside it, repeats allowed: one miss of the cache per key, for a higher rate, since blocks fill
 * unevenly.
 *
 * Source: F. Putze, P. Sanders, J. Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", WEA
 * 2007; ACM JEA 14, 2009.
 *
 * Memory: ceil(m / B) blocks of B bits, one after the other, aligned so that none crosses a line
 * that it need not cross. m_actual is m rounded up to whole blocks. Mask needs a power of two of
 * blocks, not of bits. A key costs one joined digest (joined.h) whatever k is; block.h says how it
 * becomes positions.
 */
#include <math.h>

#include "filters/add.h"
#include "filters/bits.h"
#include "filters/block.h"
#include "filters/loops.h"
#include "filters/regions.h"
#include "filters/standard.h"
#include "filters/theory/blocked.h"
#include "filters/theory/deletion.h"

static const struct param_spec blocked_params[] = {
    {.name = "block_bits",
     .summary = "bits of a block, a power of two; 512 is one cache line",
     .type = PARAM_INTEGER,
     .min = BLOCK_BITS_MIN,
     .max = BLOCK_BITS_MAX,
     .fallback = "512"},
    {0},
};

static enum status blocked_plan(struct layout *layout, const struct filter_params *params,
                                struct error *err)
{
    unsigned bits = (unsigned)params->own[0].integer;
    if (bits < BLOCK_BITS_MIN || bits > BLOCK_BITS_MAX || (bits & (bits - 1)))
        return fail(err, E_INPUT, "blocked: block_bits %u is not a power of two in [%d, %d]", bits,
                    BLOCK_BITS_MIN, BLOCK_BITS_MAX);
    return block_plan(layout, params, bits, params->k, "blocked", err);
}

/* Moves a draw from the top of 64 bits into a block. */
static inline unsigned blocked_shift(const struct layout *layout)
{
    return 64 - (unsigned)__builtin_ctzll(layout->geometry[BLOCK_BITS]);
}

static void blocked_set(const struct filter *f, const struct block_batch *b)
{
    static block_kernel *const kernels[PATH_COUNT] = BLOCK_KERNELS(blocked_insert);
    const unsigned shift = blocked_shift(f->layout);
    for (size_t i = block_kernel_run(kernels, b); i < b->count; i++) {
        if (b->far)
            block_prefetch(f, b->start[i + BLOCK_AHEAD], b->block_bits / 8);
        uint64_t draw = b->digest[i];
        for (unsigned probe = 0; probe < b->k; probe++) {
            draw *= BLOCK_MULTIPLIER;
            bits_set(b->memory + b->start[i], draw >> shift);
        }
    }
}

static enum status blocked_insert(struct filter *f, struct digests *batch, void *scratch,
                                  struct error *err)
{
    (void)err;
    block_insert(f, batch, scratch, blocked_set);
    return OK;
}

/* Are all k bits set? Probes go in fours without a branch between them: a half-full block decides
 * 15 of 16 absent keys in the first four, so that the branch after them is foreseen. */
static inline bool blocked_test(const unsigned char *block, uint64_t digest, unsigned k,
                                unsigned shift)
{
    unsigned all = 1;
    for (; k >= 4 && all; k -= 4)
        for (unsigned probe = 0; probe < 4; probe++) {
            digest *= BLOCK_MULTIPLIER;
            all &= bits_test(block, digest >> shift);
        }
    for (; k % 4 && all; k--) {
        digest *= BLOCK_MULTIPLIER;
        all &= bits_test(block, digest >> shift);
    }
    return all;
}

static void blocked_ask(const struct filter *f, const struct block_batch *b)
{
    static block_kernel *const kernels[PATH_COUNT] = BLOCK_KERNELS(blocked_query);
    const unsigned shift = blocked_shift(f->layout);
    for (size_t i = block_kernel_run(kernels, b); i < b->count; i++) {
        if (b->far)
            block_prefetch(f, b->start[i + BLOCK_AHEAD], b->block_bits / 8);
        uint64_t hit = blocked_test(b->memory + b->start[i], b->digest[i], b->k, shift);
        b->hits[i / 64] |= hit << i % 64;
    }
}

static uint64_t blocked_query(const struct filter *f, uint8_t *present, struct digests *batch,
                              void *scratch)
{
    const uint64_t *hits = block_ask(f, batch, scratch, blocked_ask);
    return present ? answer_bytes(present, hits, batch->count) : answer_count(hits, batch->count);
}

static uint64_t blocked_match(const struct filter *f, uint32_t *which, struct digests *batch,
                              void *scratch)
{
    return answer_list(which, block_ask(f, batch, scratch, blocked_ask), batch->count);
}

static enum status blocked_add(struct filter *f, uint64_t *found, uint8_t *present,
                               struct digests *batch, void *scratch, struct error *err)
{
    (void)err;
    struct block_scratch *s = scratch;
    const uint64_t *digest = block_locate(f, batch, s);
    const bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
    const unsigned k = f->layout->k, shift = blocked_shift(f->layout);
    const uint64_t block_bytes = f->layout->geometry[BLOCK_BITS] / 8;
    uint64_t hits = 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (far)
            block_prefetch(f, s->start[i + BLOCK_AHEAD], block_bytes);
        uint64_t draw = digest[i];
        bool all = true;
        for (unsigned probe = 0; probe < k; probe++) {
            draw *= BLOCK_MULTIPLIER;
            all &= add_bit(f, 8 * s->start[i] + (draw >> shift));
        }
        present[i] = all;
        hits += all;
    }
    f->inserted += batch->count;
    *found = hits;
    return OK;
}

/* (1/nb) sum_b (X_b/B)^k, through the histogram of X_b: one power per value, whatever nb is. */
static struct estimate blocked_fpr_scheme(const struct filter *f)
{
    const struct layout *layout = f->layout;
    uint64_t histogram[BLOCK_BITS_MAX + 1] = {0};
    for (uint64_t b = 0; b < layout->geometry[BLOCK_COUNT]; b++)
        histogram[block_count(f, b)]++;
    double sum = 0, bits = (double)layout->geometry[BLOCK_BITS];
    for (uint64_t x = 1; x <= layout->geometry[BLOCK_BITS]; x++)
        if (histogram[x])
            sum += (double)histogram[x] * pow((double)x / bits, layout->k);
    return (struct estimate){.value = sum / (double)layout->geometry[BLOCK_COUNT]};
}

static void blocked_probes(const struct filter *f, uint64_t *position, struct digests *batch,
                           void *scratch)
{
    struct block_scratch *s = scratch;
    const uint64_t *digest = block_locate(f, batch, s);
    const unsigned shift = blocked_shift(f->layout);
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t draw = digest[i];
        for (unsigned probe = 0; probe < f->layout->k; probe++) {
            draw *= BLOCK_MULTIPLIER;
            position[probe * f->layout->batch + i] = 8 * s->start[i] + (draw >> shift);
        }
    }
}

/* All probes look at one block: two of them hit with (1/nb) sum_b (X_b/B)^2, more than (X/m)^2. */
static void blocked_probe_rates(const struct filter *f, double *single, double *pair)
{
    const struct layout *layout = f->layout;
    uint128 set = 0, squares = 0;
    for (uint64_t b = 0; b < layout->geometry[BLOCK_COUNT]; b++) {
        uint64_t count = block_count(f, b);
        set += count;
        squares += count * count;
    }
    double m = (double)layout->m, bits = (double)layout->geometry[BLOCK_BITS];
    for (unsigned i = 0; i < layout->k; i++) {
        single[i] = (double)set / m;
        for (unsigned j = i + 1; pair && j < layout->k; j++)
            pair[i * layout->k + j] = (double)squares / (m * bits);
    }
}

static void blocked_expected_fpr(const struct layout *layout, uint64_t n, struct model *model)
{
    unsigned bits = (unsigned)layout->geometry[BLOCK_BITS];
    uint64_t blocks = layout->geometry[BLOCK_COUNT];
    *model = (struct model){
        .fpr = theory_fpr_blocked(bits, blocks, n, layout->k, INNER_EXACT),
        .variance = theory_fpr_blocked_variance(bits, blocks, n, layout->k),
        .name = "binomial_blocks",
    };
}

static void blocked_expected_fill(const struct layout *layout, uint64_t n, struct moments *moments)
{
    *moments = theory_fill_blocked((unsigned)layout->geometry[BLOCK_BITS],
                                   layout->geometry[BLOCK_COUNT], n, layout->k);
}

static double blocked_expected_overlap(const struct layout *layout, double others)
{
    return theory_overlap_blocked((unsigned)layout->geometry[BLOCK_BITS],
                                  layout->geometry[BLOCK_COUNT], layout->k, others);
}

static bool blocked_formula(const struct layout *layout, uint64_t n, unsigned i,
                            struct formula *formula)
{
    static const struct blocked_formula {
        const char *name;
        bool poisson;
        enum inner_formula inner;
    } list[] = {
        {"blocked_poisson_standard", true, INNER_STANDARD},
        {"blocked_poisson_bloom", true, INNER_BLOOM},
        {"blocked_poisson_exact", true, INNER_EXACT},
        {"blocked_binomial_standard", false, INNER_STANDARD},
        {"blocked_binomial_bloom", false, INNER_BLOOM},
        {"blocked_binomial_exact", false, INNER_EXACT},
    };
    if (i >= sizeof list / sizeof *list)
        return false;
    unsigned bits = (unsigned)layout->geometry[BLOCK_BITS];
    uint64_t blocks = layout->geometry[BLOCK_COUNT];
    *formula = (struct formula){
        .name = list[i].name,
        .value = list[i].poisson ? theory_fpr_blocked_poisson(bits, (double)n / (double)blocks,
                                                              layout->k, list[i].inner)
                                 : theory_fpr_blocked(bits, blocks, n, layout->k, list[i].inner),
        .source = "Putze, Sanders, Singler, JEA 14, 2009",
    };
    return true;
}

/* A key sets a given bit when it picks its block and one of k draws there picks it. */
static double blocked_touched(const struct layout *layout)
{
    double bits = (double)layout->geometry[BLOCK_BITS];
    double drawn = -expm1((double)layout->k * log1p(-1 / bits));
    return drawn / (double)layout->geometry[BLOCK_COUNT];
}

static double blocked_cardinality(const struct filter *f)
{
    return block_cardinality(f, blocked_touched(f->layout));
}

static void blocked_expected_cardinality(const struct layout *layout, uint64_t n,
                                         const struct moments *fill, struct moments *moments)
{
    (void)n;
    *moments = block_expected_cardinality(layout, blocked_touched(layout), fill);
}

const struct filter_ops filter_blocked = {
    .name = "blocked",
    .summary = "one block per key, k positions inside it",
    .source = "Putze, Sanders, Singler, WEA 2007; JEA 14, 2009",
    .params = blocked_params,
    .axes = AXES_ALL,
    .capabilities =
        CAN_MERGE_UNION | CAN_MERGE_INTERSECTION | CAN_ESTIMATE_CARDINALITY | CAN_ANSWER_MEMBERSHIP,
    .plan = blocked_plan,
    .init = standard_init,
    .insert = blocked_insert,
    .scatter = block_scatter,
    .settle = regions_settle_joined,
    .census = regions_census_joined,
    .add = blocked_add,
    .query = blocked_query,
    .match = blocked_match,
    .count_bits = standard_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = blocked_fpr_scheme,
    .expected_fpr = blocked_expected_fpr,
    .expected_fill = blocked_expected_fill,
    .expected_overlap = blocked_expected_overlap,
    .formula = blocked_formula,
    .cardinality = blocked_cardinality,
    .expected_cardinality = blocked_expected_cardinality,
    .merge = standard_merge,
    .measure = block_measure,
    .probes = blocked_probes,
    .test = standard_test,
    .probe_rates = blocked_probe_rates,
};
