/* SPDX-License-Identifier: MIT */
#include "harness/table/difference.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { DIFFERENCE_COLUMNS_MAX = 256 };

/* Two tables, row by row. Fields point into copies, which row_split cuts up. */
struct rows {
    struct text is, must;
    char *header[DIFFERENCE_COLUMNS_MAX];
    char *is_fields[DIFFERENCE_COLUMNS_MAX], *must_fields[DIFFERENCE_COLUMNS_MAX];
    int columns;
};

const char *field_show(char out[DIFFERENCE_FIELD_MAX], const char *field)
{
    snprintf(out, DIFFERENCE_FIELD_MAX, "%.*s", DIFFERENCE_FIELD_MAX - 1, field);
    for (char *c = out; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    return out;
}

static void difference_say(struct difference *difference, const struct rows *rows, int column)
{
    char is[DIFFERENCE_FIELD_MAX], must[DIFFERENCE_FIELD_MAX], where[DIFFERENCE_FIELD_MAX + 8] = "";
    if (difference->cell_id[0])
        snprintf(where, sizeof where, " (cell %s)", difference->cell_id);
    snprintf(difference->sentence, sizeof difference->sentence,
             "row %zu%s: column %.40s holds '%s', it must be '%s'", difference->row, where,
             rows->header[column], field_show(is, rows->is_fields[column]),
             field_show(must, rows->must_fields[column]));
}

static void difference_identify(struct difference *difference, const struct rows *rows)
{
    for (int c = 0; c < rows->columns; c++)
        if (strcmp(rows->header[c], "cell_id") == 0)
            field_show(difference->cell_id, rows->must_fields[c]);
}

/* One row of both; true when they differ. *end: both were over. */
static bool difference_row(struct difference *difference, struct rows *rows, char **is, char **must,
                           bool *end)
{
    *end = !**is && !**must;
    if (*end)
        return false;
    if (!**is || !**must) {
        snprintf(difference->sentence, sizeof difference->sentence,
                 !**is ? "it ends after row %zu" : "it goes on after row %zu, the last there is",
                 difference->row - 1);
        return true;
    }
    int count = row_split(*is, rows->is_fields, DIFFERENCE_COLUMNS_MAX, is);
    row_split(*must, rows->must_fields, DIFFERENCE_COLUMNS_MAX, must);
    difference_identify(difference, rows);
    if (count != rows->columns) {
        snprintf(difference->sentence, sizeof difference->sentence,
                 "row %zu is cut short or broken: it has not %d fields", difference->row,
                 rows->columns);
        return true;
    }
    for (int c = 0; c < rows->columns; c++)
        if (strcmp(rows->is_fields[c], rows->must_fields[c]) != 0) {
            difference_say(difference, rows, c);
            return true;
        }
    return false;
}

static void difference_find(struct difference *difference, struct rows *rows)
{
    char *is = rows->is.data, *must = rows->must.data;
    size_t header = strcspn(must, "\n") + 1;
    if (strncmp(is, must, header) != 0) {
        snprintf(difference->sentence, sizeof difference->sentence,
                 "its header row is not the one this program writes");
        return;
    }
    is += header;
    rows->columns = row_split(must, rows->header, DIFFERENCE_COLUMNS_MAX, &must);
    for (bool end = false; !end;) {
        difference->row++;
        if (difference_row(difference, rows, &is, &must, &end))
            return;
    }
    snprintf(difference->sentence, sizeof difference->sentence,
             "the fields are right, but not the bytes between them (quotes, line ends)");
}

bool table_difference(struct difference *difference, const struct text *is, const struct text *must)
{
    struct rows rows = {0};
    *difference = (struct difference){0};
    if (is->size == must->size && memcmp(is->data, must->data, is->size) == 0)
        return false;
    text_add(&rows.is, is->data, is->size);
    text_add(&rows.must, must->data, must->size);
    if (rows.is.failed || rows.must.failed)
        snprintf(difference->sentence, sizeof difference->sentence, "it is another");
    else
        difference_find(difference, &rows);
    text_release(&rows.is);
    text_release(&rows.must);
    return true;
}
