/* SPDX-License-Identifier: MIT
 *
 * grid.c: one grid: its axes of numbers, the rules among axes, and how many cells they make.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/axes.h"
#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

/* ---- axes of numbers ----------------------------------------------------------------------- */

/* detail of a rule whose field is a struct u64_list. */
struct integer_axis {
    uint64_t min, max;
    const char *word; /* a name that may stand for word_value; NULL: none */
    uint64_t word_value;
    const char *other; /* a second word, or NULL */
    uint64_t other_value;
};

static int integer_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int real_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct integer_reader {
    const struct integer_axis *axis;
    struct u64_list *list;
};

static enum status integer_item(const struct decoder *d, const struct node *key,
                                const struct node *item, void *context)
{
    const struct integer_axis *axis = ((struct integer_reader *)context)->axis;
    struct u64_list *list = ((struct integer_reader *)context)->list;
    char shown[VALUE_SHOW_SIZE];
    struct error inner;
    const char *text = decode_text(d, item, key->text);
    if (!text)
        return E_INPUT;
    bool word = axis->word && strcmp(text, axis->word) == 0;
    bool other = axis->other && strcmp(text, axis->other) == 0;
    if (axis->word && isalpha((unsigned char)*text) && !word && !other)
        return decode_fail(d, item, "%s is '%s'; it must be a whole number%s '%s'%s%s%s", key->text,
                           value_show(shown, text), axis->other ? "," : " or", axis->word,
                           axis->other ? " or '" : "", axis->other ? axis->other : "",
                           axis->other ? "'" : "");
    if (!word && !other)
        return decode_place(d, item,
                            value_range(&list->values, &list->count, text, key->text, axis->min,
                                        axis->max, EXPERIMENT_AXIS_MAX, &inner),
                            &inner);
    uint64_t *grown = realloc(list->values, (list->count + 1) * sizeof *grown);
    if (!grown)
        return decode_no_memory(d);
    list->values = grown;
    list->values[list->count++] = word ? axis->word_value : axis->other_value;
    return OK;
}

static enum status axis_integers(const struct decoder *d, const struct node *key,
                                 const struct key_rule *rule, void *field)
{
    struct u64_list *list = field;
    struct integer_reader reader = {rule->detail, list};
    size_t *ends;
    enum status status = decode_each(d, key, integer_item, &reader, &list->count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, list->values, list->count, sizeof *list->values,
                                 integer_compare);
    free(ends);
    return status;
}

static enum status real_item(const struct decoder *d, const struct node *key,
                             const struct node *item, void *context)
{
    struct real_list *list = context;
    struct error inner;
    const char *text = decode_text(d, item, key->text);
    if (!text)
        return E_INPUT;
    return decode_place(d, item,
                        value_real_range(&list->values, &list->count, text, key->text,
                                         EXPERIMENT_BITS_PER_KEY_MIN, EXPERIMENT_BITS_PER_KEY_MAX,
                                         EXPERIMENT_AXIS_MAX, &inner),
                        &inner);
}

static enum status axis_reals(const struct decoder *d, const struct node *key,
                              const struct key_rule *rule, void *field)
{
    (void)rule;
    struct real_list *list = field;
    size_t *ends;
    enum status status = decode_each(d, key, real_item, list, &list->count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, list->values, list->count, sizeof *list->values,
                                 real_compare);
    free(ends);
    return status;
}

static enum status axis_reductions(const struct decoder *d, const struct node *key,
                                   const struct key_rule *rule, void *field)
{
    (void)rule;
    struct grid *grid = field;
    struct names names = {.count = 0};
    struct error inner;
    const struct node *item;
    size_t count;
    enum status status = decode_items(d, key, &item, &count);
    for (int i = 0; i < REDUCTION_COUNT; i++)
        names_add(&names, reduction_name((enum reduction)i));
    grid->reduction_count = 0;
    for (; !status && item; item = item->next) {
        enum reduction kind;
        const char *text = decode_text(d, item, "the name of a reduction");
        if (!text)
            return E_INPUT;
        if (!reduction_find(text, &kind))
            return decode_place(d, item, names_fail(&names, "reduction", text, &inner), &inner);
        for (size_t i = 0; i < grid->reduction_count; i++)
            if (grid->reductions[i] == kind)
                return decode_fail(d, item, "%s is given a value twice, the second time by '%s'",
                                   key->text, text);
        grid->reductions[grid->reduction_count++] = kind;
    }
    return status;
}

/* ---- trials and queries -------------------------------------------------------------------- */

