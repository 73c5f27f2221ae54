/* SPDX-License-Identifier: MIT
 *
 * hash_matrix.c: verdicts by hash and key set: a square of tiles for each pair, its columns the
 * probing schemes, its rows the reductions.
 */
#include <stdio.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/plot/figure.h"
#include "harness/plot/verdict_matrix.h"

enum { HASH_MATRIX_LABEL_MAX = 27 };

static void hash_matrix_names(struct figure *figure, const struct verdict_matrix *matrix,
                              enum matrix_axis axis, const char *array)
{
    int count = matrix_count(matrix, axis);
    figure_array(figure, array, (unsigned)count);
    for (int v = 0; v < count; v++) {
        char label[HASH_MATRIX_LABEL_MAX + 4];
        const char *name = matrix_value(matrix, axis, v);
        snprintf(label, sizeof label, "%.*s%s", HASH_MATRIX_LABEL_MAX, name,
                 strlen(name) > HASH_MATRIX_LABEL_MAX ? "..." : "");
        figure_element(figure, array, (unsigned)v + 1, label);
    }
}

/* One set a rank from 1: x and y of its tiles, in squares of side 1 around (keys, hash). */
static void hash_matrix_tiles(struct figure *figure, const struct verdict_matrix *matrix, int rank)
{
    int filters = matrix_count(matrix, MATRIX_FILTER);
    int reductions = matrix_count(matrix, MATRIX_REDUCTION);
    for (int h = 0; h < matrix_count(matrix, MATRIX_HASH); h++)
        for (int k = 0; k < matrix_count(matrix, MATRIX_KEYS); k++)
            for (int f = 0; f < filters; f++)
                for (int r = 0; r < reductions; r++) {
                    const int value[MATRIX_AXES] = {h, k, f, r};
                    const struct run_cell *cell = matrix_worst(matrix, value);
                    if (!cell || verdict_rank(cell) != rank)
                        continue;
                    double row[] = {k + 0.54 + 0.92 * (f + 0.5) / filters,
                                    h + 0.54 + 0.92 * (r + 0.5) / reductions};
                    figure_row(figure, row, 2);
                }
    figure_set_end(figure, 2);
}

static void hash_matrix_caption(struct text *caption, const struct verdict_matrix *matrix)
{
    static const struct {
        enum matrix_axis axis;
        const char *what;
    } parts[] = {{MATRIX_FILTER, "In each square from the left: "},
                 {MATRIX_REDUCTION, "; from the top: "}};
    for (int i = 0; i < 2; i++) {
        text_printf(caption, "%s", parts[i].what);
        for (int v = 0; v < matrix_count(matrix, parts[i].axis); v++)
            text_printf(caption, "%s%s", v ? ", " : "", matrix_value(matrix, parts[i].axis, v));
    }
    text_printf(caption, ".");
}

static enum status hash_matrix_figure(const struct run_data *run,
                                      const struct verdict_matrix *matrix, struct error *err)
{
    struct figure figure;
    struct text caption = {0};
    hash_matrix_caption(&caption, matrix);
    if (caption.failed)
        return fail(err, E_RUN, "no memory for a caption");
    figure_open(&figure, run, "hash-matrix", 1, "Verdicts by hash and keys", FIGURE_TWO_COLUMNS_CM,
                false, caption.data);
    text_release(&caption);
    figure_number(&figure, "hashes", matrix_count(matrix, MATRIX_HASH));
    figure_number(&figure, "key_sets", matrix_count(matrix, MATRIX_KEYS));
    figure_number(&figure, "tile_width", 0.46 / matrix_count(matrix, MATRIX_FILTER));
    figure_number(&figure, "tile_height", 0.46 / matrix_count(matrix, MATRIX_REDUCTION));
    hash_matrix_names(&figure, matrix, MATRIX_HASH, "hash_name");
    hash_matrix_names(&figure, matrix, MATRIX_KEYS, "keys_name");
    for (int rank = 1; rank < VERDICT_RANKS; rank++)
        hash_matrix_tiles(&figure, matrix, rank);
    enum status status = figure_draw(&figure, err);
    figure_release(&figure);
    return status;
}

static enum status hash_matrix_draw(const struct run_data *run, struct error *err)
{
    struct verdict_matrix matrix;
    bool suits;
    enum status status = verdict_matrix_open(&matrix, run, &suits, err);
    if (status)
        return status;
    if (suits)
        status = hash_matrix_figure(run, &matrix, err);
    verdict_matrix_release(&matrix);
    return status;
}

/* "\nHASH fails on KEYS (TEST), KEYS (TEST)" */
static void answer_failures(struct text *out, const struct verdict_matrix *matrix, int hash)
{
    unsigned failed = 0;
    for (int k = 0; k < matrix_count(matrix, MATRIX_KEYS); k++) {
        const int value[MATRIX_AXES] = {hash, k, MATRIX_ANY, MATRIX_ANY};
        const struct run_cell *worst = matrix_worst(matrix, value);
        if (!worst || verdict_rank(worst) < VERDICT_RANKS - 1)
            continue;
        if (failed++ == 0)
            text_printf(out, "\n%s fails on", matrix_value(matrix, MATRIX_HASH, hash));
        text_printf(out, "%s %s (%s)", failed > 1 ? "," : "", matrix_value(matrix, MATRIX_KEYS, k),
                    verdict_reason(worst));
    }
}

static void answer_sound(struct text *out, const struct verdict_matrix *matrix)
{
    unsigned sound = 0;
    for (int h = 0; h < matrix_count(matrix, MATRIX_HASH); h++) {
        const int value[MATRIX_AXES] = {h, MATRIX_ANY, MATRIX_ANY, MATRIX_ANY};
        const struct run_cell *worst = matrix_worst(matrix, value);
        if (worst && verdict_rank(worst) < VERDICT_RANKS - 1)
            text_printf(out, "%s%s", sound++ ? ", " : "No FAIL on any keys: ",
                        matrix_value(matrix, MATRIX_HASH, h));
    }
    text_printf(out, "%s", sound ? "." : "Every hash fails on some keys.");
}

static void hash_matrix_answer(const struct run_data *run, struct text *out)
{
    struct verdict_matrix matrix;
    struct error unused;
    bool suits;
    if (verdict_matrix_open(&matrix, run, &suits, &unused) != OK)
        return;
    if (suits) {
        answer_sound(out, &matrix);
        for (int h = 0; h < matrix_count(&matrix, MATRIX_HASH); h++)
            answer_failures(out, &matrix, h);
    }
    verdict_matrix_release(&matrix);
}

const struct plot_family plot_hash_matrix = {
    .name = "hash-matrix",
    .summary = "verdicts by hash, key set, probing and reduction",
    .draw = hash_matrix_draw,
    .answer = hash_matrix_answer,
};
