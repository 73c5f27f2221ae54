/* SPDX-License-Identifier: MIT */
#include "tests/csv.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct csv {
    char *path;
    char *bytes;   /* the file; fields point into it, each ended by NUL */
    char **fields; /* header first, then the rows */
    size_t columns, rows;
};

static char *csv_load(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s cannot be opened", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    cr_assert_geq(size, 0);
    rewind(file);
    char *bytes = malloc((size_t)size + 1);
    cr_assert_not_null(bytes);
    cr_assert_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    bytes[size] = '\0';
    fclose(file);
    return bytes;
}

/* Ends the field at *at with NUL, without its quotes; *at moves behind it. True: the row goes on.
 */
static bool csv_field(char **at, char **field)
{
    char *from = *at, *to = *at;
    *field = to;
    if (*from == '"') {
        for (from++; *from && !(from[0] == '"' && from[1] != '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        from += *from == '"';
    } else {
        to = from += strcspn(from, ",\r\n");
    }
    from += *from == '\r';
    char end = *from;
    *to = '\0';
    *at = end ? from + 1 : from;
    return end == ',';
}

static char *csv_line_end(char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

static void csv_row(struct csv *table, char **at, size_t *count, size_t *room)
{
    size_t columns = 0;
    bool more = true;
    for (; more; columns++) {
        if (*count == *room) {
            *room = 2 * *room + 64;
            table->fields = realloc(table->fields, *room * sizeof *table->fields);
            cr_assert_not_null(table->fields);
        }
        more = csv_field(at, &table->fields[(*count)++]);
    }
    if (!table->columns)
        table->columns = columns;
    cr_assert_eq(columns, table->columns, "%s: row %zu has %zu fields, the header %zu", table->path,
                 table->rows + 1, columns, table->columns);
}

struct csv *csv_read(const char *path)
{
    struct csv *table = calloc(1, sizeof *table);
    cr_assert_not_null(table);
    table->path = strdup(path);
    table->bytes = csv_load(path);
    size_t count = 0, room = 0, lines = 0;
    for (char *at = table->bytes; *at;) {
        if (*at == '#' || *at == '\n' || *at == '\r') {
            at = csv_line_end(at);
        } else {
            csv_row(table, &at, &count, &room);
            table->rows = lines++;
        }
    }
    cr_assert_gt(lines, 0, "%s has no header", path);
    return table;
}

void csv_free(struct csv *table)
{
    if (!table)
        return;
    free(table->path);
    free(table->bytes);
    free(table->fields);
    free(table);
}

size_t csv_rows(const struct csv *table)
{
    return table->rows;
}

const char *csv_text(const struct csv *table, size_t row, const char *column)
{
    cr_assert_lt(row, table->rows);
    for (size_t i = 0; i < table->columns; i++)
        if (!strcmp(table->fields[i], column))
            return table->fields[(row + 1) * table->columns + i];
    cr_assert_fail("%s has no column %s", table->path, column);
    return "";
}

bool csv_is(const struct csv *table, size_t row, const char *column, const char *text)
{
    return !strcmp(csv_text(table, row, column), text);
}

bool csv_empty(const struct csv *table, size_t row, const char *column)
{
    return csv_is(table, row, column, "");
}

double csv_number(const struct csv *table, size_t row, const char *column)
{
    const char *text = csv_text(table, row, column);
    char *end;
    if (!*text)
        return NAN;
    double value = strtod(text, &end);
    if (*end == '/')
        value /= strtod(end + 1, &end);
    cr_assert(*end == '\0', "%s: row %zu: %s is no number: %s", table->path, row, column, text);
    return value;
}

uint64_t csv_integer(const struct csv *table, size_t row, const char *column)
{
    const char *text = csv_text(table, row, column);
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    cr_assert(*text >= '0' && *text <= '9' && *end == '\0', "%s: row %zu: %s is no integer: %s",
              table->path, row, column, text);
    return value;
}

double csv_error(double value, double expected)
{
    if (value == expected)
        return 0;
    return fabs(value - expected) / (expected != 0 ? fabs(expected) : 1);
}
