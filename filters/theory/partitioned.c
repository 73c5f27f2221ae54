/* SPDX-License-Identifier: MIT
 *
 * partitioned.c: k independent slices, so that means and second moments multiply. Nothing cancels
 * in doubles: relative error about k * 2^-52.
 */
#include "filters/theory/partitioned.h"

#include <math.h>

#include "filters/theory/classic.h"

/* P(a cell is set) = E[X_i/slice]. */
static double partitioned_cell(uint64_t slice, uint64_t n)
{
    if (n == 0) /* 0 * log1p(-1) is NaN at slice = 1 */
        return 0;
    return -expm1((double)n * log1p(-1 / (double)slice));
}

double theory_fpr_partitioned(uint64_t slice, uint64_t n, unsigned k)
{
    return pow(partitioned_cell(slice, n), k);
}

/* E[f^2] - E[f]^2 = a^2k ((1 + v/a^2)^k - 1), v = Var[X_i/slice]. */
double theory_fpr_partitioned_variance(uint64_t slice, uint64_t n, unsigned k)
{
    double a = partitioned_cell(slice, n);
    double sd = sqrt(theory_fill(slice, n).variance) / (double)slice;
    if (n == 0)
        return 0;
    return pow(a, 2.0 * k) * expm1(k * log1p(sd / a * (sd / a)));
}

struct moments theory_fill_partitioned(uint64_t slice, uint64_t n, unsigned k)
{
    struct moments one = theory_fill(slice, n);
    return (struct moments){.mean = k * one.mean, .variance = k * one.variance};
}