enum status axis_trials(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *grid)
{
    static const struct integer_bounds bounds = {0, EXPERIMENT_TRIALS_MAX};
    const struct key_rule bounded = {.key = rule->key, .detail = &bounds};
    return decode_integer(d, key, &bounded, &((struct grid *)grid)->trials);
}

struct precision_bounds {
    double min, max;
};

static enum status precision_real(const struct decoder *d, const struct node *key,
                                  const struct key_rule *rule, void *field)
{
    const struct precision_bounds *bounds = rule->detail;
    struct error inner;
    const char *text = decode_text(d, key->value, key->text);
    if (!text)
        return E_INPUT;
    return decode_place(d, key->value,
                        value_real(field, text, key->text, bounds->min, bounds->max, &inner),
                        &inner);
}

static const struct precision_bounds precision_error = {1e-6, 1};
static const struct precision_bounds precision_confidence = {0.5, 0.999999};

static const struct key_rule precision_rules[] = {
    {"relative_error", true, offsetof(struct grid, relative_error), precision_real,
     &precision_error},
    {"confidence", false, offsetof(struct grid, confidence), precision_real, &precision_confidence},
    {NULL, false, 0, NULL, NULL},
};

enum status axis_queries(const struct decoder *d, const struct node *key,
                         const struct key_rule *rule, void *field)
{
    static const struct integer_bounds bounds = {0, EXPERIMENT_QUERIES_MAX};
    const struct key_rule bounded = {.key = rule->key, .detail = &bounds};
    struct grid *grid = field;
    grid->queries = 0;
    grid->relative_error = grid->confidence = NAN;
    if (key->value->kind != NODE_MAPPING)
        return decode_integer(d, key, &bounded, &grid->queries);
    grid->confidence = 0.95;
    return decode_mapping(d, key->value, "queries", precision_rules, grid);
}

/* ---- the rules among axes ------------------------------------------------------------------ */

static const struct integer_axis axis_m = {1, FILTER_M_MAX, NULL, 0, NULL, 0};
static const struct integer_axis axis_n = {0, FILTER_N_MAX, NULL, 0, NULL, 0};
static const struct integer_axis axis_k = {
    1, FILTER_K_MAX, "optimal", EXPERIMENT_K_OPTIMAL, "best", EXPERIMENT_K_BEST};
static const struct integer_axis axis_replica = {1, EXPERIMENT_REPLICA_MAX, NULL, 0, NULL, 0};
static const struct integer_axis axis_bits = {8, 64, "native", 0, NULL, 0};

static const struct key_rule grid_rules[] = {
    {"filter", true, 0, axis_filters, NULL},
    {"hash", true, 0, axis_hashes, NULL},
    {"keys", true, 0, axis_keys, NULL},
    {"reduction", false, 0, axis_reductions, NULL},
    {"digest_bits", false, offsetof(struct grid, digest_bits), axis_integers, &axis_bits},
    {"m", false, offsetof(struct grid, m), axis_integers, &axis_m},
    {"n", false, offsetof(struct grid, n), axis_integers, &axis_n},
    {"bits_per_key", false, offsetof(struct grid, bits_per_key), axis_reals, NULL},
    {"k", false, offsetof(struct grid, k), axis_integers, &axis_k},
    {"trials", false, 0, axis_trials, NULL},
    {"queries", false, 0, axis_queries, NULL},
    {"replica", false, offsetof(struct grid, replica), axis_integers, &axis_replica},
    {"fault", false, 0, axis_faults, NULL},
    {NULL, false, 0, NULL, NULL},
};
enum { GRID_RULES = sizeof grid_rules / sizeof *grid_rules - 1 };

/* ---- the workload's parameters -------------------------------------------------------------- */

/* detail of a rule whose field is a struct param_list. */
struct grid_param {
    const char *owner;
    const struct param_spec *spec;
};

static enum status grid_param(const struct decoder *d, const struct node *key,
                              const struct key_rule *rule, void *field)
{
    const struct grid_param *param = rule->detail;
    return axis_params(d, key, param->owner, param->spec, field);
}

/* The keys of a grid, those of the workload behind the others. */
static enum status grid_decode(const struct decoder *d, const struct node *node,
                               enum workload workload, struct grid *grid)
{
    struct key_rule rules[GRID_RULES + PARAMS_MAX + 1] = {{0}};
    struct grid_param params[PARAMS_MAX];
    const struct param_spec *specs = workload_params(workload);
    memcpy(rules, grid_rules, GRID_RULES * sizeof *rules);
    for (size_t i = 0; specs && specs[i].name; i++) {
        params[i] = (struct grid_param){workload_name(workload), &specs[i]};
        rules[GRID_RULES + i] =
            (struct key_rule){.key = specs[i].name,
                              .offset = offsetof(struct grid, own) + i * sizeof grid->own[0],
                              .read = grid_param,
                              .detail = &params[i]};
    }
    return decode_mapping(d, node, "the grid", rules, grid);
}

