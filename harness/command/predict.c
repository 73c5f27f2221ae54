/* SPDX-License-Identifier: MIT
 *
 * predict.c: `bloomlab predict`: what theory says of a filter, without building one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/theory/classic.h"
#include "harness/command/command.h"
#include "harness/command/gap.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/values.h"
#include "harness/plan/theory.h"
#include "harness/table/text.h"

enum { PREDICT_LIST_MAX = 100000, PREDICT_DIGITS = 12 };

struct request {
    const struct filter_ops *ops;
    struct filter_params params;
    struct u64_list m, n, k;
    const char *param_text[FILTER_PARAMS_MAX + 1];
    unsigned param_count;
    bool csv;
    double gap, bits_per_key; /* 0: not given */
};

static enum status add_list(struct u64_list *list, const char *text, const char *what, uint64_t min,
                            uint64_t max, struct error *err)
{
    return value_range(&list->values, &list->count, text, what, min, max, PREDICT_LIST_MAX, err);
}

static enum status add_k(struct request *request, const char *text, struct error *err)
{
    if (strcmp(text, "optimal") != 0)
        return add_list(&request->k, text, "k", 1, FILTER_K_MAX, err);
    uint64_t *moved = realloc(request->k.values, (request->k.count + 1) * sizeof *moved);
    if (!moved)
        return fail(err, E_RUN, "no memory for a list of k");
    request->k.values = moved;
    request->k.values[request->k.count++] = EXPERIMENT_K_OPTIMAL;
    return OK;
}

enum { FILTER, M, N, K, PARAM, REDUCTION, DIGEST_BITS, GAP, BITS_PER_KEY, CSV, OPTION_COUNT };

static enum status take_option(struct request *request, int option, const char *value,
                               struct error *err)
{
    uint64_t bits;
    switch (option) {
    case FILTER:
        request->ops = filter_find(value);
        if (!request->ops)
            return fail(err, E_INPUT, "there is no filter %s; bloomlab list filters tells them",
                        value);
        return OK;
    case M:
        return add_list(&request->m, value, "m", 1, FILTER_M_MAX, err);
    case N:
        return add_list(&request->n, value, "n", 0, FILTER_N_MAX, err);
    case K:
        return add_k(request, value, err);
    case PARAM:
        if (request->param_count == FILTER_PARAMS_MAX)
            return fail(err, E_INPUT, "at most %d parameters", FILTER_PARAMS_MAX);
        request->param_text[request->param_count++] = value;
        return OK;
    case REDUCTION:
        if (!reduction_find(value, &request->params.reduction))
            return fail(err, E_INPUT,
                        "there is no reduction %s; there are mod, mask, multiply_shift", value);
        return OK;
    case DIGEST_BITS: {
        enum status status = value_integer(&bits, value, "--digest-bits", 8, 64, err);
        request->params.digest_bits = (unsigned)bits;
        return status;
    }
    case GAP:
        return value_real(&request->gap, value, "--gap", 1e-9, 1e6, err);
    case BITS_PER_KEY:
        return value_real(&request->bits_per_key, value, "--bits-per-key",
                          EXPERIMENT_BITS_PER_KEY_MIN, EXPERIMENT_BITS_PER_KEY_MAX, err);
    case CSV:
        request->csv = true;
        return OK;
    default:
        return fail(err, E_INPUT, "predict takes options only, not %s", value);
    }
}

static enum status take_params(struct request *request, struct error *err)
{
    struct filter_params defaults = request->params;
    filter_params_defaults(&defaults, request->ops);
    memcpy(request->params.own, defaults.own, sizeof defaults.own);
    enum status status = OK;
    for (unsigned i = 0; !status && i < request->param_count; i++)
        status = option_param(&request->params, request->ops, request->param_text[i], err);
    return status;
}

