/* SPDX-License-Identifier: MIT
 *
 * Every family of plots, drawn from small made-up runs: what must be seen, and the answer's
 * numbers.
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

/* An experiment whose only use is to name the family. */
static void write_for(struct made_run *run, const char *family)
{
    char yaml[400];
    snprintf(yaml, sizeof yaml,
             "name: made\nquestion: q\ngrid:\n  filter: [classic]\n  hash: [xxh3_64]\n"
             "  keys: [random64]\n  m: [64]\n  %s: [8]\n  k: [2]\nplots: [%s]\n",
             strcmp(family, "blocked-penalty") == 0 ? "bits_per_key" : "n", family);
    made_write(run, yaml);
}

/* Draws; the SVG of the family's first figure. */
static struct text drawn(struct made_run *run, const char *family)
{
    struct error err;
    char name[80];
    write_for(run, family);
    cr_assert_eq(plot_run(run->directory, &err), OK, "%s: %s", family, err.text);
    snprintf(name, sizeof name, "%s.svg", family);
    struct text svg = made_read(run, name);
    cr_expect(xml_balanced(svg.data), "%s", family);
    return svg;
}

static struct text answer_of(const struct made_run *run, const char *family)
{
    struct run_data *data;
    struct error err;
    struct text answer = {0};
    cr_assert_eq(run_data_open(&data, run->directory, &err), OK, "%s", err.text);
    text_add(&answer, "", 0);
    plot_find(family)->answer(data, &answer);
    run_data_close(data);
    return answer;
}

static void expect_part(const struct text *text, const char *part)
{
    cr_expect_not_null(strstr(text->data, part), "\"%s\" is not in \"%.300s\"", part, text->data);
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
            write_for(&run, plot_table[f]->name);
            cr_expect_eq(plot_run(run.directory, &err), OK, "%s, %d cells: %s", plot_table[f]->name,
                         cells, err.text);
            if (plot_table[f]->answer) {
                struct text answer = answer_of(&run, plot_table[f]->name);
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
    struct text svg = drawn(&run, "fpr-vs-k"), answer = answer_of(&run, "fpr-vs-k");
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
    struct text svg = drawn(&run, "source-001"), answer = answer_of(&run, "source-001");
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
    struct text svg = drawn(&run, "dh-gap"), answer = answer_of(&run, "dh-gap");
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
    struct text svg = drawn(&run, "blocked-penalty"), answer = answer_of(&run, "blocked-penalty");
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
    struct text svg = drawn(&run, "fpr-vs-bits-per-key"),
                answer = answer_of(&run, "fpr-vs-bits-per-key");
    expect_part(&svg, "<title>information limit<");
    expect_part(&answer, "classic 13.3; the information limit is 6.6");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, spread_and_its_slope)
{
    struct made_run run;
    made_open(&run);
    for (int e = 7; e <= 11; e++) /* the fixture's trials scatter by the same share at every m */
        made_add(&run,
                 (struct made_cell){
                     .filter = "classic", .m = exp2(e), .n = exp2(e - 3), .k = 4, .scheme = 0.02});
    struct text svg = drawn(&run, "spread"), answer = answer_of(&run, "spread");
    expect_part(&answer, "at m = 128 and by");
    expect_part(&answer, "a slope of ");
    cr_expect_neq(occurrences(answer.data, "slope of 0.00") +
                      occurrences(answer.data, "slope of -0.00"),
                  0, "%s", answer.data);
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, growth_is_held_against_its_bound)
{
    struct made_run run;
    made_open(&run);
    for (int i = 0; i < 4; i++) {
        made_add(&run, (struct made_cell){.filter = "scalable_linear",
                                          .params = "tightening=0.5",
                                          .n = 1000 << i,
                                          .queries = 1e4,
                                          .hits = 1500});
        made_measure(&run, "slices", i + 1);
        made_estimate(&run, "scalable_almeida_bound", 0.02);
    }
    struct text svg = drawn(&run, "scalable-growth"), answer = answer_of(&run, "scalable-growth");
    cr_expect_eq(occurrences(svg.data, ">slices<"), 1);
    expect_part(&answer,
                "At n = 8000 the rate is within its bound in 1 of 1 settings, with 4 to 4");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, counters_show_measured_and_theory)
{
    struct made_run run;
    made_open(&run);
    for (int n = 1; n <= 4; n++) {
        made_add(&run, (struct made_cell){.filter = "counting",
                                          .params = "counter_bits=3",
                                          .m = 1024,
                                          .n = 256 * n,
                                          .k = 4,
                                          .scheme = 0.01});
        made_measure(&run, "saturated_counters", n);
        made_measure(&run, "overflows", n > 2);
        made_estimate(&run, "any_overflow_binomial", 0.1 * n);
        made_estimate(&run, "fan_union_bound", 0.2 * n);
    }
    struct text svg = drawn(&run, "counting-width"), answer = answer_of(&run, "counting-width");
    expect_part(&answer, "0 of 1 with 3 bits");
    expect_part(&svg, "<title>bound of Fan et al.<");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, formulas_are_evaluated_to_all_digits)
{
    struct made_run run;
    made_open(&run);
    for (int e = 3; e <= 20; e++)
        made_add(&run,
                 (struct made_cell){.filter = "classic", .m = exp2(e), .n = exp2(e - 3), .k = 4});
    struct text svg = drawn(&run, "formula-error"), answer = answer_of(&run, "formula-error");
    expect_part(&answer, "the second-order one from m = 8 on");
    cr_expect_eq(occurrences(svg.data, "<title>second order<"), 1);
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, narrow_digests_have_a_floor)
{
    struct made_run run;
    made_open(&run);
    for (unsigned w = 8; w <= 32; w += 8)
        for (int n = 1000; n <= 4000; n *= 2)
            made_add(&run, (struct made_cell){.filter = "blocked",
                                              .params = "block_bits=512",
                                              .digest_bits = w,
                                              .m = 1 << 16,
                                              .n = n,
                                              .k = 4,
                                              .scheme = fmax(0.001, fmin(1, n * exp2(-2.0 * w)))});
    struct text svg = drawn(&run, "digest-width"), answer = answer_of(&run, "digest-width");
    cr_expect_eq(occurrences(svg.data, "<title>n = "), 3);
    expect_part(&answer, "the worst is blocked with 8-bit digests at n = ");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}

Test(plot_families, the_map_names_the_failing_test)
{
    static const char *const hashes[] = {"djb2", "xxh3_64"}, *const keys[] = {"decimal", "url"};
    struct made_run run;
    made_open(&run);
    for (int h = 0; h < 2; h++)
        for (int s = 0; s < 2; s++)
            made_add(&run, (struct made_cell){.filter = "classic",
                                              .hash = hashes[h],
                                              .keys = keys[s],
                                              .m = 1024,
                                              .n = 128,
                                              .k = 4,
                                              .queries = 1e4,
                                              .hits = 1e5 * exact_rate(1024, 128, 4) * (h ? 1 : 3),
                                              .verdict = h ? "PASS" : "FAIL"});
    struct text svg = drawn(&run, "hash-by-keys"), answer = answer_of(&run, "hash-by-keys");
    cr_expect_eq(occurrences(svg.data, ">3.00 P<"), 2);
    cr_expect_eq(occurrences(svg.data, ">1.00<"), 2);
    expect_part(&answer, "2 of 4 combinations of hash and keys fail");
    expect_part(&answer, "djb2 on url (classic, k = 4): probe test, rate 3 times");
    text_release(&svg);
    text_release(&answer);
    made_remove(&run);
}
