/* SPDX-License-Identifier: MIT
 *
 * count.c: `bloomlab count`: how many lines of a stream are different from one another.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filters/theory/hyperloglog.h"
#include "harness/command/command.h"
#include "harness/experiment/values.h"
#include "harness/stream/distinct.h"
#include "harness/table/text.h"

struct count_request {
    const struct hash *hash;
    bool bloom, exact, csv;
    enum stream_format format;
    uint64_t precision, bits, hashes, seed; /* 0: not given */
    double relative_error;                  /* NaN: not given */
    const char **files;
    int file_count;
};

/* ---- what is asked for ----------------------------------------------------------------------- */

enum { METHOD, PRECISION, RELATIVE_ERROR, BITS, HASHES, HASH, SEED, EXACT, ZERO, CSV, OPTIONS };

static enum status count_option(struct count_request *request, int option, const char *value,
                                struct error *err)
{
    switch (option) {
    case METHOD:
        request->bloom = strcmp(value, "bloom") == 0;
        if (!request->bloom && strcmp(value, "hyperloglog") != 0)
            return fail(err, E_INPUT, "--method is hyperloglog or bloom, not %s", value);
        return OK;
    case PRECISION:
        return value_integer(&request->precision, value, "--precision", HLL_PRECISION_MIN,
                             HLL_PRECISION_MAX, err);
    case RELATIVE_ERROR:
        return value_real(&request->relative_error, value, "--relative-error",
                          theory_hll_standard_error(HLL_PRECISION_MAX), 1, err);
    case BITS:
        return value_integer(&request->bits, value, "--bits", 1, FILTER_M_MAX, err);
    case HASHES:
        return value_integer(&request->hashes, value, "--hashes", 1, FILTER_K_MAX, err);
    case HASH:
        if (!(request->hash = hash_find(value)))
            return fail(err, E_INPUT, "there is no hash %s; bloomlab list hashes tells them",
                        value);
        return OK;
    case SEED:
        return value_integer(&request->seed, value, "--seed", 0, UINT64_MAX, err);
    case EXACT:
        request->exact = true;
        return OK;
    case ZERO:
        request->format = STREAM_NUL;
        return OK;
    case CSV:
        request->csv = true;
        return OK;
    default:
        request->files[request->file_count++] = value;
        return OK;
    }
}

/* Options of one method with the other, or two that say the same. */
static enum status count_check(const struct count_request *request, struct error *err)
{
    bool sized = !isnan(request->relative_error);
    if (request->bloom && (request->precision || sized))
        return fail(err, E_INPUT,
                    "--precision and --relative-error are HyperLogLog's; a Bloom "
                    "filter takes --bits and --hashes");
    if (request->bloom && !request->bits)
        return fail(err, E_INPUT, "--method bloom needs --bits");
    if (!request->bloom && (request->bits || request->hashes))
        return fail(err, E_INPUT, "--bits and --hashes need --method bloom");
    if (request->precision && sized)
        return fail(err, E_INPUT, "--precision and --relative-error say the same; one is enough");
    return OK;
}

static enum status count_options(struct count_request *request, int argc, char **argv,
                                 struct error *err)
{
    static const struct option_spec specs[OPTIONS] = {
        {"method", true}, {"precision", true}, {"relative-error", true}, {"bits", true},
        {"hashes", true}, {"hash", true},      {"seed", true},           {"exact", false},
        {"null", false},  {"csv", false}};
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, specs, OPTIONS, &option, &value, err);
        if (!status && option == OPTION_END)
            return count_check(request, err);
        if (!status)
            status = count_option(request, option, value, err);
        if (status)
            return status;
    }
}

/* The least precision that keeps the standard error. */
static unsigned count_precision(const struct count_request *request)
{
    unsigned precision = HLL_PRECISION_MIN;
    if (request->precision)
        return (unsigned)request->precision;
    if (isnan(request->relative_error))
        return 14;
    while (theory_hll_standard_error(precision) > request->relative_error)
        precision++;
    return precision;
}

static enum status count_settings(struct distinct_settings *settings,
                                  const struct count_request *request, struct error *err)
{
    struct filter_params params;
    enum family family = family_default(request->hash);
    *settings = (struct distinct_settings){
        .ops = filter_find(request->bloom ? "classic" : "hyperloglog"),
        .family = {.family = family,
                   .hash = request->hash,
                   .digest_bits = family_width(family, request->hash, NULL),
                   .hash_seed = request->seed},
        .exact = request->exact,
    };
    params = (struct filter_params){
        .m = request->bits,
        .n = 1,
        .k = !request->bloom   ? 0
             : request->hashes ? (unsigned)request->hashes
                               : 1,
        .digest_bits = family_delivered_bits(family, settings->family.digest_bits),
        .digest_columns = family_columns(family),
    };
    filter_params_defaults(&params, settings->ops);
    if (!request->bloom)
        params.own[0] = (struct param_value){.integer = count_precision(request)};
    return settings->ops->plan(&settings->layout, &params, err);
}

/* ---- what comes of it ------------------------------------------------------------------------ */

