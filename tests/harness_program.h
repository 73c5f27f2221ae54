/* SPDX-License-Identifier: MIT
 *
 * harness_program.h: the program itself, run by a test: $BLOOMLAB, or build/bloomlab.
 */
#ifndef BLOOMLAB_TESTS_HARNESS_PROGRAM_H
#define BLOOMLAB_TESTS_HARNESS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct program {
    int status; /* as a shell tells it: 128 + the signal's number when one ended it */
    char *out, *err;
    size_t out_bytes;
};

/* How it is started, besides its arguments. Zero: nothing special. */
struct surroundings {
    const char *input;          /* of standard input; NULL: empty */
    size_t input_bytes;         /* 0: up to the NUL */
    const char *output;         /* standard output goes to this file, not to program.out */
    bool closed_pipe;           /* standard output is a pipe that nobody reads */
    unsigned long file_bytes;   /* no file may grow beyond; 0: no limit */
    const char *environment[4]; /* NAME=VALUE more */
};

/* Arguments end with NULL. Released with program_release. */
void program_run(struct program *program, const struct surroundings *around, ...)
    __attribute__((sentinel));
void program_release(struct program *program);

/* Starts `bloomlab sweep FILE --out FOLDER --quiet --threads THREADS` without plots and returns;
 * output is thrown away. program_wait tells how it ended, as program.status does. */
pid_t program_sweep_start(const char *file, const char *folder, const char *threads);
int program_wait(pid_t child);

/* The sentence on standard error contains the part and the exit status is that. */
void program_fails(struct program *program, int status, const char *part);

#endif
