/* SPDX-License-Identifier: MIT */
#include "tests/command_tables.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/table/file.h"
#include "harness/table/tables.h"

enum { FIELDS_MAX = 64 };

char *run_new(const char *folder, const char *out, const char *yaml, const char *shard)
{
    char *text, *run, *file = path_of(folder, "x.yaml"), *parent = path_of(folder, out);
    struct program program;
    cr_assert_geq(asprintf(&text, "name: x\nquestion: Is it?\n%s", yaml), 0);
    file_save(folder, "x.yaml", text, strlen(text));
    if (shard)
        program_run(&program, NULL, "sweep", file, "--out", parent, "--no-plots", "--quiet",
                    "--shard", shard, NULL);
    else
        program_run(&program, NULL, "sweep", file, "--out", parent, "--no-plots", "--quiet", NULL);
    cr_assert_eq(program.status, 0, "%s", program.err);
    program_release(&program);
    run = path_of(parent, "x");
    free(text);
    free(file);
    free(parent);
    return run;
}

char *run_copy(const char *run, const char *folder, const char *name)
{
    char *copy = path_of(folder, name);
    cr_assert_eq(mkdir(copy, 0777), 0);
    for (unsigned i = 0; i == 0 || table_name(i - 1); i++) {
        size_t size;
        const char *file = i ? table_name(i - 1) : "provenance.json";
        char *text = file_load(run, file, &size);
        file_save(copy, file, text, size);
        free(text);
    }
    return copy;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static int column_of(char *header, const char *column)
{
    char *fields[FIELDS_MAX], *next;
    int count = row_split(header, fields, FIELDS_MAX, &next);
    for (int c = 0; c < count; c++)
        if (strcmp(fields[c], column) == 0)
            return c;
    cr_assert_fail("no column %s", column);
    return -1;
}

/* Where row `row` starts; row_split must not have touched it yet. */
static char *row_start(char *text, size_t row)
{
    for (size_t i = 0; i <= row; i++) {
        text = strchr(text, '\n');
        cr_assert(text && text[1], "no row %zu", row);
        text++;
    }
    return text;
}

char *field_get(const char *run, const char *table, size_t row, const char *column)
{
    char *text = file_load(run, table, NULL), *fields[FIELDS_MAX], *next;
    char *start = row_start(text, row), *value;
    int c = column_of(text, column);
    row_split(start, fields, FIELDS_MAX, &next);
    value = strdup(fields[c]);
    free(text);
    return value;
}

void field_set(const char *run, const char *table, size_t row, const char *column,
               const char *value)
{
    char *text = file_load(run, table, NULL), *again = strdup(text), *fields[FIELDS_MAX], *next;
    struct text changed = {0};
    char *start = row_start(text, row);
    text_add(&changed, text, (size_t)(start - text));
    int c = column_of(again, column), count = row_split(start, fields, FIELDS_MAX, &next);
    for (int i = 0; i < count; i++)
        field_string(&changed, i == c ? value : fields[i]);
    row_end(&changed);
    text_add(&changed, next, strlen(next));
    file_save(run, table, changed.data, changed.size);
    text_release(&changed);
    free(text);
    free(again);
}

size_t rows_of(const char *run, const char *table)
{
    char *text = file_load(run, table, NULL);
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    free(text);
    return lines - 1;
}

size_t row_where(const char *run, const char *table, const char *column, const char *value)
{
    for (size_t row = 0; row < rows_of(run, table); row++) {
        char *field = field_get(run, table, row, column);
        bool same = strcmp(field, value) == 0;
        free(field);
        if (same)
            return row;
    }
    cr_assert_fail("%s has no row with %s %s", table, column, value);
    return 0;
}

void sums_renew(const char *run)
{
    char *text = file_load(run, "provenance.json", NULL);
    for (unsigned i = 0; table_name(i); i++) {
        char sum[SHA256_TEXT_SIZE], key[64];
        struct error err;
        cr_assert_eq(file_sha256(sum, run, table_name(i), &err), OK, "%s", err.text);
        snprintf(key, sizeof key, "\"%s\": \"", table_name(i));
        char *at = strstr(text, key);
        cr_assert_not_null(at);
        memcpy(at + strlen(key), sum, strlen(sum));
    }
    file_save(run, "provenance.json", text, strlen(text));
    free(text);
}
