/* SPDX-License-Identifier: MIT
 *
 * claims_draw.c: the plot family claims: claimed against found, a figure a source, a row a claim.
 *
 * A point is (found - claimed) / claimed of one number, on an axis that is linear below 0.01 % and
 * logarithmic beyond, so that exact numbers, errors of measurement and wrong factors are all seen.
 * Claims without a number have their verdict's mark alone.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/claims/claims.h"
#include "harness/plot/axes.h"
#include "harness/plot/family.h"
#include "harness/plot/figure.h"

enum { DRAW_COLUMNS = 4, DRAW_LABEL_MAX = 50, DRAW_FOUND_MAX = 58, DRAW_TITLE_MAX = 128 };
static const double draw_core = 1e-4; /* half of the linear part */

struct draw {
    struct frame claims, readings;
    int source, claim, claimed, measured, verdict;         /* columns of claims */
    int r_source, r_claim, r_claimed, r_value, r_lo, r_hi; /* of readings */
};

static enum status draw_read(struct draw *draw, const char *directory, struct error *err)
{
    enum status status = frame_read(&draw->claims, directory, "claims.csv", NULL, err);
    if (!status)
        status = frame_read(&draw->readings, directory, "readings.csv", NULL, err);
    if (status)
        return status;
    draw->source = frame_column(&draw->claims, "source");
    draw->claim = frame_column(&draw->claims, "claim");
    draw->claimed = frame_column(&draw->claims, "claimed");
    draw->measured = frame_column(&draw->claims, "measured");
    draw->verdict = frame_column(&draw->claims, "verdict");
    draw->r_source = frame_column(&draw->readings, "source");
    draw->r_claim = frame_column(&draw->readings, "claim");
    draw->r_claimed = frame_column(&draw->readings, "claimed");
    draw->r_value = frame_column(&draw->readings, "value");
    draw->r_lo = frame_column(&draw->readings, "lo");
    draw->r_hi = frame_column(&draw->readings, "hi");
    return OK;
}

static void draw_release(struct draw *draw)
{
    frame_release(&draw->claims);
    frame_release(&draw->readings);
}

/* Where a number stands on the axis; scripts/plot/claims.gp has the tics. */
static double draw_place(double value, double claimed)
{
    double off = value / claimed - 1;
    return copysign(log10(1 + fabs(off) / draw_core), off);
}

static int draw_verdict(const struct draw *draw, size_t row)
{
    int v = 0;
    while (v < CLAIM_EXTERNAL &&
           strcmp(frame_text(&draw->claims, row, draw->verdict), claim_verdict_name[v]) != 0)
        v++;
    return v;
}

/* At most `most` bytes, cut at a blank where there is one not too far back, and never inside a
 * character. */
static void draw_shorten(char *to, size_t size, const char *text, size_t most)
{
    size_t length = strlen(text) > most ? most - 1 : strlen(text), blank = length;
    while (text[length] && blank > most * 2 / 3 && text[blank] != ' ')
        blank--;
    if (text[length] && text[blank] == ' ')
        length = blank;
    while (length > 0 && (text[length] & 0xc0) == 0x80)
        length--;
    snprintf(to, size, "%.*s%s", (int)length, text, text[length] ? " …" : "");
}

/* ---- one figure ------------------------------------------------------------------------------ */

/* Rows of claims.csv first .. first + count - 1. */
struct draw_part {
    size_t first, count;
    const char *title;
};

static void draw_points(struct figure *figure, const struct draw *draw, size_t row, double y,
                        struct interval *reach)
{
    const struct frame *readings = &draw->readings;
    const char *source = frame_text(&draw->claims, row, draw->source);
    const char *claim = frame_text(&draw->claims, row, draw->claim);
    for (size_t r = 0; r < readings->rows; r++) {
        double claimed = frame_number(readings, r, draw->r_claimed);
        if (strcmp(frame_text(readings, r, draw->r_source), source) != 0 ||
            strcmp(frame_text(readings, r, draw->r_claim), claim) != 0 || isnan(claimed) ||
            claimed == 0)
            continue;
        const double values[DRAW_COLUMNS] = {
            draw_place(frame_number(readings, r, draw->r_value), claimed),
            y,
            draw_place(frame_number(readings, r, draw->r_lo), claimed),
            draw_place(frame_number(readings, r, draw->r_hi), claimed),
        };
        figure_row(figure, values, DRAW_COLUMNS);
        for (int i = 0; i < DRAW_COLUMNS; i++)
            if (i != 1 && values[i] < reach->lo)
                reach->lo = values[i];
            else if (i != 1 && values[i] > reach->hi)
                reach->hi = values[i];
    }
}

/* Sets 0 .. 4: points of each verdict; 5 .. 9: the rows of each verdict. */
static void draw_data(struct figure *figure, const struct draw *draw, const struct draw_part *part)
{
    struct interval reach = {0, 0};
    for (int set = 0; set < 2 * CLAIM_VERDICTS; set++) {
        for (size_t i = 0; i < part->count; i++) {
            double y = (double)(part->count - i);
            if (draw_verdict(draw, part->first + i) != set % CLAIM_VERDICTS)
                continue;
            if (set < CLAIM_VERDICTS)
                draw_points(figure, draw, part->first + i, y, &reach);
            else
                figure_row(figure, (const double[]){0, y}, 2);
        }
        figure_set_end(figure, DRAW_COLUMNS);
    }
    figure_number(figure, "near", reach.lo);
    figure_number(figure, "far", reach.hi);
}

