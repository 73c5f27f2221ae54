/* SPDX-License-Identifier: MIT
 *
 * names.h: a name that nobody knows: the sentence lists the known ones and suggests the nearest.
 */
#ifndef BLOOMLAB_NAMES_H
#define BLOOMLAB_NAMES_H

#include <stddef.h>

#include "filters/theory/error.h"

/* The known names, in the order in which they are listed; the strings are the caller's. */
enum { NAMES_MAX = 64 };
struct names {
    const char *name[NAMES_MAX];
    size_t count;
};

void names_add(struct names *names, const char *name); /* what is beyond NAMES_MAX is left out */

/* The first known name that starts with what is given or is its start (3 letters or more); else the
 * one that takes fewest insertions, deletions, replacements and swaps of neighbours to reach; NULL
 * when every one takes more than a third of its letters (at least 2). */
const char *names_nearest(const struct names *names, const char *given);

/* E_INPUT: "unknown WHAT 'GIVEN'; did you mean 'X'? Known: A, B, C". */
enum status names_fail(const struct names *names, const char *what, const char *given,
                       struct error *err);

#endif
