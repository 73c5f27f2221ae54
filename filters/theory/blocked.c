/* SPDX-License-Identifier: MIT
 *
 * blocked.c: rates, their variance, and fill of blocked and split-block filters.
 *
 * Let z[s] be the probability that one key of a block misses s given cells of it. All inner
 * formulas are functionals of the powers z[s]^i at load i: f(i) = L[z^i], L being a difference of
 * some order or a weighted sum of them (precise.h). L is linear, so the mean over a random load
 * goes inside:
 *
 *     E f(load) = L[E z^load],   E z^load = (1 - u/blocks)^n   or   exp(-load u),   u = 1 - z.
 *
 * No sum over loads: k + 1 powers and k^2/2 subtractions, about 0.05 ms at k = 16, whatever n is.
 *
 * Variance. With g_b = f of block b, f = (1/blocks) sum g_b:
 *
 *     Var f = Var[g_b]/blocks + (1 - 1/blocks) Cov[g_1, g_2].
 *
 * Given the loads, blocks are independent, and loads are multinomial:
 * E[z^I1 y^I2] = (1 - (u + v)/blocks)^n. Divided by the product of the single means this is
 * (1 - uv/blocks^2/((1 - u/blocks)(1 - v/blocks)))^n; expanded by the binomial theorem, each term
 * is a product of a function of u and the same function of v, hence
 *
 *     Cov = sum_{r >= 1} (-1)^r C(n, r) blocks^-2r A_r^2,   A_r = L[u^r (1 - u/blocks)^(n - r)].
 *
 * Term r is (-1/(blocks - 1))^r times the r-th variance component of f(load): a handful of terms.
 */
#include "filters/theory/blocked.h"

#include <math.h>

#include "filters/theory/precise.h"

struct blocked {
    enum inner_formula inner;
    unsigned cells;  /* that a probe chooses among: block_bits; of a split block: word_bits */
    unsigned probes; /* k; of a split block: words */
    bool split;
    bool poisson;
    double load; /* poisson */
    uint64_t blocks, n;
};

/* L needs z[0 .. count). A query of `probes` probes, 2k for second moments. */
static unsigned blocked_count(const struct blocked *a, unsigned probes)
{
    bool repeats = !a->split && a->inner == INNER_EXACT;
    return 1 + (repeats && probes > a->cells ? a->cells : probes);
}

/* z[s] = base^s. */
static void blocked_chain(mpfr_t *z, unsigned count, const mpfr_t base)
{
    for (unsigned s = 1; s < count; s++)
        mpfr_mul(z[s], z[s - 1], base, MPFR_RNDN);
}

static void blocked_misses(mpfr_t *z, unsigned count, const struct blocked *a)
{
    mpfr_t base;
    mpfr_init2(base, mpfr_get_prec(z[0]));
    precise_ratio(base, a->cells - 1, a->cells);
    mpfr_set_ui(z[0], 1, MPFR_RNDN);
    if (a->split) {
        blocked_chain(z, count, base);
    } else if (a->inner == INNER_STANDARD) {
        precise_ratio(base, a->probes, a->cells);
        mpfr_neg(base, base, MPFR_RNDN);
        mpfr_exp(base, base, MPFR_RNDN);
        blocked_chain(z, count, base);
    } else if (a->inner == INNER_BLOOM) {
        mpfr_pow_ui(base, base, a->probes, MPFR_RNDN);
        blocked_chain(z, count, base);
    } else {
        for (unsigned s = 1; s < count && a->inner == INNER_EXACT; s++) {
            precise_ratio(z[s], a->cells - s, a->cells);
            mpfr_pow_ui(z[s], z[s], a->probes, MPFR_RNDN);
        }
        for (unsigned s = 1; s < count && a->inner == INNER_DISTINCT; s++) {
            mpfr_set(z[s], z[s - 1], MPFR_RNDN);
            precise_miss_distinct_next(z[s], a->cells, a->probes, s - 1);
        }
    }
    mpfr_clear(base);
}

