/* SPDX-License-Identifier: MIT
 *
 * source_001.c: a lesson on Bloom filters with a calculator: 64 or 128 bits, a few animals.
 */
#include <math.h>
#include <stdio.h>

#include "filters/theory/classic.h"
#include "filters/theory/double_hashing.h"
#include "filters/theory/two_hash.h"
#include "harness/claims/page.h"
#include "harness/claims/properties.h"

/* ---- 8 words in 64 bits ---------------------------------------------------------------------- */

enum { SMALL_M = 64, SMALL_K = 3 };

static enum status source_001_bits(struct finding *finding, const struct claim *claim,
                                   struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = page_run(&run, lab, err);
    if (status)
        return status;
    double bits = (double)page_trial(run, SMALL_M, SMALL_K)->bits_set;
    finding_computed(finding, "bits set", claim->value[0], 0, bits);
    /* 31.25 is a tie: half a unit away, it rounds either way */
    finding_computed(finding, "% of 64", claim->value[1], claim->unit[1], 100 * bits / SMALL_M);
    finding_say(finding, "%.0f of %d (%.2f %%)", bits, SMALL_M, 100 * bits / SMALL_M);
    finding_how(finding, "bloomlab sweep sweeps/claims-page.yaml (m = 64, k = 3)");
    return OK;
}

static enum status source_001_bits_per_word(struct finding *finding, const struct claim *claim,
                                            struct claim_lab *lab, struct error *err)
{
    (void)lab, (void)err;
    finding_computed(finding, "", claim->value[0], claim->unit[0], SMALL_M / (double)PAGE_SMALL);
    finding_how(finding, "64 bits, 8 words");
    return OK;
}

static enum status source_001_optimal_k(struct finding *finding, const struct claim *claim,
                                        struct claim_lab *lab, struct error *err)
{
    (void)lab, (void)err;
    finding_computed(finding, "", claim->value[0], claim->unit[0],
                     SMALL_M / (double)PAGE_SMALL * M_LN2);
    finding_how(finding, "(m/n) ln 2 at m = 64, n = 8");
    return OK;
}

static enum status source_001_small_estimate(struct finding *finding, const struct claim *claim,
                                             struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = page_run(&run, lab, err);
    if (status)
        return status;
    finding_computed(
        finding, "%", claim->value[0], claim->unit[0],
        100 * pow((double)page_trial(run, SMALL_M, SMALL_K)->bits_set / SMALL_M, SMALL_K));
    finding_how(finding, "bloomlab sweep sweeps/claims-page.yaml (m = 64, k = 3): fpr_bits");
    return OK;
}

static enum status source_001_small_rate(struct finding *finding, const struct claim *claim,
                                         struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = page_run(&run, lab, err);
    if (status)
        return status;
    const struct trial_result *trial = page_trial(run, SMALL_M, SMALL_K);
    double share = 100 * (double)trial->false_positives / (double)trial->queries;
    finding_computed(finding, "of 10000", claim->value[0], 0, (double)trial->false_positives);
    finding_computed(finding, "%", claim->value[1], claim->unit[1], share);
    finding_say(finding, "%llu of %llu (%.2f %%)", (unsigned long long)trial->false_positives,
                (unsigned long long)trial->queries, share);
    finding_how(finding, "bloomlab sweep sweeps/claims-page.yaml (m = 64, k = 3)");
    return OK;
}

/* ---- statements on k ------------------------------------------------------------------------- */

static double source_001_standard(double bits_per_key, double k)
{
    return pow(-expm1(-k / bits_per_key), k);
}

/* The real k of the least standard estimate, by golden sections of [c/100, 2c]. */
static double source_001_minimum(double c)
{
    const double golden = (sqrt(5) - 1) / 2;
    double lo = c / 100, hi = 2 * c;
    for (int i = 0; i < 80; i++) {
        double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
        if (source_001_standard(c, a) < source_001_standard(c, b))
            hi = b;
        else
            lo = a;
    }
    return (lo + hi) / 2;
}

