/* SPDX-License-Identifier: MIT
 *
 * contents.c: reads keys, drops duplicates, finds a key.
 *
 * A file is read whole into the block the keys will stay in; keys move forward inside it as their
 * line ends or lengths drop out. A first pass counts them, so that the offsets are allocated once.
 */
#include "harness/keys/contents.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "hashes/mix.h"

enum { CONTENTS_RECORD_HEAD = 4, CONTENTS_READ_FIRST = 1 << 16 };

static enum status contents_no_memory(const char *what, uint64_t bytes, struct error *err)
{
    return fail(err, E_RUN, "%s: no memory for %" PRIu64 " bytes", what, bytes);
}

void contents_release(struct contents *contents)
{
    free(contents->bytes);
    free(contents->offsets);
    contents_release_index(contents);
    *contents = (struct contents){0};
}

void contents_release_index(struct contents *contents)
{
    free(contents->slots);
    contents->slots = NULL;
    contents->slot_mask = 0;
}

/* ---- the index ----------------------------------------------------------------------------- */

/* The slot that holds the key, or the free one where it belongs. XXH3 is among the hashes under
 * test, but decides nothing here: equal keys are found by comparing bytes. */
static uint64_t contents_slot(const struct contents *contents, const void *key, size_t length)
{
    uint64_t slot = XXH3_64bits(key, length) & contents->slot_mask;
    for (;; slot = (slot + 1) & contents->slot_mask) {
        if (contents->slots[slot] == 0)
            return slot;
        uint64_t at = contents->slots[slot] - 1;
        uint64_t start = contents->offsets[at];
        if (contents->offsets[at + 1] - start == length &&
            !memcmp(contents->bytes + start, key, length))
            return slot;
    }
}

uint64_t contents_find(const struct contents *contents, const void *key, size_t length)
{
    uint64_t slot = contents_slot(contents, key, length);
    return contents->slots[slot] ? contents->slots[slot] - 1 : CONTENTS_NONE;
}

/* Indexes the keys in order; a key already there is counted, and later ones move over it. */
static enum status contents_index(struct contents *contents, const char *what, struct error *err)
{
    uint64_t slots = 4;
    while (slots < 2 * contents->count)
        slots *= 2;
    contents->slots = calloc(slots, sizeof *contents->slots);
    if (!contents->slots)
        return contents_no_memory(what, slots * sizeof *contents->slots, err);
    contents->slot_mask = slots - 1;

