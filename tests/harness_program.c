/* SPDX-License-Identifier: MIT
 *
 * harness_program.c: output and input go through unlinked files, so that no pipe can fill up.
 */
#include "tests/harness_program.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_ARGUMENTS_MAX = 32 };

static const char *program_path(void)
{
    const char *path = getenv("BLOOMLAB");
    path = path && *path ? path : "build/bloomlab";
    cr_assert_eq(access(path, X_OK), 0, "%s is not there: `make test` builds it", path);
    return path;
}

static char *program_slurp(FILE *file, size_t *bytes)
{
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    cr_assert_eq(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    fclose(file);
    if (bytes)
        *bytes = (size_t)size;
    return text;
}

/* A descriptor to write to whose reader is gone. */
static int program_closed_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    close(ends[0]);
    return ends[1];
}

/* In the child: never returns. */
static void program_become(const char *path, const struct surroundings *around, int in, int out,
                           int error, char **arguments)
{
    if (around->closed_pipe)
        out = program_closed_pipe();
    else if (around->output)
        out = open(around->output, O_WRONLY);
    if (around->file_bytes) {
        struct rlimit limit = {around->file_bytes, around->file_bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    for (int i = 0; i < 4 && around->environment[i]; i++)
        putenv((char *)around->environment[i]);
    signal(SIGPIPE, SIG_DFL); /* as a shell starts it, whatever the test runner does */
    signal(SIGINT, SIG_DFL);
    if (out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(error, 2) < 0)
        _exit(126);
    execv(path, arguments);
    _exit(127);
}

int program_wait(pid_t child)
{
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    cr_assert_neq(WEXITSTATUS(status), 126);
    cr_assert_neq(WEXITSTATUS(status), 127);
    return WEXITSTATUS(status);
}

void program_run(struct program *program, const struct surroundings *around, ...)
{
    static const struct surroundings nothing;
    const char *path = program_path();
    char *arguments[PROGRAM_ARGUMENTS_MAX] = {(char *)path};
    int count = 1;
    va_list rest;
    va_start(rest, around);
    for (const char *next; (next = va_arg(rest, const char *));) {
        cr_assert_lt(count, PROGRAM_ARGUMENTS_MAX - 1);
        arguments[count++] = (char *)next;
    }
    va_end(rest);
    around = around ? around : &nothing;
    FILE *in = tmpfile(), *out = tmpfile(), *error = tmpfile();
    cr_assert(in && out && error);
    if (around->input)
        fwrite(around->input, 1, around->input_bytes ? around->input_bytes : strlen(around->input),
               in);
    fflush(in);
    rewind(in);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        program_become(path, around, fileno(in), fileno(out), fileno(error), arguments);
    program->status = program_wait(child);
    fclose(in);
    program->out = program_slurp(out, &program->out_bytes);
    program->err = program_slurp(error, NULL);
}

void program_release(struct program *program)
{
    free(program->out);
    free(program->err);
}

pid_t program_sweep_start(const char *file, const char *folder, const char *threads)
{
    const char *path = program_path();
    char *arguments[] = {(char *)path, "sweep",      (char *)file, "--out",         (char *)folder,
                         "--quiet",    "--no-plots", "--threads",  (char *)threads, NULL};
    static const struct surroundings nothing;
    int sink = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        program_become(path, &nothing, sink, sink, sink, arguments);
    close(sink);
    return child;
}

void program_fails(struct program *program, int status, const char *part)
{
    cr_assert_eq(program->status, status, "exit %d, not %d: %s", program->status, status,
                 program->err);
    cr_assert(strstr(program->err, part), "\"%s\" does not say \"%s\"", program->err, part);
    program_release(program);
}
