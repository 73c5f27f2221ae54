/* SPDX-License-Identifier: MIT
 *
 * filters_registry.c: the table of variants, and their own parameters as text.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "filters/filter.h"

static const char *const registry_shapes[] = {"round", "square", NULL};
static const struct param_spec registry_params[] = {
    {"width", "in bits", PARAM_INTEGER, -4, 4096, "64", NULL},
    {"rate", "of errors", PARAM_REAL, 0, 1, "0.1", NULL},
    {"limit", "not set unless given", PARAM_REAL, 0, 1, "", NULL},
    {"eager", "or not", PARAM_BOOLEAN, 0, 1, "true", NULL},
    {"shape", "of it", PARAM_CHOICE, 0, 1, "square", registry_shapes},
    {NULL, NULL, PARAM_INTEGER, 0, 0, NULL, NULL},
};
static const struct filter_ops registry_ops = {.name = "toy", .params = registry_params};

Test(filters_registry, finds_each_name_once)
{
    cr_assert_gt(filter_count, 0);
    for (size_t i = 0; i < filter_count; i++)
        cr_assert_eq(filter_find(filter_table[i]->name), filter_table[i]);
    cr_assert_null(filter_find("Classic"));
    cr_assert_null(filter_find(""));
}

Test(filters_registry, defaults_are_written_out_sorted)
{
    struct filter_params params;
    char text[128];
    filter_params_defaults(&params, &registry_ops);
    cr_assert(isnan(params.own[2].real));
    filter_params_format(&params, &registry_ops, text, sizeof text);
    cr_assert_str_eq(text, "eager=true;rate=0.1;shape=square;width=64");
    filter_params_format(&params, &registry_ops, text, 12);
    cr_assert_str_eq(text, "eager=true;", "cut, but ended");
    filter_params_defaults(&params, filter_find("classic"));
    filter_params_format(&params, filter_find("classic"), text, sizeof text);
    cr_assert_str_eq(text, "");
}

Test(filters_registry, what_is_written_reads_back)
{
    static const char *const row[][2] = {
        {"width", "width=-4"},     {"width", "width=4096"},
        {"rate", "rate=0.333333"}, {"rate", "rate=0.3333333333333333"},
        {"rate", "rate=1e-300"},   {"rate", "rate=0.30000000000000004"},
        {"limit", "limit=0"},      {"shape", "shape=round"},
        {"eager", "eager=false"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct filter_params params;
        char text[128];
        filter_params_defaults(&params, &registry_ops);
        const char *value = strchr(row[i][1], '=') + 1;
        cr_assert_eq(filter_params_set(&params, &registry_ops, row[i][0], value, NULL), OK);
        filter_params_format(&params, &registry_ops, text, sizeof text);
        cr_assert(strstr(text, row[i][1]), "%s in %s", row[i][1], text);
    }
}

Test(filters_registry, powers_are_whole_numbers)
{
    static const struct {
        const char *text;
        int64_t value;
    } row[] = {{"2^0", 1}, {"2^12", 4096}, {"1e3", 1000}, {"4e0", 4}, {"+7", 7}, {"-2^2", -4}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct filter_params params;
        struct error err = {.text = ""};
        filter_params_defaults(&params, &registry_ops);
        cr_assert_eq(filter_params_set(&params, &registry_ops, "width", row[i].text, &err), OK,
                     "%s", err.text);
        cr_assert_eq(params.own[0].integer, row[i].value);
        cr_assert_float_eq(params.own[0].real, (double)row[i].value, 0);
    }
}

Test(filters_registry, rubbish_is_refused_and_changes_nothing)
{
    static const char *const row[][2] = {
        {"width", ""},        {"width", "12x"},      {"width", " 12"},
        {"width", "12 "},     {"width", "1.5"},      {"width", "2^"},
        {"width", "3^2"},     {"width", "2^63"},     {"width", "1e30"},
        {"width", "0x10"},    {"width", "4097"},     {"width", "-5"},
        {"width", "nan"},     {"width", "--3"},      {"width", "9999999999999999999"},
        {"rate", ""},         {"rate", "nan"},       {"rate", "inf"},
        {"rate", "1e999"},    {"rate", "0x1p-1"},    {"rate", "0.5 "},
        {"rate", "0.5.1"},    {"rate", "1.0000001"}, {"rate", "-0.1"},
        {"rate", "infinity"}, {"eager", "yes"},      {"eager", "1"},
        {"eager", "True"},    {"shape", "Round"},    {"shape", ""},
        {"colour", "red"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct filter_params params, before;
        struct error err = {.text = ""};
        filter_params_defaults(&params, &registry_ops);
        before = params;
        cr_assert_eq(filter_params_set(&params, &registry_ops, row[i][0], row[i][1], &err), E_INPUT,
                     "%s=%s is taken", row[i][0], row[i][1]);
        bool known = strcmp(row[i][0], "colour") != 0;
        cr_assert(strstr(err.text, "toy: ") && strstr(err.text, row[i][0]), "%s", err.text);
        cr_assert(!known || strstr(err.text, row[i][1]), "%s", err.text);
        cr_assert_arr_eq(&params.own, &before.own, sizeof params.own);
    }
}

Test(filters_registry, sentences_name_the_value_and_the_bound)
{
    struct filter_params params;
    struct error err;
    filter_params_defaults(&params, &registry_ops);
    filter_params_set(&params, &registry_ops, "width", "4097", &err);
    cr_assert_str_eq(err.text, "toy: width 4097 is outside [-4, 4096]");
    filter_params_set(&params, &registry_ops, "shape", "flat", &err);
    cr_assert_str_eq(err.text, "toy: shape \"flat\" is none of round, square");
    filter_params_set(&params, &registry_ops, "colour", "red", &err);
    cr_assert_str_eq(
        err.text, "toy: there is no parameter \"colour\"; it has width, rate, limit, eager, shape");
    filter_params_set(&params, filter_find("classic"), "colour", "red", &err);
    cr_assert_str_eq(err.text, "classic: there is no parameter \"colour\"; it has none");
}

/* A copy of an entry with one thing wrong. */
static void registry_refused(struct filter_ops ops, const char *words)
{
    struct error err = {.text = ""};
    cr_assert_eq(filter_ops_check(&ops, &err), E_CHECK, "%s", words);
    cr_assert(strstr(err.text, words), "%s", err.text);
    cr_assert_eq(err.status, E_CHECK);
}