static void draw_labels(struct figure *figure, const struct draw *draw,
                        const struct draw_part *part)
{
    unsigned rows = (unsigned)part->count;
    figure_array(figure, "row_claim", rows);
    figure_array(figure, "row_found", rows);
    for (unsigned i = 0; i < rows; i++) {
        char label[4 * DRAW_LABEL_MAX], found[4 * DRAW_FOUND_MAX], both[1024];
        size_t row = part->first + i;
        draw_shorten(label, sizeof label, frame_text(&draw->claims, row, draw->claim),
                     DRAW_LABEL_MAX);
        const char *claimed = frame_text(&draw->claims, row, draw->claimed);
        bool number = claimed[strcspn(claimed, "0123456789")] != '\0';
        snprintf(both, sizeof both, "%s%s%s", number ? claimed : "", number ? " | " : "",
                 frame_text(&draw->claims, row, draw->measured));
        draw_shorten(found, sizeof found, both, DRAW_FOUND_MAX);
        figure_element(figure, "row_claim", i + 1, label);
        figure_element(figure, "row_found", i + 1, found);
    }
}

static enum status draw_figure(const struct draw *draw, const struct run_data *run,
                               const struct draw_part *part, unsigned number, struct error *err)
{
    struct figure figure;
    char title[DRAW_TITLE_MAX];
    enhanced_escape(title, sizeof title, part->title);
    figure_open(
        &figure, run, "claims", number, title, FIGURE_TWO_COLUMNS_CM, false,
        "Left: the claim, with the mark of its verdict. Points: each of its numbers, found "
        "over claimed less 1, with 95 % intervals where it was measured (claims without a number "
        "have none); the axis is linear within 0.01 %. Right: claimed | found, cut short; whole in "
        "claims.csv.");
    figure_number(&figure, "claim_rows", (double)part->count);
    figure_number(&figure, "rows", 1);
    figure_number(&figure, "columns", 1);
    figure_number(&figure, "panels", 1);
    figure_array(&figure, "verdict_name", CLAIM_VERDICTS);
    for (unsigned v = 0; v < CLAIM_VERDICTS; v++)
        figure_element(&figure, "verdict_name", v + 1, claim_verdict_name[v]);
    draw_labels(&figure, draw, part);
    draw_data(&figure, draw, part);
    enum status status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

/* Rows of one claim_source follow one another in claims.csv. */
static const struct claim_source *draw_source(const struct draw *draw, size_t row)
{
    for (size_t s = 0; s < claim_sources; s++)
        for (size_t c = 0; c < claim_table[s]->count; c++)
            if (strcmp(claim_table[s]->name, frame_text(&draw->claims, row, draw->source)) == 0 &&
                strcmp(claim_table[s]->claims[c].name,
                       frame_text(&draw->claims, row, draw->claim)) == 0)
                return claim_table[s];
    return NULL;
}

static enum status claims_draw(const struct run_data *run, struct error *err)
{
    struct draw draw = {0};
    unsigned number = 0;
    if (run->kind != RUN_CLAIMS)
        return OK;
    enum status status = draw_read(&draw, run->directory, err);
    for (size_t row = 0; !status && row < draw.claims.rows;) {
        const struct claim_source *source = draw_source(&draw, row);
        struct draw_part part = {row, 1, source ? source->title : "other claims"};
        while (row + part.count < draw.claims.rows &&
               draw_source(&draw, row + part.count) == source)
            part.count++;
        status = draw_figure(&draw, run, &part, ++number, err);
        row += part.count;
    }
    draw_release(&draw);
    return status;
}

/* A number of claims goes before each. */
static const char *const claim_words[CLAIM_VERDICTS] = {
    [CLAIM_REPRODUCED] = "are reproduced in every digit",
    [CLAIM_WITHIN_ERROR] = "hold within the error of a measurement",
    [CLAIM_AMBIGUOUS] = "are ambiguous",
    [CLAIM_REFUTED] = "are refuted",
    [CLAIM_EXTERNAL] = "are external: nothing here can tell",
};

static void claims_answer(const struct run_data *run, struct text *out)
{
    int column = frame_column(&run->table, "verdict");
    if (run->kind != RUN_CLAIMS || run->table.rows == 0)
        return;
    text_printf(out, "Of %zu claims", run->table.rows);
    for (int v = 0; v < CLAIM_VERDICTS; v++) {
        size_t count = 0;
        for (size_t r = 0; r < run->table.rows; r++)
            count += strcmp(frame_text(&run->table, r, column), claim_verdict_name[v]) == 0;
        text_printf(out, "%s %zu %s", v ? "," : "", count, claim_words[v]);
    }
    text_printf(out, ".");
}

const struct plot_family plot_claims = {
    .name = "claims",
    .summary = "claimed against found: found / claimed - 1 of every number, source by source",
    .kind = RUN_CLAIMS,
    .draw = claims_draw,
    .answer = claims_answer,
};
