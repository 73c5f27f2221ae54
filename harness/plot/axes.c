/* SPDX-License-Identifier: MIT */
#include "harness/plot/axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Dependent ones are looked for in this order, so that a parameter that merely names its filter
 * goes before the filter does. bits_per_key, m and n come from axes_derived. */
static const char *const axis_order[] = {
    "digest_bits", "family", "reduction", "k", "bits_per_key", "n", "m", "keys", "hash", "filter"};
enum { AXIS_COLUMNS = sizeof axis_order / sizeof axis_order[0] };

int axes_find(const struct axes *axes, const char *name)
{
    for (unsigned a = 0; a < axes->count; a++)
        if (strcmp(axes->axis[a].name, name) == 0)
            return (int)a;
    return -1;
}

void axes_release(struct axes *axes)
{
    for (unsigned a = 0; a < axes->count; a++) {
        for (size_t v = 0; axes->axis[a].texts && v < axes->axis[a].count; v++)
            free(axes->axis[a].texts[v]);
        free(axes->axis[a].texts);
        free(axes->axis[a].numbers);
    }
    free(axes->value);
    *axes = (struct axes){0};
}

/* ---- values -------------------------------------------------------------------------------------
 */

struct axis_entry {
    char text[64];
    double number;
    size_t cell;
};

static int entry_by_text(const void *a, const void *b)
{
    const struct axis_entry *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->cell > y->cell) - (x->cell < y->cell);
}

static int entry_by_number(const void *a, const void *b)
{
    const struct axis_entry *x = a, *y = b;
    if (x->number != y->number)
        return (x->number > y->number) - (x->number < y->number);
    return entry_by_text(a, b);
}

static int entry_by_cell(const void *a, const void *b)
{
    const struct axis_entry *x = a, *y = b;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* What the cell has on an axis; false where it has nothing. */
static bool axis_read(const struct axes *axes, const struct axis *axis, size_t cell, char *text,
                      size_t size)
{
    const struct run_data *run = axes->run;
    if (axis->own >= 0) {
        snprintf(text, size, "%.10g", run->cells[cell].own[axis->own]);
        return !isnan(run->cells[cell].own[axis->own]);
    }
    if (axis->parameter)
        return params_value(run->cells[cell].params, axis->name, text, size);
    const char *field = frame_text(&run->table, cell, frame_column(&run->table, axis->name));
    snprintf(text, size, "%s", field);
    return *field != '\0';
}

/* Sorted entries become distinct values; the entries then say which cell has which. */
static bool axis_number(struct axes *axes, unsigned a, struct axis_entry *entries, size_t count)
{
    struct axis *axis = &axes->axis[a];
    struct axis_entry *firsts = malloc((count + 1) * sizeof *firsts);
    if (!firsts)
        return false;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(entries[i].text, entries[i - 1].text) != 0)
            firsts[axis->count++] = entries[i];
    qsort(firsts, axis->count, sizeof *firsts, axis->numeric ? entry_by_number : entry_by_cell);
    axis->texts = calloc(axis->count + 1, sizeof *axis->texts);
    axis->numbers = calloc(axis->count + 1, sizeof *axis->numbers);
    bool done = axis->texts && axis->numbers;
    for (size_t v = 0; done && v < axis->count; v++) {
        axis->numbers[v] = firsts[v].number;
        done = (axis->texts[v] = strdup(firsts[v].text)) != NULL;
        firsts[v].cell = v;
    }
    qsort(firsts, axis->count, sizeof *firsts, entry_by_text);
    for (size_t i = 0, v = 0; done && i < count; i++) {
        while (strcmp(firsts[v].text, entries[i].text) != 0)
            v++;
        axes->value[entries[i].cell * AXES_MAX + a] = (int)firsts[v].cell;
    }
    free(firsts);
    return done;
}

static bool axis_fill(struct axes *axes, unsigned a)
{
    struct axis *axis = &axes->axis[a];
    struct axis_entry *entries = malloc((axes->run->count + 1) * sizeof *entries);
    size_t count = 0;
    if (!entries)
        return false;
    axis->numeric = true;
    for (size_t c = 0; c < axes->run->count; c++) {
        struct axis_entry *entry = &entries[count];
        axes->value[c * AXES_MAX + a] = AXIS_MISSING;
        if (!axis_read(axes, axis, c, entry->text, sizeof entry->text))
            continue;
        entry->number = number_of(entry->text);
        entry->cell = c;
        axis->numeric = axis->numeric && isfinite(entry->number);
        count++;
    }
    axis->numeric = axis->numeric && count > 0;
    qsort(entries, count, sizeof *entries, entry_by_text);
    bool done = axis_number(axes, a, entries, count);
    free(entries);
    return done;
}

static struct axis *axes_add(struct axes *axes, const char *name, size_t length, bool parameter)
{
    if (axes->count == AXES_MAX || length >= AXIS_NAME_MAX)
        return NULL;
    struct axis *axis = &axes->axis[axes->count++];
    *axis = (struct axis){.parameter = parameter, .own = -1};
    snprintf(axis->name, sizeof axis->name, "%.*s", (int)length, name);
    return axis;
}

