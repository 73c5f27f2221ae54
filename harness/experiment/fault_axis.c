/* SPDX-License-Identifier: MIT
 *
 * fault_axis.c: `fault`: none, {bits: SHARES} or {probes: SHARES}. Several shares are several
 * values.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/axes.h"
#include "harness/experiment/names.h"
#include "harness/experiment/values.h"

static const char *const fault_names[FAULT_COUNT] = {
    [FAULT_NONE] = "none",
    [FAULT_BITS] = "bits",
    [FAULT_PROBES] = "probes",
};

const char *fault_name(enum fault_kind kind)
{
    return fault_names[kind];
}

static int fault_compare(const void *a, const void *b)
{
    const struct planted_fault *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->share > y->share) - (x->share < y->share);
}

static enum status fault_kind(const struct decoder *d, const struct node *at, const char *text,
                              enum fault_kind *kind)
{
    struct names names = {.count = 0};
    struct error inner;
    for (int i = 0; i < FAULT_COUNT; i++) {
        names_add(&names, fault_names[i]);
        if (strcmp(text, fault_names[i]) == 0)
            return *kind = (enum fault_kind)i, OK;
    }
    return decode_place(d, at, names_fail(&names, "fault", text, &inner), &inner);
}

static enum status fault_append(const struct decoder *d, struct grid *grid, enum fault_kind kind,
                                double share)
{
    struct planted_fault *grown =
        realloc(grid->faults, (grid->fault_count + 1) * sizeof *grid->faults);
    if (!grown)
        return decode_no_memory(d);
    grid->faults = grown;
    grown[grid->fault_count++] = (struct planted_fault){kind, share};
    return OK;
}

static enum status fault_shares(const struct decoder *d, const struct node *key, struct grid *grid)
{
    enum fault_kind kind = FAULT_NONE;
    struct error inner;
    const struct node *item;
    size_t count;
    enum status status = fault_kind(d, key, key->text, &kind);
    if (!status && kind == FAULT_NONE)
        return decode_fail(d, key, "fault 'none' has no share");
    if (!status)
        status = decode_items(d, key, &item, &count);
    for (; !status && item; item = item->next) {
        double share;
        const char *text = decode_text(d, item, key->text);
        if (!text)
            return E_INPUT;
        status = value_real(&share, text, key->text, EXPERIMENT_FAULT_MIN, 1, &inner);
        status =
            status ? decode_place(d, item, status, &inner) : fault_append(d, grid, kind, share);
    }
    return status;
}

static enum status faults_item(const struct decoder *d, const struct node *key,
                               const struct node *item, void *context)
{
    if (item->kind == NODE_MAPPING && item->count == 1)
        return fault_shares(d, item->child, context);
    enum fault_kind kind = FAULT_NONE;
    const char *text = decode_text(d, item, key->text);
    if (!text)
        return E_INPUT;
    enum status status = fault_kind(d, item, text, &kind);
    if (!status && kind != FAULT_NONE)
        return decode_fail(d, item, "fault '%s' needs its share, as in {%s: 5%%}", text, text);
    return status ? status : fault_append(d, context, kind, 0);
}

enum status axis_faults(const struct decoder *d, const struct node *key,
                        const struct key_rule *rule, void *field)
{
    (void)rule;
    struct grid *grid = field;
    size_t *ends;
    enum status status = decode_each(d, key, faults_item, grid, &grid->fault_count, &ends);
    if (!status)
        status = decode_distinct(d, key, ends, grid->faults, grid->fault_count,
                                 sizeof *grid->faults, fault_compare);
    free(ends);
    return status;
}
