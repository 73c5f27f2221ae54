/* SPDX-License-Identifier: MIT */
#include "harness/bench/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "hashes/family.h"

enum { GRID_NAME_MAX = 64, GRID_PARAMS_MAX = 256 };

/* A hash of integer keys that costs little beside a probe, where there is one. */
static const char *grid_hash(void)
{
    return hash_find("fmix64") ? "fmix64" : "xxh3_64";
}

void grid_begin(struct text *text, const char *name, const char *question)
{
    text_printf(text, "name: %s\nquestion: %s\ntrials: 1\nqueries: 0\nseed: 1\ngrid:\n", name,
                question);
}

/* How many positions make the variant take `bytes` bytes; 8 a byte where it cannot be planned, and
 * the plan then says why. */
static uint64_t grid_positions(const struct filter_ops *ops, const struct filter_params *own,
                               uint64_t bytes, double bits_per_key)
{
    struct filter_params params = *own;
    struct layout layout;
    struct error unused;
    params.m = bytes * 8;
    params.n = (uint64_t)fmax(1, round((double)params.m / bits_per_key));
    params.k = theory_best_k(params.m, params.n, FILTER_K_MAX);
    params.reduction = REDUCE_MULTIPLY_SHIFT;
    params.digest_bits = 64;
    params.digest_columns = FAMILY_UNLIMITED;
    if (ops->plan(&layout, &params, &unused) != OK || layout.bytes == 0)
        return params.m;
    double size = (double)bytes / (double)layout.bytes;
    return fabs(size - 1) < 0.05 ? params.m : (uint64_t)((double)params.m * size);
}

/* NAME:PARAMETER=VALUE;... checked against the variant, which goes into *params. */
static enum status grid_filter(const struct filter_ops **ops, struct filter_params *params,
                               const char *given, struct error *err)
{
    char text[GRID_PARAMS_MAX], *rest;
    if (strlen(given) >= sizeof text)
        return fail(err, E_INPUT, "--filter %.40s... is too long", given);
    snprintf(text, sizeof text, "%s", given);
    char *name = strtok_r(text, ":", &rest);
    *ops = name ? filter_find(name) : NULL;
    if (!*ops)
        return fail(err, E_INPUT, "there is no filter %s; bloomlab list filters tells them",
                    name ? name : "");
    *params = (struct filter_params){0};
    filter_params_defaults(params, *ops);
    for (char *item; (item = strtok_r(NULL, ":;", &rest));) {
        char *equals = strchr(item, '=');
        if (!equals)
            return fail(err, E_INPUT, "--filter %s: %s is not PARAMETER=VALUE", given, item);
        *equals = '\0';
        enum status status = filter_params_set(params, *ops, item, equals + 1, err);
        if (status)
            return status;
    }
    if (!((*ops)->capabilities & CAN_ANSWER_MEMBERSHIP))
        return fail(err, E_INPUT, "%s answers no membership queries", (*ops)->name);
    return OK;
}

/* {name: NAME, PARAMETER: VALUE, ...} */
static void grid_name(struct text *text, const struct filter_ops *ops,
                      const struct filter_params *params)
{
    char own[GRID_PARAMS_MAX], *rest;
    filter_params_format(params, ops, own, sizeof own);
    text_printf(text, "{name: %s", ops->name);
    for (char *item = strtok_r(own, ";", &rest); item; item = strtok_r(NULL, ";", &rest)) {
        char *equals = strchr(item, '=');
        if (equals && equals[1])
            text_printf(text, ", %.*s: %s", (int)(equals - item), item, equals + 1);
    }
    text_printf(text, "}");
}

static void grid_item(struct text *text, const struct bench_grid *grid,
                      const struct filter_ops *ops, const struct filter_params *params)
{
    text_printf(text, "  - filter: [");
    grid_name(text, ops, params);
    text_printf(
        text, "]\n    hash: [%s]\n    keys: [random64]\n    reduction: [multiply_shift]\n    m: [",
        grid_hash());
    bool one_size = !(ops->axes & AXIS_M) && !(ops->capabilities & CAN_GROW);
    for (size_t i = 0; i < (one_size ? 1 : grid->bytes_count); i++)
        text_printf(text, "%s%" PRIu64, i ? ", " : "",
                    grid_positions(ops, params, grid->bytes[i], grid->bits_per_key[0]));
    text_printf(text, "]\n    bits_per_key: [");
    for (size_t i = 0; i < (one_size ? 1 : grid->bits_count); i++)
        text_printf(text, "%s%.17g", i ? ", " : "", grid->bits_per_key[i]);
    text_printf(text, "]\n    k: [optimal]\n");
}

static void grid_all(struct text *text, const struct bench_grid *grid)
{
    for (size_t f = 0; f < filter_count; f++) {
        struct filter_params params = {0};
        const struct filter_ops *ops = filter_table[f];
        if (!(ops->capabilities & CAN_ANSWER_MEMBERSHIP) || (ops->capabilities & CAN_GROW))
            continue;
        filter_params_defaults(&params, ops);
        grid_item(text, grid, ops, &params);
    }
}

enum status grid_write(struct text *text, const struct bench_grid *grid, struct error *err)
{
    for (size_t f = 0; f < grid->filter_count; f++) {
        const struct filter_ops *ops = NULL;
        struct filter_params params;
        if (strcmp(grid->filters[f], "all") == 0) {
            grid_all(text, grid);
            continue;
        }
        enum status status = grid_filter(&ops, &params, grid->filters[f], err);
        if (status)
            return status;
        grid_item(text, grid, ops, &params);
    }
    return OK;
}
