/* SPDX-License-Identifier: MIT */
#include "filters/theory/hyperloglog.h"

#include <math.h>

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
