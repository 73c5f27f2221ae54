/* SPDX-License-Identifier: MIT
 *
 * decode.c: what the readers of an experiment share.
 */
#include "harness/experiment/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

enum status decode_fail(const struct decoder *d, const struct node *at, const char *format, ...)
{
    char sentence[sizeof d->err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return node_fail(d->err, d->name, at->line, at->column, "%s", sentence);
}

enum status decode_place(const struct decoder *d, const struct node *at, enum status status,
                         const struct error *inner)
{
    if (status == OK)
        return OK;
    if (status == E_RUN)
        return fail(d->err, E_RUN, "%s: %s", d->name, inner->text);
    return decode_fail(d, at, "%s", inner->text);
}

enum status decode_no_memory(const struct decoder *d)
{
    return fail(d->err, E_RUN, "%s: no memory to read it", d->name);
}

/* "a list", "a mapping", "a text": what stands where something else was expected. */
static const char *decode_kind(const struct node *node)
{
    return node->kind == NODE_LIST       ? "a list"
           : node->kind == NODE_MAPPING  ? "a mapping"
           : node->plain && !*node->text ? "empty"
                                         : "a text";
}

/* ---- mappings ------------------------------------------------------------------------------ */

static enum status decode_unknown(const struct decoder *d, const struct node *key, const char *what,
                                  const struct key_rule *rules)
{
    struct names names = {.count = 0};
    struct error inner;
    char name[80];
    for (const struct key_rule *rule = rules; rule->key; rule++)
        names_add(&names, rule->key);
    snprintf(name, sizeof name, "key of %s", what);
    return decode_place(d, key, names_fail(&names, name, key->text, &inner), &inner);
}

enum status decode_mapping(const struct decoder *d, const struct node *node, const char *what,
                           const struct key_rule *rules, void *object)
{
    if (node->kind != NODE_MAPPING)
        return decode_fail(d, node, "%s must be a mapping of keys such as '%s', but is %s", what,
                           rules->key, decode_kind(node));
    for (const struct node *key = node->child; key; key = key->next) {
        const struct key_rule *rule = rules;
        while (rule->key && strcmp(rule->key, key->text))
            rule++;
        if (!rule->key)
            return decode_unknown(d, key, what, rules);
        enum status status = rule->read(d, key, rule, (char *)object + rule->offset);
        if (status)
            return status;
    }
    for (const struct key_rule *rule = rules; rule->key; rule++)
        if (rule->required && !node_find(node, rule->key))
            return decode_fail(d, node, "%s has no '%s', which it needs", what, rule->key);
    return OK;
}

enum status decode_keep(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *field)
{
    (void)d, (void)rule;
    *(const struct node **)field = key;
    return OK;
}

/* ---- scalars and lists --------------------------------------------------------------------- */

const char *decode_text(const struct decoder *d, const struct node *node, const char *what)
{
    if (node->kind == NODE_SCALAR && !(node->plain && !*node->text))
        return node->text;
    if (node->kind == NODE_SCALAR)
        decode_fail(d, node, "%s is empty", what);
    else
        decode_fail(d, node, "%s must be one value, but is %s", what, decode_kind(node));
    return NULL;
}

enum status decode_items(const struct decoder *d, const struct node *key, const struct node **first,
                         size_t *count)
{
    const struct node *value = key->value;
    bool list = value->kind == NODE_LIST;
    if ((list && !value->count) || (value->kind == NODE_SCALAR && value->plain && !*value->text))
        return decode_fail(d, value, "%s is empty; it needs at least one value", key->text);
    *first = list ? value->child : value;
    *count = list ? value->count : 1;
    for (const struct node *item = list ? value->child : NULL; item; item = item->next)
        if (item->kind == NODE_LIST)
            return decode_fail(d, item, "%s holds a list inside its list; write one list",
                               key->text);
    return OK;
}

enum status decode_each(const struct decoder *d, const struct node *key,
                        enum status (*read_item)(const struct decoder *d, const struct node *key,
                                                 const struct node *item, void *context),
                        void *context, const size_t *filled, size_t **ends)
{
    const struct node *item;
    size_t count, done = 0;
    *ends = NULL;
    enum status status = decode_items(d, key, &item, &count);
    if (status)
        return status;
    if (!(*ends = calloc(count, sizeof **ends)))
        return decode_no_memory(d);
    for (; !status && item; item = item->next) {
        status = read_item(d, key, item, context);
        (*ends)[done++] = *filled;
    }
    if (status) {
        free(*ends);
        *ends = NULL;
    }
    return status;
}

enum status decode_boolean(const struct decoder *d, const struct node *key,
                           const struct key_rule *rule, void *field)
{
    (void)rule;
    char shown[VALUE_SHOW_SIZE];
    const char *text = decode_text(d, key->value, key->text);
    if (!text)
        return E_INPUT;
    if (strcmp(text, "true") && strcmp(text, "false"))
        return decode_fail(d, key->value, "%s is '%s'; it must be true or false", key->text,
                           value_show(shown, text));
    *(bool *)field = text[0] == 't';
    return OK;
}

enum status decode_integer(const struct decoder *d, const struct node *key,
                           const struct key_rule *rule, void *field)
{
    const struct integer_bounds *bounds = rule->detail;
    struct error inner;
    const char *text = decode_text(d, key->value, key->text);
    if (!text)
        return E_INPUT;
    enum status status = value_integer(field, text, key->text, bounds->min, bounds->max, &inner);
    return decode_place(d, key->value, status, &inner);
}

/* ---- values given twice -------------------------------------------------------------------- */

static int decode_compare(const void *a, const void *b, void *context)
{
    int (*const *compare)(const void *, const void *) = context;
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = (*compare)(x, y);
    return order ? order : (x > y) - (x < y);
}

/* The first value that is equal to one before it; count when there is none. */
static size_t decode_repeat(const char **sorted, const void *values, size_t count, size_t size,
                            int (*compare)(const void *, const void *))
{
    size_t first = count;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (const char *)values + i * size;
    qsort_r(sorted, count, sizeof *sorted, decode_compare, &compare);
    for (size_t i = 1; i < count; i++) {
        size_t index = (size_t)(sorted[i] - (const char *)values) / size;
        if (index < first && compare(sorted[i - 1], sorted[i]) == 0)
            first = index;
    }
    return first;
}

enum status decode_distinct(const struct decoder *d, const struct node *key, const size_t *ends,
                            const void *values, size_t count, size_t size,
                            int (*compare)(const void *, const void *))
{
    char shown[VALUE_SHOW_SIZE];
    if (count < 2)
        return OK;
    const char **sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return decode_no_memory(d);
    size_t repeat = decode_repeat(sorted, values, count, size, compare);
    free(sorted);
    if (repeat == count)
        return OK;
    const struct node *item = key->value->kind == NODE_LIST ? key->value->child : key->value;
    for (; *ends <= repeat; ends++)
        item = item->next;
    if (item->kind == NODE_SCALAR)
        return decode_fail(d, item, "%s is given a value twice, the second time by '%s'", key->text,
                           value_show(shown, item->text));
    return decode_fail(d, item, "%s is given a value twice, the second time here", key->text);
}
