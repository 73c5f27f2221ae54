/* SPDX-License-Identifier: MIT
 *
 * Families of plots, drawn from small made-up runs: hll-error, cardinality-duel.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "harness/plot/estimate_error.h"
#include "tests/near.h"
#include "tests/plot_support.h"

TestSuite(cardinality_plots, .timeout = 120);

Test(cardinality_plots, errors_of_a_cell)
{
    /* 90, 100, 110, 120 of 100 */
    struct cell_value value = {.sum = 420, .squares = 44600, .count = 4, .positive = 4};
    struct run_cell cell = {.n = 100, .m_actual = 64, .k = NAN};
    struct estimate_error error = estimate_error_of(&value, &cell);
    NEAR(error.bias, 0.05, 1e-12);
    NEAR(error.rms, sqrt(0.015), 1e-12);
    /* t(0.975; 3) = 3.182446, sd = 12.909944; chi-squared(4): 0.4844186, 11.143287 */
    NEAR(error.bias_hi - error.bias, 3.182446 * 0.12909944 / 2, 1e-6);
    NEAR(error.rms_lo, sqrt(0.015 * 4 / 11.143287), 1e-2);
    NEAR(error.rms_hi, sqrt(0.015 * 4 / 0.4844186), 5e-2);
    /* 4 trials of 4950 pairs in 1024 places: 19.3 meet, and with two probes a key 78 */
    cell.m_actual = 1024;
    cr_assert(isnan(estimate_error_of(&value, &cell).rms));
    cell.k = 2;
    NEAR(estimate_error_of(&value, &cell).rms, sqrt(0.015), 1e-12);
    value.sum = INFINITY;
    cr_assert(isnan(estimate_error_of(&value, &cell).rms));
    value.count = 0;
    cr_assert(isnan(estimate_error_of(&value, &cell).bias));
}

/* Estimates of a cell's ten trials: half of them off by (bias - spread) n, half by (bias + spread)
 * n.
 */
static void add_estimates(struct made_run *run, const char *measure, double n, double bias,
                          double spread)
{
    for (int t = 0; t < 10; t++)
        made_measure(run, measure, n * (1 + bias + (t % 2 ? spread : -spread)));
}

static void add_theory(struct made_run *run, const char *bias, const char *sd, double value)
{
    made_estimate(run, bias, 0);
    made_estimate(run, sd, value);
}

Test(cardinality_plots, sketches_and_their_bump)
{
    struct made_run run;
    made_open(&run);
    for (double n = 10; n < 1e6; n *= 10) {
        made_add(&run, (struct made_cell){.filter = "hyperloglog",
                                          .params = "precision=10",
                                          .m = 1024,
                                          .n = n,
                                          .memory_bytes = 768});
        add_estimates(&run, "cardinality", n, 0, 0.0325);
        add_estimates(&run, "cardinality_2007", n, n == 1000 ? 0.02 : 0, 0.0325);
        add_estimates(&run, "cardinality_wrong_rho", n, -0.5, 0);
        add_theory(&run, "cardinality_bias", "cardinality_sd", 0.0325);
        add_theory(&run, "cardinality_2007_bias", "cardinality_2007_sd", 0.0325);
    }
    struct text svg = made_drawn(&run, "hll-error"), answer = made_answer(&run, "hll-error");
    cr_expect(xml_balanced(svg.data));
    cr_expect_eq(occurrences(svg.data, "<title>Ertl 2017, centred<"), 1);
    expect_part(&answer, "With 1024 registers and n from 100 to 1e+05");
    expect_part(&answer, "is at most 1.00 times 1.04/sqrt(m) = 3.25 %");
    expect_part(&answer, "2007 is off by 2 % at n = 1000 (0.98 m)");
    expect_part(&answer, "Zeros taken for zeros + 1 give 0.500 of n.");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

/* Linear counting from 1 % on doubles with n, the sketch stays at 3 %: equal at ln 3 / ln 2. */
Test(cardinality_plots, a_duel_ends_where_the_errors_are_equal)
{
    struct made_run run;
    made_open(&run);
    for (int i = 0; i < 5; i++)
        for (int sketch = 0; sketch < 2; sketch++) {
            double n = 100 << i, error = sketch ? 0.03 : 0.01 * (1 << i);
            made_add(&run, (struct made_cell){.filter = sketch ? "hyperloglog" : "classic",
                                              .params = sketch ? "precision=10" : "",
                                              .m = sketch ? 0 : 6144,
                                              .n = n,
                                              .k = sketch ? 0 : 1,
                                              .memory_bytes = 768});
            add_estimates(&run, "cardinality", n, 0, error);
            add_theory(&run, "cardinality_bias", "cardinality_sd", sketch ? 0.04 : error);
        }
    struct text svg = made_drawn(&run, "cardinality-duel"),
                answer = made_answer(&run, "cardinality-duel");
    cr_expect(xml_balanced(svg.data));
    cr_expect_eq(occurrences(svg.data, ">rms error / n<"), 1);
    expect_part(&answer, "768 bytes and k = 1 up to n = 300 (0.05 m/k; in theory 400).");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}