/* E z^load. */
static void blocked_mix(mpfr_t out, const mpfr_t z, const struct blocked *a)
{
    if (!a->poisson) {
        precise_binomial(out, z, a->blocks, a->n);
        return;
    }
    mpfr_t u;
    mpfr_init2(u, mpfr_get_prec(z));
    mpfr_sub_ui(u, z, 1, MPFR_RNDN);
    mpfr_mul_d(u, u, a->load, MPFR_RNDN);
    mpfr_exp(out, u, MPFR_RNDN);
    mpfr_clear(u);
}

/* out := L[x]; x is overwritten. */
static void blocked_functional(mpfr_t out, mpfr_t *x, unsigned probes, const struct blocked *a)
{
    unsigned count = blocked_count(a, probes);
    precise_differences(x, count);
    if (a->split || a->inner != INNER_EXACT) {
        mpfr_set(out, x[count - 1], MPFR_RNDN);
        return;
    }
    mpfr_t *weight = precise_new(count, mpfr_get_prec(x[0]));
    precise_weights(weight, probes, a->cells);
    precise_dot(out, weight, x, count);
    precise_free(weight, count);
}

/* E of the inner formula for `probes` probes. */
static void blocked_mean(mpfr_t out, unsigned probes, const struct blocked *a, mpfr_prec_t bits)
{
    unsigned count = blocked_count(a, probes);
    mpfr_t *z = precise_new(count, bits + PRECISE_EXTRA), *x = precise_new(count, bits);
    blocked_misses(z, count, a);
    for (unsigned s = 0; s < count; s++)
        blocked_mix(x[s], z[s], a);
    blocked_functional(out, x, probes, a);
    precise_free(z, count);
    precise_free(x, count);
}

static void blocked_rate(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    const struct blocked *a = arguments;
    blocked_mean(out, a->probes, a, bits);
}

static double blocked_evaluate(const struct blocked *a)
{
    return precise_value(blocked_rate, a, a->probes + 4, 0);
}

double theory_fpr_blocked(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k,
                          enum inner_formula inner)
{
    if (n == 0)
        return 0;
    return blocked_evaluate(&(struct blocked){
        .inner = inner, .cells = block_bits, .probes = k, .blocks = blocks, .n = n});
}

double theory_fpr_blocked_poisson(unsigned block_bits, double load, unsigned k,
                                  enum inner_formula inner)
{
    if (load == 0)
        return 0;
    return blocked_evaluate(&(struct blocked){
        .inner = inner, .cells = block_bits, .probes = k, .poisson = true, .load = load});
}

double theory_fpr_split(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n)
{
    if (n == 0)
        return 0;
    return blocked_evaluate(&(struct blocked){
        .split = true, .cells = word_bits, .probes = words, .blocks = blocks, .n = n});
}

double theory_fpr_split_poisson(unsigned words, unsigned word_bits, double load)
{
    if (load == 0)
        return 0;
    return blocked_evaluate(&(struct blocked){
        .split = true, .cells = word_bits, .probes = words, .poisson = true, .load = load});
}

unsigned theory_blocked_best_k(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k_max)
{
    unsigned low = 1, high = k_max; /* the smallest k whose successor is no better */
    while (low < high) {
        unsigned k = low + (high - low) / 2;
        if (theory_fpr_blocked(block_bits, blocks, n, k + 1, INNER_EXACT) >=
            theory_fpr_blocked(block_bits, blocks, n, k, INNER_EXACT))
            high = k;
        else
            low = k + 1;
    }
    return low;
}

/* ---- variance ------------------------------------------------------------------------------ */

/* E[g^2] of a split block. For one word at load i, E[(X/b)^2] = 1 - (2 - 1/b) z1^i + (1 - 1/b)
 * z2^i, z1 = 1 - 1/b, z2 = 1 - 2/b; its words-th power by the trinomial theorem. */
