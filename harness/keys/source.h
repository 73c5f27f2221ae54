/* SPDX-License-Identifier: MIT
 *
 * source.h: what an opened source holds; shared by source.c, stream.c and generate.c only.
 *
 * Members come from sets[KEY_MEMBER] where they are finite, else from the generator; so do the
 * queries, but for explicit sources, whose queries are sets[KEY_QUERY].
 */
#ifndef BLOOMLAB_KEYS_SOURCE_H
#define BLOOMLAB_KEYS_SOURCE_H

#include "harness/keys/keys.h"
#include "harness/keys/set.h"

enum { SOURCE_IDENTITY_SIZE = 256 };

/* Keys made from counters. */
struct key_generator {
    enum key_kind kind;
    uint64_t stride;   /* of consecutive counters: 1, or strided64's */
    uint64_t counters; /* of each role */
    unsigned width;    /* decimal without a range */
    size_t shortest, longest;
};

struct key_source {
    bool is_explicit, sampled;
    bool finite; /* the members are a finite set */
    struct key_set sets[2];
    struct key_generator generator;
    size_t shortest, longest; /* of both roles */
    uint64_t total_bytes;     /* of all keys of a finite set, UINT64_MAX where it is not known */
    uint64_t salt;            /* of the identity, for the seed of a stream */
    char identity[SOURCE_IDENTITY_SIZE];
};

#endif
