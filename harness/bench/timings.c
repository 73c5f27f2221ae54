/* SPDX-License-Identifier: MIT */
#include "harness/bench/timings.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/frame.h"

enum { TIMINGS_DIGITS = 5 };
#define TIMINGS_COUNT_MAX 0x1p53 /* up to here a double tells every whole number */

static const char *const operation_names[OPERATION_COUNT] = {
    [OPERATION_INSERT] = "insert",
    [OPERATION_QUERY_BYTES] = "query_bytes",
    [OPERATION_QUERY_LIST] = "query_list",
    [OPERATION_QUERY_COUNT] = "query_count",
    [OPERATION_QUERY_DEPENDENT] = "query_dependent",
};

const char *operation_name(enum operation operation)
{
    return operation_names[operation];
}

void timings_add(struct timings *timings, const struct timing *row)
{
    if (timings->count == timings->room) {
        size_t room = timings->room ? 2 * timings->room : 64;
        struct timing *moved = realloc(timings->row, room * sizeof *moved);
        if (!moved) {
            timings->failed = true;
            return;
        }
        timings->row = moved;
        timings->room = room;
    }
    timings->row[timings->count++] = *row;
}

void timings_release(struct timings *timings)
{
    free(timings->row);
    *timings = (struct timings){0};
}

/* ---- columns ----------------------------------------------------------------------------------
 */

enum column_type { COLUMN_TEXT, COLUMN_COUNT, COLUMN_UNSIGNED, COLUMN_REAL, COLUMN_FLAG };

struct timings_column {
    const char *name;
    enum column_type type;
    size_t offset, size; /* of a text: its room */
};

#define AT(member) offsetof(struct timing, member)
#define TEXT(name)                                                                                 \
    {                                                                                              \
#name, COLUMN_TEXT, AT(name), sizeof((struct timing *)0)->name                             \
    }
#define EVENT(name, which)                                                                         \
    {                                                                                              \
        name, COLUMN_REAL, AT(per_key.event[which]), 0                                             \
    }

/* The ratio is no member: it follows from two others. */
static const char timings_ratio[] = "ratio_to_floor";

static const struct timings_column timings_columns[] = {
    TEXT(filter),
    TEXT(params),
    {"bytes", COLUMN_COUNT, AT(bytes), 0},
    {"bits_per_key", COLUMN_REAL, AT(bits_per_key), 0},
    TEXT(operation),
    {"hit_ratio", COLUMN_REAL, AT(hit_ratio), 0},
    TEXT(digests),
    TEXT(path),
    {"threads", COLUMN_UNSIGNED, AT(threads), 0},
    {"ns_per_key", COLUMN_REAL, AT(ns.median), 0},
    {"ns_q1", COLUMN_REAL, AT(ns.q1), 0},
    {"ns_q3", COLUMN_REAL, AT(ns.q3), 0},
    {"floor_ns", COLUMN_REAL, AT(floor_ns), 0},
    {timings_ratio, COLUMN_REAL, 0, 0},
    {"rounds", COLUMN_UNSIGNED, AT(rounds), 0},
    {"noisy", COLUMN_FLAG, AT(noisy), 0},
    EVENT("cycles_per_key", COUNTER_CYCLES),
    EVENT("instructions_per_key", COUNTER_INSTRUCTIONS),
    EVENT("cache_misses_per_key", COUNTER_CACHE_MISSES),
    EVENT("branch_misses_per_key", COUNTER_BRANCH_MISSES),
    {"count", COLUMN_COUNT, AT(count), 0},
    TEXT(hash),
    TEXT(family),
    TEXT(reduction),
    TEXT(keys),
    {"m", COLUMN_COUNT, AT(m), 0},
    {"n", COLUMN_COUNT, AT(n), 0},
    {"k", COLUMN_UNSIGNED, AT(k), 0},
    {"fpr_model", COLUMN_REAL, AT(fpr_model), 0},
};
enum { TIMINGS_COLUMNS = sizeof timings_columns / sizeof timings_columns[0] };

static void timings_field(struct text *text, const struct timing *row,
                          const struct timings_column *column)
{
    const char *at = (const char *)row + column->offset;
    if (column->name == timings_ratio) {
        field_real(text, row->ns.median / row->floor_ns, TIMINGS_DIGITS);
        return;
    }
    switch (column->type) {
    case COLUMN_TEXT:
        field_string(text, at);
        break;
    case COLUMN_COUNT:
        field_count(text, *(const uint64_t *)(const void *)at);
        break;
    case COLUMN_UNSIGNED:
        field_count(text, *(const unsigned *)(const void *)at);
        break;
    case COLUMN_REAL:
        field_real(text, *(const double *)(const void *)at, TIMINGS_DIGITS);
        break;
    case COLUMN_FLAG:
        field_string(text, *(const bool *)(const void *)at ? "noisy" : "");
        break;
    }
}

