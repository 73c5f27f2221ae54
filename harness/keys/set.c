/* SPDX-License-Identifier: MIT */
#include "harness/keys/set.h"

#include <inttypes.h>
#include <string.h>

#include "harness/keys/text.h"
#include "harness/keys/word_forms.h"

#define SET_WORDS_PATH "/usr/share/dict/words"
#define SET_WORDS_PACKAGE "wamerican"

bool key_set_finite(const struct key_spec *spec)
{
    switch (spec->kind) {
    case KEYS_WORDS:
    case KEYS_WORD_FORMS:
    case KEYS_FILE:
    case KEYS_LIST:
    case KEYS_LITTLE_ENDIAN:
        return true;
    case KEYS_DECIMAL:
        return spec->has_range;
    case KEYS_RANDOM64:
    case KEYS_SEQUENTIAL64:
    case KEYS_STRIDED64:
    case KEYS_REVERSED64:
    case KEYS_UUID4:
    case KEYS_URL:
    case KEYS_LETTERS:
    case KEYS_EXPLICIT:
        break;
    }
    return false;
}

bool key_set_is_range(const struct key_set *set)
{
    return set->kind == KEYS_DECIMAL || set->kind == KEYS_LITTLE_ENDIAN;
}

/* ---- ranges -------------------------------------------------------------------------------- */

static uint64_t set_counter_max(unsigned bytes)
{
    return UINT64_MAX >> (64 - 8 * bytes);
}

static enum status set_check_range(const struct key_spec *spec, struct error *err)
{
    bool decimal = spec->kind == KEYS_DECIMAL;
    if (decimal && spec->width > SET_DECIMAL_WIDTH_MAX)
        return fail(err, E_INPUT, "decimal: width %u is outside [0, %u]", spec->width,
                    SET_DECIMAL_WIDTH_MAX);
    if (!decimal && (spec->width < 1 || spec->width > 8))
        return fail(err, E_INPUT, "little_endian: bytes %u is outside [1, 8]", spec->width);
    if (!spec->has_range)
        return OK;
    if (spec->first > spec->last)
        return fail(err, E_INPUT, "%s: the range %" PRIu64 "..%" PRIu64 " runs backwards",
                    key_kind_info(spec->kind)->name, spec->first, spec->last);
    if (!decimal && spec->last > set_counter_max(spec->width))
        return fail(err, E_INPUT,
                    "little_endian: %" PRIu64 " does not fit %u bytes (at most %" PRIu64 ")",
                    spec->last, spec->width, set_counter_max(spec->width));
    return OK;
}

static enum status set_open_range(struct key_set *set, const struct key_spec *spec,
                                  struct error *err)
{
    enum status status = set_check_range(spec, err);
    if (status)
        return status;
    set->width = spec->width;
    set->first = spec->has_range ? spec->first : 0;
    set->last = spec->has_range ? spec->last : set_counter_max(spec->width);
    if (set->last - set->first == UINT64_MAX)
        set->last--;
    set->size = set->last - set->first + 1;
    if (spec->kind == KEYS_LITTLE_ENDIAN) {
        set->shortest = set->longest = set->width;
        return OK;
    }
    unsigned shortest = text_decimal_digits(set->first), longest = text_decimal_digits(set->last);
    set->shortest = shortest > set->width ? shortest : set->width;
    set->longest = longest > set->width ? longest : set->width;
    return OK;
}

static size_t set_write_range(const struct key_set *set, unsigned char *out, uint64_t counter)
{
    if (set->kind == KEYS_DECIMAL)
        return text_decimal(out, counter, set->width);
    for (unsigned i = 0; i < set->width; i++)
        out[i] = (unsigned char)(counter >> (8 * i));
    return set->width;
}

