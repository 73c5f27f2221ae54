/* SPDX-License-Identifier: MIT
 *
 * filter_axis.c: `filter`: names, or mappings of a name and the variant's own parameters. A
 * parameter with several values is an axis of its own: the entry becomes their product, the
 * parameter written last varying fastest.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/axes.h"
#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

struct own_axis {
    size_t index; /* into ops->params */
    struct param_list list;
};

struct filter_entry {
    const struct filter_ops *ops;
    struct own_axis own[FILTER_PARAMS_MAX];
    size_t own_count;
};

static void entry_release(struct filter_entry *entry)
{
    for (size_t i = 0; i < entry->own_count; i++)
        free(entry->own[i].list.values);
}

static int choice_compare(const void *a, const void *b)
{
    const struct filter_choice *x = a, *y = b;
    int order = strcmp(x->ops->name, y->ops->name);
    return order ? order : memcmp(x->params.own, y->params.own, sizeof x->params.own);
}

static enum status entry_parameter(const struct decoder *d, const struct node *key,
                                   struct filter_entry *entry)
{
    const struct param_spec *spec = entry->ops->params;
    struct names names = {.count = 0};
    struct error inner;
    char what[80], shown[VALUE_SHOW_SIZE];
    if (!spec || !spec->name)
        return decode_fail(d, key, "%s has no parameters of its own, but '%s' is given",
                           entry->ops->name, value_show(shown, key->text));
    for (; spec->name && strcmp(spec->name, key->text); spec++)
        names_add(&names, spec->name);
    if (!spec->name) {
        snprintf(what, sizeof what, "parameter of %s", entry->ops->name);
        return decode_place(d, key, names_fail(&names, what, key->text, &inner), &inner);
    }
    struct own_axis *axis = &entry->own[entry->own_count++];
    axis->index = (size_t)(spec - entry->ops->params);
    return axis_params(d, key, entry->ops->name, spec, &axis->list);
}

static enum status entry_name(const struct decoder *d, const struct node *node,
                              struct filter_entry *entry)
{
    struct names names = {.count = 0};
    struct error inner;
    const char *name = decode_text(d, node, "the name of a filter");
    if (!name)
        return E_INPUT;
    if ((entry->ops = filter_find(name)))
        return OK;
    for (size_t i = 0; i < filter_count; i++)
        names_add(&names, filter_table[i]->name);
    return decode_place(d, node, names_fail(&names, "filter", name, &inner), &inner);
}

static enum status entry_read(const struct decoder *d, const struct node *item,
                              struct filter_entry *entry)
{
    if (item->kind == NODE_SCALAR)
        return entry_name(d, item, entry);
    const struct node *name = node_find(item, "name");
    if (!name)
        return decode_fail(d, item, "a filter with parameters needs its 'name' among them");
    enum status status = entry_name(d, name->value, entry);
    for (const struct node *key = item->child; !status && key; key = key->next)
        if (key != name)
            status = entry_parameter(d, key, entry);
    return status;
}

/* Own values that no m, n or k can make possible, such as a block of 100 bits. */
static enum status choice_check(const struct decoder *d, const struct node *item,
                                const struct filter_choice *choice)
{
    struct filter_params params = choice->params;
    struct layout layout;
    struct error inner;
    params.m = 1 << 20;
    params.n = 1000;
    params.k = 1;
    params.digest_bits = 64;
    params.digest_columns = FAMILY_UNLIMITED;
    if (choice->ops->plan(&layout, &params, &inner) == E_INPUT)
        return decode_place(d, item, E_INPUT, &inner);
    return OK;
}

/* Appends the product of the entry's parameters to the grid. */
static enum status entry_expand(const struct decoder *d, const struct node *item,
                                const struct filter_entry *entry, struct grid *grid)
{
    size_t total = 1;
    for (size_t i = 0; i < entry->own_count; i++) {
        total *= entry->own[i].list.count; /* both at most EXPERIMENT_AXIS_MAX */
        if (total > EXPERIMENT_AXIS_MAX - grid->filter_count)
            return decode_fail(d, item, "filter comes to more than %u values; no axis has more",
                               EXPERIMENT_AXIS_MAX);
    }
    struct filter_choice *grown =
        realloc(grid->filters, (grid->filter_count + total) * sizeof *grown);
    if (!grown)
        return decode_no_memory(d);
    grid->filters = grown;
    for (size_t i = 0; i < total; i++) {
        struct filter_choice *choice = &grown[grid->filter_count++];
        memset(choice, 0, sizeof *choice);
        choice->ops = entry->ops;
        filter_params_defaults(&choice->params, entry->ops);
        size_t rest = i;
        for (size_t j = entry->own_count; j-- > 0; rest /= entry->own[j].list.count)
            choice->params.own[entry->own[j].index] =
                entry->own[j].list.values[rest % entry->own[j].list.count];
        enum status status = choice_check(d, item, choice);
        if (status)
            return status;
    }
    return OK;
}

static enum status filters_item(const struct decoder *d, const struct node *key,
                                const struct node *item, void *grid)
{
    (void)key;
    struct filter_entry entry = {.own_count = 0};
    enum status status = entry_read(d, item, &entry);
    if (!status)
        status = entry_expand(d, item, &entry, grid);
    entry_release(&entry);
    return status;
}

enum status axis_filters(const struct decoder *d, const struct node *key,
                         const struct key_rule *rule, void *field)
{
    (void)rule;
    struct grid *grid = field;
    size_t *ends;
    enum status status = decode_each(d, key, filters_item, grid, &grid->filter_count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, grid->filters, grid->filter_count,
                                 sizeof *grid->filters, choice_compare);
    free(ends);
    return status;
}