static enum status source_001_minimiser(struct finding *finding, const struct claim *claim,
                                        struct claim_lab *lab, struct error *err)
{
    static const double bits_per_key[] = {2, 8, 24};
    (void)claim, (void)lab, (void)err;
    for (int i = 0; i < 3; i++) {
        char name[FINDING_NAME_MAX];
        double c = bits_per_key[i];
        snprintf(name, sizeof name, "of the least estimate at m/n = %.0f", c);
        /* a minimum is found to the root of a double's precision */
        finding_computed(finding, name, c * M_LN2, 1e-6 * c, source_001_minimum(c));
    }
    finding_say(finding, "%.6g, %.6g, %.6g at m/n = 2, 8, 24: (m/n) ln 2 each",
                finding->reading[0].value, finding->reading[1].value, finding->reading[2].value);
    finding_how(finding, "least value over real k, by golden sections; of the standard estimate "
                         "only");
    return OK;
}

/* Every odd step in filters of 16 to 512 bits. */
static enum status source_001_distinct(struct finding *finding, const struct claim *claim,
                                       struct claim_lab *lab, struct error *err)
{
    uint64_t steps = 0, distinct = 0, cells[PAGE_K_MAX];
    (void)claim, (void)lab, (void)err;
    for (uint64_t m = 16; m <= 512; m *= 2)
        for (unsigned k = 1; k <= PAGE_K_MAX; k++) {
            struct two_hash scheme = {.law = LAW_DOUBLE, .odd = true, .m = m, .k = k};
            for (uint64_t step = 1; step < m; step += 2, steps++)
                distinct += two_hash_cells(&scheme, step, cells) == k;
        }
    finding_aside(finding, "steps", (double)steps);
    finding_aside(finding, "with k distinct positions", (double)distinct);
    finding_holds(finding, distinct == steps, CLAIM_REFUTED);
    finding_say(finding, "%llu of %llu odd steps give k distinct positions",
                (unsigned long long)distinct, (unsigned long long)steps);
    finding_how(finding, "all odd steps, m = 16 .. 512 (powers of two), k = 1 .. 16");
    return OK;
}

/* ---- 16 words in 128 bits -------------------------------------------------------------------- */

enum { LARGE_M = 128 };

/* value[0]: false positives; value[1]: bits set, where the claim gives them. k is in the name. */
static enum status source_001_rate(struct finding *finding, const struct claim *claim,
                                   struct claim_lab *lab, struct error *err)
{
    unsigned k;
    const struct claim_run *run;
    if (sscanf(claim->name, "measured m=128 n=16 k=%u", &k) != 1)
        return fail(err, E_RUN, "no k in the claim '%s'", claim->name);
    enum status status = page_run(&run, lab, err);
    if (status)
        return status;
    const struct trial_result *trial = page_trial(run, LARGE_M, k);
    finding_computed(finding, "of 10000", claim->value[0], 0, (double)trial->false_positives);
    if (claim->value[1] > 0)
        finding_computed(finding, "bits", claim->value[1], 0, (double)trial->bits_set);
    else
        finding_aside(finding, "bits", (double)trial->bits_set);
    finding_how(finding, "bloomlab sweep sweeps/claims-page.yaml (m = 128, k = %u)", k);
    return OK;
}

