/* SPDX-License-Identifier: MIT
 *
 * filters_cases_a.c: faults users of filter libraries have met, as tests: positions of double
 * hashing, counters, estimates and set operations.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "filters/bits.h"
#include "tests/csv.h"
#include "tests/given.h"
#include "tests/ideal.h"

static struct filter_params cases_params(const char *name, uint64_t m, unsigned k)
{
    struct filter_params params = {.m = m,
                                   .n = 1000,
                                   .k = k,
                                   .reduction = REDUCE_MOD,
                                   .digest_bits = 64,
                                   .digest_columns = 64};
    filter_params_defaults(&params, filter_find(name));
    return params;
}

static struct plain_filter cases_open(const char *name, const struct filter_params *params)
{
    struct plain_filter plain;
    struct error err = {.text = ""};
    cr_assert_eq(plain_open(&plain, filter_find(name), params, &err), OK, "%s", err.text);
    return plain;
}

static struct plain_filter cases_plain(const char *name, uint64_t m, unsigned k)
{
    struct filter_params params = cases_params(name, m, k);
    return cases_open(name, &params);
}

static void cases_fill(struct plain_filter *plain, uint64_t seed, uint64_t first, uint64_t count)
{
    struct ideal ideal;
    ideal_init(&ideal, plain->layout->params.digest_bits, seed);
    for (uint64_t done = 0; done < count; done += FILTER_BATCH)
        plain_insert(plain, ideal_move(&ideal, first + done,
                                       count - done < FILTER_BATCH ? count - done : FILTER_BATCH));
}

/* ---- double hashing ---------------------------------------------------------------------------
 */

/* The positions of one key of digests h1, h2 are exactly those of the list. */
static void cases_positions(const char *name, bool odd, uint64_t m, unsigned k, uint64_t h1,
                            uint64_t h2, const unsigned *list, unsigned count, double degenerate)
{
    struct filter_params params = cases_params(name, m, k);
    params.own[0].integer = odd;
    struct plain_filter plain = cases_open(name, &params);
    const uint64_t digest[] = {h1, h2};
    struct given one = given_keys(digest, 2, 1, 64);
    struct measure measure;
    plain_insert(&plain, &one.base);
    cr_assert_eq(plain.filter.ops->count_bits(&plain.filter), count);
    for (unsigned i = 0; i < count; i++)
        cr_assert(bits_test(plain.filter.memory, list[i]), "%s: %u is not set", name, list[i]);
    if (plain.filter.ops->measure) {
        cr_assert(plain.filter.ops->measure(&plain.filter, 0, &measure));
        cr_assert_str_eq(measure.name, "degenerate_keys");
        cr_assert_float_eq(measure.value, degenerate, 0);
        cr_assert_not(plain.filter.ops->measure(&plain.filter, 1, &measure));
    }
    plain_close(&plain);
}

Test(filters_cases_a, a_step_of_zero)
{
    static const unsigned enhanced[] = {5, 6, 9, 15, 25, 40};
    static const unsigned odd[] = {5, 6, 7, 8, 9, 10, 11};
    cases_positions("double_hashing", false, 1024, 7, 5, 0, (const unsigned[]){5}, 1, 1);
    cases_positions("double_hashing", true, 1024, 7, 5, 0, odd, 7, 0);
    cases_positions("enhanced_double", false, 1024, 7, 5, 0, enhanced, 6, 0);
}

Test(filters_cases_a, a_step_that_shares_a_factor_with_m)
{
    cases_positions("double_hashing", false, 16, 4, 0, 8, (const unsigned[]){0, 8}, 2, 1);
    cases_positions("double_hashing", true, 16, 4, 0, 8, (const unsigned[]){0, 9, 2, 11}, 4, 0);
    /* no power of two: nothing is made odd */
    cases_positions("double_hashing", true, 12, 4, 1, 4, (const unsigned[]){1, 5, 9}, 3, 1);
    /* more probes than positions: the whole circle is not degenerate */
    cases_positions("double_hashing", true, 5, 7, 0, 2, (const unsigned[]){0, 1, 2, 3, 4}, 5, 0);
}

