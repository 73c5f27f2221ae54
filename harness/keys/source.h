/* SPDX-License-Identifier: MIT
 *
 * source.h: what an opened source holds; shared by source.c, stream.c and generate.c only.
 */
#ifndef BLOOMLAB_KEYS_SOURCE_H
#define BLOOMLAB_KEYS_SOURCE_H

#include "harness/keys/keys.h"
#include "harness/keys/set.h"

enum { SOURCE_IDENTITY_SIZE = 256 };

struct key_source {
    enum key_kind kind;
    bool finite; /* sets[0] is the whole set; explicit: sets by role */
    struct key_set sets[2];
    uint64_t stride;   /* of consecutive counters: 1, or strided64's */
    uint64_t counters; /* of each role, for consecutive ones */
    unsigned width;    /* decimal without a range */
    size_t shortest, longest;
    uint64_t total_bytes; /* of all keys of a finite set, UINT64_MAX where it is not known */
    uint64_t salt;        /* of the identity, for the seed of a stream */
    char identity[SOURCE_IDENTITY_SIZE];
};

#endif