#define REGISTRY_WRONG(base, field, value, words)                                                  \
    do {                                                                                           \
        struct filter_ops ops = *filter_find(base);                                                \
        ops.field = value;                                                                         \
        registry_refused(ops, words);                                                              \
    } while (0)

Test(filters_registry, an_entry_with_one_thing_wrong)
{
    static const struct param_spec twice[] = {{"width", "in bits", PARAM_INTEGER, 1, 2, "1", NULL},
                                              {"width", "in bits", PARAM_INTEGER, 1, 2, "1", NULL},
                                              {.name = NULL}};
    static const struct param_spec outside[] = {
        {"width", "in bits", PARAM_INTEGER, 1, 2, "3", NULL}, {.name = NULL}};
    REGISTRY_WRONG("classic", name, "Classic", "no name for a filter");
    REGISTRY_WRONG("classic", name, "", "no name for a filter");
    REGISTRY_WRONG("classic", name, NULL, "no name for a filter");
    REGISTRY_WRONG("classic", summary, NULL, "summary");
    REGISTRY_WRONG("classic", source, "", "source");
    REGISTRY_WRONG("classic", axes, 1u << 20, "axes");
    REGISTRY_WRONG("classic", capabilities, 1u << 20, "capabilities");
    REGISTRY_WRONG("classic", plan, NULL, "plan is missing");
    REGISTRY_WRONG("classic", query, NULL, "query is missing");
    REGISTRY_WRONG("classic", merge, NULL, "merge is missing");
    REGISTRY_WRONG("classic", capabilities, CAN_ANSWER_MEMBERSHIP, "no capability says so");
    REGISTRY_WRONG("counting", remove, NULL, "remove is missing");
    REGISTRY_WRONG("classic", params, twice, "two parameters named width");
    REGISTRY_WRONG("classic", params, outside, "width 3 is outside [1, 2]");
}
