/* SPDX-License-Identifier: MIT */
#include "harness/command/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define COMMAND(name) extern const struct command command_##name;
#include "harness/command/list.h"
#undef COMMAND

const struct command *const command_table[] = {
#define COMMAND(name) &command_##name,
#include "harness/command/list.h"
#undef COMMAND
};
const unsigned command_table_count = sizeof command_table / sizeof command_table[0];

volatile sig_atomic_t command_interrupted;

const struct command *command_find(const char *name)
{
    for (unsigned i = 0; i < command_table_count; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

/* Long options only, `--name value` or `--name=value`, anywhere among the arguments; getopt_long
 * would print its own complaints and accept abbreviations that a later option could make ambiguous.
 */
enum status option_next(struct option_walk *walk, const struct option_spec *specs, int count,
                        int *option, const char **value, struct error *err)
{
    if (walk->at == 0)
        walk->at = 1;
    if (walk->at >= walk->argc) {
        *option = OPTION_END;
        return OK;
    }
    const char *word = walk->argv[walk->at++];
    *option = OPTION_ARGUMENT;
    *value = word;
    if (walk->only_arguments || word[0] != '-' || word[1] == '\0')
        return OK;
    if (strcmp(word, "--") == 0) {
        walk->only_arguments = true;
        return option_next(walk, specs, count, option, value, err);
    }
    const char *name = word + 2;
    size_t size = strcspn(name, "=");
    for (int i = 0; word[1] == '-' && i < count; i++) {
        if (strlen(specs[i].name) != size || memcmp(specs[i].name, name, size) != 0)
            continue;
        *option = i;
        *value = name[size] == '=' ? name + size + 1 : NULL;
        if (!specs[i].takes_value)
            return *value ? fail(err, E_INPUT, "--%s takes no value", specs[i].name) : OK;
        if (!*value && walk->at >= walk->argc)
            return fail(err, E_INPUT, "--%s needs a value", specs[i].name);
        if (!*value)
            *value = walk->argv[walk->at++];
        return OK;
    }
    return fail(err, E_INPUT, "%s has no option %s (see bloomlab %s --help)", walk->argv[0], word,
                walk->argv[0]);
}

enum status option_param(struct filter_params *params, const struct filter_ops *ops,
                         const char *text, struct error *err)
{
    char name[64];
    const char *equals = strchr(text, '=');
    if (!equals || (size_t)(equals - text) >= sizeof name)
        return fail(err, E_INPUT, "--param %s is not NAME=VALUE", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    return filter_params_set(params, ops, name, equals + 1, err);
}

enum status output_finish(struct error *err)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail(err, E_RUN, "cannot write standard output: %s", strerror(errno));
    return OK;
}
