/* SPDX-License-Identifier: MIT
 *
 * split_block.c: a key picks one block of eight words, then exactly one bit in each word: k = 8.
 *
 * Source: the split block Bloom filter of the Apache Parquet format specification (2019) and of
 * Apache Impala, after Putze, Sanders, Singler, WEA 2007. The geometry is theirs (8 words of 32
 * bits; here also 8 of 64). The probing is this project's: the block by the reduction asked for,
 * the bits from odd multiples of one 64-bit digest (block.h), where Parquet takes the block from
 * the high half and the bits from 32-bit multiples of the low half. So the rates are those of
 * Parquet's filter, the bits are not.
 *
 * Memory: ceil(m / block_bits) blocks; word w of a block is its bits [w b, (w + 1) b). m_actual is
 * m rounded up to whole blocks.
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

enum { SPLIT_WORDS = 8 };

static const struct param_spec split_block_params[] = {
    {.name = "block_bits",
     .summary = "256: 8 words of 32 bits, as in Parquet; 512: 8 words of 64 bits",
     .type = PARAM_INTEGER,
     .min = 256,
     .max = 512,
     .fallback = "256"},
    {0},
};

static enum status split_block_plan(struct layout *layout, const struct filter_params *params,
                                    struct error *err)
{
    unsigned bits = (unsigned)params->own[0].integer;
    if (bits != 256 && bits != 512)
        return fail(err, E_INPUT, "split_block: block_bits %u is neither 256 nor 512", bits);
    return block_plan(layout, params, bits, SPLIT_WORDS, "split_block", err);
}

/* Position in the block of the key's bit in word `word` of 2^log_bits bits. */
static inline unsigned split_block_position(uint64_t digest, unsigned word, unsigned log_bits)
{
    return word << log_bits | (unsigned)(digest * block_odd[word] >> (64 - log_bits));
}

static inline unsigned split_block_log_bits(const struct layout *layout)
{
    return layout->geometry[BLOCK_BITS] == 256 ? 5 : 6;
}

static void split_block_set(const struct filter *f, const struct block_batch *b)
{
    static block_kernel *const kernels[PATH_COUNT] = BLOCK_KERNELS(split_block_insert);
    const unsigned log_bits = split_block_log_bits(f->layout);
    for (size_t i = block_kernel_run(kernels, b); i < b->count; i++) {
        if (b->far)
            __builtin_prefetch(b->memory + b->start[i + BLOCK_AHEAD], 0, 2);
        for (unsigned word = 0; word < SPLIT_WORDS; word++)
            bits_set(b->memory + b->start[i], split_block_position(b->digest[i], word, log_bits));
    }
}

static enum status split_block_insert(struct filter *f, struct digests *batch, void *scratch,
                                      struct error *err)
{
    (void)err;
    block_insert(f, batch, scratch, split_block_set);
    return OK;
}

/* Are all eight bits set? Without a branch: the eight tests overlap. */
static inline bool split_block_test(const unsigned char *block, uint64_t digest, unsigned log_bits)
{
    unsigned all = 1;
    for (unsigned word = 0; word < SPLIT_WORDS; word++)
        all &= bits_test(block, split_block_position(digest, word, log_bits));
    return all;
}

static void split_block_ask(const struct filter *f, const struct block_batch *b)
{
    static block_kernel *const kernels[PATH_COUNT] = BLOCK_KERNELS(split_block_query);
    const unsigned log_bits = split_block_log_bits(f->layout);
    for (size_t i = block_kernel_run(kernels, b); i < b->count; i++) {
        if (b->far)
            __builtin_prefetch(b->memory + b->start[i + BLOCK_AHEAD], 0, 2);
        uint64_t hit = split_block_test(b->memory + b->start[i], b->digest[i], log_bits);
        b->hits[i / 64] |= hit << i % 64;
    }
}

