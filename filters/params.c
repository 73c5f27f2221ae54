/* SPDX-License-Identifier: MIT
 *
 * params.c: own parameters as text: one parser and one printer for all that have any.
 */
#include "filters/params.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text to value -------------------------------------------------------------------------- */

/* Digits alone, up to 2^63 - 1; *end is what follows them. */
static bool params_digits(int64_t *value, const char *text, const char **end)
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
static bool params_parse_integer(int64_t *value, const char *text)
{
    bool negative = *text == '-';
    const char *end;
    int64_t base, power;
    if (!params_digits(&base, text + (*text == '-' || *text == '+'), &end))
        return false;
    if (*end == '^' || *end == 'e') {
        int64_t factor = *end == '^' ? base : 10;
        bool is_power = *end == '^';
        if ((is_power && base != 2) || !params_digits(&power, end + 1, &end) || power > 62)
            return false;
        for (base = is_power ? 1 : base; power > 0; power--)
            if (__builtin_mul_overflow(base, factor, &base))
                return false;
    }
    *value = negative ? -base : base;
    return *end == '\0';
}

/* Decimal or scientific and finite: strtod without its spaces, hexadecimals, inf and nan. */
static bool params_parse_real(double *value, const char *text)
{
    char *end;
    if (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static enum status params_set_integer(struct param_value *out, const char *owner,
                                      const struct param_spec *spec, const char *text,
                                      struct error *err)
{
    int64_t value;
    if (!params_parse_integer(&value, text))
        return fail(err, E_INPUT, "%s: %s \"%s\" is not a whole number in [%.15g, %.15g]", owner,
                    spec->name, text, spec->min, spec->max);
    if ((double)value < spec->min || (double)value > spec->max)
        return fail(err, E_INPUT, "%s: %s %" PRId64 " is outside [%.15g, %.15g]", owner, spec->name,
                    value, spec->min, spec->max);
    *out = (struct param_value){.integer = value, .real = (double)value};
    return OK;
}

static enum status params_set_real(struct param_value *out, const char *owner,
                                   const struct param_spec *spec, const char *text,
                                   struct error *err)
{
    double value;
    if (!params_parse_real(&value, text))
        return fail(err, E_INPUT, "%s: %s \"%s\" is not a finite number in [%.15g, %.15g]", owner,
                    spec->name, text, spec->min, spec->max);
    if (value < spec->min || value > spec->max)
        return fail(err, E_INPUT, "%s: %s %s is outside [%.15g, %.15g]", owner, spec->name, text,
                    spec->min, spec->max);
    *out = (struct param_value){.real = value};
    return OK;
}

static enum status params_set_boolean(struct param_value *out, const char *owner,
                                      const struct param_spec *spec, const char *text,
                                      struct error *err)
{
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0)
        return fail(err, E_INPUT, "%s: %s \"%s\" is neither true nor false", owner, spec->name,
                    text);
    *out = (struct param_value){.integer = yes, .real = yes};
    return OK;
}

static enum status params_set_choice(struct param_value *out, const char *owner,
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
    return fail(err, E_INPUT, "%s: %s \"%s\" is none of %s", owner, spec->name, text, names);
}

enum status params_read(struct param_value *out, const char *owner, const struct param_spec *spec,
                        const char *text, struct error *err)
{
    switch (spec->type) {
    case PARAM_INTEGER:
        return params_set_integer(out, owner, spec, text, err);
    case PARAM_REAL:
        return params_set_real(out, owner, spec, text, err);
    case PARAM_BOOLEAN:
        return params_set_boolean(out, owner, spec, text, err);
    case PARAM_CHOICE:
        return params_set_choice(out, owner, spec, text, err);
    }
    return fail(err, E_INPUT, "%s: %s has no type", owner, spec->name);
}

enum status params_set(struct param_value *values, const char *owner,
                       const struct param_spec *specs, const char *name, const char *text,
                       struct error *err)
{
    for (unsigned i = 0; specs && specs[i].name; i++)
        if (strcmp(specs[i].name, name) == 0)
            return params_read(&values[i], owner, &specs[i], text, err);
    if (!specs)
        return fail(err, E_INPUT, "%s: there is no parameter \"%s\"; it has none", owner, name);
    char names[256] = "";
    size_t used = 0;
    for (unsigned i = 0; specs[i].name && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 specs[i].name);
    return fail(err, E_INPUT, "%s: there is no parameter \"%s\"; it has %s", owner, name, names);
}

void params_defaults(struct param_value *values, const struct param_spec *specs)
{
    for (unsigned i = 0; specs && specs[i].name; i++)
        if (specs[i].fallback[0] == '\0')
            values[i] = (struct param_value){.real = NAN};
        else
            params_read(&values[i], "", &specs[i], specs[i].fallback, NULL);
}

/* ---- value to text -------------------------------------------------------------------------- */

/* The fewest digits, six at least, that read back as the same number. */
static void params_format_real(char *text, size_t size, double value)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static void params_format_value(char *text, size_t size, const struct param_spec *spec,
                                const struct param_value *value)
{
    switch (spec->type) {
    case PARAM_INTEGER:
        snprintf(text, size, "%" PRId64, value->integer);
        break;
    case PARAM_REAL:
        params_format_real(text, size, value->real);
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
static bool params_is_set(const struct param_spec *spec, const struct param_value *value)
{
    return !(spec->type == PARAM_REAL && isnan(value->real));
}

void params_format(const struct param_value *values, const struct param_spec *specs, char *text,
                   size_t size)
{
    unsigned order[PARAMS_MAX], count = 0;
    for (unsigned i = 0; specs && specs[i].name; i++) {
        unsigned at = count;
        if (!params_is_set(&specs[i], &values[i]))
            continue;
        for (; at > 0 && strcmp(specs[order[at - 1]].name, specs[i].name) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
        count++;
    }
    if (size > 0)
        text[0] = '\0';
    size_t used = 0;
    for (unsigned i = 0; i < count && used < size; i++) {
        char value[64];
        params_format_value(value, sizeof value, &specs[order[i]], &values[order[i]]);
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i ? ";" : "",
                                 specs[order[i]].name, value);
    }
}

/* ---- the check of the specs ----------------------------------------------------------------- */

bool params_is_name(const char *name)
{
    return name && islower((unsigned char)name[0]) &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static enum status params_check_one(const char *owner, const struct param_spec *specs, unsigned i,
                                    struct error *err)
{
    const struct param_spec *spec = &specs[i];
    struct param_value value;
    if (i >= PARAMS_MAX)
        return fail(err, E_CHECK, "%s: more than %d parameters", owner, PARAMS_MAX);
    if (!params_is_name(spec->name))
        return fail(err, E_CHECK, "%s: \"%s\" is no name for a parameter", owner, spec->name);
    for (unsigned j = 0; j < i; j++)
        if (strcmp(specs[j].name, spec->name) == 0)
            return fail(err, E_CHECK, "%s: two parameters named %s", owner, spec->name);
    if (!spec->summary || !spec->summary[0])
        return fail(err, E_CHECK, "%s: %s has no summary", owner, spec->name);
    if (spec->type == PARAM_CHOICE && (!spec->choices || !spec->choices[0]))
        return fail(err, E_CHECK, "%s: %s has no choices", owner, spec->name);
    if (!spec->fallback)
        return fail(err, E_CHECK, "%s: %s has no default", owner, spec->name);
    if (spec->type == PARAM_REAL && spec->fallback[0] == '\0')
        return OK;
    return params_read(&value, owner, spec, spec->fallback, err) ? E_CHECK : OK;
}

enum status params_check(const char *owner, const struct param_spec *specs, struct error *err)
{
    for (unsigned i = 0; specs && specs[i].name; i++) {
        enum status status = params_check_one(owner, specs, i, err);
        if (status) {
            if (err)
                err->status = E_CHECK;
            return status;
        }
    }
    return OK;
}