Test(filters_cases_a, published_positions)
{
    struct csv *table = csv_read("tests/data/seed_positions.csv");
    unsigned rows = 0;
    for (size_t row = 0; row < csv_rows(table); row++) {
        if (!csv_is(table, row, "scheme", "seed001_double"))
            continue;
        struct filter_params params = cases_params("double_hashing", csv_integer(table, row, "m"),
                                                   (unsigned)csv_integer(table, row, "i") + 1);
        params.digest_bits = 32;
        struct plain_filter plain = cases_open("double_hashing", &params);
        const uint64_t digest[] = {strtoull(csv_text(table, row, "h"), NULL, 16),
                                   strtoull(csv_text(table, row, "aux"), NULL, 16)};
        struct given one = given_keys(digest, 2, 1, 32);
        plain_insert(&plain, &one.base);
        cr_assert(bits_test(plain.filter.memory, csv_integer(table, row, "position_unsigned")));
        cr_assert_eq(plain.filter.ops->count_bits(&plain.filter), params.k);
        plain_close(&plain);
        rows++;
    }
    csv_free(table);
    cr_assert_gt(rows, 90);
}

/* The mean of fpr_scheme over 200 filters of ideal digests: z below 5, false alarm 6e-7. */
static void cases_rate(const char *name, bool odd, double expected, double expected_se)
{
    enum { FILTERS = 200 };
    double sum = 0, square = 0, plain_sum = 0;
    struct filter_params params = cases_params(name, 1024, 8);
    params.own[0].integer = odd;
    for (unsigned seed = 0; seed < FILTERS; seed++) {
        struct plain_filter plain = cases_open(name, &params);
        cases_fill(&plain, seed, 0, 64);
        double f = plain.filter.ops->fpr_scheme(&plain.filter).value;
        sum += f, square += f * f;
        plain_sum += plain.filter.ops->fpr_bits(&plain.filter);
        plain_close(&plain);
    }
    double mean = sum / FILTERS, variance = (square - sum * mean) / (FILTERS - 1);
    double se = sqrt(variance / FILTERS + expected_se * expected_se);
    cr_assert_lt(fabs(mean - expected), 5 * se, "%s: %g, expected %g +- %g", name, mean, expected,
                 se);
    cr_assert_gt(mean, plain_sum / FILTERS, "%s: the arrangement costs nothing?", name);
}

Test(filters_cases_a, what_two_digests_cost)
{
    cases_rate("double_hashing", false, 0.0014698, 3e-6);
    cases_rate("double_hashing", true, 0.00110786, 0);
    cases_rate("enhanced_double", false, 0.0006546, 2e-6);
}

Test(filters_cases_a, too_few_digests)
{
    static const struct {
        const char *name;
        unsigned columns, k;
    } row[] = {{"double_hashing", 1, 3}, {"enhanced_double", 1, 3}, {"classic", 2, 3},
               {"partitioned", 2, 3},    {"counting", 2, 3},        {"partitioned", 64, 33}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct filter_params params = cases_params(row[i].name, 32, row[i].k);
        struct layout layout;
        struct error err = {.text = ""};
        params.digest_columns = row[i].columns;
        cr_assert_eq(filter_find(row[i].name)->plan(&layout, &params, &err), E_IMPOSSIBLE);
        cr_assert(strstr(err.text, row[i].name), "%s", err.text);
    }
}

/* ---- partitioned ------------------------------------------------------------------------------
 */

