/* SPDX-License-Identifier: MIT
 *
 * stats_laws.c: laws of whole numbers, against closed forms and an independent occupancy law.
 */
#include <math.h>
#include <stdlib.h>

#include "filters/theory/classic.h"
#include "harness/stats/law.h"
#include "tests/near.h"
#include "tests/occupancy.h"

static double law_at(const struct law *law, int64_t x)
{
    return x < law->first || x >= law->first + (int64_t)law->count ? 0 : law->p[x - law->first];
}

Test(stats, occupancy_law_is_the_textbook_one, .init = stats_init)
{
    const unsigned cases[][2] = {{8, 4}, {8, 100}, {100, 70}, {1024, 700}, {1, 5}, {300, 3000}};
    for (size_t i = 0; i < 6; i++) {
        unsigned m = cases[i][0], throws = cases[i][1];
        struct law law;
        cr_assert(law_occupancy(&law, m, throws));
        double *reference = occupancy_law(m, throws);
        for (unsigned x = 0; x <= m && x <= throws; x++)
            if (reference[x] > 1e-24)
                NEAR(law_at(&law, x), reference[x], 1e-11);
        struct moments fill = theory_fill(m, throws), got = law_moments(&law);
        NEAR(got.mean, fill.mean, 1e-12);
        cr_assert(fabs(got.variance - fill.variance) <= 1e-10 * (fill.variance + 1e-6));
        free(reference);
        law_release(&law);
    }
}

Test(stats, occupancy_law_refuses_what_is_too_large, .init = stats_init)
{
    struct law law;
    cr_assert(!law_occupancy(&law, 1 << 20, 1 << 20) && law.count == 0 && law.p == NULL);
    cr_assert(law_occupancy(&law, UINT64_C(1) << 40, 3000));
    law_release(&law);
    cr_assert(law_occupancy(&law, 5, 0) && law_at(&law, 0) == 1);
    law_release(&law);
}

Test(stats, panjer_laws_have_their_moments_and_limits, .init = stats_init)
{
    const double cases[][2] = {{4, 4},   {4, 2.4}, {4, 9},  {0.01, 0.01},
                               {50, 20}, {0.3, 2}, {1e9, 3}};
    for (size_t i = 0; i < 7; i++) {
        struct law law;
        cr_assert(law_panjer(&law, cases[i][0], cases[i][1]));
        struct moments m = law_moments(&law);
        NEAR(m.mean, cases[i][0], 1e-6);
        NEAR(m.variance, cases[i][1], cases[i][0] > 1e6 ? 0.1 : 1e-4);
        law_release(&law);
    }
    struct law poisson, binomial;
    cr_assert(law_panjer(&poisson, 4, 4) && law_panjer(&binomial, 4, 2.4)); /* n = 10, p = 0.4 */
    NEAR(law_at(&poisson, 0), exp(-4), 1e-13);
    NEAR(law_at(&poisson, 7), exp(-4) * pow(4, 7) / 5040, 1e-13);
    NEAR(law_at(&binomial, 10), pow(0.4, 10), 1e-12);
    cr_assert(law_at(&binomial, 11) == 0);
    law_release(&poisson), law_release(&binomial);
    cr_assert(!law_panjer(&poisson, 0, 1) && !law_panjer(&poisson, NAN, 1));
}

Test(stats, sums_and_squared_differences, .init = stats_init)
{
    struct law one, ten, whole, square;
    cr_assert(law_binomial(&one, 7, 0.3) && law_power(&ten, &one, 10));
    cr_assert(law_binomial(&whole, 70, 0.3));
    for (int64_t x = 0; x <= 70; x++)
        if (law_at(&whole, x) > 1e-28)
            NEAR(law_at(&ten, x), law_at(&whole, x), 1e-12);
    cr_assert(law_squared_difference(&square, &one));
    NEAR(law_moments(&square).mean, 2 * 7 * 0.3 * 0.7, 1e-12);
    cr_assert(law_at(&square, 2) == 0 && law_at(&square, 4) > 0);
    law_release(&one), law_release(&ten), law_release(&whole), law_release(&square);
    struct law none;
    cr_assert(law_binomial(&one, 3, 0.5) && law_power(&none, &one, 0) && law_at(&none, 0) == 1);
    law_release(&one), law_release(&none);
}

Test(stats, mid_tails_share_the_observed_value, .init = stats_init)
{
    struct law law;
    cr_assert(law_binomial(&law, 3, 0.5));
    struct mid_tails t = law_tails(&law, 2);
    NEAR(exp(t.log_below), 0.5 + 0.375 / 2, 1e-14);
    NEAR(exp(t.log_above), 0.125 + 0.375 / 2, 1e-14);
    cr_assert(law_tails(&law, 4).log_above == -INFINITY && law_tails(&law, 4).log_below == 0);
    cr_assert(law_tails(&law, -1).log_below == -INFINITY);
    law_release(&law);
}
