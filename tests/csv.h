/* SPDX-License-Identifier: MIT
 *
 * csv.h: reads the oracle tables of tests/data: lines that start with # are comments, then a header
 * row, then rows of as many fields. Fields may be quoted ("" inside quotes is one quote).
 *
 * For tests: whatever is wrong with a file or a name fails the running test.
 */
#ifndef BLOOMLAB_TESTS_CSV_H
#define BLOOMLAB_TESTS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv; /* a table, whole in memory */

struct csv *csv_read(const char *path);
void csv_free(struct csv *table);

size_t csv_rows(const struct csv *table); /* header not counted */

/* A field by the name of its column; rows count from 0. */
const char *csv_text(const struct csv *table, size_t row, const char *column);
bool csv_is(const struct csv *table, size_t row, const char *column, const char *text);
bool csv_empty(const struct csv *table, size_t row, const char *column);

/* As a number: decimal, a/b, or inf; NaN when the field is empty. */
double csv_number(const struct csv *table, size_t row, const char *column);

/* As an unsigned decimal integer. */
uint64_t csv_integer(const struct csv *table, size_t row, const char *column);

/* |value - expected| / |expected|; |value| when 0 is expected; 0 when both are the same infinity.
 */
double csv_error(double value, double expected);

#endif