Test(filters_cases_a, partitioned_oracles)
{
    struct csv *table = csv_read("tests/data/partitioned.csv");
    const struct filter_ops *ops = filter_find("partitioned");
    for (size_t row = 0; row < csv_rows(table); row++) {
        struct filter_params params = cases_params("partitioned", csv_integer(table, row, "m"),
                                                   (unsigned)csv_integer(table, row, "k"));
        struct layout layout;
        struct model model;
        cr_assert_eq(ops->plan(&layout, &params, NULL), OK);
        cr_assert_eq(layout.m, csv_integer(table, row, "m_used"));
        cr_assert_eq(layout.bytes, (layout.m + 7) / 8);
        ops->expected_fpr(&layout, csv_integer(table, row, "n"), &model);
        cr_assert_lt(csv_error(model.fpr, csv_number(table, row, "p_floor")), 1e-13);
    }
    csv_free(table);
}

/* Slices that no byte begins: 3 slices of 7 bits, one, two and three of them set. */
Test(filters_cases_a, partitioned_rate_of_one_filter)
{
    static const uint64_t digest[] = {0, 3, 6, 0, 4, 5, 0, 4, 4};
    struct plain_filter plain = cases_plain("partitioned", 23, 3);
    struct given keys = given_keys(digest, 3, 3, 64);
    plain_insert(&plain, &keys.base);
    cr_assert_eq(plain.layout->m, 21);
    cr_assert_eq(plain.filter.ops->count_bits(&plain.filter), 6);
    cr_assert_float_eq(plain.filter.ops->fpr_scheme(&plain.filter).value, 6.0 / 343, 1e-15);
    cr_assert_float_eq(plain.filter.ops->fpr_bits(&plain.filter), pow(6.0 / 21, 3), 1e-15);
    plain_close(&plain);
}

/* ---- counting ---------------------------------------------------------------------------------
 */

Test(filters_cases_a, a_saturated_counter_sticks)
{
    struct plain_filter plain = cases_plain("counting", 1000, 5);
    struct ideal ideal;
    struct measure measure;
    ideal_init(&ideal, 64, 1);
    cases_fill(&plain, 1, 100, 50); /* others */
    for (unsigned i = 0; i < 20; i++)
        plain_insert(&plain, ideal_move(&ideal, 7, 1));
    uint64_t overflows = plain.filter.overflows;
    cr_assert_geq(overflows, 5 * 5);
    for (unsigned i = 0; i < 19; i++)
        cr_assert_eq(plain_remove(&plain, NULL, ideal_move(&ideal, 7, 1)), 1);
    cr_assert_eq(plain_query(&plain, NULL, ideal_move(&ideal, 7, 1)), 1, "still present");
    cr_assert_eq(plain_query(&plain, NULL, ideal_move(&ideal, 100, 50)), 50,
                 "no other key is lost");
    cr_assert(plain.filter.ops->measure(&plain.filter, 0, &measure));
    cr_assert_str_eq(measure.name, "overflows");
    cr_assert_float_eq(measure.value, (double)overflows, 0);
    plain_close(&plain);
}

Test(filters_cases_a, an_absent_key_is_not_removed)
{
    struct plain_filter plain = cases_plain("counting", 1000, 5);
    struct ideal ideal;
    uint8_t removed = 7;
    ideal_init(&ideal, 64, 1);
    cr_assert_eq(plain_remove(&plain, &removed, ideal_move(&ideal, 7, 1)), 0);
    cr_assert_eq(removed, 0);
    cr_assert_eq(plain.filter.refused, 1);
    for (uint64_t i = 0; i < plain.layout->bytes; i++)
        cr_assert_eq(plain.filter.memory[i], 0);
    plain_close(&plain);
}

/* m = 4, k = 8: every key hits some counter twice at least. */
Test(filters_cases_a, a_key_that_hits_a_counter_several_times)
{
    struct ideal ideal;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct plain_filter plain = cases_plain("counting", 4, 8);
        ideal_init(&ideal, 64, seed);
        plain_insert(&plain, ideal_move(&ideal, 0, 1));
        cr_assert_eq(plain_remove(&plain, NULL, ideal_move(&ideal, 0, 1)), 1);
        cr_assert_eq(plain.filter.ops->count_bits(&plain.filter), 0, "A added and removed");
        plain_insert(&plain, ideal_move(&ideal, 0, 2));
        cr_assert_eq(plain_remove(&plain, NULL, ideal_move(&ideal, 0, 1)), 1);
        cr_assert_eq(plain_query(&plain, NULL, ideal_move(&ideal, 1, 1)), 1, "B is present");
        plain_close(&plain);
    }
}

