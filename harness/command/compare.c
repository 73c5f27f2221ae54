/* SPDX-License-Identifier: MIT
 *
 * compare.c: `bloomlab compare A B`: do two runs measure the same rates?
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/command/compare_cells.h"
#include "harness/experiment/values.h"

enum { COMPARE_ROWS = 10, COMPARE_ONLY_SHOWN = 5 };

struct request {
    const char *path[2];
    int count;
    double level;
    bool csv;
};

static enum status compare_options(struct request *request, int argc, char **argv,
                                   struct error *err)
{
    enum { CSV, LEVEL };
    static const struct option_spec specs[] = {{"csv", false}, {"level", true}};
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, 2, &option, &value, err);
        if (!status && option == OPTION_END)
            return request->count == 2
                       ? OK
                       : fail(err, E_INPUT, "compare needs two runs, or two tables");
        if (status)
            return status;
        if (option == CSV)
            request->csv = true;
        else if (option == LEVEL)
            status = value_real(&request->level, value, "--level", 1e-12, 0.5, err);
        else if (request->count == 2)
            status = fail(err, E_INPUT, "two runs at a time: %s is one too many", value);
        else
            request->path[request->count++] = value;
        if (status)
            return status;
    }
}

/* ---- the table --------------------------------------------------------------------------------
 */

static void compare_labels(struct text *text, const struct loaded_cell *cell)
{
    field_string(text, cell->id);
    for (int l = 0; l < LOADED_LABELS; l++)
        field_string(text, cell->label[l]);
}

static void compare_row(struct text *text, const struct compared *cell)
{
    const struct contrast *c = &cell->contrast;
    compare_labels(text, cell->a);
    field_string(text, cell->asked ? "fpr" : "fpr_scheme");
    field_string(text, compare_method_name(cell->method));
    field_count(text, (uint64_t)cell->a->trials);
    field_count(text, (uint64_t)cell->b->trials);
    field_rate(text, c->a);
    field_rate(text, c->b);
    field_rate(text, c->b > 0 ? c->a / c->b : NAN);
    field_z(text, c->z);
    field_p(text, c->p);
    field_p(text, cell->q);
    field_p(text, cell->p_family);
    field_count(text, cell->differs);
    row_end(text);
}

/* Cells that only `of` has. */
static void compare_only_rows(struct text *text, const struct loaded *of,
                              const struct loaded *other, const char *method)
{
    for (size_t c = 0; c < of->count; c++) {
        if (loaded_find(other, of->cell[c].id))
            continue;
        compare_labels(text, &of->cell[c]);
        field_empty(text);
        field_string(text, method);
        for (int i = 0; i < 10; i++)
            field_empty(text);
        row_end(text);
    }
}

static void compare_csv(struct text *text, const struct comparison *comparison,
                        const struct loaded *a, const struct loaded *b)
{
    text_printf(text, "cell_id");
    for (int l = 0; l < LOADED_LABELS; l++)
        text_printf(text, ",%s", loaded_label_names[l]);
    text_printf(text, ",rate,method,trials_a,trials_b,a,b,ratio,z,p,q,p_family,differs\n");
    for (size_t c = 0; c < comparison->count; c++)
        compare_row(text, &comparison->cell[c]);
    compare_only_rows(text, a, b, "only_a");
    compare_only_rows(text, b, a, "only_b");
}

/* ---- for readers ------------------------------------------------------------------------------
 */

static void compare_print_run(struct text *text, const char *letter, const struct loaded *run)
{
    text_printf(text, "%s: %s, %zu cells from %s", letter, run->path, run->count,
                *run->trials_name ? run->trials_name : run->cells_name);
    if (run->has_seed)
        text_printf(text, ", seed %" PRIu64, run->seed);
    if (*run->commit)
        text_printf(text, ", commit %s", run->commit);
    text_printf(text, "\n");
}

static void compare_print_only(struct text *text, const char *letter, const struct loaded *of,
                               const struct loaded *other)
{
    size_t count = 0;
    for (size_t c = 0; c < of->count; c++)
        count += !loaded_find(other, of->cell[c].id);
    if (!count)
        return;
    text_printf(text, "only in %s: %zu cells:", letter, count);
    size_t shown = 0;
    for (size_t c = 0; c < of->count && shown < COMPARE_ONLY_SHOWN; c++)
        if (!loaded_find(other, of->cell[c].id)) {
            text_printf(text, " %s (%s m=%s n=%s k=%s)", of->cell[c].id, of->cell[c].label[0],
                        of->cell[c].label[7], of->cell[c].label[8], of->cell[c].label[9]);
            shown++;
        }
    text_printf(text, count > shown ? " ...; --csv lists all\n" : "\n");
}

