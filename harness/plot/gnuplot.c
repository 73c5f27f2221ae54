/* SPDX-License-Identifier: MIT */
#include "harness/plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/table/file.h"

extern char **environ;

enum { GNUPLOT_ENVIRONMENT_MAX = 1024 };

static bool scripts_there(char *path, const char *folder, const char *below, const char *family)
{
    char script[PATH_MAX];
    if (snprintf(path, PATH_MAX, "%s%s", folder, below) >= PATH_MAX ||
        snprintf(script, sizeof script, "%s/%s.gp", path, family) >= PATH_MAX)
        return false;
    return access(script, R_OK) == 0;
}

enum status gnuplot_scripts(char *path, const char *family, struct error *err)
{
    char folder[PATH_MAX] = ".";
    const char *given = getenv("BLOOMLAB_SCRIPTS");
    if (given && *given) {
        if (scripts_there(path, given, "", family))
            return OK;
        return fail(err, E_RUN, "BLOOMLAB_SCRIPTS=%s has no %s.gp", given, family);
    }
    if (scripts_there(path, "scripts/plot", "", family))
        return OK;
    ssize_t size = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    if (scripts_there(path, folder, "/../scripts/plot", family) ||
        scripts_there(path, folder, "/../../scripts/plot", family))
        return OK;
    return fail(
        err, E_RUN,
        "cannot find scripts/plot/%s.gp here or beside the program; set BLOOMLAB_SCRIPTS to "
        "its folder",
        family);
}

/* The program's own environment, but for the locale: C, with UTF-8 in labels. */
static void gnuplot_environment(char **own)
{
    static char locale[] = "LC_CTYPE=C.UTF-8";
    size_t count = 0;
    own[count++] = locale;
    for (char **entry = environ; *entry && count < GNUPLOT_ENVIRONMENT_MAX - 1; entry++)
        if (strncmp(*entry, "LC_", 3) != 0 && strncmp(*entry, "LANG", 4) != 0)
            own[count++] = *entry;
    own[count] = NULL;
}

static enum status gnuplot_spawn(const char *script, const char *messages, int *code,
                                 struct error *err)
{
    char name[] = "gnuplot", no_start_up[] = "-d", file[PATH_MAX];
    char *arguments[] = {name, no_start_up, file, NULL}, *own[GNUPLOT_ENVIRONMENT_MAX];
    posix_spawn_file_actions_t actions;
    pid_t child;
    snprintf(file, sizeof file, "%s", script);
    gnuplot_environment(own);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    int failed = posix_spawnp(&child, name, &actions, NULL, arguments, own);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT)
        return fail(err, E_RUN,
                    "plots need gnuplot (the package gnuplot-nox; `make deps` installs it)");
    if (failed)
        return fail(err, E_RUN, "cannot start gnuplot: %s", strerror(failed));
    while (waitpid(child, code, 0) < 0)
        if (errno != EINTR)
            return fail(err, E_RUN, "cannot wait for gnuplot: %s", strerror(errno));
    return OK;
}

/* One line of what gnuplot said: blank lines and line ends out. */
static void gnuplot_join(char *text)
{
    char *to = text;
    for (char *from = text; *from; from++)
        if (*from >= ' ' && !(*from == ' ' && to > text && to[-1] == ' '))
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

enum status gnuplot_run(const char *directory, const char *script, struct error *err)
{
    char path[PATH_MAX], messages[PATH_MAX];
    int code = 0;
    if (snprintf(path, sizeof path, "%s/%s", directory, script) >= PATH_MAX ||
        snprintf(messages, sizeof messages, "%s/messages", directory) >= PATH_MAX)
        return fail(err, E_INPUT, "the path %.60s... is too long", directory);
    enum status status = gnuplot_spawn(path, messages, &code, err);
    if (status)
        return status;
    struct text said = {0};
    if (file_read(&said, messages, NULL) != OK || !said.data)
        return fail(err, E_RUN, "gnuplot left no messages file");
    gnuplot_join(said.data);
    if (code != 0 || said.data[strspn(said.data, " ")])
        status = fail(err, E_RUN, "gnuplot (exit %d) said: %.400s",
                      WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code), said.data);
    text_release(&said);
    return status;
}
