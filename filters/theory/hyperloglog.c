/* SPDX-License-Identifier: MIT */
#include "filters/theory/hyperloglog.h"

#include <math.h>

#include "filters/theory/hyperloglog_law.h"

double theory_hll_alpha(unsigned precision)
{
    switch (precision) {
    case 4:
        return 0.673;
    case 5:
        return 0.697;
    case 6:
        return 0.709;
    default:
        return 0.7213 / (1 + 1.079 / ldexp(1, (int)precision));
    }
}

double theory_hll_standard_error(unsigned precision)
{
    return 1.04 / sqrt(ldexp(1, (int)precision));
}

double theory_hll_estimate(const uint64_t *histogram, unsigned precision)
{
    double registers = ldexp(1, (int)precision), sum = 0;
    for (unsigned r = 0; r <= 65 - precision; r++)
        sum += ldexp((double)histogram[r], -(int)r);
    double estimate = theory_hll_alpha(precision) * registers * registers / sum;
    if (estimate <= 2.5 * registers && histogram[0] > 0)
        return registers * log(registers / (double)histogram[0]);
    return estimate;
}

double theory_hll_sigma(double x)
{
    double sum = x, weight = 1, before;
    if (x >= 1)
        return INFINITY;
    do {
        before = sum;
        x *= x;
        sum += x * weight;
        weight *= 2;
    } while (sum > before);
    return sum;
}

double theory_hll_tau(double x)
{
    double rest = 1 - x, weight = 1, before;
    if (x <= 0)
        return 0;
    do {
        before = rest;
        x = sqrt(x);
        weight /= 2;
        rest -= (1 - x) * (1 - x) * weight;
    } while (rest < before);
    return rest / 3;
}

double theory_hll_ertl(const uint64_t *histogram, unsigned precision, unsigned rest)
{
    double registers = ldexp(1, (int)precision), sum = 0;
    sum += registers * theory_hll_sigma((double)histogram[0] / registers);
    for (unsigned r = 1; r <= rest; r++)
        sum += ldexp((double)histogram[r], -(int)r);
    sum +=
        registers * ldexp(theory_hll_tau(1 - (double)histogram[rest + 1] / registers), -(int)rest);
    return HLL_ALPHA_LIMIT * registers * registers / sum;
}

double theory_hll_centred(const uint64_t *histogram, unsigned precision, unsigned rest)
{
    double estimate = theory_hll_ertl(histogram, precision, rest);
    if (!(estimate > 0) || isinf(estimate))
        return estimate;
    double centred = estimate / (1 + hll_ertl_law(precision, rest, estimate).bias / estimate);
    return isfinite(centred) ? centred : estimate;
}
