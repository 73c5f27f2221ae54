/* SPDX-License-Identifier: MIT
 *
 * spec.c: the kinds of key sets, and what a researcher wrote about one.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/keys/keys.h"

#define SPEC_STRIDE 4096u     /* a page: the commonest stride of addresses */
#define SPEC_LITTLE_ENDIAN 8u /* bytes */
#define SPEC_ITEMS_FIRST 16u  /* room of a list before it first doubles */

static const struct key_kind_info spec_kinds[] = {
    [KEYS_RANDOM64] = {"random64", "8 bytes, uniform over the 64-bit integers without repetition",
                       "Philox-2x32-10 rounds: Salmon et al., SC 2011", true},
    [KEYS_SEQUENTIAL64] = {"sequential64",
                           "8 bytes little-endian, consecutive counters from a seeded start",
                           "bloomlab", true},
    [KEYS_STRIDED64] = {"strided64",
                        "8 bytes little-endian, consecutive multiples of `stride` (4096)",
                        "bloomlab", true},
    [KEYS_REVERSED64] = {"reversed64",
                         "8 bytes little-endian, consecutive counters with their bits reversed",
                         "van der Corput, Proc. Kon. Ned. Akad. Wet. 38, 1935", true},
    [KEYS_DECIMAL] =
        {"decimal", "decimal text: 18-digit numbers in sequence, or a range shuffled; `width` pads",
         "bloomlab", true},
    [KEYS_UUID4] = {"uuid4", "36 characters, 122 random bits, lower case",
                    "RFC 9562, 2024, section 5.4", true},
    [KEYS_URL] = {"url", "URL-like text of varying length from a small vocabulary", "bloomlab",
                  true},
    [KEYS_LETTERS] = {"letters", "words of 3 to 7 letters a-z, uniform over all 8353081880",
                      "bloomlab", true},
    [KEYS_WORDS] = {"words", "the words of /usr/share/dict/words, shuffled",
                    "SCOWL, by Debian package wamerican", true},
    [KEYS_WORD_FORMS] = {"word_forms", "500,000 forms derived from those words, shuffled",
                         "the same words; after Bloom, CACM 13(7), 1970", true},
    [KEYS_FILE] = {"file", "the lines of a file, or its length-prefixed records, shuffled",
                   "the file", false},
    [KEYS_LIST] = {"list", "keys written in the experiment, shuffled", "the experiment", false},
    [KEYS_LITTLE_ENDIAN] = {"little_endian", "a range of counters in `bytes` bytes, shuffled",
                            "bloomlab", false},
    [KEYS_EXPLICIT] = {"explicit", "members and queries given apart, in order, queried whole",
                       "the experiment", false},
};

const struct key_kind_info *key_kind_info(enum key_kind kind)
{
    return (size_t)kind < sizeof spec_kinds / sizeof *spec_kinds ? &spec_kinds[kind] : NULL;
}

bool key_kind_find(const char *name, enum key_kind *kind)
{
    const struct key_kind_info *info;
    for (unsigned i = 0; (info = key_kind_info((enum key_kind)i)); i++)
        if (info->nameable && !strcmp(info->name, name)) {
            *kind = (enum key_kind)i;
            return true;
        }
    return false;
}

struct key_spec *key_spec_new(enum key_kind kind)
{
    struct key_spec *spec = calloc(1, sizeof *spec);
    if (!spec)
        return NULL;
    spec->kind = kind;
    spec->stride = SPEC_STRIDE;
    spec->width = kind == KEYS_LITTLE_ENDIAN ? SPEC_LITTLE_ENDIAN : 0;
    return spec;
}

void key_spec_free(struct key_spec *spec)
{
    if (!spec)
        return;
    for (size_t i = 0; i < spec->item_count; i++)
        free(spec->items[i]);
    free(spec->items);
    free(spec->item_bytes);
    free(spec->path);
    key_spec_free(spec->members);
    key_spec_free(spec->queries);
    free(spec);
}

/* The room of a list is not stored: it is SPEC_ITEMS_FIRST, doubled whenever a power of two is
 * full. */