static enum status source_001_curve(struct finding *finding, const struct claim *claim,
                                    struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    unsigned minimum = 1;
    uint64_t hits[PAGE_K_MAX + 1];
    enum status status = page_run(&run, lab, err);
    if (status)
        return status;
    for (unsigned k = 1; k <= PAGE_K_MAX; k++) {
        hits[k] = page_trial(run, LARGE_M, k)->false_positives;
        minimum = hits[k] < hits[minimum] ? k : minimum;
        finding_say(finding, "%s%llu", k > 1 ? ", " : "", (unsigned long long)hits[k]);
    }
    finding_say(finding, " of 10000 for k = 1 .. 16");
    finding_computed(finding, "the k of the least rate", claim->value[0], 0, minimum);
    for (unsigned k = 2; k <= PAGE_K_MAX; k++)
        finding_holds(finding, (hits[k] < hits[k - 1]) == (k <= minimum || k == claim->value[1]),
                      CLAIM_REFUTED);
    finding_how(finding, "bloomlab sweep sweeps/claims-page.yaml (m = 128)");
    return OK;
}

static enum status source_001_sixteen(struct finding *finding, const struct claim *claim,
                                      struct claim_lab *lab, struct error *err)
{
    static const unsigned ks[] = {16, 1};
    const struct claim_run *run;
    double rate[2], expected[2];
    enum status status = page_run(&run, lab, err);
    if (status)
        return status;
    for (int i = 0; i < 2; i++) {
        char name[FINDING_NAME_MAX];
        const struct trial_result *trial = page_trial(run, LARGE_M, ks[i]);
        struct two_hash scheme = {.law = LAW_DOUBLE, .odd = true, .m = LARGE_M, .k = ks[i]};
        rate[i] = 100 * (double)trial->false_positives / (double)trial->queries;
        expected[i] = 100 * theory_two_hash_exact(&scheme, PAGE_WORDS);
        snprintf(name, sizeof name, "%% with %u", ks[i]);
        finding_computed(finding, name, claim->value[i], claim->unit[i], rate[i]);
    }
    finding_holds(finding, rate[0] > rate[1], CLAIM_REFUTED);
    finding_say(finding,
                "%.2f %% and %.2f %%; over all sets of 16 words %.9g %% and %.9g %%: worse there "
                "too, but only just",
                rate[0], rate[1], expected[0], expected[1]);
    finding_how(finding, "bloomlab sweep sweeps/claims-page.yaml; bloomlab predict --filter "
                         "double_hashing --m 128 --n 16 --k 1..16");
    return OK;
}

static enum status source_001_standard_large(struct finding *finding, const struct claim *claim,
                                             struct claim_lab *lab, struct error *err)
{
    (void)lab, (void)err;
    finding_computed(finding, "%", claim->value[0], claim->unit[0],
                     100 * theory_fpr_standard(LARGE_M, PAGE_WORDS, 16));
    finding_how(finding, "bloomlab predict --filter classic --m 128 --n 16 --k 16: fpr_standard");
    return OK;
}

static enum status source_001_expected_bits(struct finding *finding, const struct claim *claim,
                                            struct claim_lab *lab, struct error *err)
{
    struct two_hash scheme = {.law = LAW_DOUBLE, .odd = true, .m = LARGE_M, .k = 16};
    double bits = -LARGE_M * expm1(-(double)PAGE_WORDS * 16 / LARGE_M);
    double exact = theory_two_hash_fill(&scheme, PAGE_WORDS).mean;
    (void)lab, (void)err;
    finding_computed(finding, "bits", claim->value[0], claim->unit[0], bits);
    finding_aside(finding, "expected, as the 16 positions of a word are distinct", exact);
    finding_how(finding, "128 (1 - e^-2); bloomlab predict --filter double_hashing --m 128 --n 16 "
                         "--k 16: expected_bits");
    return OK;
}

static enum status source_001_power(struct finding *finding, const struct claim *claim,
                                    struct claim_lab *lab, struct error *err)
{
    const struct claim_run *run;
    enum status status = page_run(&run, lab, err);
    if (status)
        return status;
    finding_computed(finding, "%", claim->value[0], claim->unit[0],
                     100 * page_trial(run, LARGE_M, 16)->fpr_bits);
    finding_how(finding, "bloomlab sweep sweeps/claims-page.yaml (m = 128, k = 16): fpr_bits");
    return OK;
}