static uint64_t split_block_query(const struct filter *f, uint8_t *present, struct digests *batch,
                                  void *scratch)
{
    const uint64_t *hits = block_ask(f, batch, scratch, split_block_ask);
    return present ? answer_bytes(present, hits, batch->count) : answer_count(hits, batch->count);
}

static uint64_t split_block_match(const struct filter *f, uint32_t *which, struct digests *batch,
                                  void *scratch)
{
    return answer_list(which, block_ask(f, batch, scratch, split_block_ask), batch->count);
}

static enum status split_block_add(struct filter *f, uint64_t *found, uint8_t *present,
                                   struct digests *batch, void *scratch, struct error *err)
{
    (void)err;
    struct block_scratch *s = scratch;
    const uint64_t *digest = block_locate(f, batch, s);
    const bool far = f->layout->bytes > LOOPS_PREFETCH_BYTES;
    const unsigned log_bits = split_block_log_bits(f->layout);
    uint64_t hits = 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (far)
            __builtin_prefetch(f->memory + s->start[i + BLOCK_AHEAD], 1);
        bool all = true;
        for (unsigned word = 0; word < SPLIT_WORDS; word++)
            all &= add_bit(f, 8 * s->start[i] + split_block_position(digest[i], word, log_bits));
        present[i] = all;
        hits += all;
    }
    f->inserted += batch->count;
    *found = hits;
    return OK;
}

/* (1/nb) sum_b prod_w X_bw/b, summed in integers: a product is at most 64^8 = 2^48. */
static struct estimate split_block_fpr_scheme(const struct filter *f)
{
    const uint64_t blocks = f->layout->geometry[BLOCK_COUNT];
    const uint64_t word_bits = f->layout->geometry[BLOCK_BITS] / SPLIT_WORDS;
    uint128 sum = 0;
    for (uint64_t word = 0; word < blocks * SPLIT_WORDS; word += SPLIT_WORDS) {
        uint64_t product = 1;
        for (uint64_t w = word; w < word + SPLIT_WORDS; w++)
            product *= bits_count(f->memory + w * (word_bits / 8), word_bits / 8);
        sum += product;
    }
    double cells = pow((double)word_bits, SPLIT_WORDS) * (double)blocks;
    return (struct estimate){.value = (double)sum / cells};
}

static void split_block_probes(const struct filter *f, uint64_t *position, struct digests *batch,
                               void *scratch)
{
    struct block_scratch *s = scratch;
    const uint64_t *digest = block_locate(f, batch, s);
    const unsigned log_bits = split_block_log_bits(f->layout);
    for (unsigned word = 0; word < SPLIT_WORDS; word++)
        for (size_t i = 0; i < batch->count; i++)
            position[word * f->layout->batch + i] =
                8 * s->start[i] + split_block_position(digest[i], word, log_bits);
}

/* Probe w looks at word w of one block: (1/nb) sum_b X_bw/b, and products of two words. */
static void split_block_probe_rates(const struct filter *f, double *single, double *pair)
{
    const uint64_t blocks = f->layout->geometry[BLOCK_COUNT];
    const uint64_t word_bits = f->layout->geometry[BLOCK_BITS] / SPLIT_WORDS;
    uint64_t set[SPLIT_WORDS] = {0}, both[SPLIT_WORDS][SPLIT_WORDS] = {{0}};
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t count[SPLIT_WORDS];
        for (unsigned w = 0; w < SPLIT_WORDS; w++) {
            count[w] =
                bits_count(f->memory + (b * SPLIT_WORDS + w) * (word_bits / 8), word_bits / 8);
            set[w] += count[w];
            for (unsigned v = 0; v < w; v++)
                both[v][w] += count[v] * count[w];
        }
    }
    double cells = (double)blocks * (double)word_bits;
    for (unsigned v = 0; v < SPLIT_WORDS; v++) {
        single[v] = (double)set[v] / cells;
        for (unsigned w = v + 1; pair && w < SPLIT_WORDS; w++)
            pair[v * SPLIT_WORDS + w] = (double)both[v][w] / (cells * (double)word_bits);
    }
}

