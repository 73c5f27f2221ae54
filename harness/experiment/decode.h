/* SPDX-License-Identifier: MIT
 *
 * decode.h: from nodes to values by tables of keys; what the files of this room share.
 *
 * Every function that fails puts NAME:LINE:COLUMN in front of its sentence.
 */
#ifndef BLOOMLAB_DECODE_H
#define BLOOMLAB_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"
#include "harness/experiment/node.h"

struct decoder {
    const char *name; /* what complaints call the file */
    struct error *err;
};

enum status decode_fail(const struct decoder *d, const struct node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Passes on a sentence that has no place yet; OK passes as OK, E_RUN stays E_RUN. */
enum status decode_place(const struct decoder *d, const struct node *at, enum status status,
                         const struct error *inner);

enum status decode_no_memory(const struct decoder *d);

/* One row per key a mapping may have. `read` gets the key's node (its value is key->value) and the
 * address `offset` bytes into the object being filled. The table ends with a row whose key is NULL.
 */
struct key_rule {
    const char *key;
    bool required;
    size_t offset;
    enum status (*read)(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *field);
    const void *detail;
};

/* Reads the keys of a mapping in the order in which they stand; `what` names it ("the grid"). An
 * unknown key, a required one that is missing, a node that is no mapping: E_INPUT. */
enum status decode_mapping(const struct decoder *d, const struct node *node, const char *what,
                           const struct key_rule *rules, void *object);

/* A rule's reader that keeps the key's node for later: field is a const struct node *. */
enum status decode_keep(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *field);

/* The text of a scalar that is not left empty (quotes around nothing are a text). NULL: it is none,
 * E_INPUT is in d->err. */
const char *decode_text(const struct decoder *d, const struct node *node, const char *what);

/* The first of the items of a key's value: a list's, or the value itself, which then stands for a
 * list of one. *count is how many there are, at least 1. A list inside the list: E_INPUT. */
enum status decode_items(const struct decoder *d, const struct node *key, const struct node **first,
                         size_t *count);

enum status decode_boolean(const struct decoder *d, const struct node *key,
                           const struct key_rule *rule, void *field); /* bool */

/* uint64_t within the bounds in rule->detail. */
struct integer_bounds {
    uint64_t min, max;
};
enum status decode_integer(const struct decoder *d, const struct node *key,
                           const struct key_rule *rule, void *field);

/* Reads the items of a key's value one by one; read_item appends values to whatever *filled counts.
 * *ends (NULL on failure, else the caller's to free): *filled after each item. */
enum status decode_each(const struct decoder *d, const struct node *key,
                        enum status (*read_item)(const struct decoder *d, const struct node *key,
                                                 const struct node *item, void *context),
                        void *context, const size_t *filled, size_t **ends);

/* An axis must not hold a value twice: its cells would be the same cell. values: count of them,
 * size bytes each; ends as decode_each tells it. */
enum status decode_distinct(const struct decoder *d, const struct node *key, const size_t *ends,
                            const void *values, size_t count, size_t size,
                            int (*compare)(const void *, const void *));

#endif
