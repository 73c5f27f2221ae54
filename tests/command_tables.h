/* SPDX-License-Identifier: MIT
 *
 * command_tables.h: runs for the commands that look back at them, and tables with one field
 * changed. Whatever cannot be set up fails the running test.
 */
#ifndef BLOOMLAB_TESTS_COMMAND_TABLES_H
#define BLOOMLAB_TESTS_COMMAND_TABLES_H

#include <stddef.h>

#include "tests/harness_files.h"
#include "tests/harness_program.h"

/* Sweeps an experiment (its text without name and question) into FOLDER/OUT/x; returns that path,
 * the caller's to free. shard: "1/3", or NULL. */
char *run_new(const char *folder, const char *out, const char *yaml, const char *shard);

/* Copies the tables and provenance.json of a run to FOLDER/NAME; returns that path. */
char *run_copy(const char *run, const char *folder, const char *name);

/* A field of a run's table; rows count from 0, the header left out. The caller's to free. */
char *field_get(const char *run, const char *table, size_t row, const char *column);
void field_set(const char *run, const char *table, size_t row, const char *column,
               const char *value);

/* How many rows a table has; the first of them whose column has that value. */
size_t rows_of(const char *run, const char *table);
size_t row_where(const char *run, const char *table, const char *column, const char *value);

/* Puts the sums that the tables have now into provenance.json. */
void sums_renew(const char *run);

#endif
