/* SPDX-License-Identifier: MIT
 *
 * list.c: `bloomlab list filters|hashes|keys|workloads|experiments`.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/experiment/experiment.h"
#include "harness/table/text.h"
#include "harness/workload/workload.h"

struct flag_name {
    unsigned flag;
    const char *name;
};

static void field_flags(struct text *text, unsigned flags, const struct flag_name *names,
                        size_t count)
{
    struct text list = {0};
    for (size_t i = 0; i < count; i++)
        if (flags & names[i].flag)
            text_printf(&list, "%s%s", list.size ? ";" : "", names[i].name);
    field_string(text, list.data ? list.data : "");
    text_release(&list);
}

/* How many digest columns a variant takes: a number, k, or what its slices need. */
static void field_columns(struct text *text, const struct filter_ops *ops)
{
    char columns[32] = "";
    struct layout layout;
    struct filter_params params = {
        .m = 1 << 16,
        .n = 1 << 12,
        .k = 7,
        .digest_bits = 64,
        .digest_columns = FILTER_K_MAX,
    };
    filter_params_defaults(&params, ops);
    if (ops->plan(&layout, &params, NULL) == OK) {
        if (ops->capabilities & CAN_GROW)
            snprintf(columns, sizeof columns, "k of the last slice");
        else if ((ops->axes & AXIS_K) && layout.columns == params.k)
            snprintf(columns, sizeof columns, "k");
        else
            snprintf(columns, sizeof columns, "%u", layout.columns);
    }
    field_string(text, columns);
}

/* specs: NULL for none. */
static void field_params(struct text *text, const struct param_spec *specs)
{
    struct text list = {0};
    for (const struct param_spec *spec = specs; spec && spec->name; spec++) {
        text_printf(&list, "%s%s=%s", list.size ? ";" : "", spec->name, spec->fallback);
        if (spec->type == PARAM_INTEGER || spec->type == PARAM_REAL)
            text_printf(&list, " (%g to %g)", spec->min, spec->max);
        if (spec->type == PARAM_BOOLEAN)
            text_printf(&list, " (true or false)");
        for (const char *const *choice = spec->choices;
             spec->type == PARAM_CHOICE && choice && *choice; choice++)
            text_printf(&list, "%s%s%s", choice == spec->choices ? " (" : " or ", *choice,
                        choice[1] ? "" : ")");
    }
    field_string(text, list.data ? list.data : "");
    text_release(&list);
}

static void list_filters(struct text *text)
{
    static const struct flag_name axes[] = {
        {AXIS_M, "m"}, {AXIS_K, "k"}, {AXIS_REDUCTION, "reduction"}, {AXIS_HASH, "hash"}};
    static const struct flag_name capabilities[] = {{CAN_ANSWER_MEMBERSHIP, "membership"},
                                                    {CAN_REMOVE, "remove"},
                                                    {CAN_GROW, "grow"},
                                                    {CAN_MERGE_UNION, "union"},
                                                    {CAN_MERGE_INTERSECTION, "intersection"},
                                                    {CAN_ESTIMATE_CARDINALITY, "cardinality"}};
    text_printf(text, "name,summary,source,axes,params,digest_columns,capabilities\n");
    for (size_t i = 0; i < filter_count; i++) {
        const struct filter_ops *ops = filter_table[i];
        field_string(text, ops->name);
        field_string(text, ops->summary);
        field_string(text, ops->source);
        field_flags(text, ops->axes, axes, sizeof axes / sizeof axes[0]);
        field_params(text, ops->params);
        field_columns(text, ops);
        field_flags(text, ops->capabilities, capabilities,
                    sizeof capabilities / sizeof capabilities[0]);
        row_end(text);
    }
}

static void list_hashes(struct text *text)
{
    text_printf(text, "name,summary,source,bits,seed_bits,family,smhasher_code,key_bytes\n");
    for (size_t i = 0; i < hash_count; i++) {
        const struct hash *hash = hash_table[i];
        char code[16];
        snprintf(code, sizeof code, "%08" PRIX32, hash->smhasher_code);
        field_string(text, hash->name);
        field_string(text, hash->summary);
        field_string(text, hash->source);
        field_count(text, hash->bits);
        field_count(text, hash->seed_bits);
        field_string(text, family_name(family_default(hash)));
        if (hash->key_bytes) {
            field_empty(text);
            field_count(text, hash->key_bytes);
        } else {
            field_string(text, code);
            field_empty(text);
        }
        row_end(text);
    }
}

