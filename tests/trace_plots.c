/* SPDX-License-Identifier: MIT
 *
 * trace_plots.c: what is said of many key sets, against counts made here from the trials.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/plot/family.h"
#include "tests/harness_files.h"
#include "tests/harness_lab.h"

#define WORDS                                                                                      \
    "hash_seed: 0\ntrials: 6\nseed: 3\ngrid: {filter: double_hashing, reduction: mod,"             \
    " hash: {pair: [fnv1a_32, djb2_mix]}, keys: {members: letters, queries: {decimal: 0..999}},"

/* Runs it, writes its tables, and the answer of the family. */
static struct text plots_answer(struct lab *lab, const char *text, const char *family)
{
    struct run_data *run;
    struct error err;
    struct text answer = {0};
    char *folder = folder_new();
    lab_open(lab, text);
    lab_run(lab, 2, UINT64_MAX, NULL);
    lab_write(lab, folder);
    cr_assert_eq(run_data_open(&run, folder, &err), OK, "%s", err.text);
    const struct plot_family *found = plot_find(family);
    cr_assert_not_null(found);
    found->answer(run, &answer);
    run_data_close(run);
    folder_remove(folder);
    cr_assert(answer.data, "no answer");
    return answer;
}

static const struct trial_result *plots_trial(const struct lab *lab, size_t cell, unsigned trial)
{
    return &lab->results[lab->plan->cells[cell].first_result + trial];
}

/* +1: the bits are the better estimate, -1: the formula; 0: no hit, or a tie. */
static int plots_better(const struct cell *cell, const struct trial_result *result)
{
    double m = (double)cell->layout.m, k = cell->layout.k;
    double rate = (double)result->false_positives / (double)result->queries;
    double bits = fabs(pow((double)result->bits_set / m, k) / rate - 1);
    double formula = fabs(pow(-expm1(-k * (double)cell->n / m), k) / rate - 1);
    if (!(rate > 0) || fabs(bits - formula) <= 1e-12)
        return 0;
    return bits < formula ? 1 : -1;
}

Test(trace, share_in_which_the_bit_count_is_closer)
{
    struct lab lab;
    char expected[80];
    double sum = 0, with_hits = 0;
    struct text answer = plots_answer(&lab, WORDS " m: [16, 32, 64], n: [3, 9, 20], k: 1..5}\n",
                                      "bit-count-estimate");
    cr_assert_eq(lab.plan->cell_count, 45);
    for (unsigned t = 0; t < 6; t++) {
        double closer = 0, decided = 0;
        for (size_t c = 0; c < lab.plan->cell_count; c++) {
            const struct trial_result *result = plots_trial(&lab, c, t);
            int better = plots_better(&lab.plan->cells[c], result);
            closer += better > 0;
            decided += better != 0;
            with_hits += result->false_positives > 0;
        }
        sum += closer / decided;
    }
    snprintf(expected, sizeof expected,
             "Over 6 key sets the count of set bits comes closer in %.1f %%", 100 * sum / 6);
    cr_expect(strstr(answer.data, expected), "%s lacks %s", answer.data, expected);
    snprintf(expected, sizeof expected, "%.0f of 45 filters of a set have one", with_hits / 6);
    cr_expect(strstr(answer.data, expected), "%s lacks %s", answer.data, expected);
    text_release(&answer);
    lab_close(&lab);
}

Test(trace, share_in_which_a_k_is_the_best)
{
    enum { KS = 8 };
    struct lab lab;
    char expected[80];
    unsigned best[KS] = {0}, worse = 0, most = 0;
    struct text answer = plots_answer(&lab, WORDS " m: 64, n: 8, k: 1..8}\n", "source-001-sets");
    cr_assert_eq(lab.plan->cell_count, KS);
    for (unsigned t = 0; t < 6; t++) {
        unsigned least = 0;
        for (unsigned k = 1; k < KS; k++)
            if (plots_trial(&lab, k, t)->false_positives <
                plots_trial(&lab, least, t)->false_positives)
                least = k;
        best[least]++;
        worse += plots_trial(&lab, KS - 1, t)->false_positives >
                 plots_trial(&lab, 0, t)->false_positives;
    }
    for (unsigned k = 0; k < KS; k++)
        most = best[k] > best[most] ? k : most;
    snprintf(expected, sizeof expected, "least k in %.0f %% of the sets; best is k = %u in %.0f %%",
             100 * worse / 6.0, most + 1, 100 * best[most] / 6.0);
    cr_expect(strstr(answer.data, expected), "%s lacks %s", answer.data, expected);
    text_release(&answer);
    lab_close(&lab);
}
