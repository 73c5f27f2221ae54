/* SPDX-License-Identifier: MIT
 *
 * digest_sources.h: where the contract tests of filters take digests from: ideal ones, and each
 * family over hashes. Key number i is the same 8 bytes for every family. The hash's seed is mixed
 * from the test's: a family counts its seeds upwards, so that neighbouring seeds share most
 * digests.
 */
#ifndef BLOOMLAB_TESTS_DIGEST_SOURCES_H
#define BLOOMLAB_TESTS_DIGEST_SOURCES_H

#include "filters/digests.h"
#include "hashes/family.h"
#include "tests/ideal.h"

enum { SOURCE_BATCH_MAX = 1 << 16 };

struct source {
    struct digests base; /* of a hashed source */
    const char *name;
    unsigned bits, columns;
    bool ideal;
    bool seedless;               /* set by a test: all seeds are one */
    struct ideal digests;        /* of an ideal source */
    struct digest_family family; /* of a hashed one, and what it works with */
    struct key_batch keys;
    uint64_t *key_bytes;
    void *scratch;
};

enum { SOURCE_COUNT = 6 }; /* ideal 64, ideal 32, seeded, salted, split, pair */

/* Source number i; released with source_release. */
void source_init(struct source *source, unsigned i);
void source_release(struct source *source);

/* The digests of keys first .. first + count - 1 under a seed; count <= SOURCE_BATCH_MAX. */
struct digests *source_move(struct source *source, uint64_t seed, uint64_t first, size_t count);

#endif
