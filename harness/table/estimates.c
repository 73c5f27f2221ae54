/* SPDX-License-Identifier: MIT */
#include "harness/table/estimates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"

struct row {
    const char *cell_id;
    char name[48];
    const char *source;
    double value, z, p, q;
};

struct rows {
    struct row *row;
    size_t count, room;
};

static struct row *rows_add(struct rows *rows, const char *cell_id, const char *name, double value,
                            const char *source)
{
    if (rows->count == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 256;
        struct row *moved = realloc(rows->row, room * sizeof *moved);
        if (!moved)
            return NULL;
        rows->row = moved;
        rows->room = room;
    }
    struct row *row = &rows->row[rows->count++];
    *row = (struct row){
        .cell_id = cell_id, .source = source, .value = value, .z = NAN, .p = NAN, .q = NAN};
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

/* The measured rate against a formula's: an error that covers queries and filters alike. */
static void row_test(struct row *row, const struct cell *cell, const struct cell_summary *summary)
{
    const struct judgement *j = &summary->judgement;
    double queries = (double)cell->queries * (double)cell->trials;
    if (cell->altered || isnan(j->fpr) || isnan(j->deff) || !*j->interval ||
        !(row->value > 0 && row->value < 1))
        return;
    row->z = (j->fpr - row->value) / sqrt(row->value * (1 - row->value) * j->deff / queries);
    row->p = stats_normal_two_sided(row->z);
}

/* All probes from one digest of w bits: n keys have d = 2^w (1 - (1 - 2^-w)^n) different digests on
 * average; a query either shares one of them or is as good as a key of ideal digests. */
static bool expanded_rows(struct rows *rows, const struct cell *cell,
                          const struct cell_summary *summary)
{
    double floor = cell_width_floor(cell);
    if (!rows_add(rows, cell->id, "width_floor", floor,
                  "1-(1-2^-w)^n: a query whose digest is a member's"))
        return false;
    if (!(cell->ops->capabilities & FILLS_BY_THROWS))
        return true;
    uint64_t distinct = (uint64_t)llround(ldexp(floor, (int)cell->digest_bits));
    double exact =
        theory_fpr_exact(cell->layout.m, distinct < cell->n ? distinct : cell->n, cell->layout.k);
    struct row *row = rows_add(rows, cell->id, "fpr_narrow_digests", floor + (1 - floor) * exact,
                               "floor + (1-floor) exact rate of the different digests");
    if (row)
        row_test(row, cell, summary);
    return row != NULL;
}

/* What the workload has to say of its own measures. */
static bool workload_rows(struct rows *rows, const struct cell *cell,
                          const struct workload_ops *workload)
{
    struct formula formula;
    for (unsigned i = 0; workload && workload->formula && workload->formula(cell, i, &formula); i++)
        if (!rows_add(rows, cell->id, formula.name, formula.value, formula.source))
            return false;
    return true;
}

static bool cell_rows(struct rows *rows, const struct cell *cell,
                      const struct cell_summary *summary)
{
    const struct judgement *j = &summary->judgement;
    struct formula formula;
    char name[48];
    for (unsigned i = 0; theory_formula(cell->ops, &cell->layout, cell->n, i, &formula); i++) {
        struct row *row = rows_add(rows, cell->id, formula.name, formula.value, formula.source);
        if (!row)
            return false;
        if (strncmp(formula.name, "fpr_", 4) == 0)
            row_test(row, cell, summary);
    }
    if (cell->hash && cell->hash->family == FAMILY_EXPANDED && !expanded_rows(rows, cell, summary))
        return false;
    if (!cell->trials)
        return true;
    if (!rows_add(rows, cell->id, "fpr_bits", j->fpr_bits, "mean of (X/m)^k over the trials") ||
        !rows_add(rows, cell->id, "fpr_scheme", j->fpr_scheme,
                  "mean conditional rate of the trials' filters"))
        return false;
    for (unsigned t = 0; t < 4; t++) {
        static const char *const part[] = {"", "_lo", "_hi"};
        const double value[] = {j->term[t], j->term_interval[t].lo, j->term_interval[t].hi};
        for (unsigned i = 0; i < 3; i++) {
            snprintf(name, sizeof name, "ln_%s%s", judge_term_name[t], part[i]);
            for (char *blank = name; (blank = strchr(blank, ' '));)
                *blank = '_';
            if (!rows_add(rows, cell->id, name, value[i], "attribution of ln(fpr/standard)"))
                return false;
        }
    }
    return true;
}

static int compare_p(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x > y) - (x < y);
}

/* q of the i-th smallest of N p-values: min over j >= i of p_j N / j. */
static bool rows_adjust(struct rows *rows)
{
    struct row **tested = malloc((rows->count + 1) * sizeof *tested);
    size_t count = 0;
    if (!tested)
        return false;
    for (size_t i = 0; i < rows->count; i++)
        if (!isnan(rows->row[i].p))
            tested[count++] = &rows->row[i];
    qsort(tested, count, sizeof(struct row *), compare_p);
    double least = 1;
    for (size_t i = count; i-- > 0;) {
        least = fmin(least, tested[i]->p * (double)count / (double)(i + 1));
        tested[i]->q = least;
    }
    free(tested);
    return true;
}

enum status estimates_table(struct text *text, const struct plan *plan,
                            const struct cell_summary *summaries, struct error *err)
{
    struct rows rows = {0};
    const struct workload_ops *workload = workload_find(plan->experiment->workload);
    bool done = true;
    for (size_t c = 0; done && c < plan->cell_count; c++)
        done = cell_rows(&rows, &plan->cells[c], &summaries[c]) &&
               workload_rows(&rows, &plan->cells[c], workload);
    done = done && rows_adjust(&rows);
    text_printf(text, "cell_id,estimate,value,z,p,q,source\n");
    for (size_t i = 0; done && i < rows.count; i++) {
        field_string(text, rows.row[i].cell_id);
        field_string(text, rows.row[i].name);
        field_rate(text, rows.row[i].value);
        field_z(text, rows.row[i].z);
        field_p(text, rows.row[i].p);
        field_p(text, rows.row[i].q);
        field_string(text, rows.row[i].source);
        row_end(text);
    }
    free(rows.row);
    return done ? OK : fail(err, E_RUN, "no memory for estimates.csv");
}