/* The first filter that uses the axis; NULL: none does. */
static const char *grid_uses(const struct grid *grid, enum filter_axis axis)
{
    for (size_t i = 0; i < grid->filter_count; i++)
        if (grid->filters[i].ops->axes & axis)
            return grid->filters[i].ops->name;
    return NULL;
}

static enum status grid_check(const struct decoder *d, const struct node *node,
                              const struct grid *grid)
{
    bool m = grid->m.count, n = grid->n.count, c = grid->bits_per_key.count;
    const char *user = grid_uses(grid, AXIS_M);
    if (m && n && c)
        return decode_fail(d, node_find(node, "bits_per_key"),
                           "m, n and bits_per_key are all given; any two of them tell the third");
    if (!n && !(m && c) && !keys_tell_n(grid))
        return decode_fail(d, node, "the grid has no 'n': give n, or m and bits_per_key");
    if (user && !m && !c)
        return decode_fail(
            d, node, "the grid has no 'm', which %s needs: give m, or n and bits_per_key", user);
    user = grid_uses(grid, AXIS_K);
    if (user && !grid->k.count)
        return decode_fail(d, node,
                           "the grid has no 'k', which %s needs: give numbers or 'optimal'", user);
    return OK;
}

/* Product of the axes; DBL_MAX is out of reach: nineteen factors of at most 10^6. */
static double grid_cells(const struct grid *grid)
{
    const size_t counts[] = {grid->filter_count,    grid->hash_count,         grid->keys_count,
                             grid->reduction_count, grid->digest_bits.count,  grid->m.count,
                             grid->n.count,         grid->bits_per_key.count, grid->k.count,
                             grid->replica.count,   grid->fault_count};
    double cells = 1;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        cells *= counts[i] ? (double)counts[i] : 1;
    for (size_t i = 0; i < PARAMS_MAX; i++)
        cells *= grid->own[i].count ? (double)grid->own[i].count : 1;
    return cells;
}

/* ---- grids --------------------------------------------------------------------------------- */

static void grid_release(struct grid *grid)
{
    for (size_t i = 0; i < grid->keys_count; i++)
        key_spec_free(grid->keys[i]);
    free(grid->keys);
    free(grid->filters);
    free(grid->hashes);
    free(grid->digest_bits.values);
    free(grid->m.values);
    free(grid->n.values);
    free(grid->bits_per_key.values);
    free(grid->k.values);
    free(grid->replica.values);
    free(grid->faults);
    for (size_t i = 0; i < PARAMS_MAX; i++)
        free(grid->own[i].values);
}

void grids_free(struct grid *grids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        grid_release(&grids[i]);
    free(grids);
}

static enum status grid_read(const struct decoder *d, const struct node *node,
                             enum workload workload, const struct grid *defaults, struct grid *grid)
{
    *grid = (struct grid){
        .trials = defaults->trials,
        .queries = defaults->queries,
        .relative_error = defaults->relative_error,
        .confidence = defaults->confidence,
        .reductions = {REDUCE_MOD},
        .reduction_count = 1,
    };
    enum status status = grid_decode(d, node, workload, grid);
    if (status || (status = grid_check(d, node, grid)))
        return status;
    if (grid->n.count || (grid->m.count && grid->bits_per_key.count))
        keys_sample(grid);
    if (grid->digest_bits.count)
        return OK;
    if (!(grid->digest_bits.values = calloc(1, sizeof *grid->digest_bits.values)))
        return decode_no_memory(d);
    grid->digest_bits.count = 1;
    return OK;
}

enum status grids_read(const struct decoder *d, const struct node *key, enum workload workload,
                       const struct grid *defaults, struct grid **grids, size_t *count)
{
    const struct node *item;
    size_t many, done = 0;
    double cells = 0;
    *grids = NULL;
    enum status status = decode_items(d, key, &item, &many);
    if (status)
        return status;
    struct grid *read = calloc(many, sizeof *read);
    if (!read)
        return decode_no_memory(d);
    for (; !status && item; item = item->next) {
        status = grid_read(d, item, workload, defaults, &read[done]);
        cells += grid_cells(&read[done++]);
    }
    if (!status && cells > EXPERIMENT_CELLS_MAX)
        status = decode_fail(d, key, "the grid has %.*g cells; at most %u are planned",
                             cells < 1e15 ? 15 : 6, cells, EXPERIMENT_CELLS_MAX);
    if (status) {
        grids_free(read, done);
        return status;
    }
    *grids = read;
    *count = many;
    return OK;
}
