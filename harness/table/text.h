/* SPDX-License-Identifier: MIT
 *
 * text.h: text that grows, and the fields of RFC 4180 tables in it.
 *
 * A failed allocation is remembered in `failed` and asked for once, at the end. Numbers are written
 * with a point whatever the locale (the program never calls setlocale); NaN is an empty field.
 */
#ifndef BLOOMLAB_TEXT_H
#define BLOOMLAB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *data; /* always ended by '\0' once something was added */
    size_t size, room;
    bool failed;
    bool in_row; /* the next field needs a comma before it */
};

void text_release(struct text *text);
void text_add(struct text *text, const char *data, size_t size);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One field each, with the comma before it where one is needed. */
void field_string(struct text *text, const char *value); /* quoted when it must be */
void field_count(struct text *text, uint64_t value);
void field_empty(struct text *text);
void field_axis(struct text *text, bool used, uint64_t value); /* empty when not used */
void field_rate(struct text *text, double value);              /* 6 significant digits */
void field_p(struct text *text, double value);                 /* 4 significant digits */
void field_z(struct text *text, double value);                 /* 3 decimals */
void field_real(struct text *text, double value, int digits);  /* that many significant digits */
void field_hex(struct text *text, uint64_t value);             /* 16 digits */
void row_end(struct text *text);

/* Cuts one row into its fields, in place: quotes are taken off. Returns how many there are, or -1
 * when there are more than `most` or a quote is not closed. *next is what follows the row's line
 * end. */
int row_split(char *row, char **fields, int most, char **next);

#endif
