/* SPDX-License-Identifier: MIT
 *
 * ideal.h: digests as theory has them: independent, uniform on all `bits` bits, for key number i of
 * a stream that a seed chooses. No hash under test is involved.
 */
#ifndef BLOOMLAB_TESTS_IDEAL_H
#define BLOOMLAB_TESTS_IDEAL_H

#include "filters/digests.h"

struct ideal {
    struct digests base;
    uint64_t seed;
    uint64_t first; /* number of the batch's first key */
};

void ideal_init(struct ideal *ideal, unsigned bits, uint64_t seed);

/* Moves to keys first .. first + count - 1; answers &ideal->base. */
struct digests *ideal_move(struct ideal *ideal, uint64_t first, size_t count);

#endif
