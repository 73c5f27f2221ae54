/* SPDX-License-Identifier: MIT
 *
 * file.h: whole files, read and written so that nobody ever sees half of one.
 */
#ifndef BLOOMLAB_TABLE_FILE_H
#define BLOOMLAB_TABLE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "harness/table/text.h"

/* DIR/NAME becomes exactly this text: written beside it, synced, renamed, the folder synced. Text
 * whose `failed` is set is E_RUN. */
enum status file_write(const char *directory, const char *name, const struct text *text,
                       struct error *err);

/* The whole file, ended by '\0'. E_INPUT when it is not there or cannot be read. */
enum status file_read(struct text *text, const char *path, struct error *err);

/* DIR/NAME is not there afterwards; it may not have been before. */
enum status file_remove(const char *directory, const char *name, struct error *err);

/* mkdir -p. */
enum status directory_make(const char *path, struct error *err);

enum { SHA256_TEXT_SIZE = 65 };
enum status file_sha256(char text[SHA256_TEXT_SIZE], const char *directory, const char *name,
                        struct error *err);

#endif
