/* SPDX-License-Identifier: MIT
 *
 * width.c: narrow digests and biased reductions.
 *
 * 2^w = q m + r: of the m positions r are drawn by q + 1 digests each ("rich"), the others by q.
 * The exact rate under that law is the classic one in two dimensions: miss[s][t], the probability
 * that s given rich and t given poor cells stay empty, is (1 - (s (q + 1) + t q)/2^w)^(kn); its (i,
 * j)-th difference is the probability that i rich and j poor cells are all set; and a query of k
 * draws touches i rich and j poor ones with weight[i][j], a recursion of positive terms. k^2/2
 * powers and k^3/3 subtractions, for any m.
 */
#include "filters/theory/width.h"

#include <math.h>

#include "filters/theory/classic.h"
#include "filters/theory/precise.h"

__extension__ typedef unsigned __int128 width_uint128;

struct width_law {
    uint64_t m, throws, quotient, rich; /* 0 < rich < m */
    unsigned k, bits;
};

static void width_divide(uint64_t *quotient, uint64_t *rest, uint64_t m, unsigned bits)
{
    width_uint128 digests = (width_uint128)1 << bits;
    *quotient = (uint64_t)(digests / m);
    *rest = (uint64_t)(digests % m);
}

/* ---- a triangle of numbers x[s][t], s + t <= k, row after row ------------------------------- */

static unsigned width_at(unsigned k, unsigned s, unsigned t)
{
    return s * (k + 1) - (s * s - s) / 2 + t;
}

static unsigned width_size(unsigned k)
{
    return (k + 1) * (k + 2) / 2;
}

static void width_misses(mpfr_t *x, const struct width_law *law, mpfr_prec_t precision)
{
    mpfr_t base, taken;
    mpfr_init2(base, precision + PRECISE_EXTRA);
    mpfr_init2(taken, precision + PRECISE_EXTRA);
    for (unsigned s = 0; s <= law->k; s++)
        for (unsigned t = 0; s + t <= law->k; t++) {
            mpfr_set_ui(base, law->quotient + 1, MPFR_RNDN);
            mpfr_mul_ui(base, base, s, MPFR_RNDN);
            mpfr_set_ui(taken, law->quotient, MPFR_RNDN);
            mpfr_mul_ui(taken, taken, t, MPFR_RNDN);
            mpfr_add(base, base, taken, MPFR_RNDN);
            mpfr_div_2ui(base, base, law->bits, MPFR_RNDN);
            mpfr_ui_sub(base, 1, base, MPFR_RNDN);
            mpfr_pow_ui(x[width_at(law->k, s, t)], base, law->throws, MPFR_RNDN);
        }
    mpfr_clear(base);
    mpfr_clear(taken);
}

/* Differences along t within each row, then along s within each column. */
static void width_differences(mpfr_t *x, unsigned k)
{
    for (unsigned s = 0; s <= k; s++)
        precise_differences(x + width_at(k, s, 0), k - s + 1);
    for (unsigned t = 0; t <= k; t++)
        for (unsigned j = 1; j + t <= k; j++)
            for (unsigned s = k - t; s >= j; s--) {
                mpfr_t *here = &x[width_at(k, s, t)];
                mpfr_sub(*here, x[width_at(k, s - 1, t)], *here, MPFR_RNDN);
            }
}

/* In doubles: only terms below 1e-308 of a rate are lost. */
static void width_weights(double *weight, const struct width_law *law)
{
    unsigned k = law->k;
    double scale = ldexp(1, -(int)law->bits);
    double poor_share = (double)law->quotient * scale;
    double rich_share = (double)law->quotient * scale + scale;
    double rich = (double)law->rich, poor = (double)(law->m - law->rich);
    for (unsigned i = 1; i < width_size(k); i++)
        weight[i] = 0;
    weight[0] = 1;
    for (unsigned draw = 1; draw <= k; draw++)
        for (unsigned i = draw + 1; i-- > 0;)
            for (unsigned j = draw - i + 1; j-- > 0;) {
                double w = weight[width_at(k, i, j)] * (i * rich_share + j * poor_share);
                if (i > 0)
                    w += weight[width_at(k, i - 1, j)] * (rich - i + 1) * rich_share;
                if (j > 0)
                    w += weight[width_at(k, i, j - 1)] * (poor - j + 1) * poor_share;
                weight[width_at(k, i, j)] = w;
            }
}

static void width_rate(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    const struct width_law *law = arguments;
    unsigned size = width_size(law->k);
    mpfr_t *hit = precise_new(size, bits);
    double *weight = precise_allocate(size * sizeof *weight);
    width_misses(hit, law, bits);
    width_differences(hit, law->k);
    width_weights(weight, law);
    mpfr_set_zero(out, 1);
    for (unsigned i = 0; i < size; i++) {
        if (weight[i] == 0) /* also where there are fewer rich or poor cells than i or j */
            continue;
        mpfr_mul_d(hit[i], hit[i], weight[i], MPFR_RNDN);
        mpfr_add(out, out, hit[i], MPFR_RNDN);
    }
    precise_release(weight, size * sizeof *weight);
    precise_free(hit, size);
}

double theory_fpr_mod_biased(uint64_t m, uint64_t n, unsigned k, unsigned width_bits)
{
    uint64_t quotient, rest;
    width_divide(&quotient, &rest, m, width_bits);
    if (rest == 0 || k == 0 || n == 0)
        return theory_fpr_exact(m, n, k);
    struct width_law law = {m, n * k, quotient, rest, k, width_bits};
    double about = theory_fpr_bloom(m, n, k);
    return precise_value(width_rate, &law, k + 8, log2(about));
}

double theory_width_floor(unsigned width_bits, unsigned digests, uint64_t n)
{
    return -expm1((double)n * log1p(-ldexp(1, -(int)(width_bits * digests))));
}

/* A rich position has (q + 1)/2^w; times m, less 1: (m - r)/2^w. */
double theory_reduction_bias(uint64_t range, unsigned width_bits)
{
    uint64_t quotient, rest;
    width_divide(&quotient, &rest, range, width_bits);
    return rest ? ldexp((double)(range - rest), -(int)width_bits) : 0;
}

double theory_unreachable(uint64_t range, unsigned width_bits)
{
    double reached = ldexp(1, (int)width_bits) / (double)range;
    return reached < 1 ? 1 - reached : 0;
}
