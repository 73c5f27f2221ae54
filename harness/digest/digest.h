/* SPDX-License-Identifier: MIT
 *
 * digest.h: keys of one stream through one hash family: the digests that filters are given.
 *
 * A source serves one thread and one role (members, or queries). Keys and digests are remembered
 * for as many cells as share them when memory allows; else they are made anew for every batch. Both
 * answer the same.
 */
#ifndef BLOOMLAB_DIGEST_H
#define BLOOMLAB_DIGEST_H

#include "filters/digests.h"
#include "harness/keys/keys.h"
#include "hashes/family.h"

enum { DIGEST_CHUNK = 512 }; /* keys whose digests are remembered together */

struct digest_source {
    struct digests batch;  /* what a filter sees; first, so that the filter's pointer is ours */
    struct key_batch keys; /* of the batch */
    uint64_t first;        /* index of the batch's first key in its role */

    struct key_stream stream;
    enum key_role role;
    struct digest_family family;
    bool hashed;    /* family is set */
    uint64_t count; /* keys of this role that may be asked for */

    bool held;        /* the keys of the role are all in memory: `all` */
    bool remember;    /* and their digests stay there, once made */
    unsigned sharers; /* cells that share what is remembered: decides what is worth computing */
    unsigned columns;
    struct key_batch all; /* held: every key */
    uint64_t *digest;     /* column i at digest + i * count */
    unsigned char *ready; /* one byte per chunk of every column */
    void *key_memory;     /* the keys, or those of one batch */
    void *scratch;        /* of the family, for one batch or chunk */
    uint64_t *spare;      /* one chunk: the half of a pair nobody asked for yet */
};

/* Bytes a source will allocate. batch: the largest batch of any cell. */
uint64_t digest_source_bytes(const struct key_source *source, const struct digest_family *family,
                             uint64_t count, unsigned columns, size_t batch, bool remember);

/* sharers: how many cells will read the source; 0: remember nothing. family NULL: no digests are
 * ever asked for (the keys are still digested for keys_digest). E_RUN: no memory. The source is
 * ready for batches; release frees what init took, also after a failure. */
enum status digest_source_init(struct digest_source *source, const struct key_stream *stream,
                               enum key_role role, const struct digest_family *family,
                               uint64_t count, unsigned columns, size_t batch, unsigned sharers,
                               struct error *err);

/* The same over keys at hand, of whatever roles, which outlive the source; none is longer than
 * `longest`. remember: a digest is made at most once when whole batches ask for it. */
enum status digest_source_init_keys(struct digest_source *source, const struct key_batch *keys,
                                    size_t longest, const struct digest_family *family,
                                    unsigned columns, size_t batch, bool remember,
                                    struct error *err);
void digest_source_release(struct digest_source *source);

/* Makes keys first .. first + count - 1 the batch; count is at most `batch` of init. */
struct digests *digest_source_batch(struct digest_source *source, uint64_t first, size_t count);

#endif
