/* SPDX-License-Identifier: MIT
 *
 * error.h: how library code reports that something went wrong.
 *
 * A function that can fail returns enum status and takes a struct error as its last argument. The
 * sentence in it names the value and the bound it broke; fail() writes both at once. Only main()
 * prints or exits. This lowest of the rooms is where every other room can reach it.
 */
#ifndef BLOOMLAB_ERROR_H
#define BLOOMLAB_ERROR_H

enum status {
    OK = 0,
    E_CHECK = 1,      /* a check found a difference (exit 1) */
    E_INPUT = 2,      /* what the user wrote is wrong (exit 2) */
    E_RUN = 3,        /* disk, memory, system (exit 3) */
    E_IMPOSSIBLE = 4, /* valid values that cannot go together: in a grid, a skipped cell */
};

struct error {
    enum status status;
    char text[512];
};

/* Writes the sentence and the status into err (when not NULL); returns status. */
enum status fail(struct error *err, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