static enum status source_001_limit(struct finding *finding, const struct claim *claim,
                                    struct claim_lab *lab, struct error *err)
{
    (void)claim, (void)lab, (void)err;
    finding_say(finding, "a limit of the page's form, which is not here");
    finding->verdict = CLAIM_EXTERNAL;
    finding_how(finding, "not to be recomputed: it is no property of a filter");
    return OK;
}

static const struct claim source_001_claims[] = {
    {"bits set, m=64 n=8 k=3", "20 of 64 (31.3 %)", {20, 31.3}, {0, 0.1}, false, source_001_bits},
    {"bits per word", "8.00", {8}, {0.01}, false, source_001_bits_per_word},
    {"optimal k (standard)", "5.55", {5.55}, {0.01}, false, source_001_optimal_k},
    {"bit-count estimate m=64 k=3", "3.05 %", {3.05}, {0.01}, false, source_001_small_estimate},
    {"measured m=64 n=8 k=3",
     "335 of 10000 (3.35 %)",
     {335, 3.35},
     {0, 0.01},
     false,
     source_001_small_rate},
    {"k minimising (1-e^-kn/m)^k", "(m/n) ln 2", {0}, {0}, false, source_001_minimiser},
    {"k positions of a word always distinct", "-", {0}, {0}, false, source_001_distinct},
    {"measured m=128 n=16 k=1", "1282 of 10000", {1282}, {0}, false, source_001_rate},
    {"measured m=128 n=16 k=5", "250 of 10000, 60 bits", {250, 60}, {0}, false, source_001_rate},
    {"measured m=128 n=16 k=16",
     "3201 of 10000, 119 bits",
     {3201, 119},
     {0},
     false,
     source_001_rate},
    {"rate falls for k=1..5, then rises with a small dip at 15",
     "k=5 minimum",
     {5, 15},
     {0},
     false,
     source_001_curve},
    {"5 is the best k at m=128 n=16", "5", {5}, {0}, false, page_best_k},
    {"16 functions worse than 1",
     "32.01 % vs 12.82 %",
     {32.01, 12.82},
     {0.01, 0.01},
     false,
     source_001_sixteen},
    {"standard estimate m=128 n=16 k=16",
     "9.76 %",
     {9.76},
     {0.01},
     false,
     source_001_standard_large},
    {"expected bits by the standard estimate",
     "110.7",
     {110.7},
     {0.1},
     false,
     source_001_expected_bits},
    {"(119/128)^16", "31.15 %", {31.15}, {0.01}, false, source_001_power},
    {"150 other sets of 16 words, k=16", "14.4 % mean", {14.4}, {0}, false, page_other_sets},
    {"configurations with at least one FP", "6051", {6051}, {0}, false, page_configurations},
    {"bit-count estimate closer to the measurement (ratio distance from 1)",
     "5356 of 6051 (88.5 %)",
     {88.5},
     {0},
     false,
     page_closer},
    {"owl positions m=64 k=3", "37, 58, 15", {37, 58, 15}, {0}, false, page_positions},
    {"fox positions m=64 k=3", "14, 15, 16", {14, 15, 16}, {0}, false, page_positions},
    {"removing owl loses fox (false negative)", "1 word", {1}, {0}, false, page_owl_takes},
    {"removals that lose another word, m=64 n=8 k=3", "6 of 8", {6}, {0}, false, page_harmful},
    {"page limit", "64 words", {64}, {0}, false, source_001_limit},
    {"a no is certain", "qualitative", {0}, {0}, false, property_no_is_certain},
    {"counters take more memory than bits", "qualitative", {0}, {0}, false, property_counters},
};

const struct claim_source claim_source_001 = {
    .name = "001_e31464bc28fcc383.txt",
    .title = "001: a page with a calculator",
    .claims = source_001_claims,
    .count = sizeof source_001_claims / sizeof source_001_claims[0],
};
