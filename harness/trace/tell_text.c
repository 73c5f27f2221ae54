/* SPDX-License-Identifier: MIT
 *
 * tell_text.c: a trace told to a reader.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/trace/story.h"

static void text_word(struct story *story, uint64_t word, unsigned width)
{
    size_t length;
    const unsigned char *bytes = trace_word(story->trace, word, &length);
    show_word(story->text, bytes, length, width);
}

static const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- the filter --------------------------------------------------------------------------------
 */

static void text_hash(struct story *story)
{
    const struct digest_family *family = &story->trace->spec.family;
    text_printf(story->text, "%s%s%s, %s, seed %" PRIu64 ", positions by %s%s\n",
                family->hash->name, family->second ? " and " : "",
                family->second ? family->second->name : "", family_name(family->family),
                family->hash_seed, reduction_name(story->trace->bits.layout.params.reduction),
                story->trace->spec.is_signed ? " of signed hashes" : "");
}

static void text_open(struct story *story)
{
    const struct trace *trace = story->trace;
    const struct layout *layout = &trace->bits.layout;
    char own[256];
    filter_params_format(&layout->params, trace->spec.ops, own, sizeof own);
    text_printf(story->text, "%s%s%s%s: m = %" PRIu64 " %ss, k = %u positions a word\n",
                trace->spec.ops->name, *own ? " (" : "", own, *own ? ")" : "", layout->m,
                show_place(trace), layout->k);
    if (layout->m != layout->params.m)
        text_printf(story->text, "(m = %" PRIu64 " was asked for)\n", layout->params.m);
    text_hash(story);
    text_printf(story->text,
                "\nInserting %" PRIu64 " word%s   . 0   1 %s   # set by this word   "
                "= set before\n",
                trace->words.count, text_plural(trace->words.count),
                trace_counts(trace) ? "above 0" : "set");
    if (layout->m > SHOW_WHOLE_MAX)
        text_printf(story->text, "(of more than %" PRIu64 " %ss only the lines a word touches)\n",
                    SHOW_WHOLE_MAX, show_place(trace));
}

static void text_hashes(struct text *line, const struct trace *trace, const struct trace_key *key)
{
    int digits = (int)(trace->spec.family.digest_bits + 3) / 4;
    for (unsigned i = 0; i < trace->columns; i++) {
        text_printf(line, trace->columns > 1 ? "%sh%u " : "%sh ", i ? "  " : "", i + 1);
        if (trace->spec.is_signed)
            text_printf(line, "%" PRId32, (int32_t)(uint32_t)key->hash[i]);
        else
            text_printf(line, "%0*" PRIx64, digits, key->hash[i]);
    }
}

static unsigned text_fresh(const struct trace *trace, const struct trace_key *key)
{
    unsigned fresh = 0;
    for (unsigned i = 0; i < trace->k; i++) {
        bool twice = false;
        for (unsigned j = 0; j < i; j++)
            twice |= key->position[j] == key->position[i];
        fresh += !key->set[i] && !twice;
    }
    return fresh;
}

/* Puts the line into the text, broken at blanks so that it fits; what follows is indented. */
static void text_wrapped(struct story *story, const char *line)
{
    unsigned column = 0;
    while (*line) {
        size_t blanks = strspn(line, " "), size = strcspn(line + blanks, " ");
        unsigned width = show_characters(line, blanks + size);
        if (column && column + width > story->style.columns) {
            text_printf(story->text, "\n      ");
            column = 6;
            line += blanks;
            continue;
        }
        text_add(story->text, line, blanks + size);
        column += width;
        line += blanks + size;
    }
    text_add(story->text, "\n", 1);
}

static void text_inserted(struct story *story, const struct trace_key *key)
{
    const struct trace *trace = story->trace;
    const struct filter *filter = &trace->bits.filter;
    struct text line = {0};
    text_printf(&line, "%4u ", story->step);
    show_word(&line, key->bytes, key->length, story->word_width);
    text_printf(&line, "  ");
    text_hashes(&line, trace, key);
    text_printf(&line, "  %ss ", show_place(trace));
    show_positions(&line, trace, key, false);
    text_wrapped(story, line.data ? line.data : "");
    text_release(&line);
    show_array(story->text, &story->style, trace, key, false);
    text_printf(story->text, "     %" PRIu64 " of %" PRIu64 " %s, %u by this word\n",
                filter->ops->count_bits(filter), filter->layout->m,
                trace_counts(trace) ? "above 0" : "set", text_fresh(trace, key));
}

/* ---- figures -----------------------------------------------------------------------------------
 */

