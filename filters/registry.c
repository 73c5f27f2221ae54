/* SPDX-License-Identifier: MIT
 *
 * registry.c: the table of all variants, made from list.h, and their own parameters as text.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- text to value -------------------------------------------------------------------------- */

/* Digits alone, up to 2^63 - 1; *end is what follows them. */
static bool registry_digits(int64_t *value, const char *text, const char **end)
{
    if (!isdigit((unsigned char)*text))
        return false;
    *value = 0;
    for (; isdigit((unsigned char)*text); text++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, *text - '0', value))
            return false;
    *end = text;
    return true;
}

/* "12", "-3", "2^10", "1e3": whole numbers that fit 64 bits, nothing before or after. */
static bool registry_parse_integer(int64_t *value, const char *text)
{
    bool negative = *text == '-';
    const char *end;
    int64_t base, power;
    if (!registry_digits(&base, text + (*text == '-' || *text == '+'), &end))
        return false;
    if (*end == '^' || *end == 'e') {
        int64_t factor = *end == '^' ? base : 10;
        bool is_power = *end == '^';
        if ((is_power && base != 2) || !registry_digits(&power, end + 1, &end) || power > 62)
            return false;
        for (base = is_power ? 1 : base; power > 0; power--)
            if (__builtin_mul_overflow(base, factor, &base))
                return false;
    }
    *value = negative ? -base : base;
    return *end == '\0';
}

