/* SPDX-License-Identifier: MIT
 *
 * classic.c: rates and fill of the classic filter. The exact ones in MPFR (precise.h): 5 to 100 us
 * up to k = 32 whatever m is, a few ms at k = 256.
 *
 * E[(X/m)^k] = sum_j weight[j] hit[j]: the k probes of a query touch j distinct cells, all of them
 * set. The weights are non-negative and sum to 1, so only the j-th differences cancel, by at most k
 * bits: far fewer than the 2k log2(k + 2) that bounding Stirling numbers would ask for.
 */
#include "filters/theory/classic.h"

#include <math.h>

#include "filters/theory/precise.h"

double theory_fpr_standard(uint64_t m, uint64_t n, unsigned k)
{
    return pow(-expm1(-(double)(n * k) / (double)m), k);
}

double theory_fpr_bloom(uint64_t m, uint64_t n, unsigned k)
{
    if (k == 0)
        return 1;
    if (n == 0) /* 0 * log1p(-1) is NaN at m = 1 */
        return 0;
    return pow(-expm1((double)(n * k) * log1p(-1 / (double)m)), k);
}

/* ---- exact --------------------------------------------------------------------------------- */

struct classic_moment {
    uint64_t m, throws;
    unsigned power;
};

static void classic_moment(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    const struct classic_moment *a = arguments;
    precise_power_moment(out, a->m, a->throws, a->power, bits);
}

/* log2 of a^power, a = E[X/m]: by Jensen the moment is no smaller. */
static double classic_moment_log2(uint64_t m, uint64_t throws, unsigned power)
{
    double mean = m > 1 ? -expm1((double)throws * log1p(-1 / (double)m)) : 1;
    return power * log2(mean);
}

double theory_power_moment(uint64_t m, uint64_t throws, unsigned power)
{
    if (power == 0)
        return 1;
    if (throws == 0)
        return 0;
    struct classic_moment a = {m, throws, power};
    return precise_value(classic_moment, &a, power + 4, classic_moment_log2(m, throws, power));
}

double theory_fpr_exact(uint64_t m, uint64_t n, unsigned k)
{
    return theory_power_moment(m, n * k, k);
}

static void classic_variance(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    struct classic_moment a = *(const struct classic_moment *)arguments;
    mpfr_t mean;
    mpfr_init2(mean, bits);
    classic_moment(mean, &a, bits);
    mpfr_sqr(mean, mean, MPFR_RNDN);
    a.power *= 2;
    classic_moment(out, &a, bits);
    mpfr_sub(out, out, mean, MPFR_RNDN);
    mpfr_clear(mean);
}

double theory_fpr_variance(uint64_t m, uint64_t n, unsigned k)
{
    if (n * k <= 1 || m == 1) /* X is 0 or 1, surely */
        return 0;
    struct classic_moment a = {m, n * k, k};
    return precise_value(classic_variance, &a, 2 * k + 6, classic_moment_log2(m, n * k, 2 * k));
}

double theory_fpr_second_order(uint64_t m, uint64_t n, unsigned k)
{
    struct moments fill = theory_fill(m, n * k);
    double a = fill.mean / (double)m, sd = sqrt(fill.variance) / (double)m;
    if (k < 2 || n == 0)
        return pow(a, k);
    return pow(a, k) + 0.5 * k * (k - 1) * pow(a, k - 2) * sd * sd;
}

/* ---- fill ---------------------------------------------------------------------------------- */

static void classic_miss(mpfr_t one, mpfr_t *two, const void *arguments)
{
    uint64_t m = *(const uint64_t *)arguments;
    precise_ratio(one, m - 1, m);
    if (m > 1)
        precise_ratio(two[0], m - 2, m);
}

struct moments theory_fill(uint64_t m, uint64_t throws)
{
    return precise_fill(&(struct precise_fill){
        .cells = m,
        .keys = throws,
        .classes = m > 1,
        .count = {{m, m - 1}},
        .miss = classic_miss,
        .arguments = &m,
    });
}

/* ---- best k -------------------------------------------------------------------------------- */

static double classic_log_rate(double load, unsigned k)
{
    return k * log(-expm1(-load * k));
}

unsigned theory_best_k(uint64_t m, uint64_t n, unsigned k_max)
{
    double load = (double)n / (double)m;
    double real = M_LN2 / load;
    if (real >= k_max)
        return k_max;
    unsigned low = real < 1 ? 1 : (unsigned)real;
    return low < k_max && classic_log_rate(load, low + 1) < classic_log_rate(load, low) ? low + 1
                                                                                        : low;
}
