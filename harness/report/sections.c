/* SPDX-License-Identifier: MIT */
#include "harness/report/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/json.h"
#include "harness/report/html.h"

void section_verdicts(struct text *page, const struct run_data *run)
{
    static const char *const names[] = {"PASS", "WEAK", "WARN", "FAIL"};
    static const char *const meanings[] = {
        "nothing found, and a difference of 25 % would have been",
        "nothing found, but few queries: a difference of 25 % could have escaped",
        "something is unlikely (P < 0.001), or a flag calls for care",
        "measured and expected differ (P < 0.000001) by more than 2 %",
    };
    size_t count[4] = {0}, all = 0;
    for (size_t c = 0; c < run->count; c++)
        for (int v = 0; v < 4; v++)
            if (strcmp(run->cells[c].verdict, names[v]) == 0) {
                count[v]++;
                all++;
            }
    if (all == 0)
        return;
    text_printf(page, "<h2>Verdicts</h2>\n<div class=\"scroll\"><table>\n");
    for (int v = 0; v < 4; v++)
        text_printf(page,
                    "<tr><td class=\"%s\">%s</td><td class=\"number\">%zu</td>"
                    "<td class=\"wide\">%s</td></tr>\n",
                    count[v] ? names[v] : "", names[v], count[v], meanings[v]);
    text_printf(page, "</table></div>\n");
}

/* The columns of cells.csv that the page shows: first, those that differ between cells. */
static const char *const cell_axes[] = {"filter",      "params",    "hash", "family",
                                        "digest_bits", "reduction", "keys", "m",
                                        "m_actual",    "n",         "k",    "bits_per_key"};
static const char *const cell_results[] = {
    "trials",    "queries_per_trial", "false_positives", "fpr",   "fpr_lo",   "fpr_hi",
    "fpr_exact", "fpr_model",         "fpr_scheme",      "ratio", "ratio_lo", "ratio_hi",
    "fill",      "verdict",           "explained_by",    "flags"};
enum {
    CELL_AXES = sizeof cell_axes / sizeof cell_axes[0],
    CELL_RESULTS = sizeof cell_results / sizeof cell_results[0],
};

/* Is the column the same in every row? */
static bool column_constant(const struct frame *table, int column)
{
    for (size_t r = 1; r < table->rows; r++)
        if (strcmp(frame_text(table, r, column), frame_text(table, 0, column)) != 0)
            return false;
    return true;
}

static bool column_empty(const struct frame *table, int column)
{
    return column < 0 || (column_constant(table, column) && !*frame_text(table, 0, column));
}

static unsigned cells_columns(int *columns, const struct frame *table)
{
    unsigned count = 0;
    for (int i = 0; i < CELL_AXES; i++) {
        int column = frame_column(table, cell_axes[i]);
        if (!column_empty(table, column) && (table->rows == 1 || !column_constant(table, column)))
            columns[count++] = column;
    }
    for (int i = 0; i < CELL_RESULTS; i++) {
        int column = frame_column(table, cell_results[i]);
        if (!column_empty(table, column))
            columns[count++] = column;
    }
    return count;
}

static void cells_field(struct text *page, const char *name, const char *field)
{
    if (strcmp(name, "verdict") == 0)
        text_printf(page, "<td class=\"%s\">",
                    strcmp(field, "FAIL") == 0 || strcmp(field, "WARN") == 0 ? field : "");
    else
        text_printf(page, "<td%s>", isnan(number_of(field)) ? "" : " class=\"number\"");
    html_text(page, field);
    text_printf(page, "</td>");
}

/* What all cells have in common, said once. */
static void cells_common(struct text *page, const struct frame *table)
{
    bool any = false;
    for (int i = 0; table->rows > 1 && i < CELL_AXES; i++) {
        int column = frame_column(table, cell_axes[i]);
        if (column_empty(table, column) || !column_constant(table, column))
            continue;
        text_printf(page, "%s%s ", any ? "; " : "<p class=\"note\">All cells: ", cell_axes[i]);
        html_text(page, frame_text(table, 0, column));
        any = true;
    }
    if (any)
        text_printf(page, ".</p>\n");
}