    uint64_t kept = 0, end = 0, start = contents->offsets[0];
    for (uint64_t i = 0; i < contents->count; i++) {
        uint64_t next = contents->offsets[i + 1];
        size_t length = next - start;
        memmove(contents->bytes + end, contents->bytes + start, length);
        start = next;
        uint64_t slot = contents_slot(contents, contents->bytes + end, length);
        if (contents->slots[slot])
            continue;
        contents->slots[slot] = (uint32_t)(kept + 1);
        end += length;
        contents->offsets[++kept] = end;
    }
    contents->duplicates = contents->count - kept;
    contents->count = kept;
    return OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

static enum status contents_system_error(const char *path, struct error *err)
{
    bool input = errno == ENOENT || errno == EACCES || errno == EISDIR || errno == ENOTDIR ||
                 errno == ENAMETOOLONG || errno == ELOOP || errno == EPERM;
    return fail(err, input ? E_INPUT : E_RUN, "cannot read %s: %s", path, strerror(errno));
}

/* Reads to the end of the stream, growing the block when the file is longer than it said (a pipe).
 */
static enum status contents_read_stream(struct contents *contents, size_t *size, FILE *stream,
                                        const char *path, struct error *err)
{
    struct stat info;
    size_t room = CONTENTS_READ_FIRST;
    if (fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        room = (size_t)info.st_size + 1; /* the last byte shows that the file has ended */
    for (*size = 0;; room = *size < room ? room : 2 * room) {
        unsigned char *grown = realloc(contents->bytes, room);
        if (!grown)
            return contents_no_memory(path, room, err);
        contents->bytes = grown;
        *size += fread(grown + *size, 1, room - *size, stream);
        if (ferror(stream))
            return contents_system_error(path, err);
        if (feof(stream))
            return OK;
    }
}

static enum status contents_read(struct contents *contents, size_t *size, const char *path,
                                 struct error *err)
{
    *contents = (struct contents){0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return contents_system_error(path, err);
    enum status status = contents_read_stream(contents, size, stream, path, err);
    fclose(stream);
    return status;
}

static enum status contents_allocate(struct contents *contents, uint64_t count, const char *what,
                                     struct error *err)
{
    if (count > CONTENTS_KEYS_MAX)
        return fail(err, E_INPUT, "%s: %" PRIu64 " keys are more than %" PRIu64, what, count,
                    CONTENTS_KEYS_MAX);
    contents->offsets = malloc((count + 1) * sizeof *contents->offsets);
    if (!contents->offsets)
        return contents_no_memory(what, (count + 1) * sizeof *contents->offsets, err);
    contents->offsets[0] = 0;
    return OK;
}

/* ---- lines --------------------------------------------------------------------------------- */

static uint64_t contents_count_lines(const unsigned char *bytes, size_t size)
{
    uint64_t lines = size > 0 && bytes[size - 1] != '\n';
    const unsigned char *end = bytes + size;
    for (const unsigned char *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at)));
         at++)
        lines++;
    return lines;
}

static void contents_split_lines(struct contents *contents, size_t size)
{
    unsigned char *bytes = contents->bytes;
    uint64_t end = 0;
    for (size_t start = 0; start < size;) {
        const unsigned char *feed = memchr(bytes + start, '\n', size - start);
        size_t stop = feed ? (size_t)(feed - bytes) : size;
        size_t length = stop - start;
        if (feed && length > 0 && bytes[stop - 1] == '\r')
            length--;
        if (length > 0) {
            memmove(bytes + end, bytes + start, length);
            end += length;
            contents->offsets[++contents->count] = end;
        } else {
            contents->empty_lines++;
        }
        start = stop + 1;
    }
}

static enum status contents_take_lines(struct contents *contents, const char *path,
                                       struct error *err)
{
    size_t size;
    enum status status = contents_read(contents, &size, path, err);
    if (status)
        return status;
    if (size == 0)
        return fail(err, E_INPUT, "%s is empty: there is no key in it", path);
    status = contents_allocate(contents, contents_count_lines(contents->bytes, size), path, err);
    if (status)
        return status;
    contents_split_lines(contents, size);
    if (contents->count == 0)
        return fail(err, E_INPUT, "%s has %" PRIu64 " empty lines and no key", path,
                    contents->empty_lines);
    return contents_index(contents, path, err);
}

enum status contents_read_lines(struct contents *contents, const char *path, struct error *err)
{
    enum status status = contents_take_lines(contents, path, err);
    if (status)
        contents_release(contents);
    return status;
}

/* ---- records ------------------------------------------------------------------------------- */

static enum status contents_count_records(uint64_t *count, const unsigned char *bytes, size_t size,
                                          const char *path, struct error *err)
{
    *count = 0;
    for (size_t at = 0; at < size; ++*count) {
        size_t left = size - at;
        if (left < CONTENTS_RECORD_HEAD)
            return fail(err, E_INPUT,
                        "%s: record %" PRIu64 " at byte %zu has %zu of the %d bytes of its length",
                        path, *count + 1, at, left, CONTENTS_RECORD_HEAD);
        uint32_t length = read32(bytes + at);
        left -= CONTENTS_RECORD_HEAD;
        if (length > left)
            return fail(err, E_INPUT,
                        "%s: record %" PRIu64 " at byte %zu says %" PRIu32
                        " bytes, the file has %zu left",
                        path, *count + 1, at, length, left);
        at += CONTENTS_RECORD_HEAD + length;
    }
    return OK;
}

