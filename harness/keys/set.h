/* SPDX-License-Identifier: MIT
 *
 * set.h: a finite set of keys, numbered from 0: a range of counters, or what was read.
 *
 * A range is never written out: key i is made from first + i. For what was read see contents.h.
 */
#ifndef BLOOMLAB_KEYS_SET_H
#define BLOOMLAB_KEYS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/keys/contents.h"
#include "harness/keys/keys.h"

#define SET_DECIMAL_WIDTH_MAX 64u

struct key_set {
    enum key_kind kind;
    uint64_t size; /* keys; of all 2^64 counters the last is left out */
    size_t shortest, longest;
    uint64_t first, last; /* decimal, little_endian */
    unsigned width;
    struct contents contents; /* of the other kinds */
};

/* Whether a spec is a finite set: all but the generated kinds and explicit. */
bool key_set_finite(const struct key_spec *spec);

/* Opens a finite spec. On failure there is nothing to release. */
enum status key_set_open(struct key_set *set, const struct key_spec *spec, struct error *err);
void key_set_release(struct key_set *set);

bool key_set_is_range(const struct key_set *set);

/* Writes key i < size, returns its length. out has room for the longest and
 * TEXT_SLACK bytes more. */
size_t key_set_write(const struct key_set *set, unsigned char *out, uint64_t i);

/* The number of a key, or CONTENTS_NONE. What was read must still have its index. */
uint64_t key_set_find(const struct key_set *set, const unsigned char *key, size_t length);

#endif