static void count_print_csv(const struct distinct *distinct, const struct distinct_count *count)
{
    const struct distinct_settings *settings = &distinct->settings;
    const struct layout *layout = &settings->layout;
    struct text text = {0};
    char params[128];
    double exact = settings->exact ? (double)distinct->set.count : NAN;
    filter_params_format(&layout->params, settings->ops, params, sizeof params);
    text_printf(&text, "filter,params,m,k,hash,lines,distinct,lo,hi,confidence,sd,exact,"
                       "relative_error,memory_bytes\n");
    field_string(&text, settings->ops->name);
    field_string(&text, params);
    field_count(&text, layout->m);
    field_axis(&text, layout->k > 0, layout->k);
    field_string(&text, settings->family.hash->name);
    field_count(&text, distinct->messages);
    field_real(&text, count->value, 12);
    field_real(&text, count->lo, 12);
    field_real(&text, count->hi, 12);
    field_real(&text, 0.95, 12);
    field_rate(&text, count->sd);
    field_real(&text, exact, 12);
    field_rate(&text, exact > 0 && isfinite(count->value) ? count->value / exact - 1 : NAN);
    field_count(&text, layout->bytes);
    row_end(&text);
    fwrite(text.data, 1, text.size, stdout);
    text_release(&text);
}

/* An estimate may be above what is possible: it is not corrected in silence. */
static void count_print_estimate(double value, uint64_t lines)
{
    bool above = isfinite(value) && round(value) > (double)lines;
    printf("%.0f distinct %s %" PRIu64 " lines%s\n", value, above ? "estimated, from" : "of", lines,
           above ? ": no more than these can be" : "");
}

static void count_print(const struct distinct *distinct, const struct distinct_count *count)
{
    const struct distinct_settings *settings = &distinct->settings;
    const struct layout *layout = &settings->layout;
    count_print_estimate(count->value, distinct->messages);
    printf("95 %% interval: %.0f to %.0f\n", count->lo, count->hi);
    if (isinf(count->value))
        printf("the filter is full: it takes more --bits to tell\n");
    printf("%s, %" PRIu64 " %s", settings->ops->name, layout->m, layout->k ? "bits" : "registers");
    printf(", %" PRIu64 " bytes, %s", layout->bytes, settings->family.hash->name);
    if (isfinite(count->sd))
        printf("; standard deviation %.3g %%", 100 * count->sd);
    printf("\n");
    if (!settings->exact)
        return;
    printf("exact: %" PRIu64, distinct->set.count);
    if (distinct->set.count && isfinite(count->value))
        printf(", the estimate is off by %+.3g %%",
               100 * (count->value / (double)distinct->set.count - 1));
    printf(" (%" PRIu64 " bytes)\n", exact_memory(&distinct->set));
}

static enum status count_file(struct distinct *distinct, const char *file,
                              enum stream_format format, struct error *err)
{
    struct stream_reader reader;
    bool standard = strcmp(file, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail(err, E_INPUT, "cannot read %s: %s", file, strerror(errno));
    stream_reader_open(&reader, descriptor, standard ? "standard input" : file, format);
    enum status status = distinct_read(distinct, &reader, &command_interrupted, err);
    stream_reader_release(&reader);
    if (!standard)
        close(descriptor);
    return status;
}

static enum status count_files(const struct count_request *request, struct error *err)
{
    struct distinct_settings settings;
    struct distinct distinct = {0};
    enum status status = count_settings(&settings, request, err);
    if (!status)
        status = distinct_open(&distinct, &settings, err);
    for (int i = 0; !status && i < request->file_count && !command_interrupted; i++)
        status = count_file(&distinct, request->files[i], request->format, err);
    if (!status) {
        struct distinct_count count = distinct_count(&distinct);
        if (request->csv)
            count_print_csv(&distinct, &count);
        else
            count_print(&distinct, &count);
        status = output_finish(err);
    }
    distinct_release(&distinct);
    return status;
}

static enum status count_run(int argc, char **argv, struct error *err)
{
    struct count_request request = {.hash = hash_find("xxh3_64"),
                                    .relative_error = NAN,
                                    .files = calloc((size_t)argc + 1, sizeof *request.files)};
    if (!request.files)
        return fail(err, E_RUN, "no memory for %d arguments", argc);
    enum status status = count_options(&request, argc, argv, err);
    if (request.file_count == 0)
        request.files[request.file_count++] = "-";
    if (!status)
        status = count_files(&request, err);
    free(request.files);
    return status;
}

const struct command command_count = {
    .name = "count",
    .summary = "how many lines of a stream are different",
    .help =
        "usage: bloomlab count [FILE...|-] [--precision P | --relative-error E] [--csv]\n"
        "       bloomlab count [FILE...|-] --method bloom --bits M [--hashes K] [--csv]\n\n"
        "Estimates the number of distinct lines (LF or CRLF; an empty line is one like any other,\n"
        "the last needs no end) of all files together, or of standard input, without keeping\n"
        "them: by HyperLogLog, or by the bits of a Bloom filter. The interval is that of 95 %\n"
        "about the estimate; numbers that cannot be, more than there are lines or fewer than the\n"
        "registers or bits in use show, are cut off it.\n\n"
        "  --precision P        2^P registers of 6 bits, 4 to 18 (default 14: 12288 bytes)\n"
        "  --relative-error E   the least precision of standard error 1.04/sqrt(2^P) <= E (1%)\n"
        "  --method NAME        hyperloglog (default) or bloom\n"
        "  --bits M             bits of the Bloom filter\n"
        "  --hashes K           its probes (default 1: linear counting)\n"
        "  --hash H             default xxh3_64; bloomlab list hashes tells them\n"
        "  --seed S             of the hash, 0 to 2^64 - 1 (default 0)\n"
        "  --exact              keep the lines too, and tell the true number\n"
        "  --null               lines end with NUL, not LF\n"
        "  --csv                columns filter,params,m,k,hash,lines,distinct,lo,hi,confidence,\n"
        "                       sd,exact,relative_error,memory_bytes\n",
    .run = count_run,
};
