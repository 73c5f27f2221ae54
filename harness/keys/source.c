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

static enum status source_too_many(const struct key_source *source, struct error *err)
{
    if (!source->finite)
        return fail(err, E_INPUT,
                    "explicit: %" PRIu64 " queries are too many to look at (%" PRIu64 " at most)",
                    source->sets[KEY_QUERY].size, SOURCE_COMPARED_MAX);
    return fail(err, E_INPUT,
                "explicit: %" PRIu64 " members and %" PRIu64
                " queries are too many to compare (one of them at most %" PRIu64 ")",
                source->sets[KEY_MEMBER].size, source->sets[KEY_QUERY].size, SOURCE_COMPARED_MAX);
}

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

/* Key i of the set that is walked through must not be in the other one; small: which set that is.
 */
static enum status source_check_key(const struct key_source *source, unsigned small, uint64_t i,
                                    const unsigned char *key, size_t length, struct error *err)
{
    char text[KEY_TEXT_SIZE];
    if (source->finite) {
        uint64_t found = key_set_find(&source->sets[!small], key, length);
        if (found == CONTENTS_NONE)
            return OK;
        return source_common_key(key, length, small ? found : i, small ? i : found, err);
    }
    if (!generate_may_make(&source->generator, key, length))
        return OK;
    key_format(text, key, length);
    return fail(err, E_INPUT,
                "explicit: %s, query %" PRIu64 ", may be one of the members, which are %s", text,
                i + 1, key_kind_info(source->generator.kind)->name);
}

static enum status source_compare(const struct key_source *source, struct error *err)
{
    unsigned small =
        !source->finite || source->sets[KEY_MEMBER].size > source->sets[KEY_QUERY].size;
    const struct key_set *set = &source->sets[small];
    if (set->size > SOURCE_COMPARED_MAX)
        return source_too_many(source, err);
    unsigned char *key = malloc(set->longest + TEXT_SLACK);
    if (!key)
        return fail(err, E_RUN, "explicit: no memory for a key of %zu bytes", set->longest);
    enum status status = OK;
    for (uint64_t i = 0; !status && i < set->size; i++)
        status = source_check_key(source, small, i, key, key_set_write(set, key, i), err);
    free(key);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

static enum status source_open_generated(struct key_source *source, const struct key_spec *spec,
                                         char *identity, size_t size, struct error *err)
{
    key_spec_format(spec, identity, size);
    if (spec->kind == KEYS_STRIDED64 && spec->stride == 0)
        return fail(err, E_INPUT, "strided64: stride 0 is below 1");
    if (spec->kind == KEYS_DECIMAL && spec->width > SET_DECIMAL_WIDTH_MAX)
        return fail(err, E_INPUT, "decimal: width %u is outside [0, %u]", spec->width,
                    SET_DECIMAL_WIDTH_MAX);
    source->generator = (struct key_generator){
        .kind = spec->kind,
        .width = spec->width,
        .stride = spec->kind == KEYS_STRIDED64 ? spec->stride : 1,
    };
    generate_measure(&source->generator);
    return OK;
}

/* identity: "decimal(0..9)" of a range, count and digest of what was read: a file moved is the same
 * set. */
static enum status source_open_set(struct key_source *source, enum key_role role,
                                   const struct key_spec *spec, char *identity, size_t size,
                                   struct error *err)
{
    char digest[CONTENTS_DIGEST_SIZE];
    struct key_set *set = &source->sets[role];
    enum status status = key_set_open(set, spec, err);
    if (status)
        return status;
    if (key_set_is_range(set)) {
        key_spec_format(spec, identity, size);
        return OK;
    }
    status = contents_digest(&set->contents, digest, err);
    if (!status)
        snprintf(identity, size, "keys(%" PRIu64 ";sha256=%s)", set->size, digest);
    return status;
}

static enum status source_open_part(struct key_source *source, enum key_role role,
                                    const struct key_spec *part, char *identity, size_t size,
                                    struct error *err)
{
    const char *name = role == KEY_MEMBER ? "members" : "queries";
    if (!part)
        return fail(err, E_INPUT, "explicit: the %s are missing", name);
    if (key_set_finite(part))
        return source_open_set(source, role, part, identity, size, err);
    if (role == KEY_MEMBER && source->sampled && part->kind != KEYS_EXPLICIT)
        return source_open_generated(source, part, identity, size, err);
    return fail(err, E_INPUT,
                "explicit: the %s are `%s`, not a finite set (list, file, words, little_endian, or "
                "decimal with a range)",
                name, key_kind_info(part->kind)->name);
}

static enum status source_open_explicit(struct key_source *source, const struct key_spec *spec,
                                        struct error *err)
{
    const struct key_spec *parts[2] = {spec->members, spec->queries};
    char text[2][SOURCE_IDENTITY_SIZE / 2 - 13];
    source->sampled = spec->sampled;
    source->finite = spec->members && key_set_finite(spec->members);
    for (unsigned role = 0; role < 2; role++) {
        enum status status = source_open_part(source, (enum key_role)role, parts[role], text[role],
                                              sizeof text[role], err);
        if (status)
            return status;
    }
    snprintf(source->identity, sizeof source->identity, "explicit(%s;%s%s)", text[KEY_MEMBER],
             text[KEY_QUERY], spec->sampled ? ";sampled" : "");
    return source_compare(source, err);
}

static enum status source_open(struct key_source *source, const struct key_spec *spec,
                               struct error *err)
{
    source->is_explicit = spec->kind == KEYS_EXPLICIT;
    if (source->is_explicit)
        return source_open_explicit(source, spec, err);
    source->finite = key_set_finite(spec);
    if (!source->finite)
        return source_open_generated(source, spec, source->identity, sizeof source->identity, err);
    return source_open_set(source, KEY_MEMBER, spec, source->identity, sizeof source->identity,
                           err);
}

static void source_measure(struct key_source *source)
{
    source->shortest = source->finite ? SIZE_MAX : source->generator.shortest;
    source->longest = source->generator.longest;
    source->total_bytes = source->finite ? 0 : UINT64_MAX;
    for (unsigned i = 0; i < 2; i++) {
        struct key_set *set = &source->sets[i];
        if (set->size && set->shortest < source->shortest)
            source->shortest = set->shortest;
        source->longest = set->longest > source->longest ? set->longest : source->longest;
        if (set->size && key_set_is_range(set))
            source->total_bytes = UINT64_MAX;
        else if (set->size && source->total_bytes < UINT64_MAX)
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
    enum status status = source_open(source, spec, err);
    if (status) {
        key_source_free(source);
        return status;
    }
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
    return source->is_explicit;
}

bool key_source_fixed(const struct key_source *source)
{
    return source->is_explicit && !source->sampled;
}

static uint64_t source_counters(const struct key_source *source)
{
    uint64_t counters = source->generator.counters;
    return counters < SOURCE_COUNTERS_MANY ? counters : KEYS_UNLIMITED;
}

uint64_t key_source_members(const struct key_source *source)
{
    return source->finite ? source->sets[KEY_MEMBER].size : source_counters(source);
}

uint64_t key_source_queries(const struct key_source *source, uint64_t n)
{
    if (source->is_explicit)
        return source->sets[KEY_QUERY].size;
    if (!source->finite)
        return source_counters(source);
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