/* "  name      " of one line; what follows is in one column. */
static void text_label(struct story *story, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void text_label(struct story *story, const char *format, ...)
{
    char label[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    text_printf(story->text, "  %-44s ", label);
}

static void text_rate(struct story *story, const char *name, double rate, double se)
{
    if (isnan(rate))
        return;
    text_label(story, "%s", name);
    show_percent(story->text, rate);
    if (se > 0) {
        text_printf(story->text, ", standard error ");
        show_percent(story->text, se);
    }
    text_printf(story->text, "\n");
}

static void text_measured(struct story *story, const struct trace_rate *rate)
{
    if (!rate->queries)
        return;
    text_label(story, "measured over \"%" PRIu64 "\" to \"%" PRIu64 "\"", story->first,
               story->last);
    text_printf(story->text, "%" PRIu64 " of %" PRIu64 " (", rate->hits, rate->queries);
    show_percent(story->text, (double)rate->hits / (double)rate->queries);
    text_printf(story->text, ")");
    if (rate->left_out)
        text_printf(story->text, "; %" PRIu64 " left out: a word inserted", rate->left_out);
    text_printf(story->text, "\n");
}

static void text_figures(struct story *story, const struct trace_figures *figures)
{
    const struct trace *trace = story->trace;
    const char *place = show_place(trace);
    const uint64_t m = trace->bits.layout.m;
    text_printf(story->text, "\nThe filter\n");
    text_label(story, "%ss %s", place, trace_counts(trace) ? "above 0" : "set");
    text_printf(story->text, "%" PRIu64 " of %" PRIu64 " (", figures->bits_set, m);
    show_percent(story->text, (double)figures->bits_set / (double)m);
    text_printf(story->text, ")\n");
    text_label(story, "%ss a word, m/n", place);
    text_printf(story->text, "%.2f\n", figures->bits_per_word);
    text_label(story, "best k by the standard formula, (m/n) ln 2");
    text_printf(story->text, "%.2f\n", figures->optimal_k);
    text_rate(story, "standard estimate, (1 - e^(-kn/m))^k", figures->standard, 0);
    text_rate(story, "estimate from what is set, (X/m)^k", figures->bits, 0);
    text_rate(story, "exact, of this filter for ideal hashes", figures->scheme.value,
              figures->scheme.se);
    text_rate(story, "mean of all such filters", figures->model.fpr, figures->model.se);
    text_measured(story, &figures->rate);
}

/* ---- queries and removals ----------------------------------------------------------------------
 */

static void text_asked(struct story *story, const struct trace_key *key)
{
    text_printf(story->text, "\n%4u asking for ", story->step);
    show_word(story->text, key->bytes, key->length, 0);
    text_printf(story->text, ": %ss ", show_place(story->trace));
    show_positions(story->text, story->trace, key, true);
    text_printf(story->text, "\n     ");
    show_reason(story->text, story->trace, key);
    text_printf(story->text, "\n");
}

/* Whom it would lose, on one line. */
static void text_would_lose(struct story *story, const struct trace_removal *removal)
{
    if (removal->word == 0)
        text_printf(story->text, "\nWhom the removal of each word alone would lose%s\n",
                    removal->counters ? ", with a counter in place of each bit" : "");
    text_printf(story->text, "     ");
    text_word(story, removal->word, story->word_width);
    text_printf(story->text, "  %s", removal->count ? "" : "nobody");
    for (uint64_t i = 0; i < removal->count; i++) {
        text_printf(story->text, i ? ", " : "");
        text_word(story, removal->lost[i], 0);
    }
    text_printf(story->text, "\n");
}

static void text_losses(struct story *story, const struct trace_removal *removal)
{
    struct trace_key key;
    for (uint64_t i = 0; i < removal->count; i++) {
        size_t length;
        struct error ignored;
        const unsigned char *bytes = trace_word(story->trace, removal->lost[i], &length);
        text_printf(story->text, "     lost: ");
        text_word(story, removal->lost[i], 0);
        if (!removal->counters && trace_look(story->trace, &key, bytes, length, &ignored) == OK) {
            text_printf(story->text, ", though inserted: ");
            show_reason(story->text, story->trace, &key);
        }
        text_printf(story->text, "\n");
    }
    text_printf(story->text, "     %" PRIu64 " of the other %" PRIu64 " word%s %s lost\n",
                removal->count, removal->others, text_plural(removal->others),
                removal->count == 1 ? "is" : "are");
}

/* What is left in the counters of a key that was taken out. */
static void text_left(struct story *story, const struct trace_key *key, bool counters)
{
    const struct trace *trace = story->trace;
    const struct filter *filter = counters ? &trace->counters.filter : &trace->bits.filter;
    for (unsigned i = 0; i < trace->k; i++)
        text_printf(story->text, " %" PRIu64 "%s", key->position[i],
                    filter->ops->test(filter, key->position[i]) ? ">0" : "=0");
}

static void text_removal(struct story *story, const struct trace_removal *removal,
                         const struct trace_key *key)
{
    if (!removal->taken_out) {
        text_would_lose(story, removal);
        return;
    }
    bool counted = removal->counters || trace_counts(story->trace);
    text_printf(story->text, "\n%4u removing ", story->step);
    text_word(story, removal->word, 0);
    if (counted) {
        text_printf(story->text, " by counting down, which leaves");
        text_left(story, key, removal->counters);
    } else {
        text_printf(story->text, " by clearing bits ");
        show_positions(story->text, story->trace, key, false);
    }
    text_printf(story->text, "\n");
    if (!removal->counters)
        show_array(story->text, &story->style, story->trace, key, true);
    text_losses(story, removal);
    if (trace_has(story->trace, removal->counters, removal->word))
        text_printf(story->text, "     it is found as before: other words keep its counters up\n");
}

static void text_harm(struct story *story, bool counters, uint64_t harmful)
{
    const uint64_t words = story->trace->words.count;
    if (harmful == UINT64_MAX)
        text_printf(story->text,
                    "\nWhom each removal would lose is not told: %" PRIu64 " words of %" PRIu64
                    " bytes are too much to try\n",
                    words, story->trace->bits.layout.bytes);
    else
        text_printf(story->text, "     %" PRIu64 " of %" PRIu64 " removals lose%s another word\n",
                    harmful, words, harmful == 1 ? "s" : "");
    (void)counters;
}

const struct teller teller_text = {
    .open = text_open,
    .inserted = text_inserted,
    .figures = text_figures,
    .asked = text_asked,
    .removal = text_removal,
    .harm = text_harm,
};
