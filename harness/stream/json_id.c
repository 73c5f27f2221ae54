/* SPDX-License-Identifier: MIT */
#include "harness/stream/json_id.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_NUMBER_SIZE = 40, JSON_NUMBER_MARK = 0xff };

static const char *json_kind(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return names[json_typeof(value)];
}

static enum status json_id_set(struct json_id *id, const void *bytes, size_t size,
                               struct error *err)
{
    if (size > id->room) {
        unsigned char *moved = realloc(id->bytes, size);
        if (!moved)
            return fail(err, E_RUN, "no memory for an id of %zu bytes", size);
        id->bytes = moved;
        id->room = size;
    }
    if (size)
        memcpy(id->bytes, bytes, size);
    id->size = size;
    return OK;
}

/* A real that is a whole number within the exact ones is written as the integer it equals. */
static size_t json_number(char text[JSON_NUMBER_SIZE], const json_t *value)
{
    text[0] = (char)JSON_NUMBER_MARK;
    char *digits = text + 1;
    size_t room = JSON_NUMBER_SIZE - 1;
    double real = json_number_value(value);
    int size;
    if (json_is_integer(value))
        size = snprintf(digits, room, "%" PRIdMAX, (intmax_t)json_integer_value(value));
    else if (fabs(real) <= 0x1p53 && real == trunc(real))
        size = snprintf(digits, room, "%" PRIdMAX, (intmax_t)real);
    else
        size = snprintf(digits, room, "%.17g", real);
    return 1 + (size_t)size;
}

static enum status json_id_take(struct json_id *id, const char *field, const json_t *value,
                                struct error *err)
{
    char text[JSON_NUMBER_SIZE];
    if (!value)
        return fail(err, E_INPUT, "there is no field %s", field);
    if (json_is_string(value))
        return json_id_set(id, json_string_value(value), json_string_length(value), err);
    if (json_is_number(value))
        return json_id_set(id, text, json_number(text, value), err);
    return fail(err, E_INPUT, "field %s is %s; an id is a string or a number", field,
                json_kind(value));
}

/* The value at a path of fields; NULL: there is none. */
static const json_t *json_at(const json_t *value, const char *field)
{
    while (value && *field) {
        size_t size = strcspn(field, ".");
        value = json_object_getn(value, field, size); /* NULL of what is no object */
        field += size + (field[size] == '.');
    }
    return value;
}

enum status json_id_read(struct json_id *id, const char *field, const unsigned char *text,
                         size_t size, struct error *err)
{
    json_error_t error;
    json_t *message =
        json_loadb((const char *)text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!message) {
        for (char *at = error.text; *at; at++) /* it quotes what it read */
            *at = (unsigned char)*at < 0x20 ? '?' : *at;
        bool large = json_error_code(&error) == json_error_numeric_overflow;
        return fail(err, E_INPUT, "%s at byte %d: %s",
                    large ? "a number beyond those of 64 bits" : "no JSON", error.position,
                    error.text);
    }
    enum status status = OK;
    if (!json_is_object(message))
        status = fail(err, E_INPUT, "a message is an object, not %s", json_kind(message));
    else
        status = json_id_take(id, field, json_at(message, field), err);
    json_decref(message);
    return status;
}

void json_id_release(struct json_id *id)
{
    free(id->bytes);
    *id = (struct json_id){0};
}
