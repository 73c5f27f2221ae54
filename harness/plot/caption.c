/* SPDX-License-Identifier: MIT */
#include "harness/plot/caption.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* At the caption's 5.5 points a character of DejaVu Sans is 0.115 cm wide on average. */
static const double caption_character_cm = 0.116;

/* Adds "name value" when all cells have that value. */
static void caption_same(struct text *text, const struct run_data *run, const char *column,
                         const char *shown)
{
    int c = frame_column(&run->table, column);
    if (run->count == 0 || c < 0)
        return;
    const char *value = frame_text(&run->table, 0, c);
    for (size_t r = 1; r < run->count; r++)
        if (strcmp(frame_text(&run->table, r, c), value) != 0)
            return;
    if (*value)
        text_printf(text, "; %s%s%.60s", shown, *shown ? " " : "", value);
}

/* "; 30 trials", "; 1 trial a cell", "; 5 to 30 trials" */
static void caption_range(struct text *text, const struct run_data *run, const char *column,
                          const char *one, const char *several)
{
    double least = INFINITY, most = -INFINITY;
    int c = frame_column(&run->table, column);
    for (size_t r = 0; r < run->count; r++) {
        double value = frame_number(&run->table, r, c);
        if (!isnan(value)) {
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    if (most < least || most == 0)
        return;
    if (least == most)
        text_printf(text, "; %.10g %s", most, most == 1 ? one : several);
    else
        text_printf(text, "; %.10g to %.10g %s", least, most, several);
}

static bool caption_trials(const struct run_data *run)
{
    for (size_t c = 0; c < run->count; c++)
        if (run->cells[c].trials > 0)
            return true;
    return false;
}

/* How bars are to be read: only what the cells have. */
static void caption_intervals(struct text *text, const struct run_data *run)
{
    bool any = false, asked = false, many = false, zero = false;
    for (size_t c = 0; c < run->count; c++) {
        any = any || !isnan(run->cells[c].rate_lo);
        asked = asked || run->cells[c].queries > 0;
        many = many || run->cells[c].trials > 1;
        zero = zero || run->cells[c].zero_hits;
    }
    if (any)
        text_printf(text, " Bars: 95 %% intervals%s.", many ? " for the mean over filters" : "");
    if (zero)
        text_printf(text, " Arrows: upper limits where no query was a hit.");
    if (!asked && any)
        text_printf(text,
                    " No query was asked: the rate is fpr_scheme, computed from the filters.");
    if (many && !(run->experiment && run->experiment->independent))
        text_printf(text, " Trials of all cells share keys and hash seeds: neighbouring points are "
                          "correlated.");
}

static void caption_text(struct text *text, const struct run_data *run, const char *more,
                         bool rates)
{
    text_printf(text, "%s", run->name);
    if (run->count)
        text_printf(text, ": %zu cell%s", run->count, run->count == 1 ? "" : "s");
    caption_range(text, run, "trials", "trial", "trials");
    if (caption_trials(run))
        caption_range(text, run, "queries_per_trial", "query a trial", "queries a trial");
    caption_same(text, run, "filter", "");
    caption_same(text, run, "params", "");
    caption_same(text, run, "m", "m");
    caption_same(text, run, "n", "n");
    caption_same(text, run, "k", "k");
    caption_same(text, run, "hash", "");
    caption_same(text, run, "keys", "keys");
    caption_same(text, run, "reduction", "reduction");
    if (*run->seed)
        text_printf(text, "; seed %s", run->seed);
    if (*run->commit)
        text_printf(text, "; commit %.12s%s", run->commit,
                    strstr(run->commit, "+dirty") ? "+dirty" : "");
    text_printf(text, ".");
    if (rates)
        caption_intervals(text, run);
    if (*more)
        text_printf(text, " %s", more);
}

/* Up to `most` characters of text, cut at a blank where there is one. Returns what is left. */
static const char *caption_take(char *line, const char *text, size_t most)
{
    size_t size = strlen(text);
    if (size > most) {
        size = most;
        while (size > most / 2 && text[size] != ' ')
            size--;
        if (text[size] != ' ')
            size = most;
    }
    while (size > 0 && (text[size] & 0xc0) == 0x80) /* not inside a character */
        size--;
    snprintf(line, CAPTION_LINE_SIZE, "%.*s", (int)size, text);
    return text + size + strspn(text + size, " ");
}

void caption_make(struct caption *caption, const struct run_data *run, const char *more, bool rates,
                  double width_cm)
{
    struct text text = {0};
    size_t most = (size_t)(width_cm / caption_character_cm);
    if (most > CAPTION_LINE_SIZE - 4)
        most = CAPTION_LINE_SIZE - 4;
    caption->count = 0;
    caption_text(&text, run, more, rates);
    for (const char *rest = text.data; rest && *rest; caption->count++) {
        if (caption->count == CAPTION_LINES_MAX) {
            strcat(caption->line[--caption->count], "...");
            caption->count++;
            break;
        }
        rest = caption_take(caption->line[caption->count], rest, most);
    }
    text_release(&text);
}
