/* SPDX-License-Identifier: MIT
 *
 * source.c: opens what a spec says, and answers how many keys there are.
 */
#include "harness/keys/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/keys/generate.h"
#include "harness/keys/text.h"
#include "hashes/mix.h"

/* Two explicit sets are compared by looking up every key of the smaller in the other. */
#define SOURCE_COMPARED_MAX UINT64_C(100000000)

/* So many counters are as good as unlimited: no filter holds that many keys (FILTER_N_MAX). */
#define SOURCE_COUNTERS_MANY (UINT64_C(1) << 48)

/* ---- members among the queries --------------------------------------------------------------- */

static enum status source_common_key(const unsigned char *key, size_t length, uint64_t member,
                                     uint64_t query, struct error *err)
{
    char text[KEY_TEXT_SIZE];
    key_format(text, key, length);
    return fail(err, E_INPUT,
                "explicit: %s is member %" PRIu64 " and query %" PRIu64
                "; a query must not be a member",
                text, member + 1, query + 1);
}

static enum status source_compare(const struct key_source *source, struct error *err)
{
    unsigned small = source->sets[KEY_MEMBER].size > source->sets[KEY_QUERY].size;
    const struct key_set *set = &source->sets[small], *other = &source->sets[!small];
    if (set->size > SOURCE_COMPARED_MAX)
        return fail(err, E_INPUT,
                    "explicit: %" PRIu64 " members and %" PRIu64
                    " queries are too many to compare (one of them at most %" PRIu64 ")",
                    source->sets[KEY_MEMBER].size, source->sets[KEY_QUERY].size,
                    SOURCE_COMPARED_MAX);
    unsigned char *key = malloc(set->longest + TEXT_SLACK);
    if (!key)
        return fail(err, E_RUN, "explicit: no memory for a key of %zu bytes", set->longest);
    enum status status = OK;
    for (uint64_t i = 0; !status && i < set->size; i++) {
        size_t length = key_set_write(set, key, i);
        uint64_t found = key_set_find(other, key, length);
        if (found != CONTENTS_NONE)
            status = source_common_key(key, length, small ? found : i, small ? i : found, err);
    }
    free(key);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* "decimal(0..9)" of a range, count and digest of what was read: a file moved is the same set. */
static enum status source_identify(char *text, size_t size, const struct key_set *set,
                                   const struct key_spec *spec, struct error *err)
{
    char digest[CONTENTS_DIGEST_SIZE];
    if (key_set_is_range(set)) {
        key_spec_format(spec, text, size);
        return OK;
    }
    enum status status = contents_digest(&set->contents, digest, err);
    if (!status)
        snprintf(text, size, "keys(%" PRIu64 ";sha256=%s)", set->size, digest);
    return status;
}

static enum status source_open_explicit(struct key_source *source, const struct key_spec *spec,
                                        struct error *err)
{
    const struct key_spec *parts[2] = {spec->members, spec->queries};
    char text[2][SOURCE_IDENTITY_SIZE / 2 - 8];
    for (unsigned role = 0; role < 2; role++) {
        const char *name = role == KEY_MEMBER ? "members" : "queries";
        if (!parts[role])
            return fail(err, E_INPUT, "explicit: the %s are missing", name);
        if (!key_set_finite(parts[role]))
            return fail(err, E_INPUT,
                        "explicit: the %s are `%s`, not a finite set (list, file, words, "
                        "little_endian, or decimal with a range)",
                        name, key_kind_info(parts[role]->kind)->name);
        struct key_set *set = &source->sets[role];
        enum status status = key_set_open(set, parts[role], err);
        if (!status)
            status = source_identify(text[role], sizeof text[role], set, parts[role], err);
        if (status)
            return status;
    }
    snprintf(source->identity, sizeof source->identity, "explicit(%s;%s)", text[KEY_MEMBER],
             text[KEY_QUERY]);
    return source_compare(source, err);
}

static enum status source_open_generated(struct key_source *source, const struct key_spec *spec,
                                         struct error *err)
{
    key_spec_format(spec, source->identity, sizeof source->identity);
    if (spec->kind == KEYS_STRIDED64 && spec->stride == 0)
        return fail(err, E_INPUT, "strided64: stride 0 is below 1");
    if (spec->kind == KEYS_DECIMAL && spec->width > SET_DECIMAL_WIDTH_MAX)
        return fail(err, E_INPUT, "decimal: width %u is outside [0, %u]", spec->width,
                    SET_DECIMAL_WIDTH_MAX);
    source->width = spec->width;
    source->stride = spec->kind == KEYS_STRIDED64 ? spec->stride : 1;
    generate_measure(source);
    return OK;
}

static enum status source_open(struct key_source *source, const struct key_spec *spec,
                               struct error *err)
{
    source->finite = spec->kind == KEYS_EXPLICIT || key_set_finite(spec);
    if (!source->finite)
        return source_open_generated(source, spec, err);
    if (spec->kind == KEYS_EXPLICIT)
        return source_open_explicit(source, spec, err);
    enum status status = key_set_open(&source->sets[0], spec, err);
    return status ? status
                  : source_identify(source->identity, sizeof source->identity, &source->sets[0],
                                    spec, err);
}

static void source_measure(struct key_source *source)
{
    source->shortest = SIZE_MAX;
    source->total_bytes = 0;
    for (unsigned i = 0; i < (source->kind == KEYS_EXPLICIT ? 2 : 1); i++) {
        struct key_set *set = &source->sets[i];
        source->shortest = set->shortest < source->shortest ? set->shortest : source->shortest;
        source->longest = set->longest > source->longest ? set->longest : source->longest;
        if (key_set_is_range(set))
            source->total_bytes = UINT64_MAX;
        else if (source->total_bytes < UINT64_MAX)
            source->total_bytes += set->contents.offsets[set->size];
        contents_release_index(&set->contents);
    }
}

enum status key_source_open(struct key_source **out, const struct key_spec *spec, struct error *err)
{
    *out = NULL;
    struct key_source *source = calloc(1, sizeof *source);
    if (!source)
        return fail(err, E_RUN, "no memory for a key source");
    source->kind = spec->kind;
    enum status status = source_open(source, spec, err);
    if (status) {
        key_source_free(source);
        return status;
    }
    if (source->finite)
        source_measure(source);
    for (const char *c = source->identity; *c; c++)
        source->salt = mix64(source->salt + (unsigned char)*c + 1);
    *out = source;
    return OK;
}

void key_source_free(struct key_source *source)
{
    if (!source)
        return;
    key_set_release(&source->sets[0]);
    key_set_release(&source->sets[1]);
    free(source);
}

/* ---- answers --------------------------------------------------------------------------------- */

const char *key_source_identity(const struct key_source *source)
{
    return source->identity;
}

bool key_source_explicit(const struct key_source *source)
{
    return source->kind == KEYS_EXPLICIT;
}

static uint64_t source_counters(const struct key_source *source)
{
    return source->counters < SOURCE_COUNTERS_MANY ? source->counters : KEYS_UNLIMITED;
}

uint64_t key_source_members(const struct key_source *source)
{
    return source->finite ? source->sets[KEY_MEMBER].size : source_counters(source);
}

uint64_t key_source_queries(const struct key_source *source, uint64_t n)
{
    if (!source->finite)
        return source_counters(source);
    if (source->kind == KEYS_EXPLICIT)
        return source->sets[KEY_QUERY].size;
    uint64_t size = source->sets[0].size;
    return n < size ? size - n : 0;
}

uint64_t key_source_duplicates(const struct key_source *source)
{
    return source->sets[0].contents.duplicates + source->sets[1].contents.duplicates;
}

uint64_t key_source_empty_lines(const struct key_source *source)
{
    return source->sets[0].contents.empty_lines + source->sets[1].contents.empty_lines;
}

size_t key_source_shortest(const struct key_source *source)
{
    return source->shortest;
}

size_t key_source_longest(const struct key_source *source)
{
    return source->longest;
}

void key_format(char text[KEY_TEXT_SIZE], const void *key, size_t length)
{
    const unsigned char *bytes = key;
    char *out = text;
    *out++ = '"';
    for (size_t i = 0; i < length && i < KEY_SHOWN; i++)
        if (bytes[i] < ' ' || bytes[i] > '~' || bytes[i] == '"' || bytes[i] == '\\')
            out += snprintf(out, 5, "\\x%02x", bytes[i]);
        else
            *out++ = (char)bytes[i];
    strcpy(out, length > KEY_SHOWN ? "\"..." : "\"");
}
