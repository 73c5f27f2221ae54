/* SPDX-License-Identifier: MIT */
#include "harness/trace/show.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "harness/experiment/values.h"
#include "harness/keys/text.h"

enum { SHOW_GROUP = 8, SHOW_GROUPS_MAX = 16, SHOW_INDENT = 5 };

/* ---- words -------------------------------------------------------------------------------------
 */

static bool show_as_is(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < 0x20 || bytes[i] == 0x7f)
            return false;
    return length > 0;
}

static void show_make(char out[KEY_TEXT_SIZE], const unsigned char *bytes, size_t length)
{
    char copy[VALUE_SHOW_SIZE], shown[VALUE_SHOW_SIZE];
    if (!show_as_is(bytes, length)) {
        key_format(out, bytes, length);
        return;
    }
    size_t some = length < sizeof copy ? length : sizeof copy - 1;
    memcpy(copy, bytes, some);
    copy[some] = '\0';
    strcpy(out, value_show(shown, copy));
}

unsigned show_characters(const char *text, size_t bytes)
{
    unsigned characters = 0;
    for (size_t i = 0; i < bytes; i++)
        characters += ((unsigned char)text[i] & 0xc0) != 0x80;
    return characters;
}

unsigned show_width(const unsigned char *bytes, size_t length)
{
    char shown[KEY_TEXT_SIZE];
    show_make(shown, bytes, length);
    return show_characters(shown, strlen(shown));
}

void show_word(struct text *text, const unsigned char *bytes, size_t length, unsigned width)
{
    char shown[KEY_TEXT_SIZE];
    show_make(shown, bytes, length);
    unsigned characters = show_characters(shown, strlen(shown));
    text_printf(text, "%s%*s", shown, characters < width ? (int)(width - characters) : 0, "");
}

/* ---- arrays ------------------------------------------------------------------------------------
 */

struct show_mark {
    char symbol;
    const char *escape;
};

static struct show_mark show_mark_of(const struct trace *trace, uint64_t position,
                                     const struct trace_key *key, bool taken_out)
{
    static const struct show_mark zero = {'.', "\033[0;2m"}, one = {'1', "\033[0m"};
    static const struct show_mark fresh = {'#', "\033[0;1;32m"}, again = {'=', "\033[0;1;33m"};
    static const struct show_mark cleared = {'-', "\033[0;1;31m"};
    bool set = trace_test(trace, position), touched = false, before = false;
    for (unsigned i = 0; key && i < trace->k; i++)
        if (key->position[i] == position) {
            touched = true;
            before = key->set[i];
        }
    if (touched && taken_out)
        return set ? again : cleared;
    if (touched)
        return before ? again : fresh;
    return set ? one : zero;
}

static void show_row(struct text *text, const struct show_style *style, const struct trace *trace,
                     uint64_t first, unsigned groups, const struct trace_key *key, bool taken_out)
{
    const uint64_t m = trace->bits.layout.m;
    const char *escape = "";
    text_printf(text, "%*s%*" PRIu64 " ", SHOW_INDENT, "", (int)text_decimal_digits(m - 1), first);
    for (unsigned i = 0; i < groups * SHOW_GROUP && first + i < m; i++) {
        struct show_mark mark = show_mark_of(trace, first + i, key, taken_out);
        if (i % SHOW_GROUP == 0)
            text_add(text, " ", 1);
        if (style->colour && strcmp(mark.escape, escape) != 0)
            text_printf(text, "%s", escape = mark.escape);
        text_add(text, &mark.symbol, 1);
    }
    text_printf(text, style->colour ? "\033[0m\n" : "\n");
}

/* The first row after `row` that holds a position of the key; UINT64_MAX: there is none. */
static uint64_t show_next_row(const struct trace *trace, const struct trace_key *key,
                              uint64_t per_row, uint64_t after)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < trace->k; i++) {
        uint64_t row = key->position[i] / per_row;
        if ((after == UINT64_MAX || row > after) && row < next)
            next = row;
    }
    return next;
}

void show_array(struct text *text, const struct show_style *style, const struct trace *trace,
                const struct trace_key *key, bool taken_out)
{
    const uint64_t m = trace->bits.layout.m;
    unsigned before = SHOW_INDENT + text_decimal_digits(m - 1) + 1;
    unsigned groups = style->columns > before ? (style->columns - before) / (SHOW_GROUP + 1) : 1;
    groups = groups > SHOW_GROUPS_MAX ? SHOW_GROUPS_MAX : groups;
    while (groups & (groups - 1))
        groups &= groups - 1; /* a power of two: round numbers begin the lines */
    groups = groups ? groups : 1;
    const uint64_t per_row = groups * SHOW_GROUP;
    if (m <= SHOW_WHOLE_MAX) {
        for (uint64_t first = 0; first < m; first += per_row)
            show_row(text, style, trace, first, groups, key, taken_out);
        return;
    }
    for (uint64_t row = UINT64_MAX; key;) {
        row = show_next_row(trace, key, per_row, row);
        if (row == UINT64_MAX)
            return;
        show_row(text, style, trace, row * per_row, groups, key, taken_out);
    }
}

/* ---- answers -----------------------------------------------------------------------------------
 */

const char *show_place(const struct trace *trace)
{
    return trace_counts(trace) ? "counter" : "bit";
}

void show_positions(struct text *text, const struct trace *trace, const struct trace_key *key,
                    bool values)
{
    for (unsigned i = 0; i < trace->k; i++) {
        text_printf(text, "%s%" PRIu64, i ? " " : "", key->position[i]);
        if (values)
            text_printf(text, trace_counts(trace) ? "%s" : "=%s",
                        !trace_counts(trace) ? key->set[i] ? "1" : "0"
                        : key->set[i]        ? ">0"
                                             : "=0");
    }
}

static void show_present(struct text *text, const struct trace *trace, const struct trace_key *key)
{
    const char *place = show_place(trace), *value = trace_counts(trace) ? "above 0" : "1";
    if (trace->k == 1)
        text_printf(text, "%s %" PRIu64 " is %s", place, key->position[0], value);
    else
        text_printf(text, "all %u %ss are %s", trace->k, place, value);
    text_printf(text, ": probably, in fact %s",
                key->word == CONTENTS_NONE ? "a false positive" : "a member");
}

void show_reason(struct text *text, const struct trace *trace, const struct trace_key *key)
{
    unsigned i = 0;
    if (key->present) {
        show_present(text, trace, key);
        return;
    }
    while (i < trace->k && key->set[i])
        i++;
    text_printf(text, "%s %" PRIu64 " is 0: certainly not", show_place(trace), key->position[i]);
}

void show_percent(struct text *text, double rate)
{
    text_printf(text, rate >= 1e-4 || rate <= 0 ? "%.2f %%" : "%.3g %%", 100 * rate);
}
