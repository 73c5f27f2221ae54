/* SPDX-License-Identifier: MIT */
#include "filters/theory/churn.h"

#include <math.h>

enum { CHURN_HITS_MAX = 256 };

/* Poisson with mean `load`: p(i) and its sums F(i) = P(at most i); 0 for i < 0. */
struct churn_law {
    double load;
    double p[2 * CHURN_HITS_MAX], sum[2 * CHURN_HITS_MAX];
};

static void churn_law(struct churn_law *law, double load)
{
    law->load = load;
    for (int i = 0; i < 2 * CHURN_HITS_MAX; i++) {
        law->p[i] = exp(i * log(load) - load - lgamma(i + 1.0));
        law->sum[i] = law->p[i] + (i ? law->sum[i - 1] : 0);
    }
}

static double churn_p(const struct churn_law *law, int i)
{
    return i < 0 ? 0 : law->p[i];
}

static double churn_sum(const struct churn_law *law, int i)
{
    return i < 0 ? 0 : law->sum[i];
}

/* P(no window of length 1 holds `hits` of them) over a time of 2. */
static double churn_two(const struct churn_law *law, int hits)
{
    double below = churn_sum(law, hits - 1);
    return below * below - (hits - 1) * churn_p(law, hits) * churn_p(law, hits - 2) -
           (hits - 1 - law->load) * churn_p(law, hits) * churn_sum(law, hits - 3);
}

/* Over a time of 3. */
static double churn_three(const struct churn_law *law, int hits)
{
    const double load = law->load, below = churn_sum(law, hits - 1), p = churn_p(law, hits);
    double a1 =
        2 * p * below * ((hits - 1) * churn_sum(law, hits - 2) - load * churn_sum(law, hits - 3));
    double a2 =
        0.5 * p * p *
        ((hits - 1) * (hits - 2) * churn_sum(law, hits - 3) -
         2 * (hits - 2) * load * churn_sum(law, hits - 4) + load * load * churn_sum(law, hits - 5));
    double a3 = 0, a4 = 0;
    for (int r = 1; r < hits; r++)
        a3 += churn_p(law, 2 * hits - r) * churn_sum(law, r - 1) * churn_sum(law, r - 1);
    for (int r = 2; r < hits; r++)
        a4 += churn_p(law, 2 * hits - r) * churn_p(law, r) *
              ((r - 1) * churn_sum(law, r - 2) - load * churn_sum(law, r - 3));
    return below * below * below - a1 + a2 + a3 - a4;
}

/* ln P(free) between one window and two, 0 <= x <= 1 of the way: the cubic with both values and
 * slopes. At first counters stick as fast as hits come to those that hold one less than they take;
 * in the end as between two windows and three. Within 4 % of what simulation has. */
static double churn_between(const struct churn_law *law, int hits, double x)
{
    double one = churn_sum(law, hits - 1), two = churn_two(law, hits);
    double from = -law->load * churn_p(law, hits - 1) / one;
    double to = log(churn_three(law, hits) / two), rise = log(two / one);
    double square = 3 * rise - 2 * from - to, bend = from + to - 2 * rise;
    return log(one) + x * (from + x * (square + x * bend));
}

/* P(a counter is free after `windows` windows); within the first one no window is whole. */
static double churn_free(double load, unsigned counter_bits, double windows)
{
    struct churn_law law;
    int hits = (1 << counter_bits) - 1;
    if (windows <= 0)
        return 1;
    churn_law(&law, load * fmin(windows, 1));
    if (windows <= 1)
        return churn_sum(&law, hits - 1);
    if (windows <= 2)
        return exp(churn_between(&law, hits, windows - 1));
    double two = churn_two(&law, hits);
    return two * pow(churn_three(&law, hits) / two, windows - 2);
}

double theory_churn_stuck(double load, unsigned counter_bits, double churn, double n)
{
    return fmax(0, 1 - churn_free(load, counter_bits, 1 + churn / n));
}

double theory_churn_fill(double load, unsigned counter_bits, double churn, double n)
{
    return 1 - exp(-load) * churn_free(load, counter_bits, churn / n);
}