static bool spec_grow(struct key_spec *spec)
{
    size_t count = spec->item_count;
    if (count != 0 && (count < SPEC_ITEMS_FIRST || (count & (count - 1)) != 0))
        return true;
    size_t room = count == 0 ? SPEC_ITEMS_FIRST : 2 * count;
    unsigned char **items = realloc(spec->items, room * sizeof *items);
    if (!items)
        return false;
    spec->items = items;
    size_t *item_bytes = realloc(spec->item_bytes, room * sizeof *item_bytes);
    if (!item_bytes)
        return false;
    spec->item_bytes = item_bytes;
    return true;
}

bool key_spec_add(struct key_spec *spec, const void *key, size_t length)
{
    unsigned char *copy = malloc(length ? length : 1);
    if (!copy || !spec_grow(spec)) {
        free(copy);
        return false;
    }
    if (length)
        memcpy(copy, key, length);
    spec->items[spec->item_count] = copy;
    spec->item_bytes[spec->item_count++] = length;
    return true;
}

/* Text that grows at its end inside a fixed buffer. */
struct spec_text {
    char *text;
    size_t size, used;
};

static void spec_print(struct spec_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void spec_print(struct spec_text *out, const char *format, ...)
{
    if (out->used >= out->size)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out->text + out->used, out->size - out->used, format, arguments);
    va_end(arguments);
    out->used += length > 0 ? (size_t)length : 0;
}

static void spec_format(struct spec_text *out, const struct key_spec *spec);

static void spec_format_counters(struct spec_text *out, const struct key_spec *spec)
{
    bool decimal = spec->kind == KEYS_DECIMAL;
    bool width = spec->width != (decimal ? 0 : SPEC_LITTLE_ENDIAN);
    if (!spec->has_range && !width)
        return;
    spec_print(out, "(");
    if (spec->has_range)
        spec_print(out, "%" PRIu64 "..%" PRIu64, spec->first, spec->last);
    if (width)
        spec_print(out, "%s%s=%u", spec->has_range ? ";" : "", decimal ? "width" : "bytes",
                   spec->width);
    spec_print(out, ")");
}

static void spec_format_explicit(struct spec_text *out, const struct key_spec *spec)
{
    spec_print(out, "(members=");
    if (spec->members)
        spec_format(out, spec->members);
    spec_print(out, ";queries=");
    if (spec->queries)
        spec_format(out, spec->queries);
    spec_print(out, spec->sampled ? ";sampled)" : ")");
}

static void spec_format(struct spec_text *out, const struct key_spec *spec)
{
    spec_print(out, "%s", key_kind_info(spec->kind)->name);
    switch (spec->kind) {
    case KEYS_STRIDED64:
        if (spec->stride != SPEC_STRIDE)
            spec_print(out, "(stride=%" PRIu64 ")", spec->stride);
        break;
    case KEYS_DECIMAL:
    case KEYS_LITTLE_ENDIAN:
        spec_format_counters(out, spec);
        break;
    case KEYS_WORDS:
    case KEYS_WORD_FORMS:
        if (spec->path)
            spec_print(out, "(%s)", spec->path);
        break;
    case KEYS_FILE:
        spec_print(out, "(%s%s)", spec->path ? spec->path : "", spec->binary ? ";binary" : "");
        break;
    case KEYS_LIST:
        spec_print(out, "(%zu key%s)", spec->item_count, spec->item_count == 1 ? "" : "s");
        break;
    case KEYS_EXPLICIT:
        spec_format_explicit(out, spec);
        break;
    case KEYS_RANDOM64:
    case KEYS_SEQUENTIAL64:
    case KEYS_REVERSED64:
    case KEYS_UUID4:
    case KEYS_URL:
    case KEYS_LETTERS:
        break;
    }
}

void key_spec_format(const struct key_spec *spec, char *text, size_t size)
{
    struct spec_text out = {text, size, 0};
    if (size)
        text[0] = '\0';
    spec_format(&out, spec);
}
