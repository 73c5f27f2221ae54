/* SPDX-License-Identifier: MIT
 *
 * theory_sizing.c: sizes, and scalable filters, which are made of them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/filter.h"
#include "filters/theory/classic.h"
#include "filters/theory/scalable.h"
#include "filters/theory/sizing.h"
#include "tests/near.h"

/* ---- sizes --------------------------------------------------------------------------------- */

static void sizing_row(const struct csv *t, size_t row)
{
    uint64_t n = csv_integer(t, row, "n"), m = csv_integer(t, row, "m_ceil");
    struct sizing size;
    struct error err;
    cr_assert_eq(theory_size(&size, n, csv_number(t, row, "p"), &err), OK);
    cr_assert_eq(size.m, m);
    cr_assert_eq(size.k, csv_integer(t, row, "k_best_std"));
    cr_assert_eq(size.bytes, csv_integer(t, row, "bytes"));
    NEAR(csv_number(t, row, "bits_per_key"), (double)m / (double)n, 1e-15);
    NEAR(csv_number(t, row, "k_real"), (double)m / (double)n * M_LN2, 1e-15);
    const char *const columns[][2] = {{"k_ceil", "p_std_k_ceil"},
                                      {"k_round", "p_std_k_round"},
                                      {"k_floor", "p_std_k_floor"},
                                      {"k_best_std", "p_std_k_best"}};
    for (size_t i = 0; i < 4; i++)
        NEAR(theory_fpr_standard(m, n, (unsigned)csv_integer(t, row, columns[i][0])),
             csv_number(t, row, columns[i][1]), 1e-13);
    NEAR(theory_fpr_exact(m, n, (unsigned)csv_integer(t, row, "k_ceil")),
         csv_number(t, row, "p_exact_k_ceil"), 1e-15);
    NEAR(theory_fpr_exact(m, n, (unsigned)csv_integer(t, row, "k_round")),
         csv_number(t, row, "p_exact_k_round"), 1e-15);
    uint64_t power = csv_integer(t, row, "m_pow2");
    NEAR(theory_fpr_standard(power, n, (unsigned)csv_integer(t, row, "k_round")),
         csv_number(t, row, "p_std_pow2_k_round"), 1e-13);
}

Test(theory_sizing, every_row)
{
    struct csv *t = csv_read("tests/data/sizing.csv");
    cr_assert_eq(csv_rows(t), 19);
    for (size_t row = 0; row < csv_rows(t); row++)
        sizing_row(t, row);
    csv_free(t);
}