static void contents_split_records(struct contents *contents, uint64_t count)
{
    uint64_t end = 0;
    for (size_t at = 0; contents->count < count;) {
        size_t length = read32(contents->bytes + at);
        at += CONTENTS_RECORD_HEAD;
        memmove(contents->bytes + end, contents->bytes + at, length);
        at += length;
        end += length;
        contents->offsets[++contents->count] = end;
    }
}

static enum status contents_take_records(struct contents *contents, const char *path,
                                         struct error *err)
{
    size_t size;
    uint64_t count;
    enum status status = contents_read(contents, &size, path, err);
    if (status)
        return status;
    if (size == 0)
        return fail(err, E_INPUT, "%s is empty: there is no record in it", path);
    status = contents_count_records(&count, contents->bytes, size, path, err);
    if (status)
        return status;
    status = contents_allocate(contents, count, path, err);
    if (status)
        return status;
    contents_split_records(contents, count);
    return contents_index(contents, path, err);
}

enum status contents_read_records(struct contents *contents, const char *path, struct error *err)
{
    enum status status = contents_take_records(contents, path, err);
    if (status)
        contents_release(contents);
    return status;
}

/* ---- a list -------------------------------------------------------------------------------- */

static enum status contents_take(struct contents *contents, unsigned char *const *items,
                                 const size_t *item_bytes, size_t item_count, struct error *err)
{
    size_t size = 0;
    if (item_count == 0)
        return fail(err, E_INPUT, "the list has no key");
    for (size_t i = 0; i < item_count; i++)
        size += item_bytes[i];
    contents->bytes = malloc(size ? size : 1);
    if (!contents->bytes)
        return contents_no_memory("list", size, err);
    enum status status = contents_allocate(contents, item_count, "list", err);
    if (status)
        return status;
    for (size_t i = 0; i < item_count; i++) {
        uint64_t start = contents->offsets[i];
        if (item_bytes[i])
            memcpy(contents->bytes + start, items[i], item_bytes[i]);
        contents->offsets[i + 1] = start + item_bytes[i];
    }
    contents->count = item_count;
    return contents_index(contents, "list", err);
}

enum status contents_copy(struct contents *contents, unsigned char *const *items,
                          const size_t *item_bytes, size_t item_count, struct error *err)
{
    *contents = (struct contents){0};
    enum status status = contents_take(contents, items, item_bytes, item_count, err);
    if (status)
        contents_release(contents);
    return status;
}

/* ---- the digest ---------------------------------------------------------------------------- */

static bool contents_digest_words(EVP_MD_CTX *context, const uint64_t *words, uint64_t count)
{
    uint64_t block[512];
    const uint64_t room = sizeof block / sizeof *block;
    for (uint64_t i = 0; i < count; i += room) {
        uint64_t part = count - i < room ? count - i : room;
        for (uint64_t j = 0; j < part; j++)
            block[j] = htole64(words[i + j]);
        if (!EVP_DigestUpdate(context, block, part * sizeof *block))
            return false;
    }
    return true;
}

enum status contents_digest(const struct contents *contents, char text[CONTENTS_DIGEST_SIZE],
                            struct error *err)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool done = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) &&
                contents_digest_words(context, &contents->count, 1) &&
                contents_digest_words(context, contents->offsets, contents->count + 1) &&
                EVP_DigestUpdate(context, contents->bytes, contents->offsets[contents->count]) &&
                EVP_DigestFinal_ex(context, digest, NULL);
    EVP_MD_CTX_free(context);
    if (!done)
        return fail(err, E_RUN, "SHA-256 of %" PRIu64 " keys could not be computed",
                    contents->count);
    for (unsigned i = 0; i < (CONTENTS_DIGEST_SIZE - 1) / 2; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return OK;
}
