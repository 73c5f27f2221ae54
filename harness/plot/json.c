/* SPDX-License-Identifier: MIT */
#include "harness/plot/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *json_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static void json_utf8(struct text *text, unsigned long code)
{
    char bytes[4];
    size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)(lead[count] | code);
    text_add(text, bytes, count);
}

/* Four hexadecimal digits, or -1. */
static long json_hex(const char *at)
{
    char digits[5] = "";
    for (int i = 0; i < 4; i++) {
        if (!isxdigit((unsigned char)at[i]))
            return -1;
        digits[i] = at[i];
    }
    return strtol(digits, NULL, 16);
}

/* What follows "\u"; returns where it ends, or NULL. U+0000 and lone surrogates become U+FFFD. */
static const char *json_escape_u(struct text *text, const char *at)
{
    long code = json_hex(at), low;
    if (code < 0)
        return NULL;
    at += 4;
    if (code >= 0xd800 && code < 0xdc00 && at[0] == '\\' && at[1] == 'u' &&
        (low = json_hex(at + 2)) >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
    }
    json_utf8(text, code == 0 || (code >= 0xd800 && code < 0xe000) ? 0xfffd : (unsigned long)code);
    return at;
}

/* A string that starts at its quote, decoded; returns what follows it, or NULL. */
static const char *json_string(struct text *text, const char *at)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    for (at++; *at != '"';) {
        if (*at == '\0')
            return NULL;
        if (*at != '\\') {
            text_add(text, at++, 1);
            continue;
        }
        const char *known = at[1] ? strchr(from, at[1]) : NULL;
        if (known) {
            text_add(text, &to[known - from], 1);
            at += 2;
        } else if (at[1] != 'u' || !(at = json_escape_u(text, at + 2))) {
            return NULL;
        }
    }
    return at + 1;
}

/* What follows any value, or NULL. Nested ones are walked by counting brackets outside strings. */
static const char *json_skip(const char *at)
{
    struct text unused = {0};
    for (int depth = 0; at && *at;) {
        if (*at == '"') {
            at = json_string(&unused, at);
        } else {
            at += strcspn(at, "\"[]{},");
            if (*at == '[' || *at == '{')
                depth++;
            else if ((*at == ']' || *at == '}') && depth-- == 0)
                break;
            else if (*at == ',' && depth == 0)
                break;
            at += *at && *at != '"';
        }
        if (depth == 0)
            break;
    }
    text_release(&unused);
    return at;
}

static const char *json_value(struct text *value, const char *at)
{
    if (*at == '"')
        return json_string(value, at);
    const char *end = json_skip(at);
    if (!end)
        return NULL;
    size_t size = (size_t)(end - at);
    while (size && isspace((unsigned char)at[size - 1]))
        size--;
    text_add(value, at, size);
    return end;
}

void json_each(const char *json, void (*take)(void *context, const char *key, const char *value),
               void *context)
{
    const char *at = json_space(json);
    if (*at != '{')
        return;
    for (at = json_space(at + 1); at && *at == '"';) {
        struct text key = {0}, value = {0};
        text_add(&key, "", 0);
        text_add(&value, "", 0);
        at = json_string(&key, at);
        at = at ? json_space(at) : NULL;
        at = at && *at == ':' ? json_value(&value, json_space(at + 1)) : NULL;
        if (at && !key.failed && !value.failed)
            take(context, key.data, value.data);
        text_release(&key);
        text_release(&value);
        at = at ? json_space(at) : NULL;
        at = at && *at == ',' ? json_space(at + 1) : NULL;
    }
}

struct json_search {
    const char *key;
    struct text *value;
    bool found;
};

static void json_take(void *context, const char *key, const char *value)
{
    struct json_search *search = context;
    if (search->found || strcmp(key, search->key) != 0)
        return;
    search->found = true;
    text_add(search->value, value, strlen(value));
}

bool json_member(struct text *value, const char *json, const char *key)
{
    struct json_search search = {.key = key, .value = value};
    json_each(json, json_take, &search);
    return search.found;
}
