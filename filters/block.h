/* SPDX-License-Identifier: MIT
 *
 * block.h: what the two blocked variants share: from a joined digest d to a block, and from d to
 * bits inside a block.
 *
 * The block is the reduction of d over the number of blocks. The bits inside come from the top of
 * odd multiples of d: draw i = 1, 2, ... takes the top bits of A^i d mod 2^64. So the draws of a
 * key are the outputs of a congruential generator started at d, with the 64-bit multiplier A =
 * 0xd1342543de82ef95 that G. Steele and S. Vigna, "Computationally easy, spectrally good
 * multipliers for congruential pseudorandom number generators", Software: Practice and Experience
 * 52(2), 2022, list for its figures in the spectral test up to dimension 8: for uniform d,
 * neighbouring draws fill their space evenly.
 *
 * Why multiples, and not slices of d: the reduction may use the low bits (mod, mask) or the high
 * bits (multiply_shift) for the block; the top of a multiple depends on all bits of d, hence stays
 * uniform when either end is given. It does so for narrow digests too, since A^i has all its 64
 * bits.
 */
#ifndef BLOOMLAB_BLOCK_H
#define BLOOMLAB_BLOCK_H

#include "filters/answer.h"
#include "filters/block_kernels.h"
#include "filters/filter.h"
#include "filters/joined.h"

#define BLOCK_MULTIPLIER UINT64_C(0xd1342543de82ef95)

/* A^1 .. A^8 mod 2^64: eight draws without a chain of products. */
extern const uint64_t block_odd[8];

enum { BLOCK_BITS_MIN = 64, BLOCK_BITS_MAX = 4096 };

/* A block is touched this many keys after its prefetch: misses overlap, and the lines are not yet
 * evicted. */
enum { BLOCK_AHEAD = 24 };

struct block_scratch {
    struct joined_scratch joined;
    /* First byte of each key's block; the rest repeat the last, where there are prefetches. */
    uint64_t start[FILTER_BATCH + BLOCK_AHEAD];
    uint64_t hits[FILTER_BATCH / 64]; /* answer.h */
};

/* layout->geometry of both variants. */
enum { BLOCK_BITS, BLOCK_COUNT };

/* Lays out ceil(params->m / block_bits) blocks, so that no position asked for is missing: m_actual
 * is m rounded up. E_IMPOSSIBLE: mask with a number of blocks that is no power of two; too few
 * digests. */
enum status block_plan(struct layout *layout, const struct filter_params *params,
                       unsigned block_bits, unsigned k, const char *variant, struct error *err);

/* Joined digests of the batch; scratch->start then tells the block of each key. */
const uint64_t *block_locate(const struct filter *f, struct digests *batch,
                             struct block_scratch *scratch);

/* What a variant does with at most FILTER_BATCH keys whose blocks are known: sets their bits, or
 * sets b->hits, which are 0, where they are present. */
typedef void block_do(const struct filter *f, const struct block_batch *b);

/* Inserts a batch, or asks for it and returns the bitmap of its answers (answer.h), in scratch. */
void block_insert(struct filter *f, struct digests *batch, void *scratch, block_do *set);
const uint64_t *block_ask(const struct filter *f, struct digests *batch, void *scratch,
                          block_do *test);

/* ops->scatter: entries are joined digests. */
void block_scatter(struct filter *f, struct regions *queues, struct digests *batch, void *scratch);

/* Asks for the lines of the block that begins at `start`. Into the second level of the cache: the
 * first has fewer buffers for lines under way, and so fewer misses overlap. */
static inline void block_prefetch(const struct filter *f, uint64_t start, uint64_t bytes)
{
    for (uint64_t line = 0; line < bytes; line += 64)
        __builtin_prefetch(f->memory + start + line, 0, 2);
}

/* Set bits of block b. */
uint64_t block_count(const struct filter *f, uint64_t block);

/* Number of keys that leave X = count_bits() on average: ln(1 - X/m) / ln(1 - miss), where
 * `touched` is the probability that one key sets a given bit. 0 when empty, INFINITY when
 * saturated. */
double block_cardinality(const struct filter *f, double touched);

/* Its moments. */
struct moments block_expected_cardinality(const struct layout *layout, double touched,
                                          const struct moments *fill);

/* blocks, full_blocks, fullest_block_bits. */
bool block_measure(const struct filter *f, unsigned i, struct measure *measure);

#endif
