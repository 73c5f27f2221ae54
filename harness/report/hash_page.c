/* SPDX-License-Identifier: MIT
 *
 * hash_page.c: one hash: its verdicts, and where the bits of its worst cell lie.
 *
 * The positions are folded to 64 bins twice: by place (i 64 / m, the high bits of a position) and
 * by remainder (i mod 64, the low ones). A reduction that keeps the low bits of a hash shows their
 * faults in the second picture only, one that keeps the high bits in the first.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/bits.h"
#include "harness/plan/plan.h"
#include "harness/report/html.h"
#include "harness/report/matrix.h"
#include "harness/schedule/schedule.h"
#include "harness/table/file.h"
#include "harness/workload/workload.h"

enum { HASH_BINS = 64, BAR_WIDTH = 9, BAR_HEIGHT = 120 };

struct folded {
    uint64_t m, set;
    uint64_t by_place[HASH_BINS], by_remainder[HASH_BINS];
};

/* ---- the bits
 * ------------------------------------------------------------------------------------- */

struct visit {
    const struct plan *plan;
    struct folded *folded;
};

static void fold(struct folded *folded, const unsigned char *bits, uint64_t m)
{
    folded->m = m;
    for (uint64_t i = 0; i < m; i++)
        if (bits_test(bits, i)) {
            folded->set++;
            folded->by_place[(size_t)((double)i * HASH_BINS / (double)m)]++;
            folded->by_remainder[i % HASH_BINS]++;
        }
}

/* The trial leaves its filter in the workspace. */
static enum status visit_bits(void *context, const struct cell *cell, struct trial_keys *keys,
                              struct workspace *space, struct error *err)
{
    struct visit *visit = context;
    struct trial_result result = {.seed = keys->seed};
    const struct workload_ops *workload = workload_find(visit->plan->experiment->workload);
    if (!workload)
        return fail(err, E_INPUT, "the workload cannot be run");
    enum status status = workload->run(&result, cell, keys, space, err);
    if (!status && cell->layout.bytes != bits_bytes(cell->layout.m))
        status = fail(err, E_IMPOSSIBLE, "%s is no array of bits", cell->ops->name);
    if (!status)
        fold(visit->folded, space->memory, cell->layout.m);
    trial_result_release(&result);
    return status;
}

static enum status bits_of_cell(struct folded *folded, const struct run_data *run, const char *id,
                                struct error *err)
{
    static const struct plan_limits no_limits = {UINT64_MAX, 1, 1};
    struct plan *plan;
    *folded = (struct folded){0};
    if (!run->experiment)
        return fail(err, E_INPUT, "the experiment's text cannot be read any more");
    enum status status = plan_make(&plan, run->experiment, &no_limits, err);
    if (status)
        return status;
    const struct cell *cell = plan_find(plan, id);
    struct visit visit = {plan, folded};
    if (!cell || !cell->trials)
        status = fail(err, E_INPUT, "the experiment does not have the cell %s any more", id);
    if (!status)
        status = schedule_visit(plan, cell, 0, visit_bits, &visit, err);
    plan_free(plan);
    return status;
}

/* ---- the page
 * ------------------------------------------------------------------------------------- */

/* Positions that fold to a bin. */
static double bin_size(const struct folded *folded, int bin, bool by_place)
{
    uint64_t m = folded->m, b = (uint64_t)bin;
    if (by_place)
        return ceil((double)(b + 1) * (double)m / HASH_BINS) -
               ceil((double)b * (double)m / HASH_BINS);
    return (double)(m / HASH_BINS + (b < m % HASH_BINS));
}

/* Bars against the band of 2 sd around what a uniform hash would set. */
static void page_histogram(struct text *page, const struct folded *folded, bool by_place)
{
    const uint64_t *count = by_place ? folded->by_place : folded->by_remainder;
    double fill = (double)folded->set / (double)folded->m, most = 1, worst = 0;
    int worst_bin = 0;
    for (int b = 0; b < HASH_BINS; b++) {
        double size = bin_size(folded, b, by_place), mean = size * fill;
        double sd = sqrt(mean * (1 - fill));
        most = fmax(most, fmax((double)count[b], mean + 2 * sd));
        if (sd > 0 && fabs((double)count[b] - mean) / sd > fabs(worst)) {
            worst = ((double)count[b] - mean) / sd;
            worst_bin = b;
        }
    }
    text_printf(page, "<h3>%s</h3>\n<svg width=\"%d\" height=\"%d\" role=\"img\">\n",
                by_place ? "By place: i &middot; 64 / m" : "By remainder: i mod 64",
                HASH_BINS * BAR_WIDTH, BAR_HEIGHT);
    for (int b = 0; b < HASH_BINS; b++) {
        double mean = bin_size(folded, b, by_place) * fill, sd = sqrt(mean * (1 - fill));
        double height = BAR_HEIGHT * (double)count[b] / most;
        double top = BAR_HEIGHT * (1 - (mean + 2 * sd) / most);
        double bottom = BAR_HEIGHT * (1 - fmax(0, mean - 2 * sd) / most);
        text_printf(page,
                    "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#0072b2\"/>"
                    "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#e69f00\" "
                    "fill-opacity=\"0.45\"/>\n",
                    b * BAR_WIDTH, BAR_HEIGHT - height, BAR_WIDTH - 1, height, b * BAR_WIDTH, top,
                    BAR_WIDTH, bottom - top);
    }
    text_printf(page,
                "</svg>\n<p class=\"note\">Furthest from uniform: bin %d, %" PRIu64
                " bits set, %+.1f sd.</p>\n",
                worst_bin, count[worst_bin], worst);
}