void section_cells(struct text *page, const struct run_data *run)
{
    int columns[CELL_AXES + CELL_RESULTS];
    const struct frame *table = &run->table;
    unsigned count = table->rows ? cells_columns(columns, table) : 0;
    size_t rows = table->rows < SECTION_ROWS_MAX ? table->rows : SECTION_ROWS_MAX;
    text_printf(page, "<h2>Cells</h2>\n<p class=\"note\">");
    if (rows < table->rows)
        text_printf(page, "The first %zu of %zu rows of ", rows, table->rows);
    else
        text_printf(page, "%zu rows of ", rows);
    text_printf(
        page, "<a href=\"cells.csv\">cells.csv</a>. More in <a href=\"trials.csv\">trials.csv</a>, "
              "<a href=\"estimates.csv\">estimates.csv</a>, "
              "<a href=\"measures.csv\">measures.csv</a>.</p>\n");
    cells_common(page, table);
    if (count == 0)
        return;
    text_printf(page, "<div class=\"scroll\"><table>\n<tr>");
    for (unsigned i = 0; i < count; i++)
        html_element(page, "th", table->names[columns[i]]);
    text_printf(page, "</tr>\n");
    for (size_t r = 0; r < rows; r++) {
        text_printf(page, "<tr>");
        for (unsigned i = 0; i < count; i++)
            cells_field(page, table->names[columns[i]], frame_text(table, r, columns[i]));
        text_printf(page, "</tr>\n");
    }
    text_printf(page, "</table></div>\n");
}

/* What the page shows of a claim below the name of its source, in this order. */
static const char *const claims_columns[] = {"claim",    "verdict",  "claimed",
                                             "measured", "interval", "how"};
enum { CLAIMS_COLUMNS = sizeof claims_columns / sizeof claims_columns[0] };

static void claims_row(struct text *page, const struct frame *table, size_t row)
{
    text_printf(page, "<tr>");
    for (int c = 0; c < CLAIMS_COLUMNS; c++) {
        const char *field = frame_text(table, row, frame_column(table, claims_columns[c]));
        const char *tag = strlen(field) > 24 ? "td class=\"wide\"" : "td";
        html_element(page, strcmp(field, "refuted") == 0 ? "td class=\"WARN\"" : tag, field);
    }
    text_printf(page, "</tr>\n");
}

static void claims_rows(struct text *page, const struct frame *table)
{
    int source = frame_column(table, "source");
    text_printf(page, "<div class=\"scroll\"><table>\n<tr>");
    for (int c = 0; c < CLAIMS_COLUMNS; c++)
        html_element(page, "th", claims_columns[c]);
    text_printf(page, "</tr>\n");
    for (size_t r = 0; r < table->rows; r++) {
        const char *name = frame_text(table, r, source);
        if (r == 0 || strcmp(name, frame_text(table, r - 1, source)) != 0) {
            text_printf(page, "<tr><th colspan=\"%d\">", CLAIMS_COLUMNS);
            html_text(page, name);
            text_printf(page, "</th></tr>\n");
        }
        claims_row(page, table, r);
    }
    text_printf(page, "</table></div>\n");
}

void section_claims(struct text *page, const struct run_data *run)
{
    struct frame timings;
    html_element(page, "h2", "Every claim");
    text_printf(page,
                "<p class=\"note\">From <a href=\"claims.csv\">claims.csv</a>. Every number of "
                "them: <a href=\"readings.csv\">readings.csv</a>; to read: <a "
                "href=\"claims.md\">claims.md</a>; the experiments stand in sweeps/.</p>\n");
    claims_rows(page, &run->table);
    if (frame_read(&timings, run->directory, "timings.csv", NULL, NULL) != OK)
        return;
    html_element(page, "h2", "Claims on times");
    text_printf(page, "<p class=\"note\">On this machine; no two runs find the same. <a "
                      "href=\"timings.csv\">timings.csv</a></p>\n");
    claims_rows(page, &timings);
    frame_release(&timings);
}

