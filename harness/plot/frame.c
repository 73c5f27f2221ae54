/* SPDX-License-Identifier: MIT */
#include "harness/plot/frame.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/table/file.h"

enum { FRAME_COLUMNS_MAX = 256 };

/* Which column of the file becomes which of the frame: -1 for none. */
struct frame_choice {
    int to[FRAME_COLUMNS_MAX];
    int file_columns;
};

double number_of(const char *field)
{
    char *end;
    if (*field == '\0')
        return NAN;
    double value = strtod(field, &end);
    return *end == '\0' ? value : NAN;
}

int frame_column(const struct frame *frame, const char *name)
{
    for (unsigned c = 0; c < frame->columns; c++)
        if (strcmp(frame->names[c], name) == 0)
            return (int)c;
    return -1;
}

const char *frame_text(const struct frame *frame, size_t row, int column)
{
    return column < 0 ? "" : frame->fields[row * frame->columns + (unsigned)column];
}

double frame_number(const struct frame *frame, size_t row, int column)
{
    return number_of(frame_text(frame, row, column));
}

void frame_release(struct frame *frame)
{
    free(frame->names);
    free(frame->fields);
    text_release(&frame->text);
    *frame = (struct frame){0};
}

static size_t frame_count_lines(const char *text)
{
    size_t lines = 0;
    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

static enum status frame_choose(struct frame *frame, struct frame_choice *choice, char **header,
                                const char *const *wanted, const char *name, struct error *err)
{
    for (int c = 0; c < choice->file_columns; c++)
        choice->to[c] = wanted ? -1 : c;
    frame->columns = (unsigned)choice->file_columns;
    if (wanted)
        for (frame->columns = 0; wanted[frame->columns];)
            frame->columns++;
    frame->names = calloc(frame->columns + 1, sizeof *frame->names);
    if (!frame->names)
        return fail(err, E_RUN, "no memory to read %s", name);
    for (unsigned w = 0; w < frame->columns; w++) {
        int c = (int)w;
        for (c = wanted ? 0 : c; wanted && c < choice->file_columns; c++)
            if (strcmp(header[c], wanted[w]) == 0)
                break;
        if (c == choice->file_columns)
            return fail(err, E_INPUT, "%s has no column %s", name, wanted[w]);
        choice->to[c] = (int)w;
        frame->names[w] = header[c];
    }
    return OK;
}

static enum status frame_rows(struct frame *frame, const struct frame_choice *choice, char *at,
                              const char *name, struct error *err)
{
    char *row[FRAME_COLUMNS_MAX];
    while (*at) {
        int count = row_split(at, row, FRAME_COLUMNS_MAX, &at);
        if (count != choice->file_columns)
            return fail(err, E_INPUT, "%s, row %zu: %d fields in place of %d", name,
                        frame->rows + 1, count, choice->file_columns);
        for (int c = 0; c < count; c++)
            if (choice->to[c] >= 0)
                frame->fields[frame->rows * frame->columns + (unsigned)choice->to[c]] = row[c];
        frame->rows++;
    }
    return OK;
}

enum status frame_read(struct frame *frame, const char *directory, const char *name,
                       const char *const *wanted, struct error *err)
{
    char path[PATH_MAX], *header[FRAME_COLUMNS_MAX], *rest;
    struct frame_choice choice;
    *frame = (struct frame){0};
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return fail(err, E_INPUT, "the path %.60s... is too long", directory);
    enum status status = file_read(&frame->text, path, err);
    if (status)
        return status;
    size_t lines = frame_count_lines(frame->text.data);
    choice.file_columns = row_split(frame->text.data, header, FRAME_COLUMNS_MAX, &rest);
    if (choice.file_columns < 0)
        status = fail(err, E_INPUT, "%s has no header row", path);
    if (!status)
        status = frame_choose(frame, &choice, header, wanted, name, err);
    if (!status && !(frame->fields = calloc((lines + 1) * frame->columns, sizeof(char *))))
        status = fail(err, E_RUN, "no memory to read %s", name);
    if (!status)
        status = frame_rows(frame, &choice, rest, name, err);
    if (status)
        frame_release(frame);
    return status;
}