Test(theory_sizing, known_sizes)
{
    const struct {
        uint64_t n;
        double p;
        uint64_t m;
        unsigned k;
        uint64_t bytes;
    } cases[] = {
        {268435456, .001, 0, 10, 482431785},
        {536870912, .001, 0, 10, 964863569},
        {1073741824, .001, 0, 10, 1929727138},
        {2147483648, .001, 0, 10, 3859454275},
        {UINT64_C(10000000000), 1e-7, UINT64_C(335477043208), 23, UINT64_C(41934630401)},
        {1000, .01, 9586, 7, 1199},
        {150000000, 1e-4, UINT64_C(2875517514), 13, 359439690},
        {1000, .5, 1443, 1, 181},
        {1000, .9, 220, 1, 28},
        {50000, 1. / 16, 288540, 4, 36068},
        {1, .001, 15, 10, 2},
        {1, 1 - 1e-16, 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sizing size;
        cr_assert_eq(theory_size(&size, cases[i].n, cases[i].p, NULL), OK);
        if (cases[i].m)
            cr_assert_eq(size.m, cases[i].m);
        cr_assert_eq(size.k, cases[i].k);
        cr_assert_eq(size.bytes, cases[i].bytes);
    }
}

Test(theory_sizing, a_cap_is_kept_and_its_rate_can_be_told)
{
    struct sizing size;
    cr_assert_eq(theory_size_capped(&size, 1000000000, .001, 288000, NULL), OK);
    cr_assert_eq(size.m, 8 * 288000);
    cr_assert_eq(size.k, 1);
    cr_assert_eq(theory_fpr_standard(size.m, 1000000000, size.k), 1);
    cr_assert_eq(theory_size_capped(&size, 1000, .01, 600, NULL), OK);
    cr_assert_eq(size.m, 4800);
    cr_assert_eq(size.k, 3, "the best k for 4.8 bits a key");
    cr_assert_eq(theory_size_capped(&size, 1000, .01, 1 << 20, NULL), OK);
    cr_assert_eq(size.m, 9586, "a cap that does not bind changes nothing");
    cr_assert_eq(theory_size_capped(&size, UINT64_C(1) << 47, 1e-9, 1, NULL), OK);
    cr_assert_eq(size.m, 8, "the uncapped size would be out of bounds");
    cr_assert_eq(theory_size_capped(&size, 1000, .01, (UINT64_C(1) << 61) + 1, NULL), OK);
    cr_assert_eq(size.m, 9586);
}

Test(theory_sizing, wrong_input_is_named)
{
    const struct {
        uint64_t n;
        double p;
        const char *parameter, *value, *bound;
    } cases[] = {
        {0, .01, "n", "0", "at least 1"},
        {10, 0, "p", "0", "greater than 0"},
        {10, 1, "p", "1", "less than 1"},
        {10, -.5, "p", "-0.5", "greater than 0"},
        {10, 7, "p", "7", "less than 1"},
        {10, NAN, "p", "nan", "greater than 0"},
        {UINT64_C(1) << 47, .1, "n", "140737488355328", "281474976710656"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sizing size = {7, 7, 7};
        struct error err = {0};
        cr_assert_eq(theory_size(&size, cases[i].n, cases[i].p, &err), E_INPUT);
        cr_assert_eq(err.status, E_INPUT);
        cr_assert(strncmp(err.text, cases[i].parameter, 1) == 0, "%s", err.text);
        cr_assert(strstr(err.text, cases[i].value) && strstr(err.text, cases[i].bound), "%s",
                  err.text);
        cr_assert_eq(size.m, 7, "nothing is written");
        if (cases[i].n < 100)
            cr_assert_eq(theory_size_capped(&size, cases[i].n, cases[i].p, 9, &err), E_INPUT);
    }
    struct error err;
    struct sizing size;
    cr_assert_eq(theory_size_capped(&size, 10, .01, 0, &err), E_INPUT);
    cr_assert(strstr(err.text, "0 bytes"), "%s", err.text);
}

Test(theory_sizing, bounds_are_those_of_the_filters)
{
    cr_assert_eq(THEORY_M_MAX, FILTER_M_MAX);
    cr_assert_eq((int)THEORY_K_MAX, (int)FILTER_K_MAX);
}

Test(theory_sizing, other_structures)
{
    NEAR(theory_bits_information_limit(1. / 256), 8, 0);
    NEAR(theory_bits_xor(1. / 256), 9.84, 1e-15);
    NEAR(theory_bits_binary_fuse(1. / 256), 9.04, 1e-15);
    NEAR(theory_bits_cuckoo(1. / 256), 11 / .955, 1e-15);
}

/* ---- scalable ------------------------------------------------------------------------------ */

static struct scalable_rule scalable_rule_of(const struct csv *t, size_t row)
{
    const char *mode = csv_text(t, row, "error_mode");
    return (struct scalable_rule){
        .growth = csv_is(t, row, "growth", "linear") ? GROWTH_LINEAR : GROWTH_EXPONENTIAL,
        .initial_capacity = csv_integer(t, row, "c0"),
        .scale_factor = csv_number(t, row, "s"),
        .tightening = strcmp(mode, "constant") ? strtod(mode + 1, NULL) : 1,
        .first_rate = csv_number(t, row, "P0"),
        .slice_k = SLICE_K_CEIL,
    };
}

static void scalable_sizes(const struct csv *t, size_t row, const struct scalable_rule *rule)
{
    unsigned slices;
    uint64_t bits = 0, capacity = 0;
    struct slice first = {0}, last;
    cr_assert_eq(theory_scalable_slices(&slices, rule, csv_integer(t, row, "n"), NULL), OK);
    cr_assert_eq(slices, csv_integer(t, row, "num_filters"));
    for (unsigned i = 0; i < slices; i++) {
        cr_assert_eq(theory_scalable_slice(&last, rule, i, NULL), OK);
        bits += last.m, capacity += last.capacity;
        first = i ? first : last;
    }
    cr_assert_eq(last.capacity, csv_integer(t, row, "last_capacity"));
    cr_assert_eq(capacity, csv_integer(t, row, "total_capacity"));
    cr_assert_eq(bits, csv_integer(t, row, "total_bits"));
    cr_assert_eq(first.k, csv_integer(t, row, "k_first"));
    cr_assert_eq(last.k, csv_integer(t, row, "k_last"));
    cr_assert_eq(first.m, csv_integer(t, row, "m_first"));
    cr_assert_eq(last.m, csv_integer(t, row, "m_last"));
}

Test(theory_sizing, scalable_every_row)
{
    struct csv *t = csv_read("tests/data/scalable.csv");
    size_t exact = 0;
    for (size_t row = 0; row < csv_rows(t); row++) {
        struct scalable_rule rule = scalable_rule_of(t, row);
        uint64_t n = csv_integer(t, row, "n");
        scalable_sizes(t, row, &rule);
        NEAR(theory_scalable_bloom(&rule, n), csv_number(t, row, "fpr_bloom"), 1e-13);
        NEAR(theory_scalable_standard(&rule, n), csv_number(t, row, "fpr_standard"), 1e-13);
        NEAR(theory_scalable_all_full(&rule, n), csv_number(t, row, "fpr_all_full"), 1e-13);
        NEAR(theory_scalable_nominal(&rule, n), csv_number(t, row, "nominal_compound"), 1e-13);
        NEAR(theory_scalable_union_bound(&rule, n), csv_number(t, row, "union_bound"), 1e-13);
        if (!csv_empty(t, row, "fpr_exact")) {
            NEAR(theory_scalable_exact(&rule, n), csv_number(t, row, "fpr_exact"), 1e-14);
            exact++;
        }
        if (csv_empty(t, row, "almeida_bound"))
            cr_assert(isnan(theory_scalable_almeida_bound(&rule)));
        else
            NEAR(theory_scalable_almeida_bound(&rule), csv_number(t, row, "almeida_bound"), 1e-14);
    }
    cr_assert_eq(csv_rows(t), 90);
    cr_assert_eq(exact, 77);
    csv_free(t);
}

static const struct scalable_rule plain = {GROWTH_LINEAR, 1000, 1, 1, .01, SLICE_K_CEIL};

Test(theory_sizing, scalable_targets_and_counts)
{
    struct scalable_rule rule = plain;
    const struct {
        enum growth growth;
        double scale;
        uint64_t capacity;
        unsigned slices;
    } cases[] = {{GROWTH_LINEAR, 1, 2000, 46},
                 {GROWTH_EXPONENTIAL, 2, 3000, 10},
                 {GROWTH_EXPONENTIAL, 4, 5000, 6}};
    for (size_t i = 0; i < 3; i++) {
        unsigned slices;
        struct slice second;
        rule.growth = cases[i].growth, rule.scale_factor = cases[i].scale;
        cr_assert_eq(theory_scalable_slices(&slices, &rule, 1000000, NULL), OK);
        cr_assert_eq(slices, cases[i].slices);
        cr_assert_eq(theory_scalable_slices(&slices, &rule, 1001, NULL), OK);
        cr_assert_eq(slices, 2);
        cr_assert_eq(theory_scalable_slice(&second, &rule, 1, NULL), OK);
        cr_assert_eq(1000 + second.capacity, cases[i].capacity);
        cr_assert_eq(theory_scalable_slices(&slices, &rule, 1000, NULL), OK);
        cr_assert_eq(slices, 1);
        cr_assert_eq(theory_scalable_slices(&slices, &rule, 0, NULL), OK);
        cr_assert_eq(slices, 1);
    }
    rule = plain, rule.tightening = .5;
    struct slice slice;
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 100, NULL), OK);
    NEAR(slice.target, 7.9e-33, 2e-3);
    cr_assert_eq(slice.k, 107);
    NEAR(theory_fpr_exact(slice.m, slice.capacity, slice.k), slice.target, .1);
    rule.initial_capacity = 50000, rule.first_rate = 1. / 16;
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 0, NULL), OK);
    cr_assert_eq(slice.k, 5, "the rule of the oracle, pitfall and all");
    rule.slice_k = SLICE_K_BEST;
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 0, NULL), OK);
    cr_assert_eq(slice.k, 4);
}

