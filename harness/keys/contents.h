/* SPDX-License-Identifier: MIT
 *
 * contents.h: keys that were read: from the lines of a file, from its records, or from a list.
 *
 * All bytes stand in one block, key after key without a gap, in the order they were read; offsets
 * say where each begins. Duplicates are gone, the first of each is kept.
 *
 * Lines: LF ends a key, and a CR right before it belongs to the line's end; a last line needs no LF
 * (and keeps its CR). Every other byte, NUL too, is part of a key. Empty lines are no keys: they
 * are skipped and counted. Records: a little-endian 32-bit length, then the bytes; length 0 is the
 * empty key.
 */
#ifndef BLOOMLAB_KEYS_CONTENTS_H
#define BLOOMLAB_KEYS_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "filters/theory/error.h"

#define CONTENTS_KEYS_MAX (UINT64_C(1) << 31) /* the index then has 2^32 slots of 4 bytes */
#define CONTENTS_NONE UINT64_MAX

struct contents {
    unsigned char *bytes;
    uint64_t *offsets; /* count + 1 */
    uint64_t count;    /* 1 .. CONTENTS_KEYS_MAX */
    uint64_t duplicates, empty_lines;
    uint32_t *slots; /* a hash table of key numbers + 1 (0: free), linear probing; or NULL */
    uint64_t slot_mask;
};

/* Each fills *contents from nothing; afterwards duplicates are dropped and the index is there. On
 * failure there is nothing to release. E_INPUT: no such file, no key in it, a record cut short, too
 * many keys. E_RUN: no memory, or the system could not read on. */
enum status contents_read_lines(struct contents *contents, const char *path, struct error *err);
enum status contents_read_records(struct contents *contents, const char *path, struct error *err);
enum status contents_copy(struct contents *contents, unsigned char *const *items,
                          const size_t *item_bytes, size_t item_count, struct error *err);

void contents_release(struct contents *contents);

/* Frees the index alone, when nothing will be looked up. */
void contents_release_index(struct contents *contents);

/* The number of a key, or CONTENTS_NONE. Needs the index. */
uint64_t contents_find(const struct contents *contents, const void *key, size_t length);

/* SHA-256 of the count, the offsets (both as little-endian 64-bit words) and the bytes, of which
 * the first 128 bits are written in hexadecimal. E_RUN: no memory. */
enum { CONTENTS_DIGEST_SIZE = 33 };
enum status contents_digest(const struct contents *contents, char text[CONTENTS_DIGEST_SIZE],
                            struct error *err);

#endif