/* With --gap m and n are only a ratio. */
static enum status check_gap(struct request *request, struct error *err)
{
    bool sizes = request->m.count || request->n.count;
    if (request->bits_per_key > 0)
        return sizes ? fail(err, E_INPUT,
                            "--gap takes --bits-per-key, or --m and --n for their "
                            "ratio, not both")
                     : OK;
    if (request->m.count != 1 || request->n.count != 1 || !request->n.values[0])
        return fail(err, E_INPUT,
                    "--gap needs --bits-per-key, or one --m and one --n above 0 for their ratio");
    request->bits_per_key = (double)request->m.values[0] / (double)request->n.values[0];
    return OK;
}

static enum status check_options(struct request *request, struct error *err)
{
    unsigned axes = request->ops->axes;
    bool gap = request->gap > 0;
    if (!gap && request->bits_per_key > 0)
        return fail(err, E_INPUT, "--bits-per-key goes with --gap; give --m and --n");
    if (!gap && (axes & AXIS_M) && !request->m.count)
        return fail(err, E_INPUT, "%s needs --m", request->ops->name);
    if ((axes & AXIS_K) && !request->k.count)
        return fail(err, E_INPUT, "%s needs --k", request->ops->name);
    if (gap && request->k.count > 1)
        return fail(err, E_INPUT, "--gap takes one --k");
    if (gap)
        return check_gap(request, err);
    return request->n.count ? OK : fail(err, E_INPUT, "predict needs --n");
}

static enum status take_options(struct request *request, int argc, char **argv, struct error *err)
{
    static const struct option_spec specs[OPTION_COUNT] = {
        [FILTER] = {"filter", true},
        [M] = {"m", true},
        [N] = {"n", true},
        [K] = {"k", true},
        [PARAM] = {"param", true},
        [REDUCTION] = {"reduction", true},
        [DIGEST_BITS] = {"digest-bits", true},
        [GAP] = {"gap", true},
        [BITS_PER_KEY] = {"bits-per-key", true},
        [CSV] = {"csv", false},
    };
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, OPTION_COUNT, &option, &value, err);
        if (!status && option == OPTION_END)
            break;
        if (!status)
            status = take_option(request, option, value, err);
        if (status)
            return status;
    }
    if (!request->ops)
        return fail(err, E_INPUT, "predict needs --filter; bloomlab list filters tells them");
    enum status status = check_options(request, err);
    return status ? status : take_params(request, err);
}

/* ---- rows
 * ----------------------------------------------------------------------------------------- */

static enum status predict_row(struct text *text, const struct request *request,
                               const struct filter_params *params, struct error *err)
{
    struct layout layout;
    struct cell_theory theory;
    char own[512];
    enum status status = request->ops->plan(&layout, params, err);
    if (status)
        return status;
    theory_of_layout(&theory, request->ops, &layout, params->n);
    filter_params_format(&layout.params, request->ops, own, sizeof own);
    field_string(text, request->ops->name);
    field_string(text, own);
    field_axis(text, params->m > 0, params->m);
    field_axis(text, layout.m > 0, layout.m);
    field_count(text, params->n);
    field_axis(text, layout.k > 0, layout.k);
    field_real(text, theory.standard, PREDICT_DIGITS);
    field_real(text, theory.bloom, PREDICT_DIGITS);
    field_real(text, theory.exact, PREDICT_DIGITS);
    field_real(text, theory.model.fpr, PREDICT_DIGITS);
    field_real(text, theory.fill.mean, PREDICT_DIGITS);
    field_count(text, layout.bytes_max);
    row_end(text);
    return OK;
}

static const char predict_header[] =
    "filter,params,m,m_actual,n,k,fpr_standard,fpr_bloom,fpr_exact,fpr_model,expected_bits,bytes\n";

/* The table again, columns aligned for a reader. */
static void print_aligned(char *table)
{
    enum { COLUMNS = 12 };
    char *fields[COLUMNS], *next = table;
    while (*next) {
        static const int width[COLUMNS] = {-16, -22, 14, 14, 12, 4, 18, 18, 18, 18, 18, 14};
        int count = row_split(next, fields, COLUMNS, &next);
        for (int i = 0; i < count; i++)
            printf("%*s%s", width[i], fields[i], i + 1 < count ? " " : "\n");
    }
}

