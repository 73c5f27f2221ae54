/* SPDX-License-Identifier: MIT
 *
 * experiment.c: the outermost mapping of an experiment, its scales, and its life.
 *
 * Scales are read even when they are not asked for: a mistake in the large run shows in the small
 * one.
 */
#include "harness/experiment/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/axes.h"
#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

/* What the file says, then what a scale makes of it. */
struct settings {
    struct experiment experiment;     /* all but the grids */
    struct grid defaults;             /* trials and queries of grids that have none of their own */
    const struct node *grid, *scales; /* keys */
};

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"

static bool name_is_word(const char *text, const char *letters)
{
    size_t length = strlen(text);
    return length >= 1 && length <= EXPERIMENT_NAME_MAX && text[strspn(text, letters)] == '\0';
}

/* ---- readers of single keys ---------------------------------------------------------------- */

static enum status read_name(const struct decoder *d, const struct node *key,
                             const struct key_rule *rule, void *field)
{
    (void)rule;
    char shown[VALUE_SHOW_SIZE];
    const char *text = decode_text(d, key->value, key->text);
    if (!text)
        return E_INPUT;
    if (!strcmp(text, "reference") || !strcmp(text, "index.html") || !strcmp(text, "answers.md"))
        return decode_fail(d, key->value, "the name %s is taken: results keep something else there",
                           text);
    if (!name_is_word(text, NAME_LETTERS "._-") || strchr("._-", *text))
        return decode_fail(
            d, key->value,
            "name '%s' must be 1 to %d of a-z, 0-9, '.', '_' and '-' and start with a "
            "letter or digit: it is also the name of a folder, never a path",
            value_show(shown, text), EXPERIMENT_NAME_MAX);
    strcpy(field, text);
    return OK;
}

static enum status read_question(const struct decoder *d, const struct node *key,
                                 const struct key_rule *rule, void *field)
{
    (void)rule;
    const char *text = decode_text(d, key->value, key->text);
    if (!text)
        return E_INPUT;
    if (text[strspn(text, " \n\t")] == '\0')
        return decode_fail(d, key->value, "question is empty; say what the experiment asks");
    return (*(char **)field = strdup(text)) ? OK : decode_no_memory(d);
}

static enum status read_workload(const struct decoder *d, const struct node *key,
                                 const struct key_rule *rule, void *field)
{
    (void)rule;
    struct names names = {.count = 0};
    struct error inner;
    const char *text = decode_text(d, key->value, key->text);
    if (!text)
        return E_INPUT;
    for (int i = 0; i < WORKLOAD_COUNT; i++) {
        names_add(&names, workload_name((enum workload)i));
        if (strcmp(text, workload_name((enum workload)i)) == 0)
            return *(enum workload *)field = (enum workload)i, OK;
    }
    return decode_place(d, key->value, names_fail(&names, "workload", text, &inner), &inner);
}

static const struct integer_bounds any_seed = {0, UINT64_MAX};

static enum status read_hash_seed(const struct decoder *d, const struct node *key,
                                  const struct key_rule *rule, void *field)
{
    struct experiment *experiment = field;
    experiment->hash_seed_fixed = true;
    return decode_integer(d, key, rule, &experiment->hash_seed);
}

static enum status plots_item(const struct decoder *d, const struct node *key,
                              const struct node *item, void *context)
{
    (void)key;
    struct experiment *experiment = context;
    char shown[VALUE_SHOW_SIZE];
    const char *text = decode_text(d, item, "the name of a plot");
    if (!text)
        return E_INPUT;
    if (!name_is_word(text, NAME_LETTERS "-"))
        return decode_fail(d, item, "the name of a plot is of a-z, 0-9 and '-', but this is '%s'",
                           value_show(shown, text));
    char **grown = realloc(experiment->plots, (experiment->plot_count + 1) * sizeof *grown);
    if (!grown)
        return decode_no_memory(d);
    experiment->plots = grown;
    if (!(grown[experiment->plot_count] = strdup(text)))
        return decode_no_memory(d);
    experiment->plot_count++;
    return OK;
}

static int plot_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum status read_plots(const struct decoder *d, const struct node *key,
                              const struct key_rule *rule, void *field)
{
    (void)rule;
    struct experiment *experiment = field;
    size_t *ends;
    enum status status =
        decode_each(d, key, plots_item, experiment, &experiment->plot_count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, experiment->plots, experiment->plot_count,
                                 sizeof(char *), plot_compare);
    free(ends);
    return status;
}

#define AT(member) offsetof(struct settings, member)

static const struct key_rule experiment_rules[] = {
    {"name", true, AT(experiment.name), read_name, NULL},
    {"question", true, AT(experiment.question), read_question, NULL},
    {"workload", false, AT(experiment.workload), read_workload, NULL},
    {"grid", true, AT(grid), decode_keep, NULL},
    {"trials", false, AT(defaults), axis_trials, NULL},
    {"queries", false, AT(defaults), axis_queries, NULL},
    {"seed", false, AT(experiment.seed), decode_integer, &any_seed},
    {"hash_seed", false, AT(experiment), read_hash_seed, &any_seed},
    {"independent", false, AT(experiment.independent), decode_boolean, NULL},
    {"plots", false, AT(experiment), read_plots, NULL},
    {"scales", false, AT(scales), decode_keep, NULL},
    {NULL, false, 0, NULL, NULL},
};

static const struct key_rule scale_rules[] = {
    {"trials", false, AT(defaults), axis_trials, NULL},
    {"queries", false, AT(defaults), axis_queries, NULL},
    {"grid", false, AT(grid), decode_keep, NULL},
    {NULL, false, 0, NULL, NULL},
};

