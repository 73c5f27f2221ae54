/* SPDX-License-Identifier: MIT
 *
 * key_axis.c: `keys`: where keys come from, into struct key_spec. Forms:
 *
 *   random64   {name: decimal, width: 5}   {list: [cat, owl]}   {hex: ["4141", "00ff"]}
 *   {file: PATH, binary: true}   {decimal: "0..9999", width: 0}
 *   {little_endian: "0..999", bytes: 4}   {strided64: 4096}   {members: FORM, queries: FORM}
 *
 * Members given apart are taken whole and in order; where the grid tells n they are n of the form,
 * drawn anew in each trial, and may be generated.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/axes.h"
#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

/* A form is known by one key and may have one more. */
struct key_form {
    const char *key, *extra;
    enum key_kind kind;
    enum status (*read)(const struct decoder *d, const struct node *key, const struct node *extra,
                        struct key_spec *spec);
};

/* What a form stands for: a key set of a grid, or a part of one given apart. */
enum spec_part { PART_WHOLE, PART_MEMBERS, PART_QUERIES };

static enum status spec_read(const struct decoder *d, const struct node *node, enum spec_part part,
                             struct key_spec **out);

/* ---- order, to find what is given twice ---------------------------------------------------- */

static int order_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int order_items(const struct key_spec *a, const struct key_spec *b)
{
    int order = order_u64(a->item_count, b->item_count);
    for (size_t i = 0; !order && i < a->item_count; i++) {
        order = order_u64(a->item_bytes[i], b->item_bytes[i]);
        if (!order)
            order = memcmp(a->items[i], b->items[i], a->item_bytes[i]);
    }
    return order;
}

static int order_specs(const struct key_spec *a, const struct key_spec *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    const uint64_t x[] = {a->kind, a->binary, a->has_range, a->first, a->last, a->width, a->stride};
    const uint64_t y[] = {b->kind, b->binary, b->has_range, b->first, b->last, b->width, b->stride};
    int order = 0;
    for (size_t i = 0; !order && i < sizeof x / sizeof *x; i++)
        order = order_u64(x[i], y[i]);
    if (!order)
        order = strcmp(a->path ? a->path : "", b->path ? b->path : "");
    if (!order)
        order = order_items(a, b);
    if (!order)
        order = order_specs(a->members, b->members);
    return order ? order : order_specs(a->queries, b->queries);
}

static int key_choice_compare(const void *a, const void *b)
{
    return order_specs(*(struct key_spec *const *)a, *(struct key_spec *const *)b);
}

/* ---- the forms ----------------------------------------------------------------------------- */

static enum status form_unsigned(const struct decoder *d, const struct node *key, uint64_t min,
                                 uint64_t max, uint64_t *value)
{
    const struct integer_bounds bounds = {min, max};
    const struct key_rule rule = {.detail = &bounds};
    return decode_integer(d, key, &rule, value);
}

/* Overwrites text of two hexadecimal digits a byte with the bytes; false: it is something else. */
static bool hex_decode(char *bytes, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        int c = tolower((unsigned char)text[i]);
        if (length % 2 || !isxdigit(c))
            return false;
        int digit = c <= '9' ? c - '0' : c - 'a' + 10;
        bytes[i / 2] = (char)(i % 2 ? (unsigned char)bytes[i / 2] | digit : digit << 4);
    }
    return true;
}

static enum status form_item(const struct decoder *d, const struct node *item, bool hex,
                             struct key_spec *spec)
{
    char shown[VALUE_SHOW_SIZE];
    const char *text = decode_text(d, item, "a key");
    if (!text)
        return E_INPUT;
    if (!hex)
        return key_spec_add(spec, text, strlen(text)) ? OK : decode_no_memory(d);
    char *bytes = malloc(strlen(text) / 2 + 1);
    if (!bytes)
        return decode_no_memory(d);
    enum status status = OK;
    if (!hex_decode(bytes, text))
        status = decode_fail(d, item, "the key '%s' is not in hex: two digits make a byte",
                             value_show(shown, text));
    else if (!key_spec_add(spec, bytes, strlen(text) / 2))
        status = decode_no_memory(d);
    free(bytes);
    return status;
}

static enum status form_items(const struct decoder *d, const struct node *key, bool hex,
                              struct key_spec *spec)
{
    const struct node *item;
    size_t count;
    enum status status = decode_items(d, key, &item, &count);
    for (; !status && item; item = item->next)
        status = form_item(d, item, hex, spec);
    return status;
}

static enum status form_list(const struct decoder *d, const struct node *key,
                             const struct node *extra, struct key_spec *spec)
{
    (void)extra;
    return form_items(d, key, false, spec);
}

