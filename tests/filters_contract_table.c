/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tests/filters_contract_rules.h"

const struct contract_rule contract_rules[] = {
    {"entry", contract_entry},
    {"presence", contract_presence},
    {"batches", contract_batches},
    {"empty", contract_empty},
    {"remove", contract_remove},
    {"union", contract_union},
    {"intersection", contract_intersection},
    {"merge_refused", contract_merge_refused},
    {"seeds", contract_seeds},
    {"fill", contract_fill},
    {"model", contract_model},
    {"probe", contract_probe},
    {"cardinality", contract_cardinality},
};

const size_t contract_rule_count = sizeof contract_rules / sizeof *contract_rules;

const struct contract_rule *contract_rule_find(const char *name)
{
    for (size_t i = 0; i < contract_rule_count; i++)
        if (strcmp(contract_rules[i].name, name) == 0)
            return &contract_rules[i];
    return NULL;
}

enum status contract_check(const struct contract_case *c, struct error *err)
{
    enum status status = OK;
    for (size_t i = 0; i < contract_rule_count && !status; i++)
        status = contract_rules[i].holds(c, err);
    return status;
}
