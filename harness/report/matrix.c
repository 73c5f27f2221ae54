/* SPDX-License-Identifier: MIT */
#include "harness/report/matrix.h"

#include <stdio.h>
#include <string.h>

#include "harness/plot/family.h"
#include "harness/report/html.h"
#include "harness/table/file.h"

/* P, w (WEAK), W (WARN), F; - for no cell. */
static char matrix_letter(const struct run_cell *cell)
{
    return cell ? "-PwWF"[verdict_rank(cell)] : '-';
}

/* A | would end the column. */
static void markdown_text(struct text *text, const char *value)
{
    for (; *value; value++)
        text_printf(text, *value == '|' ? "\\%c" : "%c", *value);
}

/* The letters of all reductions, and what the worst of them rests on. */
static void markdown_square(struct text *text, const struct verdict_matrix *matrix, int hash,
                            int keys, int filter)
{
    const int all[MATRIX_AXES] = {hash, keys, filter, MATRIX_ANY};
    const struct run_cell *worst = matrix_worst(matrix, all);
    text_printf(text, " ");
    for (int r = 0; r < matrix_count(matrix, MATRIX_REDUCTION); r++)
        text_printf(text, "%c",
                    matrix_letter(matrix_worst(matrix, (const int[]){hash, keys, filter, r})));
    if (worst && *verdict_reason(worst))
        text_printf(text, " %s", verdict_reason(worst));
    text_printf(text, " |");
}

static void markdown_table(struct text *text, const struct verdict_matrix *matrix, int filter)
{
    int hashes = matrix_count(matrix, MATRIX_HASH), keys = matrix_count(matrix, MATRIX_KEYS);
    text_printf(text, "\n## %s\n\n| hash |", matrix_value(matrix, MATRIX_FILTER, filter));
    for (int k = 0; k < keys; k++) {
        text_printf(text, " ");
        markdown_text(text, matrix_value(matrix, MATRIX_KEYS, k));
        text_printf(text, " |");
    }
    text_printf(text, "\n|---|");
    for (int k = 0; k < keys; k++)
        text_printf(text, "---|");
    for (int h = 0; h < hashes; h++) {
        text_printf(text, "\n| %s |", matrix_value(matrix, MATRIX_HASH, h));
        for (int k = 0; k < keys; k++)
            markdown_square(text, matrix, h, k, filter);
    }
    text_printf(text, "\n");
}

static enum status markdown_write(const struct verdict_matrix *matrix, struct error *err)
{
    struct text text = {0};
    const struct run_data *run = matrix->axes.run;
    text_printf(&text, "# %s\n\n%s\n\nP: PASS, w: WEAK, W: WARN, F: FAIL, one letter a reduction (",
                run->name, run->question);
    for (int r = 0; r < matrix_count(matrix, MATRIX_REDUCTION); r++)
        text_printf(&text, "%s%s", r ? ", " : "", matrix_value(matrix, MATRIX_REDUCTION, r));
    text_printf(&text, "); then the test that the worst of them fails.\n");
    for (int f = 0; f < matrix_count(matrix, MATRIX_FILTER); f++)
        markdown_table(&text, matrix, f);
    enum status status = file_write(run->directory, "matrix.md", &text, err);
    text_release(&text);
    return status;
}

static void matrix_links(struct text *page, const struct verdict_matrix *matrix)
{
    text_printf(page, "<h2>Hashes</h2>\n<p>The bits that the worst cell of a hash set:");
    for (int h = 0; h < matrix_count(matrix, MATRIX_HASH); h++) {
        const char *name = matrix_value(matrix, MATRIX_HASH, h);
        text_printf(page, "%s <a href=\"hash-", h ? "," : "");
        html_path(page, name);
        text_printf(page, ".html\">");
        html_text(page, name);
        text_printf(page, "</a>");
    }
    text_printf(page, ". All verdicts: <a href=\"matrix.md\">matrix.md</a>.</p>\n");
}

static bool matrix_wanted(const struct run_data *run)
{
    const struct plot_family *chosen[PLOTS_MAX];
    unsigned count = plot_choose(chosen, run);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(chosen[i]->name, "hash-matrix") == 0)
            return true;
    return false;
}

enum status matrix_write(struct text *page, const struct run_data *run, struct error *err)
{
    struct verdict_matrix matrix;
    bool suits;
    if (!matrix_wanted(run))
        return OK;
    enum status status = verdict_matrix_open(&matrix, run, &suits, err);
    if (status)
        return status;
    if (suits)
        status = markdown_write(&matrix, err);
    for (int h = 0; !status && suits && h < matrix_count(&matrix, MATRIX_HASH); h++)
        status = matrix_hash_page(&matrix, h, err);
    if (!status && suits)
        matrix_links(page, &matrix);
    verdict_matrix_release(&matrix);
    return status;
}