void timings_format(const struct timings *timings, struct text *text)
{
    for (int c = 0; c < TIMINGS_COLUMNS; c++)
        field_string(text, timings_columns[c].name);
    row_end(text);
    for (size_t r = 0; r < timings->count; r++) {
        for (int c = 0; c < TIMINGS_COLUMNS; c++)
            timings_field(text, &timings->row[r], &timings_columns[c]);
        row_end(text);
    }
    text->failed = text->failed || timings->failed;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* A count's field: empty is 0. False: it is no whole number of 0 .. most. */
static bool timings_whole(uint64_t *count, const char *field, double most)
{
    double number = *field ? number_of(field) : 0;
    if (!(number >= 0 && number <= most) || number != floor(number))
        return false;
    *count = (uint64_t)number;
    return true;
}

/* False: the field is not of the column's type. */
static bool timings_take(struct timing *row, const struct timings_column *column, const char *field)
{
    char *at = (char *)row + column->offset;
    double number = number_of(field);
    uint64_t count = 0;
    if (column->name == timings_ratio)
        return true;
    switch (column->type) {
    case COLUMN_TEXT:
        snprintf(at, column->size, "%s", field);
        return true;
    case COLUMN_FLAG:
        *(bool *)(void *)at = *field != '\0';
        return true;
    case COLUMN_REAL:
        *(double *)(void *)at = number;
        return !*field || isfinite(number);
    case COLUMN_COUNT:
        return timings_whole((uint64_t *)(void *)at, field, TIMINGS_COUNT_MAX);
    case COLUMN_UNSIGNED:
        break;
    }
    bool whole = timings_whole(&count, field, UINT_MAX);
    *(unsigned *)(void *)at = (unsigned)count;
    return whole;
}

/* Without these a row says nothing. */
static const char *const timings_required[] = {"filter", "bytes", "operation", "ns_per_key"};

static enum status timings_row(struct timing *row, const struct frame *frame, size_t r,
                               const int *place, const char *name, struct error *err)
{
    *row = (struct timing){0};
    for (int c = 0; c < TIMINGS_COLUMNS; c++) {
        const char *field = frame_text(frame, r, place[c]);
        if (!timings_take(row, &timings_columns[c], field))
            return fail(err, E_INPUT, "%s, row %zu: %s '%.40s' is no %snumber", name, r + 2,
                        timings_columns[c].name, field,
                        timings_columns[c].type == COLUMN_REAL ? "" : "whole ");
    }
    if (row->ns.median < 0)
        return fail(err, E_INPUT, "%s, row %zu: ns_per_key %g is below 0", name, r + 2,
                    row->ns.median);
    return OK;
}

static enum status timings_rows(struct timings *timings, const struct frame *frame,
                                const char *name, struct error *err)
{
    int place[TIMINGS_COLUMNS];
    for (int c = 0; c < TIMINGS_COLUMNS; c++)
        place[c] = frame_column(frame, timings_columns[c].name);
    for (size_t r = 0; r < sizeof timings_required / sizeof timings_required[0]; r++)
        if (frame_column(frame, timings_required[r]) < 0)
            return fail(err, E_INPUT, "%s has no column %s", name, timings_required[r]);
    for (size_t r = 0; r < frame->rows; r++) {
        struct timing row;
        enum status status = timings_row(&row, frame, r, place, name, err);
        if (status)
            return status;
        timings_add(timings, &row);
    }
    return timings->failed ? fail(err, E_RUN, "no memory for %zu timings", frame->rows) : OK;
}

enum status timings_read(struct timings *timings, const char *path, struct error *err)
{
    char directory[PATH_MAX];
    struct frame frame;
    const char *slash = strrchr(path, '/');
    *timings = (struct timings){0};
    if (strlen(path) >= sizeof directory)
        return fail(err, E_INPUT, "the path %.60s... is too long", path);
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    const char *name = slash ? slash + 1 : path;
    enum status status = frame_read(&frame, directory, name, NULL, err);
    if (status)
        return status;
    status = timings_rows(timings, &frame, name, err);
    frame_release(&frame);
    if (status)
        timings_release(timings);
    return status;
}
