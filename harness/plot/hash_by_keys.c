/* SPDX-License-Identifier: MIT
 *
 * hash_by_keys.c: every hash on every key set: how far the rate is from its model, and which of the
 * four tests of a cell say that it is no chance.
 *
 * A map: hashes are rows, key sets columns; whatever else tells cells apart makes maps of its own,
 * two of which stand side by side.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/judge/thresholds.h"
#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/plot/pages.h"

enum {
    HASHES_LABEL_MAX = 24,
    HASHES_FIGURES_MAX = 24,
    HASHES_TESTS = 4,
    HASHES_COLUMNS = 5,
    HASHES_MAPS = 2, /* side by side */
};
static const double hashes_clip = 1;    /* the colours end at a factor of 10 */
static const double hashes_dark = 0.55; /* letters on what is further up the palette are white */
static const char *const hashes_test_name[HASHES_TESTS] = {"fill", "spread", "probe", "model"};

/* Bit t: test t has a p below the threshold, corrected for being one of four. */
static unsigned hashes_tests(const struct run_cell *cell, double threshold)
{
    const double p[HASHES_TESTS] = {cell->p_fill, cell->p_spread, cell->p_probe, cell->p_model};
    unsigned tests = 0;
    for (unsigned t = 0; t < HASHES_TESTS; t++)
        if (p[t] * JUDGE_TESTS < threshold)
            tests |= 1u << t;
    return tests;
}

static bool hashes_fails(const struct run_cell *cell)
{
    return strcmp(cell->verdict, "FAIL") == 0;
}

static double hashes_ratio(const struct run_cell *cell)
{
    double model = cell->model > 0 ? cell->model : cell->exact;
    return model > 0 ? cell->rate / model : NAN;
}

/* log10 of the ratio inside the palette; of a cell without hits that of the upper limit, if that is
 * below 1. */
static double hashes_level(const struct run_cell *cell)
{
    double ratio = hashes_ratio(cell);
    if (cell->zero_hits)
        ratio = fmin(1, ratio + cell->rate_hi / (cell->model > 0 ? cell->model : cell->exact));
    if (isnan(ratio))
        return NAN;
    return ratio > 0 ? fmin(fmax(log10(ratio), -hashes_clip), hashes_clip) : -hashes_clip;
}

/* "FS↓": tests that fail, in lower case where they only warn, '!' where a flag warns and no test
 * does; an arrow where the rate is below its model; "0": no hits; "·": nothing to say. */
static void hashes_mark(char *mark, const struct run_cell *cell)
{
    static const char letters[] = "FSPM";
    unsigned strong = hashes_fails(cell) ? hashes_tests(cell, JUDGE_FAIL_P) : 0;
    unsigned weak = hashes_tests(cell, JUDGE_WARN_P);
    bool marked = hashes_fails(cell) || strcmp(cell->verdict, "WARN") == 0;
    char *to = mark;
    for (unsigned t = 0; marked && t < HASHES_TESTS; t++)
        if (strong >> t & 1)
            *to++ = letters[t];
        else if (weak >> t & 1)
            *to++ = (char)tolower(letters[t]);
    if (marked && to == mark)
        *to++ = '!';
    if (cell->zero_hits)
        *to++ = '0';
    *to = '\0';
    if (to == mark)
        strcpy(mark, "·");
    else if (marked && !cell->zero_hits && hashes_ratio(cell) < 1 / JUDGE_EFFECT)
        strcpy(to, "↓");
}

/* ---- the figure ----------------------------------------------------------------------------- */

/* Rows of a map: hash and family; columns: key sets; whatever else is free makes maps. */
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

/* A name for a tic, cut to HASHES_LABEL_MAX characters. */
static void hashes_name(struct figure *figure, const char *array, unsigned index, const char *name)
{
    char label[HASHES_LABEL_MAX + 4];
    snprintf(label, sizeof label, "%.*s%s", HASHES_LABEL_MAX, name,
             strlen(name) > HASHES_LABEL_MAX ? "..." : "");
    figure_element(figure, array, index, label);
}

static void hashes_names(struct figure *figure, const struct pages *pages)
{
    const struct run_data *run = pages->axes->run;
    const struct axis *keys = &pages->axes->axis[pages->layout.x];
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
    figure_number(figure, "key_sets", (double)keys->count);
    figure_array(figure, "keys_name", (unsigned)keys->count);
    for (size_t v = 0; v < keys->count; v++)
        hashes_name(figure, "keys_name", (unsigned)v + 1, keys->texts[v]);
}

/* One map: x, y, level, number of the cell's text, colour of the text. A map that stands alone has
 * room for the ratio beside the mark. */
static void hashes_cells(struct figure *figure, const struct pages *pages, int map, bool alone,
                         unsigned *shown)
{
    const struct run_data *run = pages->axes->run;
    for (size_t c = 0; c < run->count; c++) {
        const struct run_cell *cell = &run->cells[c];
        double ratio = hashes_ratio(cell), level = hashes_level(cell);
        char text[48] = "", mark[16];
        if (pages->figure_of[c] != map || isnan(level))
            continue;
        hashes_mark(mark, cell);
        bool number = alone && ratio > 0, marked = strcmp(mark, "·") != 0;
        if (number)
            snprintf(text, sizeof text, ratio < 9.995 ? "%.2f" : "%.3g", ratio);
        if (marked || !number)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", number ? " " : "",
                     mark);
        figure_element(figure, "cell_text", ++*shown, text);
        figure_row(figure,
                   (double[]){axes_value(pages->axes, c, pages->layout.x) + 1,
                              pages->series_of[c] + 1, level, *shown,
                              level > hashes_dark ? 0xffffff : 0},
                   HASHES_COLUMNS);
    }
    figure_set_end(figure, HASHES_COLUMNS);
}

