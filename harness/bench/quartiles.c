/* SPDX-License-Identifier: MIT */
#include "harness/bench/quartiles.h"

#include <math.h>
#include <stdlib.h>

static int quartiles_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quartiles_at(const double *sorted, size_t count, double share)
{
    double place = share * (double)(count - 1);
    size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

struct quartiles quartiles_of(double *values, size_t count)
{
    if (count == 0)
        return (struct quartiles){NAN, NAN, NAN};
    qsort(values, count, sizeof *values, quartiles_compare);
    return (struct quartiles){
        .median = quartiles_at(values, count, 0.5),
        .q1 = quartiles_at(values, count, 0.25),
        .q3 = quartiles_at(values, count, 0.75),
    };
}

bool quartiles_noisy(const struct quartiles *quartiles)
{
    return quartiles->q3 - quartiles->q1 > QUARTILES_NOISY * quartiles->median;
}