/* A key whose counters are all set, but not as often as it hits them, was never inserted. */
Test(filters_cases_a, a_key_that_needs_more_than_there_is)
{
    static const uint64_t digest[] = {1, 2, 3, 1, 1, 2};
    struct plain_filter plain = cases_plain("counting", 8, 3);
    struct given keys = given_keys(digest, 3, 1, 64), other = given_keys(digest + 3, 3, 1, 64);
    plain_insert(&plain, &keys.base);
    cr_assert_eq(plain_query(&plain, NULL, &other.base), 1, "a false positive");
    cr_assert_eq(plain_remove(&plain, NULL, &other.base), 0, "but not to be removed");
    cr_assert_eq(plain_query(&plain, NULL, &keys.base), 1);
    plain_close(&plain);
}

Test(filters_cases_a, bytes_of_counters)
{
    static const struct {
        const char *bits;
        uint64_t m, bytes;
    } row[] = {{"2", 1, 1},   {"2", 4, 1}, {"2", 5, 2},      {"3", 1, 8},       {"3", 21, 8},
               {"3", 22, 16}, {"4", 3, 2}, {"4", 1000, 500}, {"8", 1000, 1000}, {"3", 2100, 800}};
    const struct filter_ops *ops = filter_find("counting");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct filter_params params = cases_params("counting", row[i].m, 3);
        struct layout layout;
        cr_assert_eq(filter_params_set(&params, ops, "counter_bits", row[i].bits, NULL), OK);
        cr_assert_eq(ops->plan(&layout, &params, NULL), OK);
        cr_assert_eq(layout.bytes, row[i].bytes);
        cr_assert_eq(layout.m, row[i].m, "m counts counters");
    }
}

Test(filters_cases_a, overflow_formulas)
{
    struct csv *table = csv_read("tests/data/counting.csv");
    const struct filter_ops *ops = filter_find("counting");
    for (size_t row = 0; row < csv_rows(table); row++) {
        struct filter_params params = cases_params("counting", csv_integer(table, row, "m"),
                                                   (unsigned)csv_integer(table, row, "k"));
        struct layout layout;
        struct formula formula;
        unsigned count = 0;
        if (filter_params_set(&params, ops, "counter_bits", csv_text(table, row, "counter_bits"),
                              NULL))
            continue;
        cr_assert_eq(ops->plan(&layout, &params, NULL), OK);
        for (; ops->formula(&layout, csv_integer(table, row, "n"), count, &formula); count++) {
            const char *column = strcmp(formula.name, "counter_overflow") == 0  ? "tail_binom"
                                 : strcmp(formula.name, "fan_union_bound") == 0 ? "fan_union"
                                 : strcmp(formula.name, "fan_e_bound") == 0     ? "fan_e"
                                                                                : NULL;
            cr_assert(isfinite(formula.value) && formula.source[0]);
            if (column)
                cr_assert_lt(csv_error(formula.value, csv_number(table, row, column)), 1e-9, "%s",
                             formula.name);
        }
        cr_assert_geq(count, 5);
    }
    csv_free(table);
}

/* ---- estimates and set operations -------------------------------------------------------------
 */