static enum status predict_all(struct text *text, const struct request *request, struct error *err)
{
    size_t ms = request->ops->axes & AXIS_M ? request->m.count : 1;
    size_t ks = request->ops->axes & AXIS_K ? request->k.count : 1;
    if (ms * ks > PREDICT_LIST_MAX / request->n.count)
        return fail(err, E_INPUT, "%zu m, %zu n, %zu k are too many; at most %d rows", ms,
                    request->n.count, ks, PREDICT_LIST_MAX);
    for (size_t i = 0; i < ms; i++)
        for (size_t j = 0; j < request->n.count; j++)
            for (size_t l = 0; l < ks; l++) {
                struct filter_params params = request->params;
                params.n = request->n.values[j];
                if (request->ops->axes & AXIS_M)
                    params.m = request->m.values[i];
                if (request->ops->axes & AXIS_K)
                    params.k = (unsigned)request->k.values[l];
                if ((request->ops->axes & AXIS_K) && params.k == EXPERIMENT_K_OPTIMAL)
                    params.k = theory_best_k(params.m, params.n ? params.n : 1, FILTER_K_MAX);
                enum status status = predict_row(text, request, &params, err);
                if (status)
                    return status;
            }
    return OK;
}

static enum status predict_gap(const struct request *request, struct error *err)
{
    struct text text = {0};
    struct gap_request gap = {
        .ops = request->ops,
        .params = request->params,
        .bits_per_key = request->bits_per_key,
        .k = request->k.count ? request->k.values[0] : EXPERIMENT_K_OPTIMAL,
        .gap = request->gap,
        .csv = request->csv,
    };
    enum status status = gap_find(&text, &gap, err);
    if (!status && text.failed)
        status = fail(err, E_RUN, "no memory for the table");
    if (!status)
        fwrite(text.data, 1, text.size, stdout);
    text_release(&text);
    return status;
}

static enum status predict_table(const struct request *request, struct error *err)
{
    struct text text = {0};
    text_add(&text, predict_header, strlen(predict_header));
    enum status status = predict_all(&text, request, err);
    if (!status && text.failed)
        status = fail(err, E_RUN, "no memory for the table");
    if (!status && request->csv)
        fwrite(text.data, 1, text.size, stdout);
    else if (!status)
        print_aligned(text.data);
    text_release(&text);
    return status;
}

static enum status predict_run(int argc, char **argv, struct error *err)
{
    struct request request = {
        .params = {.digest_bits = 64, .digest_columns = FAMILY_UNLIMITED},
    };
    enum status status = take_options(&request, argc, argv, err);
    if (!status)
        status = request.gap > 0 ? predict_gap(&request, err) : predict_table(&request, err);
    free(request.m.values);
    free(request.n.values);
    free(request.k.values);
    return status ? status : output_finish(err);
}

const struct command command_predict = {
    .name = "predict",
    .summary = "theory of a filter, without building it",
    .help =
        "usage: bloomlab predict --filter F --m M --n N --k K [OPTION]...\n"
        "       bloomlab predict --gap P --filter F --bits-per-key C --k K [OPTION]...\n\n"
        "M, N and K may be ranges: 1..16, 2^10..2^20, 100..1000 by 100. An axis the filter "
        "does not\n"
        "use need not be given.\n\n"
        "  --k optimal          the k that minimises (1-e^(-kn/m))^k\n"
        "  --param NAME=VALUE   a parameter of the filter; may be repeated\n"
        "  --reduction R        mod (default), mask, multiply_shift\n"
        "  --digest-bits W      width of the digests, 8 to 64 (default 64)\n"
        "  --gap P              from which m on the filter is within P (1%, 0.01) of the classic "
        "filter's\n"
        "                       exact rate, and stays; a table of the gap at powers of two\n"
        "  --bits-per-key C     the ratio m/n for --gap; or --m and --n for their ratio\n"
        "  --csv                columns "
        "filter,params,m,m_actual,n,k,fpr_standard,fpr_bloom,fpr_exact,\n"
        "                       fpr_model,expected_bits,bytes; 12 significant digits\n",
    .run = predict_run,
};
