/* SPDX-License-Identifier: MIT
 *
 * param_axis.c: the values of a parameter of a filter's or a workload's own: one, a list, a range.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/axes.h"
#include "harness/experiment/values.h"

struct param_reader {
    const char *owner;
    const struct param_spec *spec;
    struct param_list *list;
};

static int param_compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct param_value));
}

/* Appends one value, as text: params_read checks it against the parameter's bounds. */
static enum status param_append(const struct decoder *d, const struct node *at,
                                const struct param_reader *reader, const char *text)
{
    struct error inner;
    struct param_value value;
    struct param_list *list = reader->list;
    enum status status = params_read(&value, reader->owner, reader->spec, text, &inner);
    if (status)
        return decode_place(d, at, status, &inner);
    if ((list->count & (list->count - 1)) == 0) { /* full at 1, 2, 4, ...: room for as many again */
        size_t room = list->count ? 2 * list->count : 1;
        struct param_value *grown = realloc(list->values, room * sizeof *grown);
        if (!grown)
            return decode_no_memory(d);
        list->values = grown;
    }
    list->values[list->count++] = value;
    return OK;
}

static enum status param_integers(const struct decoder *d, const struct node *item,
                                  const struct param_reader *reader)
{
    const struct param_spec *spec = reader->spec;
    const double most = 9007199254740992; /* 2^53 */
    uint64_t *values = NULL;
    size_t count = 0;
    struct error inner;
    char text[32];
    enum status status = value_range(
        &values, &count, item->text, spec->name, spec->min > 0 ? (uint64_t)spec->min : 0,
        (uint64_t)(spec->max < most ? spec->max : most), EXPERIMENT_AXIS_MAX, &inner);
    status = decode_place(d, item, status, &inner);
    for (size_t i = 0; !status && i < count; i++) {
        snprintf(text, sizeof text, "%" PRIu64, values[i]);
        status = param_append(d, item, reader, text);
    }
    free(values);
    return status;
}

static enum status param_reals(const struct decoder *d, const struct node *item,
                               const struct param_reader *reader)
{
    const struct param_spec *spec = reader->spec;
    double *values = NULL;
    size_t count = 0;
    struct error inner;
    char text[32];
    enum status status = value_real_range(&values, &count, item->text, spec->name, spec->min,
                                          spec->max, EXPERIMENT_AXIS_MAX, &inner);
    status = decode_place(d, item, status, &inner);
    for (size_t i = 0; !status && i < count; i++) {
        snprintf(text, sizeof text, "%.17g", values[i]);
        status = param_append(d, item, reader, text);
    }
    free(values);
    return status;
}

static enum status param_item(const struct decoder *d, const struct node *key,
                              const struct node *item, void *context)
{
    const struct param_reader *reader = context;
    const char *text = decode_text(d, item, key->text);
    if (!text)
        return E_INPUT;
    switch (reader->spec->type) {
    case PARAM_INTEGER:
        return param_integers(d, item, reader);
    case PARAM_REAL:
        return param_reals(d, item, reader);
    default:
        return param_append(d, item, reader, text);
    }
}

enum status axis_params(const struct decoder *d, const struct node *key, const char *owner,
                        const struct param_spec *spec, struct param_list *list)
{
    struct param_reader reader = {owner, spec, list};
    size_t *ends;
    enum status status = decode_each(d, key, param_item, &reader, &list->count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, list->values, list->count, sizeof *list->values,
                                 param_compare);
    free(ends);
    return status;
}