Test(theory_sizing, scalable_eight_slices_at_their_targets)
{
    struct scalable_rule rule = {GROWTH_EXPONENTIAL, 1000, 2, .5, .005, SLICE_K_CEIL};
    const uint64_t n = 255000; /* 1000 (2^8 - 1) */
    NEAR(theory_scalable_nominal(&rule, n), .009928, 5e-5);
    rule.first_rate = .01;
    NEAR(theory_scalable_nominal(&rule, n), .019790, 5e-5);
    rule.tightening = 1;
    NEAR(theory_scalable_nominal(&rule, n), .077255, 1e-5);
    const double rates[] = {.01, .01, .01, .01, .01, .01, .01, .01};
    NEAR(theory_compound(rates, 8), .077255, 1e-5);
    NEAR(theory_compound((const double[]){1e-30, 2e-30}, 2), 3e-30, 1e-15);
    cr_assert_eq(theory_compound((const double[]){.5, 1}, 2), 1);
    cr_assert_eq(theory_compound(rates, 0), 0);
}

/* Var[1 - prod(1 - f_i)] from the moments of the slices. */
Test(theory_sizing, scalable_variance)
{
    struct scalable_rule rule = {GROWTH_EXPONENTIAL, 20, 2, .5, .05, SLICE_K_CEIL};
    const uint64_t n = 100, held[] = {20, 40, 40};
    double square = 1, mean = 1;
    for (unsigned i = 0; i < 3; i++) {
        struct slice slice;
        cr_assert_eq(theory_scalable_slice(&slice, &rule, i, NULL), OK);
        double p = theory_fpr_exact(slice.m, held[i], slice.k);
        square *= (1 - p) * (1 - p) + theory_fpr_variance(slice.m, held[i], slice.k);
        mean *= 1 - p;
    }
    NEAR(theory_scalable_variance(&rule, n), square - mean * mean, 1e-9);
    cr_assert_eq(theory_scalable_variance(&rule, 0), 0);
    NEAR(theory_scalable_exact(&rule, n), 1 - mean, 1e-13);
    cr_assert_eq(theory_scalable_exact(&rule, 0), 0);
    rule.scale_factor = 1, rule.growth = GROWTH_LINEAR; /* 101 slices, the last of rates 1e-32 */
    rule.initial_capacity = 4;
    cr_assert_gt(theory_scalable_variance(&rule, 4 + 4 * 100 * 101 / 2), 0);
}