/* What number the key says, in the set's notation; modulo 2^64, so only a hint. */
static uint64_t set_read_range(const struct key_set *set, const unsigned char *key, size_t length)
{
    uint64_t counter = 0;
    for (size_t i = 0; i < length; i++)
        if (set->kind == KEYS_DECIMAL)
            counter = 10 * counter + (uint64_t)(key[i] - '0');
        else
            counter |= (uint64_t)key[i] << (8 * i);
    return counter;
}

static uint64_t set_find_range(const struct key_set *set, const unsigned char *key, size_t length)
{
    unsigned char again[SET_DECIMAL_WIDTH_MAX + TEXT_SLACK];
    if (length < set->shortest || length > set->longest)
        return CONTENTS_NONE;
    uint64_t counter = set_read_range(set, key, length);
    if (counter < set->first || counter > set->last)
        return CONTENTS_NONE;
    bool same = set_write_range(set, again, counter) == length && !memcmp(again, key, length);
    return same ? counter - set->first : CONTENTS_NONE;
}

/* ---- what was read ------------------------------------------------------------------------- */

static enum status set_open_words(struct contents *contents, const char *path, struct error *err)
{
    struct error why;
    enum status status = contents_read_lines(contents, path ? path : SET_WORDS_PATH, &why);
    if (status == E_INPUT)
        return fail(err, E_INPUT, "words: %s; the word list comes with the package %s", why.text,
                    SET_WORDS_PACKAGE);
    return status ? fail(err, status, "words: %s", why.text) : OK;
}

static enum status set_open_word_forms(struct contents *contents, const char *path,
                                       struct error *err)
{
    struct contents words;
    enum status status = set_open_words(&words, path, err);
    if (status)
        return status;
    status = word_forms_make(contents, &words, err);
    contents_release(&words);
    return status;
}

static enum status set_open_contents(struct key_set *set, const struct key_spec *spec,
                                     struct error *err)
{
    if (spec->kind == KEYS_WORDS)
        return set_open_words(&set->contents, spec->path, err);
    if (spec->kind == KEYS_WORD_FORMS)
        return set_open_word_forms(&set->contents, spec->path, err);
    if (spec->kind == KEYS_LIST)
        return contents_copy(&set->contents, spec->items, spec->item_bytes, spec->item_count, err);
    if (!spec->path || !*spec->path)
        return fail(err, E_INPUT, "file: the path is empty");
    return spec->binary ? contents_read_records(&set->contents, spec->path, err)
                        : contents_read_lines(&set->contents, spec->path, err);
}

static void set_measure(struct key_set *set)
{
    const uint64_t *offsets = set->contents.offsets;
    set->size = set->contents.count;
    set->shortest = SIZE_MAX;
    set->longest = 0;
    for (uint64_t i = 0; i < set->size; i++) {
        size_t length = offsets[i + 1] - offsets[i];
        set->shortest = length < set->shortest ? length : set->shortest;
        set->longest = length > set->longest ? length : set->longest;
    }
}

/* ---- both ---------------------------------------------------------------------------------- */

enum status key_set_open(struct key_set *set, const struct key_spec *spec, struct error *err)
{
    *set = (struct key_set){.kind = spec->kind};
    if (key_set_is_range(set))
        return set_open_range(set, spec, err);
    enum status status = set_open_contents(set, spec, err);
    if (!status)
        set_measure(set);
    return status;
}

void key_set_release(struct key_set *set)
{
    contents_release(&set->contents);
}

size_t key_set_write(const struct key_set *set, unsigned char *out, uint64_t i)
{
    if (key_set_is_range(set))
        return set_write_range(set, out, set->first + i);
    uint64_t start = set->contents.offsets[i];
    size_t length = set->contents.offsets[i + 1] - start;
    memcpy(out, set->contents.bytes + start, length);
    return length;
}

uint64_t key_set_find(const struct key_set *set, const unsigned char *key, size_t length)
{
    return key_set_is_range(set) ? set_find_range(set, key, length)
                                 : contents_find(&set->contents, key, length);
}
