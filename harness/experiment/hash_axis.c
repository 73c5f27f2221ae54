/* SPDX-License-Identifier: MIT
 *
 * hash_axis.c: `hash`: a name, a name with its family, or a pair of names.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/axes.h"
#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

static int hash_choice_compare(const void *a, const void *b)
{
    const struct hash_choice *x = a, *y = b;
    int order = strcmp(x->hash->name, y->hash->name);
    if (!order)
        order = strcmp(x->second ? x->second->name : "", y->second ? y->second->name : "");
    return order ? order : (int)x->family - (int)y->family;
}

static enum status hash_name(const struct decoder *d, const struct node *node,
                             const struct hash **hash)
{
    struct names names = {.count = 0};
    struct error inner;
    const char *name = decode_text(d, node, "the name of a hash");
    if (!name)
        return E_INPUT;
    if ((*hash = hash_find(name)))
        return OK;
    for (size_t i = 0; i < hash_count; i++)
        names_add(&names, hash_table[i]->name);
    return decode_place(d, node, names_fail(&names, "hash", name, &inner), &inner);
}

static enum status hash_family(const struct decoder *d, const struct node *node,
                               struct hash_choice *choice)
{
    struct names names = {.count = 0};
    struct error inner;
    const char *name = decode_text(d, node, "family");
    if (!name)
        return E_INPUT;
    if (!family_find(name, &choice->family)) {
        for (int i = 0; i < FAMILY_COUNT; i++)
            if (i != FAMILY_PAIR)
                names_add(&names, family_name((enum family)i));
        return decode_place(d, node, names_fail(&names, "family", name, &inner), &inner);
    }
    if (choice->family == FAMILY_PAIR)
        return decode_fail(d, node, "a pair names two hashes: {pair: [A, B]}");
    if (choice->family == FAMILY_SALTED && choice->hash->key_bytes)
        return decode_fail(d, node, "family salted appends to the key, but %s takes %u bytes only",
                           choice->hash->name, choice->hash->key_bytes);
    if (!family_suits(choice->family, choice->hash))
        return decode_fail(d, node, "family %s halves 128 bits, but %s has %u", name,
                           choice->hash->name, choice->hash->bits);
    return OK;
}

static enum status hash_pair(const struct decoder *d, const struct node *list,
                             struct hash_choice *choice)
{
    if (list->kind != NODE_LIST || list->count != 2)
        return decode_fail(d, list, "pair needs a list of 2 hashes, but has %zu",
                           list->kind == NODE_LIST ? list->count : (size_t)1);
    choice->family = FAMILY_PAIR;
    enum status status = hash_name(d, list->child, &choice->hash);
    return status ? status : hash_name(d, list->child->next, &choice->second);
}

struct hash_keys {
    const struct node *name, *family, *pair;
};

static const struct key_rule hash_rules[] = {
    {"name", false, offsetof(struct hash_keys, name), decode_keep, NULL},
    {"family", false, offsetof(struct hash_keys, family), decode_keep, NULL},
    {"pair", false, offsetof(struct hash_keys, pair), decode_keep, NULL},
    {NULL, false, 0, NULL, NULL},
};

static enum status hash_read(const struct decoder *d, const struct node *item,
                             struct hash_choice *choice)
{
    struct hash_keys keys = {0};
    const struct node *name = item;
    enum status status;
    if (item->kind == NODE_MAPPING) {
        if ((status = decode_mapping(d, item, "a hash", hash_rules, &keys)))
            return status;
        if (keys.pair && (keys.name || keys.family))
            return decode_fail(d, keys.name ? keys.name : keys.family,
                               "'%s' does not go with 'pair'", keys.name ? "name" : "family");
        if (keys.pair)
            return hash_pair(d, keys.pair->value, choice);
        if (!keys.name)
            return decode_fail(d, item, "a hash needs a 'name' or a 'pair'");
        name = keys.name->value;
    }
    if ((status = hash_name(d, name, &choice->hash)))
        return status;
    choice->family = family_default(choice->hash);
    return keys.family ? hash_family(d, keys.family->value, choice) : OK;
}

static enum status hashes_item(const struct decoder *d, const struct node *key,
                               const struct node *item, void *context)
{
    (void)key;
    struct grid *grid = context;
    struct hash_choice *grown =
        realloc(grid->hashes, (grid->hash_count + 1) * sizeof *grid->hashes);
    if (!grown)
        return decode_no_memory(d);
    grid->hashes = grown;
    grown[grid->hash_count] = (struct hash_choice){.hash = NULL};
    return hash_read(d, item, &grown[grid->hash_count++]);
}

enum status axis_hashes(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *field)
{
    (void)rule;
    struct grid *grid = field;
    size_t *ends;
    enum status status = decode_each(d, key, hashes_item, grid, &grid->hash_count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, grid->hashes, grid->hash_count, sizeof *grid->hashes,
                                 hash_choice_compare);
    free(ends);
    return status;
}
