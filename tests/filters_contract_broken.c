/* SPDX-License-Identifier: MIT
 *
 * filters_contract_broken.c: the contract must refuse what is broken, each by the rule that looks
 * for just that, and every rule has a broken variant that it refuses.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/broken/broken.h"
#include "tests/filters_contract.h"

/* The rule's answer about a variant, with ideal digests. */
static enum status broken_ask(struct error *err, const char *rule, const struct filter_ops *ops,
                              unsigned source_number)
{
    struct source source;
    source_init(&source, source_number);
    struct contract_case c = {ops,
                              {.m = 1000,
                               .n = 120,
                               .k = 4,
                               .reduction = REDUCE_MOD,
                               .digest_bits = source.bits,
                               .digest_columns = source.columns},
                              &source};
    filter_params_defaults(&c.params, ops);
    enum status status = contract_rule_find(rule)->holds(&c, err);
    source_release(&source);
    return status;
}

#define BROKEN_TEST(ops, rule, words)                                                              \
    Test(filters_broken, ops##_##rule)                                                             \
    {                                                                                              \
        struct error err = {.text = ""};                                                           \
        cr_assert_eq(broken_ask(&err, #rule, &ops, 0), E_CHECK, #rule " passes " #ops);            \
        cr_assert(strstr(err.text, words), "%s", err.text);                                        \
        cr_assert_eq(broken_ask(&err, #rule, &filter_classic, 0), OK, "%s", err.text);             \
        cr_assert_eq(broken_ask(&err, #rule, &filter_counting, 0), OK, "%s", err.text);            \
    }
BROKEN_TEST(broken_capability, entry, "remove is missing")
BROKEN_TEST(broken_loses_key, presence, "is lost")
BROKEN_TEST(broken_count, presence, "members found")
BROKEN_TEST(broken_loses_key, batches, "other bits than one by one")
BROKEN_TEST(broken_batch, batches, "other bits than one by one")
BROKEN_TEST(broken_writes_past, presence, "outside its memory")
BROKEN_TEST(broken_scratch_past, presence, "outside its scratch")
BROKEN_TEST(broken_column, presence, "not among those of the layout")
BROKEN_TEST(broken_not_a_number, empty, "fpr_bits of the empty filter")
BROKEN_TEST(broken_remove, remove, "absent keys removed")
BROKEN_TEST(broken_sticks, remove, "does not undo")
BROKEN_TEST(broken_union, union, "has not the bits of both")
BROKEN_TEST(broken_intersection, intersection, "do not add up")
BROKEN_TEST(broken_merges_all, merge_refused, "different m is not refused")
BROKEN_TEST(broken_ignores_digests, seeds, "two seeds leave one filter")
BROKEN_TEST(broken_ignores_digests, fill, "the mean fill")
BROKEN_TEST(broken_rate, model, "the mean rate")
BROKEN_TEST(broken_rate, probe, "given the filters")
BROKEN_TEST(broken_scheme, probe, "given the filters")
BROKEN_TEST(broken_cardinality, cardinality, "the mean cardinality")

/* Not the filter but what stands before it: digests that ignore their seed. */
Test(filters_broken, digests_that_ignore_their_seed)
{
    struct source source;
    source_init(&source, 0);
    struct contract_case c = {
        &filter_classic,
        {.m = 1000, .n = 120, .k = 4, .digest_bits = source.bits, .digest_columns = source.columns},
        &source};
    struct error err = {.text = ""};
    cr_assert_eq(contract_rule_find("seeds")->holds(&c, &err), OK, "%s", err.text);
    source.seedless = true;
    cr_assert_eq(contract_rule_find("seeds")->holds(&c, &err), E_CHECK, "the seed is not missed");
    cr_assert(strstr(err.text, "two seeds leave one filter"), "%s", err.text);
}