static void split_square(mpfr_t out, const struct blocked *a, mpfr_prec_t bits)
{
    mpfr_t *v = precise_new(6, bits + PRECISE_EXTRA);
    mpfr_ptr single = v[0], both = v[1], row = v[2], factor = v[3], z = v[4], mixed = v[5];
    unsigned b = a->cells, words = a->probes;
    precise_ratio(single, b - 1, b);
    precise_ratio(both, b - 2, b);
    mpfr_set_zero(out, 1);
    mpfr_set_ui(row, 1, MPFR_RNDN); /* C(words, i) (-(2 - 1/b))^i */
    for (unsigned i = 0; i <= words; i++) {
        mpfr_pow_ui(z, single, i, MPFR_RNDN);
        mpfr_set(factor, row, MPFR_RNDN); /* row C(words - i, j) (1 - 1/b)^j */
        for (unsigned j = 0; i + j <= words; j++) {
            blocked_mix(mixed, z, a);
            mpfr_mul(mixed, mixed, factor, MPFR_RNDN);
            mpfr_add(out, out, mixed, MPFR_RNDN);
            mpfr_mul(z, z, both, MPFR_RNDN);
            mpfr_mul_ui(factor, factor, (uint64_t)(words - i - j) * (b - 1), MPFR_RNDN);
            mpfr_div_ui(factor, factor, (uint64_t)(j + 1) * b, MPFR_RNDN);
        }
        mpfr_mul_ui(row, row, (uint64_t)(words - i) * (2 * b - 1), MPFR_RNDN);
        mpfr_div_ui(row, row, (uint64_t)(i + 1) * b, MPFR_RNDN);
        mpfr_neg(row, row, MPFR_RNDN);
    }
    precise_free(v, 6);
}

/* u^r (1 - u/blocks)^(n - r), from that for r - 1; at r = 0 from z. */
static void blocked_component(mpfr_t x, const mpfr_t z, unsigned r, const struct blocked *a)
{
    if (r == 0) {
        blocked_mix(x, z, a);
        return;
    }
    mpfr_t u, stay;
    mpfr_init2(u, mpfr_get_prec(z));
    mpfr_init2(stay, mpfr_get_prec(z));
    mpfr_ui_sub(u, 1, z, MPFR_RNDN);
    mpfr_div_ui(stay, u, a->blocks, MPFR_RNDN);
    mpfr_ui_sub(stay, 1, stay, MPFR_RNDN);
    mpfr_div(u, u, stay, MPFR_RNDN);
    mpfr_mul(x, x, u, MPFR_RNDN);
    mpfr_clear(u);
    mpfr_clear(stay);
}

/* out := Cov[g_1, g_2]; at least two blocks. Ends when three terms in a row are below 2^-bits. */
static void blocked_covariance(mpfr_t out, const struct blocked *a, mpfr_prec_t bits)
{
    unsigned count = blocked_count(a, a->probes), small = 0;
    mpfr_t *z = precise_new(count, bits + PRECISE_EXTRA), *x = precise_new(count, bits),
           *work = precise_new(count, bits), *v = precise_new(2, bits);
    mpfr_ptr factor = v[0], term = v[1];
    blocked_misses(z, count, a);
    mpfr_set_zero(out, 1);
    mpfr_set_ui(factor, 1, MPFR_RNDN); /* (-1)^r C(n, r) blocks^-2r */
    for (unsigned r = 0; r <= a->n && small < 3; r++) {
        for (unsigned s = 0; s < count; s++) {
            blocked_component(x[s], z[s], r, a);
            mpfr_set(work[s], x[s], MPFR_RNDN);
        }
        if (r > 0) {
            blocked_functional(term, work, a->probes, a);
            mpfr_sqr(term, term, MPFR_RNDN);
            mpfr_mul(term, term, factor, MPFR_RNDN);
            mpfr_add(out, out, term, MPFR_RNDN);
            small = mpfr_zero_p(term) || mpfr_get_exp(term) < -bits ? small + 1 : 0;
        }
        mpfr_mul_ui(factor, factor, a->n - r, MPFR_RNDN);
        mpfr_div_ui(factor, factor, r + 1, MPFR_RNDN);
        mpfr_div_ui(factor, factor, a->blocks, MPFR_RNDN);
        mpfr_div_ui(factor, factor, a->blocks, MPFR_RNDN);
        mpfr_neg(factor, factor, MPFR_RNDN);
    }
    precise_free(z, count);
    precise_free(x, count);
    precise_free(work, count);
    precise_free(v, 2);
}

