/* SPDX-License-Identifier: MIT
 *
 * distinct.c: keys that own uniform k-subsets. A key misses s given cells with probability
 * C(m - s, k)/C(m, k); the rate is E[C(X, k)/C(m, k)], the k-th difference of its n-th powers.
 */
#include "filters/theory/distinct.h"

#include <math.h>

#include "filters/theory/precise.h"

struct distinct {
    uint64_t m, n;
    unsigned k;
};

static void distinct_rate(mpfr_t out, const void *arguments, mpfr_prec_t bits)
{
    const struct distinct *a = arguments;
    mpfr_t *hit = precise_new(a->k + 1, bits);
    mpfr_t miss;
    mpfr_init2(miss, bits + PRECISE_EXTRA);
    mpfr_set_ui(miss, 1, MPFR_RNDN);
    for (unsigned s = 0; s <= a->k; s++) {
        mpfr_pow_ui(hit[s], miss, a->n, MPFR_RNDN);
        if (s < a->k)
            precise_miss_distinct_next(miss, a->m, a->k, s);
    }
    precise_differences(hit, a->k + 1);
    mpfr_set(out, hit[a->k], MPFR_RNDN);
    mpfr_clear(miss);
    precise_free(hit, a->k + 1);
}

double theory_fpr_distinct(uint64_t m, uint64_t n, unsigned k)
{
    if (n == 0)
        return 0;
    struct distinct a = {m, n, k};
    double mean = k < m ? -expm1((double)n * log1p(-(double)k / (double)m)) : 1;
    return precise_value(distinct_rate, &a, k + 4, k * log2(mean));
}

static void distinct_miss(mpfr_t one, mpfr_t *two, const void *arguments)
{
    const struct distinct *a = arguments;
    mpfr_set_ui(one, 1, MPFR_RNDN);
    precise_miss_distinct_next(one, a->m, a->k, 0);
    mpfr_set(two[0], one, MPFR_RNDN);
    if (a->m > 1)
        precise_miss_distinct_next(two[0], a->m, a->k, 1);
}

struct moments theory_fill_distinct(uint64_t m, uint64_t n, unsigned k)
{
    struct distinct a = {m, n, k};
    return precise_fill(&(struct precise_fill){
        .cells = m,
        .keys = n,
        .classes = m > 1,
        .count = {{m, m - 1}},
        .miss = distinct_miss,
        .arguments = &a,
    });
}