static int compare_p_order(const void *a, const void *b)
{
    const struct compared *x = *(const struct compared *const *)a;
    const struct compared *y = *(const struct compared *const *)b;
    double p = isnan(x->contrast.p) ? 2 : x->contrast.p,
           q = isnan(y->contrast.p) ? 2 : y->contrast.p;
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

static void compare_print_rows(struct text *text, struct compared **order, size_t count)
{
    text_printf(text, "\n%-16s %-15s %-16s %-14s %9s %8s %3s %11s %11s %7s %9s %9s %9s %s\n",
                "cell_id", "filter", "hash", "keys", "m", "n", "k", "A", "B", "z", "p", "q",
                "p_family", "method");
    for (size_t i = 0; i < count; i++) {
        const struct compared *cell = order[i];
        const struct contrast *c = &cell->contrast;
        const char *const *label = cell->a->label;
        text_printf(text,
                    "%-16s %-15.15s %-16.16s %-14.14s %9s %8s %3s %11.6g %11.6g %7.3g %9.3g %9.3g "
                    "%9.3g %s%s\n",
                    cell->a->id, label[0], label[2], label[6], label[7], label[8], label[9], c->a,
                    c->b, c->z, c->p, cell->q, cell->p_family, compare_method_name(cell->method),
                    cell->differs ? ", DIFFERS" : "");
    }
}

/* The cells by p, the most suspicious first; all that differ, or a few. */
static enum status compare_print(struct text *text, const struct comparison *comparison,
                                 const struct loaded *a, const struct loaded *b, double level,
                                 struct error *err)
{
    struct compared **order = calloc(comparison->count + 1, sizeof *order);
    if (!order)
        return fail(err, E_RUN, "no memory to show %zu cells", comparison->count);
    size_t count = 0;
    for (size_t c = 0; c < comparison->count; c++)
        if (comparison->cell[c].method != COMPARE_IDENTICAL &&
            comparison->cell[c].method != COMPARE_UNTESTED)
            order[count++] = &comparison->cell[c];
    qsort(order, count, sizeof *order, compare_p_order);
    compare_print_run(text, "A", a);
    compare_print_run(text, "B", b);
    compare_print_only(text, "A", a, b);
    compare_print_only(text, "B", b, a);
    if (count) {
        size_t shown = comparison->differing > COMPARE_ROWS ? comparison->differing : COMPARE_ROWS;
        compare_print_rows(text, order, shown < count ? shown : count);
    }
    text_printf(text,
                "\n%zu cells in both: %zu have the same hits to the last one, %zu could not be "
                "tested, %zu of the other %zu differ.\n"
                "A cell differs when Holm's correction over the %zu tested ones leaves p_family < "
                "%g: so seldom is any named where none differs.\n",
                comparison->count, comparison->identical, comparison->count - comparison->tested,
                comparison->differing, comparison->tested - comparison->identical,
                comparison->tested, level);
    free(order);
    return OK;
}

/* ---- the verdict ------------------------------------------------------------------------------
 */

static enum status compare_verdict(const struct comparison *comparison, const struct loaded *a,
                                   const struct loaded *b, double level, struct error *err)
{
    const struct compared *worst = NULL;
    for (size_t c = 0; c < comparison->count; c++) {
        const struct compared *cell = &comparison->cell[c];
        if (cell->differs && (!worst || cell->contrast.p < worst->contrast.p))
            worst = cell;
    }
    if (worst && worst->method == COMPARE_CERTAIN)
        return fail(err, E_CHECK,
                    "%zu of %zu cells differ: cell %s (%s), %s %.6g in A and %.6g in B though the "
                    "same filters were asked the same keys: no chance is in that",
                    comparison->differing, comparison->count, worst->a->id, worst->a->label[0],
                    worst->asked ? "fpr" : "fpr_scheme", worst->contrast.a, worst->contrast.b);
    if (worst)
        return fail(err, E_CHECK,
                    "%zu of %zu cells differ (Holm, level %g): cell %s (%s), %s %.6g in A and %.6g "
                    "in B, z = %.2f, p = %.3g",
                    comparison->differing, comparison->count, level, worst->a->id,
                    worst->a->label[0], worst->asked ? "fpr" : "fpr_scheme", worst->contrast.a,
                    worst->contrast.b, worst->contrast.z, worst->contrast.p);
    const char *contradiction = *a->contradiction ? a->contradiction : b->contradiction;
    return *contradiction ? fail(err, E_CHECK, "%s", contradiction) : OK;
}

static enum status compare_both(const struct request *request, const struct loaded *a,
                                const struct loaded *b, struct error *err)
{
    struct comparison comparison;
    struct text text = {0};
    enum status status = compare_cells(&comparison, a, b, request->level, err);
    if (status)
        return status;
    if (comparison.count == 0)
        status = fail(err, E_INPUT, "%s and %s have no cell in common", a->path, b->path);
    if (!status && request->csv)
        compare_csv(&text, &comparison, a, b);
    else if (!status)
        status = compare_print(&text, &comparison, a, b, request->level, err);
    if (!status && text.failed)
        status = fail(err, E_RUN, "no memory for the table");
    if (!status) {
        fwrite(text.data, 1, text.size, stdout);
        status = output_finish(err);
    }
    if (!status)
        status = compare_verdict(&comparison, a, b, request->level, err);
    text_release(&text);
    comparison_release(&comparison);
    return status;
}

static enum status compare_run(int argc, char **argv, struct error *err)
{
    struct request request = {.level = 0.01};
    struct loaded a, b;
    enum status status = compare_options(&request, argc, argv, err);
    if (!status)
        status = loaded_read(&a, request.path[0], err);
    if (status)
        return status;
    status = loaded_read(&b, request.path[1], err);
    if (!status) {
        status = compare_both(&request, &a, &b, err);
        loaded_release(&b);
    }
    loaded_release(&a);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "do two runs measure the same rates?",
    .help =
        "usage: bloomlab compare A B [--csv] [--level P]\n\n"
        "A and B are folders of runs, or their trials.csv or cells.csv. Cells are matched by\n"
        "cell_id. Where trials share their seeds they are compared in pairs, else by totals with\n"
        "the scatter between filters; fpr is compared, or fpr_scheme where no query was asked.\n"
        "Where the same filters were asked the same keys (equal digests) any other number of\n"
        "hits is a difference. Exit 1: a cell differs after Holm's correction over all cells, or\n"
        "the tables of one run contradict each other.\n\n"
        "  --level P   chance that any cell is named where none differs (default 1%)\n"
        "  --csv       columns "
        "cell_id,filter,params,hash,family,digest_bits,reduction,keys,m,n,k,\n"
        "              rate,method,trials_a,trials_b,a,b,ratio,z,p,q,p_family,differs\n",
    .run = compare_run,
};
