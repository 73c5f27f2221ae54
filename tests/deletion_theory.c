/* SPDX-License-Identifier: MIT
 *
 * deletion_theory.c: keys that overlap, against tests/data/deletion.csv and against laws written
 * out otherwise; counters that stick.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "filters/theory/churn.h"
#include "filters/theory/deletion.h"
#include "tests/csv.h"
#include "tests/near.h"

typedef double overlap_fn(uint64_t m, unsigned k, double others);

Test(deletion_theory, every_row)
{
    static const struct {
        const char *scheme;
        overlap_fn *overlap;
        size_t rows;
    } schemes[] = {
        {"independent", theory_overlap_independent, 7},
        {"distinct_uniform", theory_overlap_distinct, 6},
        {"double_odd", theory_overlap_odd_step, 6},
    };
    struct csv *t = csv_read("tests/data/deletion.csv");
    size_t all = 0;
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        size_t rows = 0;
        for (size_t row = 0; row < csv_rows(t); row++) {
            if (!csv_is(t, row, "scheme", schemes[s].scheme))
                continue;
            uint64_t m = csv_integer(t, row, "m"), n = csv_integer(t, row, "n");
            unsigned k = (unsigned)csv_integer(t, row, "k");
            double lost = schemes[s].overlap(m, k, 1);
            double any = schemes[s].overlap(m, k, (double)(n - 1));
            NEAR(lost, csv_number(t, row, "p_other_lost"), 1e-13);
            NEAR((double)(n - 1) * lost, csv_number(t, row, "exp_lost"), 1e-13);
            NEAR(any, csv_number(t, row, "p_any_lost"), 1e-13);
            NEAR((double)n * any, csv_number(t, row, "exp_harmful"), 1e-13);
            rows++;
        }
        cr_assert_eq(rows, schemes[s].rows, "%s: %zu rows", schemes[s].scheme, rows);
        all += rows;
    }
    cr_assert_eq(all, csv_rows(t));
    csv_free(t);
}

Test(deletion_theory, at_the_edges)
{
    cr_assert_eq(theory_overlap_independent(1, 5, 1), 1);
    cr_assert_eq(theory_overlap_distinct(8, 5, 1), 1, "two subsets of 5 of 8 must meet");
    NEAR(theory_overlap_distinct(8, 4, 1), 1 - 1. / 70, 1e-15);
    NEAR(theory_overlap_independent(UINT64_C(1) << 48, 1, 1), ldexp(1, -48), 1e-15);
    NEAR(theory_overlap_distinct(UINT64_C(1) << 48, 7, 1), 49 * ldexp(1, -48), 1e-12);
    cr_assert_eq(theory_overlap_independent(64, 3, 0), 0, "there is no other key");
    cr_assert_eq(theory_overlap_distinct(4, 3, 0), 0);
    cr_assert_eq(theory_overlap_odd_step(64, 3, 0), 0);
    cr_assert_eq(theory_overlap_odd_step(4, 4, 1), 1, "a key of all positions");
    cr_assert_eq(theory_overlap_odd_step(1, 1, 1), 1);
    cr_assert(isnan(theory_overlap_odd_step(96, 3, 1)));
    cr_assert(isnan(theory_overlap_odd_step(OVERLAP_ODD_MAX * UINT64_C(2), 3, 1)));
    NEAR(theory_overlap_odd_step(1 << 16, 1, 1), ldexp(1, -16), 1e-13);
}

/* m = 16, k = 4: every other key, tried. */
Test(deletion_theory, odd_steps_by_trying_all)
{
    unsigned meet = 0, all = 0;
    for (unsigned a = 0; a < 16; a++)
        for (unsigned b = 1; b < 16; b += 2, all++) {
            bool met = false;
            for (unsigned i = 0; i < 4; i++)
                met = met || (a + i * b) % 16 < 4;
            meet += met;
        }
    NEAR(theory_overlap_odd_step(16, 4, 1), (double)meet / all, 1e-14);
}

/* One block, or one slice a probe, are schemes of their own. */
Test(deletion_theory, blocks_and_slices_in_their_limits)
{
    NEAR(theory_overlap_blocked(512, 1, 7, 3), theory_overlap_independent(512, 7, 3), 1e-13);
    NEAR(theory_overlap_split_block(64, 1, 1, 5), theory_overlap_independent(64, 1, 5), 1e-13);
    NEAR(theory_overlap_partitioned(64, 1, 5), theory_overlap_independent(64, 1, 5), 1e-13);
    NEAR(theory_overlap_split_block(32, 8, 1, 1), theory_overlap_partitioned(32, 8, 1), 1e-13);
    NEAR(theory_overlap_blocked(64, 1000, 1, 1), 1 / 64e3, 1e-12);
}

/* Two bits, load 1.5, hits counted in a window that slides: the share that ever held three, by
 * simulation of 300000 counters over 3 and 10 windows (4 standard deviations 0.0036, 0.0012;
 * computed once, elsewhere). */
Test(deletion_theory, counters_stick_as_in_simulation)
{
    cr_assert_float_eq(theory_churn_stuck(1.5, 2, 2e6, 1e6), 0.61444, 0.0036);
    cr_assert_float_eq(theory_churn_stuck(1.5, 2, 9e6, 1e6), 0.96958, 0.0013);
    cr_assert_float_eq(theory_churn_stuck(2, 3, 19e6, 1e6), 0.290763, 0.0034);
}

Test(deletion_theory, churn_at_the_edges)
{
    double load = M_LN2, none = exp(-load) * (1 + load + load * load / 2);
    NEAR(theory_churn_stuck(load, 2, 0, 1000), 1 - none, 1e-12);
    NEAR(theory_churn_fill(load, 2, 0, 1000), 0.5, 1e-14);
    NEAR(theory_churn_fill(load, 8, 1e12, 1000), 0.5, 1e-6);
    cr_assert(theory_churn_stuck(load, 4, 1e8, 1e5) < 1e-7);
    NEAR(theory_churn_stuck(load, 2, 1e9, 1000), 1, 1e-12);
    NEAR(theory_churn_fill(load, 2, 1e9, 1000), 1, 1e-12);
    double before = 0;
    for (double churn = 0; churn < 5e4; churn += 250) {
        double stuck = theory_churn_stuck(load, 2, churn, 1000);
        cr_assert(stuck > before && stuck < 1, "churn %g: %g after %g", churn, stuck, before);
        before = stuck;
    }
}