static enum status hashes_figure(const struct pages *pages, const int *map, unsigned maps,
                                 unsigned number, struct error *err)
{
    struct figure figure;
    unsigned shown = 0;
    figure_open(
        &figure, pages->axes->run, "hash-by-keys", number, "", FIGURE_TWO_COLUMNS_CM, false,
        "Colour: measured rate / its model, cut off at 1/10 and 10. Letters: tests that fail (F "
        "fill, S spread, P probe, M model), small where they only warn; ! a flag that warns; ↓ the "
        "rate is below its model; 0 no hits; · nothing found.");
    figure_number(&figure, "panels", maps);
    figure_number(&figure, "columns", maps);
    figure_number(&figure, "rows", 1);
    hashes_names(&figure, pages);
    figure_array(&figure, "panel_title", maps);
    figure_array(&figure, "cell_text", (unsigned)pages->axes->run->count);
    for (unsigned i = 0; i < maps; i++) {
        char title[AXIS_LABEL_MAX];
        axes_label(title, sizeof title, pages->axes, pages->figure_first[map[i]],
                   pages->layout.figures, pages->layout.figure_count);
        figure_element(&figure, "panel_title", i + 1, title);
        hashes_cells(&figure, pages, map[i], maps == 1, &shown);
    }
    enum status status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

/* Has the map a cell with a rate? */
static bool hashes_any(const struct pages *pages, int map)
{
    for (size_t c = 0; c < pages->axes->run->count; c++)
        if (pages->figure_of[c] == map && !isnan(hashes_level(&pages->axes->run->cells[c])))
            return true;
    return false;
}

static enum status hashes_figures(const struct pages *pages, struct error *err)
{
    enum status status = OK;
    unsigned number = 0;
    for (int g = 0; !status && g < pages->figure_groups && number < HASHES_FIGURES_MAX;) {
        int map[HASHES_MAPS];
        unsigned maps = 0;
        for (; g < pages->figure_groups && maps < HASHES_MAPS; g++)
            if (hashes_any(pages, g))
                map[maps++] = g;
        if (maps)
            status = hashes_figure(pages, map, maps, ++number, err);
    }
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
    if (!status)
        status = hashes_figures(&pages, err);
    pages_release(&pages);
    axes_release(&axes);
    return status;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* "djb2 16 of 16, ..." for the hashes that fail; returns how many never do. */
static unsigned hashes_by_name(const struct run_data *run, struct text *out)
{
    const char *separator = ": ";
    unsigned never = 0;
    for (size_t c = 0; c < run->count; c++) {
        const char *hash = run->cells[c].hash;
        size_t before = 0, cells = 0, failed = 0;
        while (strcmp(run->cells[before].hash, hash) != 0)
            before++;
        if (before < c)
            continue;
        for (size_t i = c; i < run->count; i++)
            if (strcmp(run->cells[i].hash, hash) == 0) {
                cells += *run->cells[i].verdict != '\0';
                failed += hashes_fails(&run->cells[i]);
            }
        never += cells > 0 && failed == 0;
        if (failed) {
            text_printf(out, "%s%s %zu of %zu", separator, hash, failed, cells);
            separator = ", ";
        }
    }
    return never;
}

static void hash_by_keys_answer(const struct run_data *run, struct text *out)
{
    size_t failed = 0, judged = 0, by_test[HASHES_TESTS] = {0}, silent = 0;
    for (size_t c = 0; c < run->count; c++) {
        judged += *run->cells[c].verdict != '\0';
        if (!hashes_fails(&run->cells[c]))
            continue;
        unsigned tests = hashes_tests(&run->cells[c], JUDGE_FAIL_P);
        failed++;
        for (unsigned t = 0; t < HASHES_TESTS; t++)
            by_test[t] += tests >> t & 1;
        silent += !(tests >> 2);
    }
    if (judged == 0)
        return;
    text_printf(out, "%zu of %zu cells fail", failed, judged);
    unsigned never = hashes_by_name(run, out);
    if (failed)
        text_printf(out, "; the other %u hashes never.", never);
    else
        text_printf(out, ".");
    for (unsigned t = 0; failed && t < HASHES_TESTS; t++)
        text_printf(out, "%s%s test in %zu", t ? ", " : " What tells: the ", hashes_test_name[t],
                    by_test[t]);
    if (failed)
        text_printf(out, "; in %zu the rate alone (probe, model) would not have told.", silent);
}

const struct plot_family plot_hash_by_keys = {
    .name = "hash-by-keys",
    .summary = "measured rate over its model for every hash on every key set, with the tests that "
               "fail",
    .draw = hash_by_keys_draw,
    .answer = hash_by_keys_answer,
};