static void page_bits(struct text *page, const struct run_data *run, const struct run_cell *cell)
{
    struct folded folded;
    struct error error = {0};
    text_printf(page, "<h2>Bits of its worst cell</h2>\n");
    if (bits_of_cell(&folded, run, cell->id, &error) != OK) {
        html_element(page, "p", error.text);
        return;
    }
    text_printf(page,
                "<p>Trial 0 run again: %" PRIu64 " of %" PRIu64
                " positions i set, folded to 64 bins. The band: 2 sd around uniform.</p>\n",
                folded.set, folded.m);
    page_histogram(page, &folded, true);
    page_histogram(page, &folded, false);
}

static void page_cell(struct text *page, const struct run_cell *cell)
{
    const struct {
        const char *name, *value;
    } texts[] = {{"cell", cell->id},
                 {"filter", cell->filter},
                 {"params", cell->params},
                 {"family", cell->family},
                 {"keys", cell->keys},
                 {"reduction", cell->reduction},
                 {"flags", cell->flags},
                 {"verdict", cell->verdict},
                 {"because of", verdict_reason(cell)},
                 {"explained by", cell->explained_by}};
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"m", cell->m_actual},
                   {"n", cell->n},
                   {"k", cell->k},
                   {"p fill", cell->p_fill},
                   {"p spread", cell->p_spread},
                   {"p probe", cell->p_probe},
                   {"p model", cell->p_model},
                   {"fpr", cell->rate},
                   {"fpr of the model", cell->model}};
    text_printf(page, "<dl>\n");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (*texts[i].value) {
            html_element(page, "dt", texts[i].name);
            html_element(page, "dd", texts[i].value);
        }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!isnan(numbers[i].value))
            text_printf(page, "<dt>%s</dt><dd>%.6g</dd>", numbers[i].name, numbers[i].value);
    text_printf(page, "</dl>\n");
}

static void page_verdicts(struct text *page, const struct verdict_matrix *matrix, int hash)
{
    text_printf(page, "<h2>Verdicts</h2>\n<div class=\"scroll\"><table>\n<tr><th>keys</th>");
    for (int f = 0; f < matrix_count(matrix, MATRIX_FILTER); f++)
        html_element(page, "th", matrix_value(matrix, MATRIX_FILTER, f));
    text_printf(page, "</tr>\n");
    for (int k = 0; k < matrix_count(matrix, MATRIX_KEYS); k++) {
        text_printf(page, "<tr>");
        html_element(page, "td", matrix_value(matrix, MATRIX_KEYS, k));
        for (int f = 0; f < matrix_count(matrix, MATRIX_FILTER); f++) {
            const int value[MATRIX_AXES] = {hash, k, f, MATRIX_ANY};
            const struct run_cell *worst = matrix_worst(matrix, value);
            bool bad = worst && *verdict_reason(worst);
            text_printf(page, "<td class=\"%s\">%s%s%s</td>", bad ? worst->verdict : "",
                        worst ? worst->verdict : "", bad ? " " : "",
                        bad ? verdict_reason(worst) : "");
        }
        text_printf(page, "</tr>\n");
    }
    text_printf(page, "</table></div>\n<p class=\"note\">Of several reductions the worst.</p>\n");
}

enum status matrix_hash_page(const struct verdict_matrix *matrix, int hash, struct error *err)
{
    const struct run_data *run = matrix->axes.run;
    const char *name = matrix_value(matrix, MATRIX_HASH, hash);
    const int value[MATRIX_AXES] = {hash, MATRIX_ANY, MATRIX_ANY, MATRIX_ANY};
    const struct run_cell *worst = matrix_worst(matrix, value);
    char file[128];
    struct text page = {0};
    html_open(&page, name);
    html_element(&page, "h1", name);
    text_printf(&page, "<p class=\"note\">A hash of <a href=\"index.html\">");
    html_text(&page, run->name);
    text_printf(&page, "</a>.</p>\n");
    page_verdicts(&page, matrix, hash);
    if (worst) {
        page_bits(&page, run, worst);
        page_cell(&page, worst);
    }
    html_close(&page);
    snprintf(file, sizeof file, "hash-%s.html", name);
    enum status status = file_write(run->directory, file, &page, err);
    text_release(&page);
    return status;
}