static enum status form_hex(const struct decoder *d, const struct node *key,
                            const struct node *extra, struct key_spec *spec)
{
    (void)extra;
    return form_items(d, key, true, spec);
}

static enum status form_file(const struct decoder *d, const struct node *key,
                             const struct node *extra, struct key_spec *spec)
{
    const char *path = decode_text(d, key->value, "file");
    if (!path)
        return E_INPUT;
    if (!*path)
        return decode_fail(d, key->value, "file is empty; it must be a path");
    if (!(spec->path = strdup(path)))
        return decode_no_memory(d);
    return extra ? decode_boolean(d, extra, NULL, &spec->binary) : OK;
}

/* width: 0 .. 64 digits; bytes: 1 .. 8. */
static enum status form_width(const struct decoder *d, const struct node *extra,
                              struct key_spec *spec)
{
    uint64_t width;
    bool decimal = spec->kind == KEYS_DECIMAL;
    enum status status = form_unsigned(d, extra, decimal ? 0 : 1, decimal ? 64 : 8, &width);
    if (!status)
        spec->width = (unsigned)width;
    return status;
}

static enum status form_range(const struct decoder *d, const struct node *key,
                              const struct node *extra, struct key_spec *spec)
{
    const char *text = decode_text(d, key->value, key->text);
    enum status status = text && extra ? form_width(d, extra, spec) : OK;
    if (!text || status)
        return E_INPUT;
    const char *dots = strstr(text, "..");
    if (!dots)
        return decode_fail(d, key->value, "%s must be a range of counters such as 0..9999",
                           key->text);
    struct error inner;
    char *from = strndup(text, (size_t)(dots - text));
    if (!from)
        return decode_no_memory(d);
    status = value_integer(&spec->first, from, key->text, 0, UINT64_MAX, &inner);
    free(from);
    if (!status)
        status = value_integer(&spec->last, dots + 2, key->text, 0, UINT64_MAX, &inner);
    if (status)
        return decode_place(d, key->value, status, &inner);
    if (spec->first > spec->last)
        return decode_fail(d, key->value, "%s runs backwards; the smaller end comes first",
                           key->text);
    spec->has_range = true;
    if (spec->kind == KEYS_LITTLE_ENDIAN && spec->width < 8 && spec->last >> 8 * spec->width)
        return decode_fail(d, key->value,
                           "%s goes up to %" PRIu64 ", which 'bytes: %u' does not hold", key->text,
                           spec->last, spec->width);
    return OK;
}

static enum status form_stride(const struct decoder *d, const struct node *key,
                               const struct node *extra, struct key_spec *spec)
{
    (void)extra;
    return form_unsigned(d, key, 1, UINT64_MAX, &spec->stride);
}

static enum status form_explicit(const struct decoder *d, const struct node *key,
                                 const struct node *extra, struct key_spec *spec)
{
    if (!extra)
        return decode_fail(d, key, "'members' needs 'queries' beside it");
    enum status status = spec_read(d, key->value, PART_MEMBERS, &spec->members);
    return status ? status : spec_read(d, extra->value, PART_QUERIES, &spec->queries);
}

static const struct key_form key_forms[] = {
    {"list", NULL, KEYS_LIST, form_list},
    {"hex", NULL, KEYS_LIST, form_hex},
    {"file", "binary", KEYS_FILE, form_file},
    {"decimal", "width", KEYS_DECIMAL, form_range},
    {"little_endian", "bytes", KEYS_LITTLE_ENDIAN, form_range},
    {"strided64", NULL, KEYS_STRIDED64, form_stride},
    {"members", "queries", KEYS_EXPLICIT, form_explicit},
};
enum { KEY_FORMS = sizeof key_forms / sizeof *key_forms };

/* ---- one entry ----------------------------------------------------------------------------- */

static enum status spec_new(const struct decoder *d, enum key_kind kind, struct key_spec **out)
{
    return (*out = key_spec_new(kind)) ? OK : decode_no_memory(d);
}

/* A bare name, or {name: N}, where decimal may have its width. */
static enum status spec_named(const struct decoder *d, const struct node *node,
                              const struct node *mapping, struct key_spec **out)
{
    struct names names = {.count = 0};
    struct error inner;
    enum key_kind kind;
    const struct key_kind_info *info;
    const char *name = decode_text(d, node, "the name of a key set");
    if (!name)
        return E_INPUT;
    if (!key_kind_find(name, &kind)) {
        for (int i = 0; (info = key_kind_info((enum key_kind)i)); i++)
            if (info->nameable)
                names_add(&names, info->name);
        return decode_place(d, node, names_fail(&names, "key set", name, &inner), &inner);
    }
    enum status status = spec_new(d, kind, out);
    for (const struct node *key = mapping ? mapping->child : NULL; !status && key;
         key = key->next) {
        if (kind == KEYS_DECIMAL && strcmp(key->text, "width") == 0)
            status = form_width(d, key, *out);
        else if (key->value != node)
            status = decode_fail(d, key, "'%s' does not go with the key set %s", key->text, name);
    }
    return status;
}

