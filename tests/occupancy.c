/* SPDX-License-Identifier: MIT */
#include "tests/occupancy.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static unsigned occupancy_top(unsigned m, unsigned throws)
{
    return m < throws ? m : throws;
}

double *occupancy_law(unsigned m, unsigned throws)
{
    unsigned top = occupancy_top(m, throws);
    double *law = calloc(top + 1, sizeof *law);
    cr_assert_not_null(law);
    law[0] = 1;
    for (unsigned t = 1; t <= throws; t++) {
        for (unsigned x = t < top ? t : top; x > 0; x--)
            law[x] = law[x] * x / m + law[x - 1] * (m - x + 1) / m;
        law[0] = 0;
    }
    return law;
}

double occupancy_mean(const double *law, unsigned m, unsigned throws, unsigned power)
{
    double sum = 0;
    for (unsigned x = 0; x <= occupancy_top(m, throws); x++)
        sum += law[x] * pow((double)x / m, power);
    return sum;
}

double occupancy_variance(const double *law, unsigned m, unsigned throws, unsigned power)
{
    double mean = occupancy_mean(law, m, throws, power), sum = 0;
    for (unsigned x = 0; x <= occupancy_top(m, throws); x++)
        sum += law[x] * pow(pow((double)x / m, power) - mean, 2);
    return sum;
}