void section_times(struct text *page)
{
    text_printf(page, "<h2>Times</h2>\n<p class=\"note\">All of them are in "
                      "<a href=\"timings.csv\">timings.csv</a>.</p>\n");
}

void section_skipped(struct text *page, const struct run_data *run)
{
    static const char *const wanted[] = {"reason", NULL};
    struct frame frame;
    if (frame_read(&frame, run->directory, "skipped.csv", wanted, NULL) != OK)
        return;
    if (frame.rows)
        text_printf(
            page,
            "<h2>Skipped</h2>\n<p class=\"note\">%zu combinations of the grid cannot be run: <a "
            "href=\"skipped.csv\">skipped.csv</a>.</p>\n<ul>\n",
            frame.rows);
    for (size_t r = 0, shown = 0; r < frame.rows && shown < 20; r++) {
        const char *reason = frame_text(&frame, r, 0);
        if (r && strcmp(reason, frame_text(&frame, r - 1, 0)) == 0)
            continue;
        html_element(page, "li", reason);
        shown++;
    }
    if (frame.rows)
        text_printf(page, "</ul>\n");
    frame_release(&frame);
}

static void provenance_take(void *context, const char *key, const char *value)
{
    struct text *page = context;
    if (strcmp(key, "yaml") == 0 || strcmp(key, "experiment") == 0 ||
        strcmp(key, "question") == 0 || !*value)
        return;
    html_element(page, "dt", key);
    html_element(page, "dd", value);
}

void section_provenance(struct text *page, const struct run_data *run)
{
    char *yaml = run_data_provenance(run, "yaml");
    text_printf(page, "<h2>Provenance</h2>\n<dl>\n");
    json_each(run->provenance, provenance_take, page);
    text_printf(page, "</dl>\n");
    if (yaml && *yaml) {
        text_printf(page, "<details>\n<summary>The experiment</summary>\n<pre>");
        html_text(page, yaml);
        text_printf(page, "</pre>\n</details>\n");
    }
    free(yaml);
}

void section_citation(struct text *page, const struct run_data *run)
{
    static const struct {
        const char *word, *table, *again;
    } kinds[RUN_KINDS] = {
        [RUN_SWEEP] = {"experiment", "cells.csv",
                       "The same commit, experiment and seed give the same tables, byte for byte, "
                       "on any machine."},
        [RUN_CLAIMS] = {"table", "claims.csv",
                        "The same commit gives the same claims.csv and readings.csv, byte for "
                        "byte, on any machine."},
        [RUN_BENCH] = {"benchmark", "timings.csv",
                       "Times are those of one run on one machine: no other run has the same."},
    };
    char *sums = run_data_provenance(run, "sha256"),
         *finished = run_data_provenance(run, "finished");
    struct text sum = {0};
    text_printf(page, "<h2>How to cite</h2>\n<p>bloomlab%s", *run->commit ? ", commit " : "");
    html_text(page, run->commit);
    text_printf(page, "; %s <i>", kinds[run->kind].word);
    html_text(page, run->name);
    text_printf(page, "</i>%s", *run->seed ? ", seed " : "");
    html_text(page, run->seed);
    if (finished && strlen(finished) >= 10)
        text_printf(page, ", run on %.10s", finished);
    if (sums && json_member(&sum, sums, kinds[run->kind].table) && sum.data) {
        text_printf(page, "; SHA-256 of %s <span class=\"mono\">", kinds[run->kind].table);
        html_text(page, sum.data);
        text_printf(page, "</span>");
    }
    text_printf(page, ".</p>\n<p class=\"note\">%s CITATION.cff names the program.</p>\n",
                kinds[run->kind].again);
    text_release(&sum);
    free(finished);
    free(sums);
}
