/* SPDX-License-Identifier: MIT
 *
 * hash_by_keys.c: every hash on every key set: how far the rate is from its model, and which of the
 * four tests of a cell says that it is no chance.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/judge/thresholds.h"
#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/plot/pages.h"

enum { HASHES_LABEL_MAX = 40, HASHES_FIGURES_MAX = 24 };
static const double hashes_clip = 1; /* the colours end at a factor of 10 */

/* The test with the least p of a cell that failed or warns: F, S, P, M; lower case for a warning;
 * '!' where a flag warns and no test does; ' ' for none. */
static char hashes_letter(const struct run_cell *cell)
{
    const double p[] = {cell->p_fill, cell->p_spread, cell->p_probe, cell->p_model};
    bool failed = strcmp(cell->verdict, "FAIL") == 0;
    int best = -1;
    if (!failed && strcmp(cell->verdict, "WARN") != 0)
        return ' ';
    for (int i = 0; i < 4; i++)
        if (p[i] * JUDGE_TESTS < JUDGE_WARN_P && (best < 0 || p[i] < p[best]))
            best = i;
    return best < 0 ? '!' : (failed ? "FSPM" : "fspm")[best];
}

static double hashes_ratio(const struct run_cell *cell)
{
    double model = cell->model > 0 ? cell->model : cell->exact;
    return model > 0 ? cell->rate / model : NAN;
}

static const char *hashes_letter_name(char letter)
{
    switch (letter) {
    case 'F':
    case 'f':
        return "fill";
    case 'S':
    case 's':
        return "spread";
    case 'P':
    case 'p':
        return "probe";
    case 'M':
    case 'm':
        return "model";
    default:
        return "flag";
    }
}

/* ---- the figure
 * -------------------------------------------------------------------------------------- */

/* Rows of the map: hash and family; columns: key sets; whatever else is free makes figures. */
static void hashes_lay_out(struct layout_axes *layout, const struct axes *axes)
{
    *layout = (struct layout_axes){.x = axes_find(axes, "keys"), .column = -1, .row = -1};
    for (unsigned a = 0; a < axes->count; a++) {
        const struct axis *axis = &axes->axis[a];
        if (strcmp(axis->name, "hash") == 0 || (strcmp(axis->name, "family") == 0 && axis->free))
            layout->series[layout->series_count++] = (int)a;
        else if (axis->free && (int)a != layout->x)
            layout->figures[layout->figure_count++] = (int)a;
    }
}

/* A name for a tic: at most HASHES_LABEL_MAX characters. */
static void hashes_name(struct figure *figure, const char *array, unsigned index, const char *name)
{
    char label[HASHES_LABEL_MAX + 4];
    snprintf(label, sizeof label, "%.*s%s", HASHES_LABEL_MAX, name,
             strlen(name) > HASHES_LABEL_MAX ? "..." : "");
    figure_element(figure, array, index, label);
}

static void hashes_rows(struct figure *figure, const struct pages *pages)
{
    const struct run_data *run = pages->axes->run;
    figure_number(figure, "hashes", pages->series_groups);
    figure_array(figure, "hash_name", (unsigned)pages->series_groups);
    for (int s = 0; s < pages->series_groups; s++) {
        const struct run_cell *cell = &run->cells[pages->series_first[s]];
        char name[120];
        snprintf(name, sizeof name, "%s%s%s", cell->hash,
                 pages->layout.series_count > 1 ? ", " : "",
                 pages->layout.series_count > 1 ? cell->family : "");
        hashes_name(figure, "hash_name", (unsigned)s + 1, name);
    }
}

static void hashes_columns(struct figure *figure, const struct axis *keys)
{
    figure_number(figure, "key_sets", (double)keys->count);
    figure_array(figure, "keys_name", (unsigned)keys->count);
    for (size_t v = 0; v < keys->count; v++)
        hashes_name(figure, "keys_name", (unsigned)v + 1, keys->texts[v]);
}

