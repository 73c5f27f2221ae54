/* SPDX-License-Identifier: MIT
 *
 * keys_support.h: opens key sets for tests and reads them key by key.
 *
 * Whatever goes wrong here fails the running test.
 */
#ifndef BLOOMLAB_TESTS_KEYS_SUPPORT_H
#define BLOOMLAB_TESTS_KEYS_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/keys/keys.h"

/* A range of counters, or a list of texts ended by NULL. */
struct key_spec *keys_range(enum key_kind kind, uint64_t first, uint64_t last, unsigned width);
struct key_spec *keys_list(const char *const *texts);
struct key_spec *keys_explicit(struct key_spec *members, struct key_spec *queries);

/* Opens and frees the spec. keys_refused expects E_INPUT and a sentence that contains `part`. */
struct key_source *keys_open(struct key_spec *spec);
void keys_refused(struct key_spec *spec, const char *part);

/* Keys first .. first + count - 1, copied: in one fill, with canaries behind the buffer. */
struct keys_copy {
    struct key_batch batch; /* always with offsets */
    unsigned char *bytes;
    uint64_t *offsets;
};
struct keys_copy keys_read(const struct key_source *source, uint64_t seed, enum key_role role,
                           uint64_t first, size_t count);
void keys_copy_free(struct keys_copy *copy);

const unsigned char *keys_at(const struct keys_copy *copy, size_t i, size_t *length);
bool keys_is(const struct keys_copy *copy, size_t i, const void *key, size_t length);
bool keys_equal(const struct keys_copy *a, size_t i, const struct keys_copy *b, size_t j);

/* A 64-bit fingerprint of one key, and of all of a copy in their order. */
uint64_t keys_fingerprint(const struct keys_copy *copy, size_t i);
uint64_t keys_digest(const struct keys_copy *copy);

/* How many values equal an earlier one; sorts them (radix sort, a scratch array of its own). */
size_t keys_repeated(uint64_t *values, size_t count);

/* A file of its own with these bytes; the path is freed by the caller, who also removes the file.
 */
char *keys_file(const void *bytes, size_t size);

#endif
