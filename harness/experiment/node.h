/* SPDX-License-Identifier: MIT
 *
 * node.h: a YAML document as a tree whose every node knows its line and column.
 *
 * Only what an experiment needs is read: mappings, lists and scalars. Anchors, aliases, tags, merge
 * keys, further documents, keys that are no scalars, a key given twice, and whatever exceeds the
 * bounds below are refused.
 */
#ifndef BLOOMLAB_NODE_H
#define BLOOMLAB_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "filters/theory/error.h"

#define NODE_FILE_BYTES_MAX (1u << 20)
enum {
    NODE_DEPTH_MAX = 8,      /* lists and mappings within the outermost one */
    NODE_COUNT_MAX = 100000, /* nodes of a document, keys included */
    NODE_MAPPING_KEYS_MAX = 64,
};

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAPPING };

struct node {
    enum node_kind kind;
    bool plain;            /* a scalar without quotes: empty, it means that nothing was given */
    unsigned line, column; /* from 1; a column is a character, whatever its bytes */
    char *text;            /* of a scalar: UTF-8 without a NUL */
    size_t count;          /* items of a list, keys of a mapping */
    struct node *child;    /* the first item or key */
    struct node *next;     /* of an item or key: the one behind it */
    struct node *value;    /* of a key */
};

/* Reads the one document of a text. E_INPUT: "NAME:LINE:COLUMN: sentence"; *root is then NULL. */
enum status node_read(struct node **root, const char *text, size_t bytes, const char *name,
                      struct error *err);
void node_free(struct node *node);

const struct node *node_find(const struct node *mapping,
                             const char *key); /* the key's node or NULL */

/* fail(E_INPUT) with "NAME:LINE:COLUMN: " in front; of a long name only the end is told. */
enum status node_fail(struct error *err, const char *name, unsigned line, unsigned column,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
