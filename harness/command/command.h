/* SPDX-License-Identifier: MIT
 *
 * command.h: one subcommand of the program: one file of this room.
 */
#ifndef BLOOMLAB_COMMAND_H
#define BLOOMLAB_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "filters/filter.h"

struct command {
    const char *name;
    const char *summary; /* one line */
    const char *help;    /* usage and options, whole lines */
    /* argv[0] is the command's name. */
    enum status (*run)(int argc, char **argv, struct error *err);
};

/* The table, in the order of --help: list.h of this room. */
extern const struct command *const command_table[];
extern const unsigned command_table_count;
const struct command *command_find(const char *name);

/* One option of a command: long names only. value NULL: a flag. */
struct option_spec {
    const char *name;
    bool takes_value;
};

/* Walks argv with getopt_long. Each call gives the next option: *option is its index in `specs`, or
 * -1 for a plain argument (*value is then the argument), or -2 at the end. E_INPUT names what is
 * wrong. */
struct option_walk {
    int argc;
    char **argv;
    int at;
    bool only_arguments;
};
enum { OPTION_ARGUMENT = -1, OPTION_END = -2 };
enum status option_next(struct option_walk *walk, const struct option_spec *specs, int count,
                        int *option, const char **value, struct error *err);

/* Sets one of a filter's own parameters from `--param NAME=VALUE`. */
enum status option_param(struct filter_params *params, const struct filter_ops *ops,
                         const char *text, struct error *err);

/* Set by SIGINT and SIGTERM: stop after the work in flight. */
extern volatile sig_atomic_t command_interrupted;

/* Standard output, checked: E_RUN when it cannot take what was printed. */
enum status output_finish(struct error *err);

#endif
