/* SPDX-License-Identifier: MIT
 *
 * main.c: finds the subcommand, runs it, prints the sentence of what went wrong, and exits:
 * 0 fine; 1 a check failed; 2 wrong input; 3 the run failed; 130 interrupted.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/stats/stats.h"
#include "machine/path.h"

enum { EXIT_INTERRUPTED = 130 };

static void on_signal(int signal)
{
    (void)signal;
    command_interrupted = 1;
}

static void print_help(FILE *to)
{
    fputs("usage: bloomlab COMMAND [OPTION]...\n\nA laboratory for Bloom filters: sweeps over "
          "filters, "
          "hashes, keys, m, n and k,\nmeasured beside theory.\n\ncommands:\n",
          to);
    for (unsigned i = 0; i < command_table_count; i++)
        fprintf(to, "  %-10s %s\n", command_table[i]->name, command_table[i]->summary);
    fputs("\nbloomlab COMMAND --help says more. BLOOMLAB_PATH=portable, avx2 or avx512 in the "
          "environment keeps\nfilters and hashes from wider instructions; results are the same.\n",
          to);
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

/* A name with a slip would leave the widest path on, unseen. */
static bool path_named(void)
{
    enum filter_path path;
    const char *name = getenv("BLOOMLAB_PATH");
    if (!name || path_find(name, &path))
        return true;
    fprintf(stderr, "bloomlab: BLOOMLAB_PATH is '%.40s'; there are portable, avx2, avx512\n", name);
    return false;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct error error = {0};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    stats_init();
    enum status status = command->run(argc, argv, &error);
    if (status)
        fprintf(stderr, "bloomlab %s: %s\n", command->name, error.text);
    if (command_interrupted)
        return EXIT_INTERRUPTED;
    return status == E_IMPOSSIBLE ? E_INPUT : (int)status;
}

/* Prints help; whether standard output took it. */
static int help(const char *text)
{
    struct error error;
    if (text)
        fputs(text, stdout);
    else
        print_help(stdout);
    if (output_finish(&error) == OK)
        return OK;
    fprintf(stderr, "bloomlab: %s\n", error.text);
    return E_RUN;
}

int main(int argc, char **argv)
{
    /* A closed pipe and a file too large are errors of the write that meets them. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        print_help(stderr);
        return E_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
        return help(NULL);
    const struct command *command = command_find(argv[1]);
    if (!command) {
        fprintf(stderr, "bloomlab: there is no command %s; bloomlab --help lists them\n", argv[1]);
        return E_INPUT;
    }
    if (wants_help(argc - 1, argv + 1))
        return help(command->help);
    return path_named() ? run(command, argc - 1, argv + 1) : E_INPUT;
}
