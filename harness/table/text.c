/* SPDX-License-Identifier: MIT */
#include "harness/table/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_release(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

static bool text_room(struct text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4)
        return !(text->failed = true);
    if (text->size + more + 1 <= text->room)
        return true;
    size_t room = text->room ? text->room : 256;
    while (room < text->size + more + 1)
        room *= 2;
    char *moved = realloc(text->data, room);
    if (!moved)
        return !(text->failed = true);
    text->data = moved;
    text->room = room;
    return true;
}

void text_add(struct text *text, const char *data, size_t size)
{
    if (!text_room(text, size))
        return;
    memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
    enum { LIKELY = 64 };
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    if (text_room(text, LIKELY)) {
        size_t room = text->room - text->size;
        int size = vsnprintf(text->data + text->size, room, format, arguments);
        if (size < 0)
            text->failed = true;
        else if ((size_t)size >= room && text_room(text, (size_t)size))
            vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
        if (!text->failed)
            text->size += (size_t)size;
        text->data[text->size] = '\0';
    }
    va_end(again);
    va_end(arguments);
}

static void field_start(struct text *text)
{
    if (text->in_row)
        text_add(text, ",", 1);
    text->in_row = true;
}

void field_string(struct text *text, const char *value)
{
    field_start(text);
    if (!value)
        return;
    if (!value[strcspn(value, ",\"\r\n")]) {
        text_add(text, value, strlen(value));
        return;
    }
    text_add(text, "\"", 1);
    for (; *value; value++)
        text_add(text, *value == '"' ? "\"\"" : value, *value == '"' ? 2 : 1);
    text_add(text, "\"", 1);
}

void field_count(struct text *text, uint64_t value)
{
    field_start(text);
    text_printf(text, "%" PRIu64, value);
}

void field_empty(struct text *text)
{
    field_start(text);
}

void field_axis(struct text *text, bool used, uint64_t value)
{
    if (used)
        field_count(text, value);
    else
        field_empty(text);
}

void field_real(struct text *text, double value, int digits)
{
    field_start(text);
    if (!isnan(value))
        text_printf(text, "%.*g", digits, value == 0 ? 0.0 : value);
}

void field_rate(struct text *text, double value)
{
    field_real(text, value, 6);
}
void field_p(struct text *text, double value)
{
    field_real(text, value, 4);
}

void field_z(struct text *text, double value)
{
    field_start(text);
    if (!isnan(value))
        text_printf(text, "%.3f", fabs(value) < 0.0005 ? 0.0 : value);
}

void field_hex(struct text *text, uint64_t value)
{
    field_start(text);
    text_printf(text, "%016" PRIx64, value);
}

void row_end(struct text *text)
{
    text_add(text, "\n", 1);
    text->in_row = false;
}

/* Takes the quotes off a field that starts after its opening quote. Returns what follows the
 * closing one, or NULL when there is none. */
static char *field_unquote(char *from)
{
    char *to = from;
    for (;; from++) {
        if (*from == '\0')
            return NULL;
        if (*from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    *to = '\0'; /* at the latest where the closing quote stood */
    return from;
}

int row_split(char *row, char **fields, int most, char **next)
{
    int count = 0;
    for (;;) {
        if (count == most)
            return -1;
        char *end;
        if (*row == '"') {
            fields[count++] = row + 1;
            end = field_unquote(row + 1);
            if (!end)
                return -1;
        } else {
            fields[count++] = row;
            end = row + strcspn(row, ",\r\n");
        }
        char stop = *end;
        *end = '\0';
        if (stop == ',') {
            row = end + 1;
            continue;
        }
        if (stop == '\r' && end[1] == '\n')
            end++;
        *next = stop ? end + 1 : end;
        return stop == '\0' || stop == '\n' || stop == '\r' ? count : -1;
    }
}
