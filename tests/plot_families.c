/* SPDX-License-Identifier: MIT
 *
 * Families of plots, drawn from small made-up runs: what must be seen, and the answer's
 * numbers. The others are in plot_families2.c.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/plot/family.h"
#include "harness/plot/plot.h"
#include "tests/plot_support.h"

static double exact_rate(double m, double n, double k)
{
    return theory_fpr_exact((uint64_t)m, (uint64_t)n, (unsigned)k);
}

Test(plot_families, each_survives_any_run)
{
    for (unsigned f = 0; f < plot_count; f++)
        for (int cells = 0; cells <= 2; cells++) {
            struct made_run run;
            struct error err;
            made_open(&run);
            if (cells > 0)
                made_add(&run, (struct made_cell){
                                   .filter = "hyperloglog", .params = "precision=12", .n = 1000});
            if (cells > 1)
                made_add(&run, (struct made_cell){.filter = "blocked",
                                                  .params = "block_bits=512",
                                                  .m = 1024,
                                                  .n = 128,
                                                  .k = 3,
                                                  .queries = 10});
            made_write_for(&run, plot_table[f]->name);
            cr_expect_eq(plot_run(run.directory, &err), OK, "%s, %d cells: %s", plot_table[f]->name,
                         cells, err.text);
            if (plot_table[f]->answer) {
                struct text answer = made_answer(&run, plot_table[f]->name);
                cr_expect_null(strstr(answer.data, "nan"), "%s: %s", plot_table[f]->name,
                               answer.data);
                text_release(&answer);
            }
            made_remove(&run);
        }
}

Test(plot_families, best_k_is_chosen_without_the_queries)
{
    struct made_run run;
    made_open(&run);
    for (int k = 1; k <= 12; k++) {
        double exact = exact_rate(8192, 1024, k);
        /* queries that flatter k = 12: they must not choose it */
        made_add(&run, (struct made_cell){.filter = "classic",
                                          .m = 8192,
                                          .n = 1024,
                                          .k = k,
                                          .queries = 1e5,
                                          .hits = k == 12 ? 7 : 1e6 * exact,
                                          .scheme = exact});
    }
    struct text svg = made_drawn(&run, "fpr-vs-k"), answer = made_answer(&run, "fpr-vs-k");
    expect_part(&answer, "in 1 of 1 settings");
    expect_part(&answer, "best k = 6, (m/n) ln 2 = 5.55");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, the_published_counts_are_compared)
{
    static const double k[] = {1, 5, 16}, hits[] = {1282, 250, 3200};
    struct made_run run;
    made_open(&run);
    for (int i = 0; i < 3; i++) /* ten trials a made cell: a tenth of the queries each */
        made_add(&run, (struct made_cell){.filter = "double_hashing",
                                          .m = 128,
                                          .n = 16,
                                          .k = k[i],
                                          .queries = 1000,
                                          .hits = hits[i]});
    struct text svg = made_drawn(&run, "source-001"), answer = made_answer(&run, "source-001");
    expect_part(&svg, "<title>published<");
    expect_part(&answer, "3200 of 10000 at k = 16 (published: 3201)");
    expect_part(&answer, "2 of 3 published counts");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, the_gap_is_fitted_and_told)
{
    struct made_run run;
    made_open(&run);
    for (int e = 6; e <= 12; e++) { /* 10 digits in the fixture: the excess is exactly 40/m */
        double m = exp2(e), rate = exact_rate(m, m / 8, 6) * (1 + 40 / m);
        made_add(&run, (struct made_cell){.filter = "double_hashing",
                                          .params = "force_odd=true",
                                          .m = m,
                                          .n = m / 8,
                                          .k = 6,
                                          .scheme = rate});
    }
    struct text svg = made_drawn(&run, "dh-gap"), answer = made_answer(&run, "dh-gap");
    expect_part(&svg, ">C/m<");
    cr_expect_eq(occurrences(svg.data, "<title>classic<"), 0);
    expect_part(&answer, "double_hashing (force_odd=true) at 8 bits per key, k = 6: C = 40.0");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, blocks_are_priced_in_bits)
{
    struct made_run run;
    char params[32];
    made_open(&run);
    for (int e = 6; e <= 10; e++)
        for (int c = 8; c <= 16; c += 8) {
            double n = 8192.0 / c, rate = exact_rate(8192, n, 6) * (1 + 64 / exp2(e));
            snprintf(params, sizeof params, "block_bits=%.0f", exp2(e));
            made_add(&run, (struct made_cell){.filter = "blocked",
                                              .params = params,
                                              .m = 8192,
                                              .n = n,
                                              .k = 6,
                                              .scheme = rate});
        }
    struct text svg = made_drawn(&run, "blocked-penalty"),
                answer = made_answer(&run, "blocked-penalty");
    cr_expect_eq(occurrences(svg.data, "<title>8 bits per key<"), 1);
    cr_expect_eq(occurrences(svg.data, "<title>16 bits per key<"), 1);
    expect_part(&answer, "cost a factor of 1.12");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, bits_for_one_percent_are_interpolated)
{
    struct made_run run;
    made_open(&run);
    for (int c = 4; c <= 16; c += 2) /* rate exactly 2^-(c/2): 1 % at 2 log2(100) = 13.3 bits */
        made_add(&run, (struct made_cell){.filter = "classic",
                                          .m = 1024 * c,
                                          .n = 1024,
                                          .k = c / 2,
                                          .scheme = exp2(-c / 2.0)});
    struct text svg = made_drawn(&run, "fpr-vs-bits-per-key"),
                answer = made_answer(&run, "fpr-vs-bits-per-key");
    expect_part(&svg, "<title>information limit<");
    expect_part(&answer, "classic 13.3; the information limit is 6.6");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}