/* An axis for every parameter any filter of the run has. */
static void axes_add_parameters(struct axes *axes)
{
    const char *last = NULL;
    for (size_t c = 0; c < axes->run->count; c++) {
        const char *item = axes->run->cells[c].params;
        if (last && strcmp(item, last) == 0)
            continue;
        for (last = item; *item; item += strcspn(item, ";"), item += *item == ';') {
            char name[AXIS_NAME_MAX];
            size_t length = strcspn(item, "=;");
            snprintf(name, sizeof name, "%.*s", (int)length, item);
            if (item[length] == '=' && axes_find(axes, name) < 0 &&
                axes->count < AXES_MAX - AXIS_COLUMNS)
                axes_add(axes, item, length, true);
        }
    }
}

static void axes_add_own(struct axes *axes)
{
    const struct param_spec *own = axes->run->own;
    for (int i = 0; own && own[i].name && axes->count < AXES_MAX - AXIS_COLUMNS; i++)
        axes_add(axes, own[i].name, strlen(own[i].name), false)->own = i;
}

/* ---- which are free
 * ------------------------------------------------------------------------------ */

struct axes_choice {
    int which[AXES_MAX];
    unsigned count;
};

static int axes_compare(const void *a, const void *b, void *context)
{
    const struct axes_choice *choice = context;
    const int *x = *(const int *const *)a, *y = *(const int *const *)b;
    for (unsigned i = 0; i < choice->count; i++) {
        int u = x[choice->which[i]], v = y[choice->which[i]];
        if (u != v)
            return (u > v) - (u < v);
    }
    return 0;
}

/* How many combinations of values the cells have on these axes. `rows` is room for a pointer a
 * cell. */
static size_t axes_combinations(const struct axes *axes, const int **rows,
                                struct axes_choice *choice)
{
    size_t distinct = 0;
    for (size_t c = 0; c < axes->run->count; c++)
        rows[c] = &axes->value[c * AXES_MAX];
    qsort_r(rows, axes->run->count, sizeof *rows, axes_compare, choice);
    for (size_t c = 0; c < axes->run->count; c++)
        distinct += c == 0 || axes_compare(&rows[c], &rows[c - 1], choice) != 0;
    return distinct;
}

size_t axes_count(const struct axes *axes, const int *which, unsigned count)
{
    struct axes_choice choice = {.count = count};
    const int **rows = malloc((axes->run->count + 1) * sizeof *rows);
    if (!rows)
        return 0;
    memcpy(choice.which, which, count * sizeof *which);
    size_t combinations = axes_combinations(axes, rows, &choice);
    free(rows);
    return combinations;
}

static void choice_remove(struct axes_choice *choice, int axis)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < choice->count; i++)
        if (choice->which[i] != axis)
            choice->which[kept++] = choice->which[i];
    choice->count = kept;
}

/* Of m, n and bits_per_key two define the third: which were not given? Where the experiment is not
 * known, the one with most values is taken for derived. */
static void axes_derived(const struct axes *axes, struct axes_choice *choice)
{
    static const char *const names[] = {"bits_per_key", "n", "m"};
    const struct experiment *experiment = axes->run->experiment;
    bool given[3] = {false, false, false};
    size_t most = 0;
    int derived = -1;
    for (size_t g = 0; experiment && g < experiment->grid_count; g++) {
        given[0] = given[0] || experiment->grids[g].bits_per_key.count > 0;
        given[1] = given[1] || experiment->grids[g].n.count > 0;
        given[2] = given[2] || experiment->grids[g].m.count > 0;
    }
    for (int i = 0; i < 3; i++) {
        int axis = axes_find(axes, names[i]);
        if (experiment && !given[i])
            choice_remove(choice, axis);
        if (axes->axis[axis].count > most) {
            most = axes->axis[axis].count;
            derived = axis;
        }
    }
    if (!experiment && axes->axis[axes_find(axes, "m")].count > 1)
        choice_remove(choice, derived);
}

static bool axes_set_free(struct axes *axes)
{
    const int **rows = malloc((axes->run->count + 1) * sizeof *rows);
    struct axes_choice kept = {.count = 0};
    if (!rows)
        return false;
    for (unsigned a = 0; a < axes->count; a++) {
        struct axes_choice one = {{(int)a}, 1};
        if (axes_combinations(axes, rows, &one) > 1)
            kept.which[kept.count++] = (int)a;
    }
    axes_derived(axes, &kept);
    size_t all = axes_combinations(axes, rows, &kept);
    for (unsigned a = 0; a < axes->count; a++) {
        struct axes_choice fewer = kept;
        choice_remove(&fewer, (int)a);
        if (fewer.count < kept.count && axes_combinations(axes, rows, &fewer) == all)
            kept = fewer;
    }
    for (unsigned i = 0; i < kept.count; i++)
        axes->axis[kept.which[i]].free = true;
    free(rows);
    return true;
}

enum status axes_open(struct axes *axes, const struct run_data *run, struct error *err)
{
    *axes = (struct axes){.run = run};
    axes->value = malloc((run->count + 1) * AXES_MAX * sizeof *axes->value);
    bool done = axes->value != NULL;
    axes_add_own(axes);
    axes_add_parameters(axes);
    for (int i = 0; i < AXIS_COLUMNS; i++)
        axes_add(axes, axis_order[i], strlen(axis_order[i]), false);
    for (unsigned a = 0; done && a < axes->count; a++)
        done = axis_fill(axes, a);
    done = done && axes_set_free(axes);
    if (done)
        return OK;
    axes_release(axes);
    return fail(err, E_RUN, "no memory for the axes of %zu cells", run->count);
}