static void split_block_expected_fpr(const struct layout *layout, uint64_t n, struct model *model)
{
    unsigned word_bits = (unsigned)layout->geometry[BLOCK_BITS] / SPLIT_WORDS;
    uint64_t blocks = layout->geometry[BLOCK_COUNT];
    *model = (struct model){
        .fpr = theory_fpr_split(SPLIT_WORDS, word_bits, blocks, n),
        .variance = theory_fpr_split_variance(SPLIT_WORDS, word_bits, blocks, n),
        .name = "binomial_blocks",
    };
}

static void split_block_expected_fill(const struct layout *layout, uint64_t n,
                                      struct moments *moments)
{
    unsigned word_bits = (unsigned)layout->geometry[BLOCK_BITS] / SPLIT_WORDS;
    *moments = theory_fill_split(SPLIT_WORDS, word_bits, layout->geometry[BLOCK_COUNT], n);
}

static double split_block_expected_overlap(const struct layout *layout, double others)
{
    unsigned word_bits = (unsigned)layout->geometry[BLOCK_BITS] / SPLIT_WORDS;
    return theory_overlap_split_block(word_bits, SPLIT_WORDS, layout->geometry[BLOCK_COUNT],
                                      others);
}

static bool split_block_formula(const struct layout *layout, uint64_t n, unsigned i,
                                struct formula *formula)
{
    unsigned word_bits = (unsigned)layout->geometry[BLOCK_BITS] / SPLIT_WORDS;
    uint64_t blocks = layout->geometry[BLOCK_COUNT];
    *formula = (struct formula){.source = "Putze, Sanders, Singler, JEA 14, 2009"};
    switch (i) {
    case 0:
        formula->name = "split_poisson";
        formula->value =
            theory_fpr_split_poisson(SPLIT_WORDS, word_bits, (double)n / (double)blocks);
        return true;
    case 1:
        formula->name = "split_binomial";
        formula->value = theory_fpr_split(SPLIT_WORDS, word_bits, blocks, n);
        return true;
    default:
        return false;
    }
}

/* A key sets a given bit when it picks its block and that bit of its word. */
static double split_block_cardinality(const struct filter *f)
{
    return block_cardinality(f, SPLIT_WORDS / (double)f->layout->m);
}

static void split_block_expected_cardinality(const struct layout *layout, uint64_t n,
                                             const struct moments *fill, struct moments *moments)
{
    (void)n;
    *moments = block_expected_cardinality(layout, SPLIT_WORDS / (double)layout->m, fill);
}

const struct filter_ops filter_split_block = {
    .name = "split_block",
    .summary = "one block per key, one bit in each of its eight words",
    .source = "Apache Parquet format, split block Bloom filter, 2019",
    .params = split_block_params,
    .axes = AXIS_M | AXIS_REDUCTION | AXIS_HASH,
    .capabilities =
        CAN_MERGE_UNION | CAN_MERGE_INTERSECTION | CAN_ESTIMATE_CARDINALITY | CAN_ANSWER_MEMBERSHIP,
    .plan = split_block_plan,
    .init = standard_init,
    .insert = split_block_insert,
    .scatter = block_scatter,
    .settle = regions_settle_joined,
    .census = regions_census_joined,
    .add = split_block_add,
    .query = split_block_query,
    .match = split_block_match,
    .count_bits = standard_count_bits,
    .fpr_bits = standard_fpr_bits,
    .fpr_scheme = split_block_fpr_scheme,
    .expected_fpr = split_block_expected_fpr,
    .expected_fill = split_block_expected_fill,
    .expected_overlap = split_block_expected_overlap,
    .formula = split_block_formula,
    .cardinality = split_block_cardinality,
    .expected_cardinality = split_block_expected_cardinality,
    .merge = standard_merge,
    .measure = block_measure,
    .probes = split_block_probes,
    .test = standard_test,
    .probe_rates = split_block_probe_rates,
};