static void blocked_variance(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    const struct blocked *a = arguments;
    mpfr_t other;
    mpfr_init2(other, bits);
    if (a->split)
        split_square(out, a, bits);
    else
        blocked_mean(out, 2 * a->probes, a, bits);
    blocked_mean(other, a->probes, a, bits);
    mpfr_sqr(other, other, MPFR_RNDN);
    mpfr_sub(out, out, other, MPFR_RNDN);
    if (a->blocks > 1) {
        blocked_covariance(other, a, bits);
        mpfr_mul_ui(other, other, a->blocks - 1, MPFR_RNDN);
        mpfr_add(out, out, other, MPFR_RNDN);
    }
    mpfr_div_ui(out, out, a->blocks, MPFR_RNDN);
    mpfr_clear(other);
}

static double blocked_variance_value(const struct blocked *a)
{
    return a->n == 0 ? 0 : precise_value(blocked_variance, a, 2 * a->probes + 16, -64);
}

double theory_fpr_blocked_variance(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k)
{
    return blocked_variance_value(&(struct blocked){
        .inner = INNER_EXACT, .cells = block_bits, .probes = k, .blocks = blocks, .n = n});
}

double theory_fpr_split_variance(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n)
{
    return blocked_variance_value(&(struct blocked){
        .split = true, .cells = word_bits, .probes = words, .blocks = blocks, .n = n});
}

/* ---- fill ---------------------------------------------------------------------------------- */

/* x := 1 - (1 - x)/blocks: a key misses what it misses in the block, or goes to another block. */
static void blocked_elsewhere(mpfr_t x, uint64_t blocks)
{
    mpfr_ui_sub(x, 1, x, MPFR_RNDN);
    mpfr_div_ui(x, x, blocks, MPFR_RNDN);
    mpfr_ui_sub(x, 1, x, MPFR_RNDN);
}

/* two := 2 one - 1: of two cells that no key hits both of, it misses both. */
static void blocked_exclusive(mpfr_t two, const mpfr_t one)
{
    mpfr_mul_2ui(two, one, 1, MPFR_RNDN);
    mpfr_sub_ui(two, two, 1, MPFR_RNDN);
}

static void blocked_fill_miss(mpfr_t one, mpfr_t *two, const void *arguments)
{
    const struct blocked *a = arguments;
    precise_ratio(one, a->cells - 1, a->cells);
    mpfr_pow_ui(one, one, a->probes, MPFR_RNDN);
    blocked_elsewhere(one, a->blocks);
    precise_ratio(two[0], a->cells - 2, a->cells);
    mpfr_pow_ui(two[0], two[0], a->probes, MPFR_RNDN);
    blocked_elsewhere(two[0], a->blocks);
    blocked_exclusive(two[1], one);
}

struct moments theory_fill_blocked(unsigned block_bits, uint64_t blocks, uint64_t n, unsigned k)
{
    struct blocked a = {.cells = block_bits, .probes = k, .blocks = blocks};
    uint64_t m = block_bits * blocks;
    return precise_fill(&(struct precise_fill){
        .cells = m,
        .keys = n,
        .classes = 2,
        .count = {{m, block_bits - 1}, {m, m - block_bits}},
        .miss = blocked_fill_miss,
        .arguments = &a,
    });
}

/* Pairs: same block, other word; same word or other block, which no key hits both of. */
static void split_fill_miss(mpfr_t one, mpfr_t *two, const void *arguments)
{
    const struct blocked *a = arguments;
    precise_ratio(one, a->cells - 1, a->cells);
    mpfr_sqr(two[0], one, MPFR_RNDN);
    blocked_elsewhere(two[0], a->blocks);
    blocked_elsewhere(one, a->blocks);
    blocked_exclusive(two[1], one);
}

struct moments theory_fill_split(unsigned words, unsigned word_bits, uint64_t blocks, uint64_t n)
{
    struct blocked a = {.cells = word_bits, .probes = words, .blocks = blocks};
    uint64_t block = (uint64_t)words * word_bits, m = block * blocks;
    return precise_fill(&(struct precise_fill){
        .cells = m,
        .keys = n,
        .classes = 2,
        .count = {{m, block - word_bits}, {m, word_bits - 1 + (m - block)}},
        .miss = split_fill_miss,
        .arguments = &a,
    });
}
