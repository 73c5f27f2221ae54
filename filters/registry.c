/* SPDX-License-Identifier: MIT
 *
 * registry.c: the table of all variants, made from list.h.
 */
#include <string.h>

#include "filters/filter.h"

#define FILTER(name) extern const struct filter_ops filter_##name;
#include "filters/list.h"
#undef FILTER

const struct filter_ops *const filter_table[] = {
#define FILTER(name) &filter_##name,
#include "filters/list.h"
#undef FILTER
};

const size_t filter_count = sizeof filter_table / sizeof *filter_table;

const struct filter_ops *filter_find(const char *name)
{
    for (size_t i = 0; i < filter_count; i++)
        if (strcmp(filter_table[i]->name, name) == 0)
            return filter_table[i];
    return NULL;
}

enum status filter_params_set(struct filter_params *params, const struct filter_ops *ops,
                              const char *name, const char *value, struct error *err)
{
    return params_set(params->own, ops->name, ops->params, name, value, err);
}

void filter_params_defaults(struct filter_params *params, const struct filter_ops *ops)
{
    memset(params->own, 0, sizeof params->own);
    params_defaults(params->own, ops->params);
}

void filter_params_format(const struct filter_params *params, const struct filter_ops *ops,
                          char *text, size_t size)
{
    params_format(params->own, ops->params, text, size);
}

/* ---- the check of an entry ------------------------------------------------------------------ */

static enum status registry_check_functions(const struct filter_ops *ops, struct error *err)
{
    unsigned can = ops->capabilities;
    const struct {
        const char *name;
        bool there, required, forbidden;
    } rule[] = {
        {"plan", ops->plan, true, false},
        {"init", ops->init, true, false},
        {"insert", ops->insert, true, false},
        {"count_bits", ops->count_bits, true, false},
        {"query", ops->query, can & CAN_ANSWER_MEMBERSHIP, false},
        {"fpr_bits", ops->fpr_bits, can & CAN_ANSWER_MEMBERSHIP, false},
        {"fpr_scheme", ops->fpr_scheme, can & CAN_ANSWER_MEMBERSHIP, false},
        {"query", ops->query, ops->match, false},
        {"scatter", ops->scatter, ops->settle, can & CAN_GROW},
        {"settle", ops->settle, ops->scatter || ops->census, can & CAN_GROW},
        {"census", ops->census, false, !ops->query},
        {"remove", ops->remove, can & CAN_REMOVE, !(can & CAN_REMOVE)},
        {"cardinality", ops->cardinality, can & CAN_ESTIMATE_CARDINALITY,
         !(can & CAN_ESTIMATE_CARDINALITY)},
        {"expected_cardinality", ops->expected_cardinality, false,
         !ops->cardinality || !ops->expected_fill},
        {"probes", ops->probes, ops->test || ops->probe_rates, false},
        {"test", ops->test, ops->probes, false},
        {"probe_rates", ops->probe_rates, ops->probes, false},
        {"merge", ops->merge, can & (CAN_MERGE_UNION | CAN_MERGE_INTERSECTION),
         !(can & (CAN_MERGE_UNION | CAN_MERGE_INTERSECTION))},
    };
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        if (rule[i].required && !rule[i].there)
            return fail(err, E_CHECK, "%s: %s is missing", ops->name, rule[i].name);
        if (rule[i].forbidden && rule[i].there)
            return fail(err, E_CHECK, "%s: %s is there, but no capability says so", ops->name,
                        rule[i].name);
    }
    return OK;
}

enum status filter_ops_check(const struct filter_ops *ops, struct error *err)
{
    const unsigned capabilities = CAN_GROW | CAN_REMOVE | CAN_MERGE_UNION | CAN_MERGE_INTERSECTION |
                                  CAN_ESTIMATE_CARDINALITY | CAN_ANSWER_MEMBERSHIP |
                                  FILLS_BY_THROWS;
    if (!params_is_name(ops->name))
        return fail(err, E_CHECK, "\"%s\" is no name for a filter: lower case, digits, _",
                    ops->name ? ops->name : "");
    if (!ops->summary || !ops->summary[0] || !ops->source || !ops->source[0])
        return fail(err, E_CHECK, "%s: summary and source must not be empty", ops->name);
    if (ops->axes & ~(unsigned)AXES_ALL)
        return fail(err, E_CHECK, "%s: axes %#x are not all known", ops->name, ops->axes);
    if (ops->capabilities & ~capabilities)
        return fail(err, E_CHECK, "%s: capabilities %#x are not all known", ops->name,
                    ops->capabilities);
    enum status status = params_check(ops->name, ops->params, err);
    return status ? status : registry_check_functions(ops, err);
}