static void list_keys(struct text *text)
{
    const struct key_kind_info *info;
    text_printf(text, "name,summary,source,bare_name\n");
    for (int kind = 0; (info = key_kind_info((enum key_kind)kind)); kind++) {
        field_string(text, info->name);
        field_string(text, info->summary);
        field_string(text, info->source);
        field_string(text, info->nameable ? "yes" : "no");
        row_end(text);
    }
}

static void list_workloads(struct text *text)
{
    text_printf(text, "name,summary,source,params\n");
    for (int i = 0; i < WORKLOAD_COUNT; i++) {
        const struct workload_ops *ops = workload_find((enum workload)i);
        if (!ops)
            continue;
        field_string(text, ops->name);
        field_string(text, ops->summary);
        field_empty(text);
        field_params(text, ops->params);
        row_end(text);
    }
}

/* The experiments of the folder experiments/; one that cannot be read is an error. */
static enum status list_experiments(struct text *text, struct error *err)
{
    glob_t found;
    enum status status = OK;
    text_printf(text, "name,summary,source,workload,grids,trials\n");
    if (glob("experiments/*.yaml", 0, NULL, &found) != 0)
        return OK;
    for (size_t i = 0; !status && i < found.gl_pathc; i++) {
        struct experiment *experiment;
        FILE *file = fopen(found.gl_pathv[i], "rb");
        if (!file)
            continue;
        status = experiment_read(&experiment, file, found.gl_pathv[i], NULL, err);
        fclose(file);
        if (status)
            break;
        field_string(text, experiment->name);
        field_string(text, experiment->question);
        field_string(text, found.gl_pathv[i]);
        field_string(text, workload_name(experiment->workload));
        field_count(text, experiment->grid_count);
        field_count(text, experiment->grid_count ? experiment->grids[0].trials : 0);
        row_end(text);
        experiment_free(experiment);
    }
    globfree(&found);
    return status;
}

/* For a reader: the name, then the other fields below it. */
static void print_plain(char *table)
{
    enum { COLUMNS = 16 };
    char *header[COLUMNS], *fields[COLUMNS], *next;
    int columns = row_split(table, header, COLUMNS, &next);
    while (*next) {
        int count = row_split(next, fields, COLUMNS, &next);
        if (count != columns)
            return;
        printf("%s\n", fields[0]);
        for (int i = 1; i < count; i++)
            if (*fields[i])
                printf("    %-15s %s\n", header[i], fields[i]);
    }
}

static enum status list_run(int argc, char **argv, struct error *err)
{
    enum { CSV };
    static const struct option_spec specs[] = {{"csv", false}};
    struct option_walk walk = {.argc = argc, .argv = argv};
    struct text text = {0};
    const char *kind = NULL;
    bool csv = false;
    int option;
    const char *value;
    enum status status;
    while (!(status = option_next(&walk, specs, 1, &option, &value, err)) && option != OPTION_END) {
        if (option == CSV)
            csv = true;
        else if (kind)
            return fail(err, E_INPUT, "one list at a time: %s is one too many", value);
        else
            kind = value;
    }
    if (status)
        return status;
    if (kind && strcmp(kind, "filters") == 0)
        list_filters(&text);
    else if (kind && strcmp(kind, "hashes") == 0)
        list_hashes(&text);
    else if (kind && strcmp(kind, "keys") == 0)
        list_keys(&text);
    else if (kind && strcmp(kind, "workloads") == 0)
        list_workloads(&text);
    else if (kind && strcmp(kind, "experiments") == 0)
        status = list_experiments(&text, err);
    else
        return fail(err, E_INPUT,
                    "%s%s is no list; there are filters, hashes, keys, "
                    "workloads, experiments",
                    kind ? "" : "nothing", kind ? kind : "");
    if (!status && text.failed)
        status = fail(err, E_RUN, "no memory for the list");
    if (!status && csv)
        fwrite(text.data, 1, text.size, stdout);
    else if (!status)
        print_plain(text.data);
    text_release(&text);
    return status ? status : output_finish(err);
}

const struct command command_list = {
    .name = "list",
    .summary = "filters, hashes, key sets, workloads, experiments there are",
    .help = "usage: bloomlab list filters|hashes|keys|workloads|experiments [--csv]\n\n"
            "With --csv: columns name,summary,source, then what suits the kind.\n",
    .run = list_run,
};