Test(filters_cases_a, a_full_filter_and_an_empty_one)
{
    static const uint64_t digest[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct plain_filter plain = cases_plain("classic", 8, 1);
    struct given keys = given_keys(digest, 1, 8, 64);
    cr_assert_float_eq(plain.filter.ops->cardinality(&plain.filter), 0, 0);
    plain_insert(&plain, &keys.base);
    cr_assert(isinf(plain.filter.ops->cardinality(&plain.filter)));
    cr_assert_float_eq(plain.filter.ops->fpr_bits(&plain.filter), 1, 0);
    cr_assert_float_eq(plain.filter.ops->fpr_scheme(&plain.filter).value, 1, 0);
    plain_close(&plain);
    plain = cases_plain("classic", 64, 4);
    cases_fill(&plain, 1, 0, 10000);
    cr_assert_float_eq(plain.filter.ops->fpr_bits(&plain.filter), 1, 0);
    plain_close(&plain);
}

/* |A| = |B| = 1000, 500 in common: means over 40 pairs, limits 5 standard errors of those. */
Test(filters_cases_a, intersections)
{
    enum { PAIRS = 40 };
    double by_sum = 0, by_and = 0, rate_and = 0, rate_true = 0;
    for (uint64_t seed = 0; seed < PAIRS; seed++) {
        struct plain_filter side[2][2];
        double n[2], n_or;
        for (unsigned i = 0; i < 4; i++) {
            side[i / 2][i % 2] = cases_plain("classic", 10000, 5);
            cases_fill(&side[i / 2][i % 2], seed, i % 2 ? 500 : 0, 1000);
        }
        struct filter *a = &side[0][0].filter, *b = &side[0][1].filter, * or = &side[1][0].filter;
        struct plain_filter both = cases_plain("classic", 10000, 5);
        cases_fill(&both, seed, 500, 500);
        n[0] = a->ops->cardinality(a), n[1] = b->ops->cardinality(b);
        cr_assert_eq(a->ops->merge(or, &side[1][1].filter, MERGE_UNION, NULL), OK);
        cr_assert_eq(a->ops->merge(a, b, MERGE_INTERSECTION, NULL), OK);
        n_or = or->ops->cardinality(or);
        by_sum += n[0] + n[1] - n_or;
        by_and += a->ops->cardinality(a);
        rate_and += a->ops->fpr_bits(a);
        rate_true += both.filter.ops->fpr_bits(&both.filter);
        for (unsigned i = 0; i < 4; i++)
            plain_close(&side[i / 2][i % 2]);
        plain_close(&both);
    }
    cr_assert_float_eq(by_sum / PAIRS, 500, 10);
    cr_assert_float_eq(by_and / PAIRS, 600, 10);
    cr_assert_float_eq(rate_and / PAIRS, 0.00117, 0.00007);
    cr_assert_float_eq(rate_true / PAIRS, 0.00053, 0.00004);
}

static void cases_refused(struct plain_filter *a, struct plain_filter *b, const char *words)
{
    struct error err = {.text = ""};
    cr_assert_eq(a->filter.ops->merge(&a->filter, &b->filter, MERGE_UNION, &err), E_INPUT);
    cr_assert(strstr(err.text, words), "%s", err.text);
    plain_close(b);
}

Test(filters_cases_a, what_cannot_be_merged)
{
    struct plain_filter a = cases_plain("classic", 1000, 5), b = cases_plain("classic", 1001, 5);
    cases_refused(&a, &b, "m 1000 and m 1001");
    b = cases_plain("classic", 1000, 6);
    cases_refused(&a, &b, "k 5 and k 6");
    b = cases_plain("double_hashing", 1000, 5);
    cases_refused(&a, &b, "a classic filter with a double_hashing filter");
    struct filter_params params = cases_params("classic", 1000, 5);
    params.reduction = REDUCE_MULTIPLY_SHIFT;
    b = cases_open("classic", &params);
    cases_refused(&a, &b, "reduction mod and multiply_shift");
    params = cases_params("classic", 1000, 5);
    params.digest_bits = 32;
    b = cases_open("classic", &params);
    cases_refused(&a, &b, "64-bit and 32-bit digests");
    plain_close(&a);
    params = cases_params("double_hashing", 1024, 5);
    a = cases_open("double_hashing", &params);
    params.own[0].integer = 0;
    b = cases_open("double_hashing", &params);
    cases_refused(&a, &b, "different parameters");
    plain_close(&a);
}
