/* SPDX-License-Identifier: MIT
 *
 * tell_csv.c: a trace as a table (RFC 4180), a row for everything that happens. Columns:
 *
 *   step       from 1; empty for figures and would_lose
 *   action     insert, query, would_lose, remove, lost; with "_counters" of the twin; figure
 *   word       the key; the name of a figure
 *   other      would_lose, lost: the word that is lost (would_lose: empty when nobody is)
 *   hashes     the digests: hexadecimal, or signed numbers
 *   positions  of the key's bits
 *   changed    those of them that were set, or cleared
 *   bits_set   afterwards
 *   answer     query: present, absent
 *   value      of a figure
 *   reason     of an answer
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/trace/story.h"

enum { CSV_COLUMNS = 11 };

static void csv_open(struct story *story)
{
    static const char header[] =
        "step,action,word,other,hashes,positions,changed,bits_set,answer,value,reason\n";
    text_add(story->text, header, sizeof header - 1);
}

/* Bytes as they are; a NUL, which no field of text holds, ends it. */
static void csv_bytes(struct story *story, const unsigned char *bytes, size_t length)
{
    struct text copy = {0};
    text_add(&copy, (const char *)bytes, length);
    field_string(story->text, length && copy.data ? copy.data : "");
    story->text->failed |= copy.failed;
    text_release(&copy);
}

static void csv_word(struct story *story, uint64_t word)
{
    size_t length;
    const unsigned char *bytes = trace_word(story->trace, word, &length);
    csv_bytes(story, bytes, length);
}

static void csv_start(struct story *story, bool step, const char *action, bool counters)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", action, counters ? "_counters" : "");
    field_axis(story->text, step, story->step);
    field_string(story->text, name);
}

static void csv_hashes(struct story *story, const struct trace_key *key)
{
    struct text list = {0};
    const struct trace *trace = story->trace;
    int digits = (int)(trace->spec.family.digest_bits + 3) / 4;
    for (unsigned i = 0; i < trace->columns; i++)
        if (trace->spec.is_signed)
            text_printf(&list, "%s%" PRId32, i ? " " : "", (int32_t)(uint32_t)key->hash[i]);
        else
            text_printf(&list, "%s%0*" PRIx64, i ? " " : "", digits, key->hash[i]);
    field_string(story->text, list.data ? list.data : "");
    text_release(&list);
}

static void csv_positions(struct story *story, const struct trace_key *key)
{
    struct text list = {0};
    show_positions(&list, story->trace, key, false);
    field_string(story->text, list.data ? list.data : "");
    text_release(&list);
}

/* Positions whose value is not what it was before. */
static void csv_changed(struct story *story, const struct trace_key *key)
{
    struct text list = {0};
    for (unsigned i = 0; i < story->trace->k; i++) {
        bool twice = false;
        for (unsigned j = 0; j < i; j++)
            twice |= key->position[j] == key->position[i];
        if (!twice && trace_test(story->trace, key->position[i]) != key->set[i])
            text_printf(&list, "%s%" PRIu64, list.size ? " " : "", key->position[i]);
    }
    field_string(story->text, list.data ? list.data : "");
    text_release(&list);
}

static void csv_bits_set(struct story *story)
{
    const struct filter *filter = &story->trace->bits.filter;
    field_count(story->text, filter->ops->count_bits(filter));
}

/* Empty fields up to the end of the row. */
static void csv_end(struct story *story, unsigned written)
{
    for (; written < CSV_COLUMNS; written++)
        field_empty(story->text);
    row_end(story->text);
}

static void csv_inserted(struct story *story, const struct trace_key *key)
{
    csv_start(story, true, "insert", false);
    csv_bytes(story, key->bytes, key->length);
    field_empty(story->text);
    csv_hashes(story, key);
    csv_positions(story, key);
    csv_changed(story, key);
    csv_bits_set(story);
    csv_end(story, 8);
}

static void csv_asked(struct story *story, const struct trace_key *key)
{
    struct text reason = {0};
    csv_start(story, true, "query", false);
    csv_bytes(story, key->bytes, key->length);
    field_empty(story->text);
    csv_hashes(story, key);
    csv_positions(story, key);
    field_empty(story->text);
    csv_bits_set(story);
    field_string(story->text, key->present ? "present" : "absent");
    field_empty(story->text);
    show_reason(&reason, story->trace, key);
    field_string(story->text, reason.data ? reason.data : "");
    text_release(&reason);
    csv_end(story, 11);
}

static void csv_figure(struct story *story, const char *name, double value)
{
    if (isnan(value))
        return;
    field_empty(story->text);
    field_string(story->text, "figure");
    field_string(story->text, name);
    for (unsigned i = 3; i < 9; i++)
        field_empty(story->text);
    field_real(story->text, value, 6);
    csv_end(story, 10);
}

static void csv_figures(struct story *story, const struct trace_figures *figures)
{
    const struct trace_rate *rate = &figures->rate;
    const double m = (double)story->trace->bits.layout.m;
    csv_figure(story, "m", m);
    csv_figure(story, "k", story->trace->k);
    csv_figure(story, "n", (double)story->trace->words.count);
    csv_figure(story, "bits_set", (double)figures->bits_set);
    csv_figure(story, "fill", (double)figures->bits_set / m);
    csv_figure(story, "bits_per_word", figures->bits_per_word);
    csv_figure(story, "optimal_k", figures->optimal_k);
    csv_figure(story, "fpr_standard", figures->standard);
    csv_figure(story, "fpr_bits", figures->bits);
    csv_figure(story, "fpr_scheme", figures->scheme.value);
    csv_figure(story, "fpr_model", figures->model.fpr);
    csv_figure(story, "queries", (double)rate->queries);
    csv_figure(story, "queries_left_out", (double)rate->left_out);
    csv_figure(story, "false_positives", (double)rate->hits);
    csv_figure(story, "fpr", rate->queries ? (double)rate->hits / (double)rate->queries : NAN);
}

static void csv_lost(struct story *story, const struct trace_removal *removal)
{
    const char *action = removal->taken_out ? "lost" : "would_lose";
    bool nobody = removal->count == 0 && !removal->taken_out;
    for (uint64_t i = 0; i < removal->count + nobody; i++) {
        csv_start(story, removal->taken_out, action, removal->counters);
        csv_word(story, removal->word);
        if (nobody)
            field_empty(story->text);
        else
            csv_word(story, removal->lost[i]);
        csv_end(story, 4);
    }
}

static void csv_removal(struct story *story, const struct trace_removal *removal,
                        const struct trace_key *key)
{
    if (removal->taken_out) {
        csv_start(story, true, "remove", removal->counters);
        csv_word(story, removal->word);
        field_empty(story->text);
        csv_hashes(story, key);
        csv_positions(story, key);
        if (removal->counters)
            csv_end(story, 6);
    }
    if (removal->taken_out && !removal->counters) {
        csv_changed(story, key);
        csv_bits_set(story);
        csv_end(story, 8);
    }
    csv_lost(story, removal);
}

static void csv_harm(struct story *story, bool counters, uint64_t harmful)
{
    if (harmful != UINT64_MAX)
        csv_figure(story, counters ? "harmful_removals_counters" : "harmful_removals",
                   (double)harmful);
}

const struct teller teller_csv = {
    .open = csv_open,
    .inserted = csv_inserted,
    .figures = csv_figures,
    .asked = csv_asked,
    .removal = csv_removal,
    .harm = csv_harm,
};
