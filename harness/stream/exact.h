/* SPDX-License-Identifier: MIT
 *
 * exact.h: a set of ids that is never wrong: the ids themselves, behind a table of where they
 * stand.
 *
 * Memory: the ids with 4 bytes each, in one block that grows by half, and 8 bytes for each of
 * between 1.5 and 3 slots an id. A slot holds the place of an id (48 bits) and 16 bits of its hash,
 * so that hardly an id is looked at in vain; equal means equal in every byte.
 */
#ifndef BLOOMLAB_STREAM_EXACT_H
#define BLOOMLAB_STREAM_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"

struct exact_set {
    uint64_t *slot; /* 0: free */
    uint64_t mask, count;
    unsigned char *bytes;
    uint64_t used, room;
};

/* From zero. *added: it was not there. E_RUN: no memory. E_INPUT: an id of 4 GiB or more. */
enum status exact_add(struct exact_set *set, bool *added, const unsigned char *id, size_t size,
                      struct error *err);
bool exact_has(const struct exact_set *set, const unsigned char *id, size_t size);
void exact_clear(struct exact_set *set);            /* empty again, memory kept */
void exact_release(struct exact_set *set);          /* all zero */
uint64_t exact_memory(const struct exact_set *set); /* bytes taken */

#endif
