/* SPDX-License-Identifier: MIT
 *
 * filters_contract.c: every filter of the table against the contract, with every reduction and
 * every source of digests.
 */
#include <criterion/criterion.h>

#include "tests/filters_contract.h"

/* A small filter, and what belongs to it: m is a power of two only where the reduction wants it,
 * and then so is m / k. */
static struct filter_params contract_params(const struct filter_ops *ops, enum reduction reduction,
                                            const struct source *source)
{
    struct filter_params params = {
        .m = ops->axes & AXIS_M ? (reduction == REDUCE_MASK ? 1024 : 1000) : 0,
        .n = 120,
        .k = ops->axes & AXIS_K ? 4 : 0,
        .reduction = reduction,
        .digest_bits = source->bits,
        .digest_columns = source->columns,
    };
    filter_params_defaults(&params, ops);
    return params;
}

/* Value number i of a parameter: all of booleans and choices, the bounds of integers. */
static bool contract_value(int64_t *value, const struct param_spec *spec, int64_t i)
{
    *value = i;
    switch (spec->type) {
    case PARAM_BOOLEAN:
        return i < 2;
    case PARAM_CHOICE:
        return spec->choices[i] != NULL;
    case PARAM_INTEGER:
        *value = (int64_t)(i ? spec->max : spec->min);
        return i < 2;
    case PARAM_REAL:
        break;
    }
    return false;
}

/* Setting number i of the own parameters: the defaults, then each other value of each parameter by
 * itself. False past the last. */
static bool contract_setting(struct filter_params *params, const struct filter_ops *ops, unsigned i)
{
    if (i == 0)
        return true;
    for (unsigned p = 0; ops->params && ops->params[p].name; p++) {
        const struct param_spec *spec = &ops->params[p];
        int64_t value;
        for (int64_t j = 0; contract_value(&value, spec, j); j++)
            if (value != params->own[p].integer && --i == 0) {
                params->own[p] = (struct param_value){.integer = value, .real = (double)value};
                return true;
            }
    }
    return false;
}

/* One rule over every setting; how many settings there were to be had. */
static unsigned contract_try(const struct contract_rule *rule, const struct filter_ops *ops,
                             enum reduction reduction, struct source *source)
{
    unsigned tried = 0;
    for (unsigned i = 0;; i++) {
        struct contract_case c = {ops, contract_params(ops, reduction, source), source};
        struct error err = {.text = ""};
        char params[256];
        if (!contract_setting(&c.params, ops, i))
            return tried;
        filter_params_format(&c.params, ops, params, sizeof params);
        enum status status = rule->holds(&c, &err);
        if (status == E_IMPOSSIBLE) {
            cr_assert(err.text[0], "%s: no sentence", ops->name);
            continue;
        }
        cr_assert_eq(status, OK, "%s, %s, %s, %s: %s", rule->name, source->name,
                     reduction_name(reduction), params, err.text);
        tried++;
    }
}

/* One rule over the whole table. Sources of any number of digests must suit every filter: a filter
 * that calls everything impossible would pass unseen. */
static void contract_try_all(const char *name)
{
    const struct contract_rule *rule = contract_rule_find(name);
    for (unsigned s = 0; s < SOURCE_COUNT; s++) {
        struct source source;
        source_init(&source, s);
        for (size_t i = 0; i < filter_count; i++)
            for (unsigned r = 0; r < REDUCTION_COUNT; r++) {
                unsigned tried = contract_try(rule, filter_table[i], (enum reduction)r, &source);
                if (source.columns > 2 && r != REDUCE_MASK)
                    cr_assert_gt(tried, 0, "%s: nothing possible", filter_table[i]->name);
            }
        source_release(&source);
    }
}

#define CONTRACT_TEST(rule)                                                                        \
    Test(filters_contract, rule)                                                                   \
    {                                                                                              \
        contract_try_all(#rule);                                                                   \
    }
CONTRACT_TEST(entry)
CONTRACT_TEST(presence)
CONTRACT_TEST(batches)
CONTRACT_TEST(empty)
CONTRACT_TEST(remove)
CONTRACT_TEST(union)
CONTRACT_TEST(intersection)
CONTRACT_TEST(merge_refused)
CONTRACT_TEST(seeds)
CONTRACT_TEST(fill)
CONTRACT_TEST(model)
CONTRACT_TEST(probe)
CONTRACT_TEST(cardinality)

/* Filters beyond the second-level cache take other paths: they prefetch. */
Test(filters_contract, beyond_the_cache)
{
    static const char *const rules[] = {"presence", "remove", "seeds"};
    struct source source;
    source_init(&source, 0);
    for (size_t i = 0; i < filter_count; i++)
        for (unsigned r = 0; r < REDUCTION_COUNT; r++) {
            struct contract_case c = {filter_table[i],
                                      contract_params(filter_table[i], (enum reduction)r, &source),
                                      &source};
            struct error err = {.text = ""};
            c.params.m *= 1 << 14;
            for (size_t j = 0; j < sizeof rules / sizeof *rules; j++)
                cr_assert_neq(contract_rule_find(rules[j])->holds(&c, &err), E_CHECK, "%s: %s",
                              rules[j], err.text);
        }
    source_release(&source);
}

Test(filters_contract, every_rule_is_tested)
{
    cr_assert_eq(contract_rule_count, 13, "a new rule needs its CONTRACT_TEST");
}