Test(theory_sizing, scalable_refuses_what_cannot_be)
{
    const struct {
        struct scalable_rule rule;
        const char *text;
    } cases[] = {
        {{GROWTH_LINEAR, 0, 1, 1, .01, SLICE_K_CEIL}, "initial_capacity is 0"},
        {{GROWTH_LINEAR, 1000, 0, 1, .01, SLICE_K_CEIL}, "scale_factor is 0"},
        {{GROWTH_LINEAR, 1000, NAN, 1, .01, SLICE_K_CEIL}, "scale_factor is nan"},
        {{GROWTH_EXPONENTIAL, 1000, .5, 1, .01, SLICE_K_CEIL}, "scale_factor is 0.5"},
        {{GROWTH_EXPONENTIAL, 1000, INFINITY, 1, .01, SLICE_K_CEIL}, "scale_factor is inf"},
        {{GROWTH_LINEAR, 1000, 1, 0, .01, SLICE_K_CEIL}, "tightening is 0"},
        {{GROWTH_LINEAR, 1000, 1, 1.1, .01, SLICE_K_CEIL}, "tightening is 1.1"},
        {{GROWTH_LINEAR, 1000, 1, 1, 1, SLICE_K_CEIL}, "first slice is 1"},
        {{GROWTH_LINEAR, 1000, 1, 1, 0, SLICE_K_CEIL}, "first slice is 0"},
    };
    struct slice slice;
    struct error err;
    unsigned slices;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(theory_scalable_slices(&slices, &cases[i].rule, 10, &err), E_INPUT);
        cr_assert(strstr(err.text, cases[i].text), "%s", err.text);
        cr_assert(isnan(theory_scalable_exact(&cases[i].rule, 10)));
        cr_assert(isnan(theory_scalable_variance(&cases[i].rule, 10)));
    }
    struct scalable_rule rule = {GROWTH_LINEAR, 1000, 1, .5, .01, SLICE_K_CEIL};
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 300, &err), E_INPUT);
    cr_assert(strstr(err.text, "slice 300") && strstr(err.text, "256"), "%s", err.text);
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 4000000000, &err), E_INPUT);
    cr_assert_eq(theory_scalable_slices(&slices, &rule, UINT64_C(1) << 40, &err), E_INPUT);
    rule = (struct scalable_rule){GROWTH_EXPONENTIAL, 1000, 2, 1, .01, SLICE_K_CEIL};
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 36, &err), E_INPUT);
    cr_assert(strstr(err.text, "2^48"), "%s", err.text);
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 5000, &err), E_INPUT);
    rule = (struct scalable_rule){GROWTH_EXPONENTIAL, 1, 1, 1, .5, SLICE_K_CEIL};
    cr_assert_eq(theory_scalable_slices(&slices, &rule, 65536, &err), OK);
    cr_assert_eq(slices, 65536);
    cr_assert_eq(theory_scalable_slices(&slices, &rule, 65537, &err), E_INPUT);
    cr_assert(strstr(err.text, "65536 slices"), "%s", err.text);
    rule = (struct scalable_rule){GROWTH_LINEAR, 4, .1, 1, .5, SLICE_K_CEIL};
    cr_assert_eq(theory_scalable_slice(&slice, &rule, 1, &err), OK);
    cr_assert_eq(slice.capacity, 1, "int(0.4) would never end");
}