/* x, y, log10 of the ratio inside the palette, number of the cell's text. */
static void hashes_cells(struct figure *figure, const struct pages *pages, int group)
{
    const struct run_data *run = pages->axes->run;
    unsigned shown = 0;
    figure_array(figure, "cell_text", (unsigned)run->count);
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        double ratio = hashes_ratio(cell);
        char text[32], letter = hashes_letter(cell);
        if (pages->figure_of[c] != group || isnan(ratio))
            continue;
        snprintf(text, sizeof text, ratio < 9.995 ? "%.2f %c" : "%.3g %c", ratio, letter);
        if (letter == ' ')
            text[strlen(text) - 2] = '\0';
        figure_element(figure, "cell_text", ++shown, text);
        double level = ratio > 0 ? log10(ratio) : -hashes_clip;
        figure_row(figure,
                   (double[]){axes_value(pages->axes, c, pages->layout.x) + 1,
                              pages->series_of[c] + 1, fmin(fmax(level, -hashes_clip), hashes_clip),
                              shown},
                   4);
    }
    figure_set_end(figure, 4);
}

static enum status hashes_figure(const struct pages *pages, int group, unsigned number,
                                 struct error *err)
{
    struct figure figure;
    char title[AXIS_LABEL_MAX];
    axes_label(title, sizeof title, pages->axes, pages->figure_first[group], pages->layout.figures,
               pages->layout.figure_count);
    figure_open(&figure, pages->axes->run, "hash-by-keys", number, title, FIGURE_TWO_COLUMNS_CM,
                false,
                "Numbers: measured rate / model; letters: the test that fails (F fill, S spread, P "
                "probe, M "
                "model), small where it only warns; ! a flag. Colours: log10 of the ratio, to a "
                "factor of 10.");
    figure_number(&figure, "panels", 1);
    figure_number(&figure, "columns", 1);
    figure_number(&figure, "rows", 1);
    hashes_rows(&figure, pages);
    hashes_columns(&figure, &pages->axes->axis[pages->layout.x]);
    hashes_cells(&figure, pages, group);
    enum status status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

static enum status hash_by_keys_draw(const struct run_data *run, struct error *err)
{
    struct axes axes;
    struct layout_axes layout;
    struct pages pages;
    if (run->count == 0)
        return OK;
    enum status status = axes_open(&axes, run, err);
    if (status)
        return status;
    hashes_lay_out(&layout, &axes);
    status = pages_open(&pages, &axes, &layout, err);
    for (int g = 0; !status && g < pages.figure_groups && g < HASHES_FIGURES_MAX; g++)
        status = hashes_figure(&pages, g, (unsigned)g + 1, err);
    pages_release(&pages);
    axes_release(&axes);
    return status;
}

static void hash_by_keys_answer(const struct run_data *run, struct text *out)
{
    size_t failed = 0, judged = 0;
    for (size_t c = 0; c < run->count; c++) {
        judged += *run->cells[c].verdict != '\0';
        failed += strcmp(run->cells[c].verdict, "FAIL") == 0;
    }
    if (judged == 0)
        return;
    text_printf(out, "%zu of %zu combinations of hash and keys fail.", failed, judged);
    for (size_t c = 0, said = 0; c < run->count && said < 40; c++) {
        const struct run_cell *cell = &run->cells[c];
        if (strcmp(cell->verdict, "FAIL") != 0)
            continue;
        text_printf(out, "\n%s on %s (%s, k = %.0f): %s test, rate %.3g times its model",
                    cell->hash, cell->keys, cell->filter, cell->k,
                    hashes_letter_name(hashes_letter(cell)), hashes_ratio(cell));
        said++;
    }
}

const struct plot_family plot_hash_by_keys = {
    .name = "hash-by-keys",
    .summary =
        "measured rate over its model for every hash on every key set, with the test that fails",
    .draw = hash_by_keys_draw,
    .answer = hash_by_keys_answer,
};