/* Every key that the form has no use for is refused, by a suggestion where nobody knows it. */
static enum status spec_check_keys(const struct decoder *d, const struct node *mapping,
                                   const struct key_form *form)
{
    struct names names = {.count = 0};
    struct error inner;
    names_add(&names, "name");
    for (size_t i = 0; i < KEY_FORMS; i++) {
        names_add(&names, key_forms[i].key);
        if (key_forms[i].extra)
            names_add(&names, key_forms[i].extra);
    }
    for (const struct node *key = mapping->child; key; key = key->next) {
        bool known = false;
        for (size_t i = 0; i < names.count; i++)
            known |= strcmp(names.name[i], key->text) == 0;
        if (!known)
            return decode_place(d, key, names_fail(&names, "key of a key set", key->text, &inner),
                                &inner);
        if (form && strcmp(key->text, form->key) &&
            (!form->extra || strcmp(key->text, form->extra)))
            return decode_fail(d, key, "'%s' does not go with '%s'", key->text, form->key);
    }
    return OK;
}

/* Sets with an end: all but the generated ones. */
static bool spec_finite(const struct key_spec *spec)
{
    return spec->kind == KEYS_LIST || spec->kind == KEYS_FILE || spec->kind == KEYS_WORDS ||
           spec->kind == KEYS_WORD_FORMS || spec->has_range;
}

static enum status spec_check_part(const struct decoder *d, const struct node *node,
                                   const struct key_spec *spec, enum spec_part part)
{
    if (part == PART_WHOLE || spec_finite(spec))
        return OK;
    if (part == PART_MEMBERS && spec->kind != KEYS_EXPLICIT)
        return OK;
    return decode_fail(d, node,
                       "%s given apart must be finite: list, hex, file, words, or a "
                       "range of decimal or little_endian",
                       part == PART_MEMBERS ? "members" : "queries");
}

static enum status spec_mapping(const struct decoder *d, const struct node *node,
                                struct key_spec **out)
{
    const struct key_form *form = NULL;
    const struct node *key = node_find(node, "name");
    if (key)
        return spec_named(d, key->value, node, out);
    for (size_t i = 0; !form && i < KEY_FORMS; i++)
        if ((key = node_find(node, key_forms[i].key)))
            form = &key_forms[i];
    enum status status = spec_check_keys(d, node, form);
    if (!status && !form)
        return decode_fail(d, node,
                           "a key set needs one of name, list, hex, file, decimal, little_endian, "
                           "strided64, or members and queries");
    if (!status)
        status = spec_new(d, form->kind, out);
    if (!status)
        status = form->read(d, key, form->extra ? node_find(node, form->extra) : NULL, *out);
    return status;
}

static enum status spec_read(const struct decoder *d, const struct node *node, enum spec_part part,
                             struct key_spec **out)
{
    enum status status =
        node->kind == NODE_MAPPING ? spec_mapping(d, node, out) : spec_named(d, node, NULL, out);
    return status ? status : spec_check_part(d, node, *out, part);
}

static enum status keys_item(const struct decoder *d, const struct node *key,
                             const struct node *item, void *context)
{
    (void)key;
    struct grid *grid = context;
    struct key_spec **grown = realloc(grid->keys, (grid->keys_count + 1) * sizeof *grown);
    if (!grown)
        return decode_no_memory(d);
    grid->keys = grown;
    grown[grid->keys_count] = NULL;
    return spec_read(d, item, PART_WHOLE, &grown[grid->keys_count++]);
}

bool keys_tell_n(const struct grid *grid)
{
    for (size_t i = 0; i < grid->keys_count; i++)
        if (grid->keys[i]->kind != KEYS_EXPLICIT || !spec_finite(grid->keys[i]->members))
            return false;
    return true;
}

void keys_sample(struct grid *grid)
{
    for (size_t i = 0; i < grid->keys_count; i++)
        grid->keys[i]->sampled = grid->keys[i]->kind == KEYS_EXPLICIT;
}

enum status axis_keys(const struct decoder *d, const struct node *key, const struct key_rule *rule,
                      void *field)
{
    (void)rule;
    struct grid *grid = field;
    size_t *ends;
    enum status status = decode_each(d, key, keys_item, grid, &grid->keys_count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, grid->keys, grid->keys_count,
                                 sizeof(struct key_spec *), key_choice_compare);
    free(ends);
    return status;
}