/* Decimal or scientific and finite: strtod without its spaces, hexadecimals, inf and nan. */
static bool registry_parse_real(double *value, const char *text)
{
    char *end;
    if (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static enum status registry_set_integer(struct param_value *out, const struct filter_ops *ops,
                                        const struct param_spec *spec, const char *text,
                                        struct error *err)
{
    int64_t value;
    if (!registry_parse_integer(&value, text))
        return fail(err, E_INPUT, "%s: %s \"%s\" is not a whole number in [%.15g, %.15g]",
                    ops->name, spec->name, text, spec->min, spec->max);
    if ((double)value < spec->min || (double)value > spec->max)
        return fail(err, E_INPUT, "%s: %s %" PRId64 " is outside [%.15g, %.15g]", ops->name,
                    spec->name, value, spec->min, spec->max);
    *out = (struct param_value){.integer = value, .real = (double)value};
    return OK;
}

static enum status registry_set_real(struct param_value *out, const struct filter_ops *ops,
                                     const struct param_spec *spec, const char *text,
                                     struct error *err)
{
    double value;
    if (!registry_parse_real(&value, text))
        return fail(err, E_INPUT, "%s: %s \"%s\" is not a finite number in [%.15g, %.15g]",
                    ops->name, spec->name, text, spec->min, spec->max);
    if (value < spec->min || value > spec->max)
        return fail(err, E_INPUT, "%s: %s %s is outside [%.15g, %.15g]", ops->name, spec->name,
                    text, spec->min, spec->max);
    *out = (struct param_value){.real = value};
    return OK;
}

static enum status registry_set_boolean(struct param_value *out, const struct filter_ops *ops,
                                        const struct param_spec *spec, const char *text,
                                        struct error *err)
{
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0)
        return fail(err, E_INPUT, "%s: %s \"%s\" is neither true nor false", ops->name, spec->name,
                    text);
    *out = (struct param_value){.integer = yes, .real = yes};
    return OK;
}

static enum status registry_set_choice(struct param_value *out, const struct filter_ops *ops,
                                       const struct param_spec *spec, const char *text,
                                       struct error *err)
{
    char names[256] = "";
    size_t used = 0;
    for (int i = 0; spec->choices[i]; i++) {
        if (strcmp(text, spec->choices[i]) == 0) {
            *out = (struct param_value){.integer = i, .real = i};
            return OK;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                     spec->choices[i]);
    }
    return fail(err, E_INPUT, "%s: %s \"%s\" is none of %s", ops->name, spec->name, text, names);
}

static enum status registry_set(struct param_value *out, const struct filter_ops *ops,
                                const struct param_spec *spec, const char *text, struct error *err)
{
    switch (spec->type) {
    case PARAM_INTEGER:
        return registry_set_integer(out, ops, spec, text, err);
    case PARAM_REAL:
        return registry_set_real(out, ops, spec, text, err);
    case PARAM_BOOLEAN:
        return registry_set_boolean(out, ops, spec, text, err);
    case PARAM_CHOICE:
        return registry_set_choice(out, ops, spec, text, err);
    }
    return fail(err, E_INPUT, "%s: %s has no type", ops->name, spec->name);
}

enum status filter_params_set(struct filter_params *params, const struct filter_ops *ops,
                              const char *name, const char *value, struct error *err)
{
    const struct param_spec *spec = ops->params;
    for (unsigned i = 0; spec && spec[i].name; i++)
        if (strcmp(spec[i].name, name) == 0)
            return registry_set(&params->own[i], ops, &spec[i], value, err);
    if (!spec)
        return fail(err, E_INPUT, "%s: there is no parameter \"%s\"; it has none", ops->name, name);
    char names[256] = "";
    size_t used = 0;
    for (unsigned i = 0; spec[i].name && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 spec[i].name);
    return fail(err, E_INPUT, "%s: there is no parameter \"%s\"; it has %s", ops->name, name,
                names);
}

void filter_params_defaults(struct filter_params *params, const struct filter_ops *ops)
{
    memset(params->own, 0, sizeof params->own);
    for (unsigned i = 0; ops->params && ops->params[i].name; i++)
        if (ops->params[i].fallback[0] == '\0')
            params->own[i].real = NAN;
        else
            registry_set(&params->own[i], ops, &ops->params[i], ops->params[i].fallback, NULL);
}

/* ---- value to text -------------------------------------------------------------------------- */

/* The fewest digits, six at least, that read back as the same number. */
static void registry_format_real(char *text, size_t size, double value)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static void registry_format_value(char *text, size_t size, const struct param_spec *spec,
                                  const struct param_value *value)
{
    switch (spec->type) {
    case PARAM_INTEGER:
        snprintf(text, size, "%" PRId64, value->integer);
        break;
    case PARAM_REAL:
        registry_format_real(text, size, value->real);
        break;
    case PARAM_BOOLEAN:
        snprintf(text, size, "%s", value->integer ? "true" : "false");
        break;
    case PARAM_CHOICE:
        snprintf(text, size, "%s", spec->choices[value->integer]);
        break;
    }
}

/* A parameter that is not set has no text: reading the rest back leaves it unset. */
static bool registry_is_set(const struct param_spec *spec, const struct param_value *value)
{
    return !(spec->type == PARAM_REAL && isnan(value->real));
}

void filter_params_format(const struct filter_params *params, const struct filter_ops *ops,
                          char *text, size_t size)
{
    unsigned order[FILTER_PARAMS_MAX], count = 0;
    const struct param_spec *spec = ops->params;
    for (unsigned i = 0; spec && spec[i].name; i++) {
        unsigned at = count;
        if (!registry_is_set(&spec[i], &params->own[i]))
            continue;
        for (; at > 0 && strcmp(spec[order[at - 1]].name, spec[i].name) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
        count++;
    }
    if (size > 0)
        text[0] = '\0';
    size_t used = 0;
    for (unsigned i = 0; i < count && used < size; i++) {
        char value[64];
        registry_format_value(value, sizeof value, &spec[order[i]], &params->own[order[i]]);
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? ";" : "",
                                 spec[order[i]].name, value);
    }
}

/* ---- the check of an entry ------------------------------------------------------------------ */

static bool registry_is_name(const char *name)
{
    return name && islower((unsigned char)name[0]) &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static enum status registry_check_param(const struct filter_ops *ops, unsigned i, struct error *err)
{
    const struct param_spec *spec = &ops->params[i];
    struct param_value value;
    if (i >= FILTER_PARAMS_MAX)
        return fail(err, E_CHECK, "%s: more than %d parameters", ops->name, FILTER_PARAMS_MAX);
    if (!registry_is_name(spec->name))
        return fail(err, E_CHECK, "%s: \"%s\" is no name for a parameter", ops->name, spec->name);
    for (unsigned j = 0; j < i; j++)
        if (strcmp(ops->params[j].name, spec->name) == 0)
            return fail(err, E_CHECK, "%s: two parameters named %s", ops->name, spec->name);
    if (!spec->summary || !spec->summary[0])
        return fail(err, E_CHECK, "%s: %s has no summary", ops->name, spec->name);
    if (spec->type == PARAM_CHOICE && (!spec->choices || !spec->choices[0]))
        return fail(err, E_CHECK, "%s: %s has no choices", ops->name, spec->name);
    if (!spec->fallback)
        return fail(err, E_CHECK, "%s: %s has no default", ops->name, spec->name);
    if (spec->type == PARAM_REAL && spec->fallback[0] == '\0')
        return OK;
    return registry_set(&value, ops, spec, spec->fallback, err) ? E_CHECK : OK;
}

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
        {"remove", ops->remove, can & CAN_REMOVE, !(can & CAN_REMOVE)},
        {"cardinality", ops->cardinality, can & CAN_ESTIMATE_CARDINALITY,
         !(can & CAN_ESTIMATE_CARDINALITY)},
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
    if (!registry_is_name(ops->name))
        return fail(err, E_CHECK, "\"%s\" is no name for a filter: lower case, digits, _",
                    ops->name ? ops->name : "");
    if (!ops->summary || !ops->summary[0] || !ops->source || !ops->source[0])
        return fail(err, E_CHECK, "%s: summary and source must not be empty", ops->name);
    if (ops->axes & ~(unsigned)AXES_ALL)
        return fail(err, E_CHECK, "%s: axes %#x are not all known", ops->name, ops->axes);
    if (ops->capabilities & ~capabilities)
        return fail(err, E_CHECK, "%s: capabilities %#x are not all known", ops->name,
                    ops->capabilities);
    for (unsigned i = 0; ops->params && ops->params[i].name; i++) {
        enum status status = registry_check_param(ops, i, err);
        if (status) {
            if (err)
                err->status = E_CHECK;
            return status;
        }
    }
    return registry_check_functions(ops, err);
}