/* ---- scales -------------------------------------------------------------------------------- */

/* What a grid may ask for depends on the experiment around it. */
static enum status settings_grids(const struct decoder *d, const struct settings *settings,
                                  struct grid **grids, size_t *count)
{
    const struct experiment *experiment = &settings->experiment;
    enum status status =
        grids_read(d, settings->grid, experiment->workload, &settings->defaults, grids, count);
    if (status)
        return status;
    for (size_t g = 0; !status && g < *count; g++)
        if ((*grids)[g].replica.count && !experiment->independent)
            status = decode_fail(d, settings->grid,
                                 "'replica' repeats cells independently; that needs 'independent: "
                                 "true', else all replicas are one and the same");
        else if ((*grids)[g].fault_count && experiment->workload != WORKLOAD_MEMBERSHIP)
            status = decode_fail(d, settings->grid,
                                 "'fault' can be planted in the workload membership only");
    if (status)
        grids_free(*grids, *count);
    return status;
}

/* Reads one scale; where it is the chosen one, its grids take the place of the file's. */
static enum status scale_read(const struct decoder *d, const struct node *key, bool chosen,
                              const struct settings *file, struct experiment *experiment)
{
    char shown[VALUE_SHOW_SIZE];
    struct settings scaled = *file;
    struct grid *grids;
    size_t count;
    if (!name_is_word(key->text, NAME_LETTERS "-"))
        return decode_fail(d, key, "the name of a scale is of a-z, 0-9 and '-', but this is '%s'",
                           value_show(shown, key->text));
    enum status status = decode_mapping(d, key->value, "a scale", scale_rules, &scaled);
    if (status)
        return status;
    if (!key->value->count)
        return decode_fail(d, key, "the scale '%s' is empty; it replaces trials, queries or grid",
                           key->text);
    if (chosen)
        experiment->scaled = true;
    if (scaled.grid == file->grid && !chosen)
        return OK;
    if ((status = settings_grids(d, &scaled, &grids, &count)))
        return status;
    if (!chosen) {
        grids_free(grids, count);
        return OK;
    }
    grids_free(experiment->grids, experiment->grid_count);
    experiment->grids = grids;
    experiment->grid_count = count;
    return OK;
}

static enum status scales_read(const struct decoder *d, const char *scale,
                               const struct settings *file, struct experiment *experiment)
{
    if (!file->scales)
        return OK;
    const struct node *scales = file->scales->value;
    if (scales->kind != NODE_MAPPING || !scales->count)
        return decode_fail(d, file->scales, "scales must be a mapping of names to settings");
    enum status status = OK;
    for (const struct node *key = scales->child; !status && key; key = key->next)
        status = scale_read(d, key, scale && !strcmp(scale, key->text), file, experiment);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void experiment_release(struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->plot_count; i++)
        free(experiment->plots[i]);
    free(experiment->plots);
    free(experiment->question);
    free(experiment->source);
    grids_free(experiment->grids, experiment->grid_count);
}

void experiment_free(struct experiment *experiment)
{
    if (!experiment)
        return;
    experiment_release(experiment);
    free(experiment);
}

/* The whole stream, or its first byte too many. */
static enum status experiment_load(struct experiment *experiment, FILE *stream, const char *name,
                                   struct error *err)
{
    char *text = malloc(NODE_FILE_BYTES_MAX + 2);
    if (!text)
        return fail(err, E_RUN, "%s: no memory to read it", name);
    experiment->source_bytes = fread(text, 1, NODE_FILE_BYTES_MAX + 1, stream);
    text[experiment->source_bytes] = '\0';
    if (ferror(stream)) {
        int cause = errno;
        free(text);
        return fail(err, cause == EISDIR ? E_INPUT : E_RUN, "%s: cannot be read: %s", name,
                    strerror(cause));
    }
    char *exact = realloc(text, experiment->source_bytes + 1);
    experiment->source = exact ? exact : text;
    return OK;
}

static enum status experiment_decode(struct settings *settings, const struct decoder *d,
                                     const struct node *root, const char *scale)
{
    struct experiment *experiment = &settings->experiment;
    struct grid *grids;
    size_t count;
    enum status status = decode_mapping(d, root, "the experiment", experiment_rules, settings);
    if (!status)
        status = settings_grids(d, settings, &grids, &count);
    if (!status) {
        experiment->grids = grids;
        experiment->grid_count = count;
    }
    return status ? status : scales_read(d, scale, settings, experiment);
}

enum status experiment_read(struct experiment **out, FILE *stream, const char *name,
                            const char *scale, struct error *err)
{
    struct error ignored;
    struct settings settings = {
        .experiment = {.seed = EXPERIMENT_SEED_DEFAULT},
        .defaults = {.trials = EXPERIMENT_TRIALS_DEFAULT,
                     .queries = EXPERIMENT_QUERIES_DEFAULT,
                     .relative_error = NAN,
                     .confidence = NAN},
    };
    struct experiment *experiment = &settings.experiment;
    const struct decoder d = {name, err ? err : &ignored};
    struct node *root = NULL;
    *out = NULL;
    enum status status = experiment_load(experiment, stream, name, d.err);
    if (!status)
        status = node_read(&root, experiment->source, experiment->source_bytes, name, d.err);
    if (!status)
        status = experiment_decode(&settings, &d, root, scale);
    if (!status && !(*out = malloc(sizeof **out)))
        status = decode_no_memory(&d);
    if (status)
        experiment_release(experiment);
    else
        **out = *experiment;
    node_free(root);
    return status;
}
