/* SPDX-License-Identifier: MIT
 *
 * advise.c: `bloomlab advise`: the filter that costs least, for n keys and a given cost of a miss.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/advise.h"
#include "harness/bench/bench.h"
#include "harness/bench/grid.h"
#include "harness/bench/machine.h"
#include "harness/command/command.h"
#include "harness/experiment/values.h"
#include "harness/trial/trial.h"

enum { ADVISE_ROUNDS = 3, ADVISE_SHOWN = 12, ADVISE_DIGITS = 6 };
#define ADVISE_TURN_NS 2e5
#define ADVISE_BITS_PER_KEY 32.0 /* of memory, where nothing limits it */
#define ADVISE_NEAR_BYTES (UINT64_C(4) << 20)
#define ADVISE_LEAST_BYTES (UINT64_C(16) << 10)
#define ADVISE_MOST_BYTES (UINT64_C(64) << 20)

struct request {
    uint64_t n;
    double miss_cost_ns, bits, bits_per_key, fpr; /* NaN: not given */
    const char *timings;
    bool csv;
};

enum { N, MISS_COST, BITS, BITS_PER_KEY, FPR, TIMINGS, CSV, OPTION_COUNT };

static enum status take_option(struct request *request, int option, const char *value,
                               struct error *err)
{
    uint64_t bits;
    enum status status;
    switch (option) {
    case N:
        return value_integer(&request->n, value, "--n", 1, FILTER_N_MAX, err);
    case MISS_COST:
        return value_real(&request->miss_cost_ns, value, "--miss-cost", 0, 1e15, err);
    case BITS:
        status = value_integer(&bits, value, "--bits", 1, FILTER_M_MAX, err);
        request->bits = (double)bits;
        return status;
    case BITS_PER_KEY:
        return value_real(&request->bits_per_key, value, "--bits-per-key",
                          EXPERIMENT_BITS_PER_KEY_MIN, EXPERIMENT_BITS_PER_KEY_MAX, err);
    case FPR:
        status = value_real(&request->fpr, value, "--fpr", 0, 1, err);
        if (!status && request->fpr <= 0)
            status = fail(err, E_INPUT, "--fpr %s must be above 0", value);
        return status;
    case TIMINGS:
        request->timings = value;
        return OK;
    case CSV:
        request->csv = true;
        return OK;
    default:
        return fail(err, E_INPUT, "advise takes options only, not %s", value);
    }
}

static enum status take_options(struct request *request, int argc, char **argv, struct error *err)
{
    static const struct option_spec specs[OPTION_COUNT] = {
        [N] = {"n", true},       [MISS_COST] = {"miss-cost", true},
        [BITS] = {"bits", true}, [BITS_PER_KEY] = {"bits-per-key", true},
        [FPR] = {"fpr", true},   [TIMINGS] = {"timings", true},
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
    if (!request->n)
        return fail(err, E_INPUT, "advise needs --n");
    if (!isnan(request->bits) && !isnan(request->bits_per_key))
        return fail(err, E_INPUT, "advise takes --bits or --bits-per-key, not both");
    return OK;
}

/* Bits of memory a filter may take. */
static double request_bits(const struct request *request)
{
    if (!isnan(request->bits))
        return request->bits;
    return (double)request->n *
           (isnan(request->bits_per_key) ? ADVISE_BITS_PER_KEY : request->bits_per_key);
}

/* ---- times, where no table of them is given -----------------------------------------------------
 */

/* Every variant at about the size that n keys need. Large filters take long to fill: of those, few
 * numbers of bits per key; above ADVISE_MOST_BYTES times hardly grow any more. */
static enum status advise_plan_made(struct experiment **experiment, struct plan **plan,
                                    const struct request *request, struct error *err)
{
    static const double many[] = {6, 8, 10, 12, 16, 20, 24}, few[] = {8, 16};
    static const char *const all[] = {"all"};
    double per_key = fmin(request_bits(request) / (double)request->n, 12);
    double wanted = (double)request->n * per_key / 8;
    uint64_t bytes =
        (uint64_t)fmin(fmax(wanted, (double)ADVISE_LEAST_BYTES), (double)ADVISE_MOST_BYTES);
    bool near = bytes <= ADVISE_NEAR_BYTES;
    struct bench_grid grid = {
        .filters = all,
        .filter_count = 1,
        .bytes = &bytes,
        .bytes_count = 1,
        .bits_per_key = near ? many : few,
        .bits_count = near ? sizeof many / sizeof many[0] : sizeof few / sizeof few[0],
    };
    struct plan_limits limits = {UINT64_MAX, 1, 1};
    struct text text = {0};
    grid_begin(&text, "advise", "Which filter costs least?");
    enum status status = grid_write(&text, &grid, err);
    FILE *stream = status || text.failed ? NULL : fmemopen(text.data, text.size, "r");
    if (!status && !stream)
        status = fail(err, E_RUN, "no memory for the list of filters");
    if (!status)
        status = experiment_read(experiment, stream, "advise", NULL, err);
    if (stream)
        fclose(stream);
    text_release(&text);
    return status ? status : plan_make(plan, *experiment, &limits, err);
}

static enum status advise_measure(struct timings *timings, const struct request *request,
                                  struct error *err)
{
    struct experiment *experiment = NULL;
    struct plan *plan = NULL;
    struct machine machine;
    struct bench_options options = {
        .turns = {.rounds = ADVISE_ROUNDS,
                  .turn_ns = ADVISE_TURN_NS,
                  .key_shift = 3,
                  .memory_bytes = memory_physical() / 2,
                  .interrupt = &command_interrupted},
        .max_bytes = UINT64_MAX,
    };
    options.turns.operations[OPERATION_QUERY_LIST] = true;
    options.turns.paths[path_current()] = true;
    enum status status = advise_plan_made(&experiment, &plan, request, err);
    if (!status) {
        machine_enter(&machine);
        status = bench_run(timings, plan, &options, err);
        machine_leave(&machine);
    }
    plan_free(plan);
    experiment_free(experiment);
    return status;
}

/* ---- what is printed
 * ------------------------------------------------------------------------------
 */

static const char advise_header[] = "n,miss_cost_ns,rank,filter,params,m,k,bits_per_key,bytes,"
                                    "fpr_model,lookup_ns,cost_ns\n";

static void advise_csv(const struct advice_request *advice, const struct candidate *candidates,
                       size_t count, struct text *text)
{
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &candidates[i];
        field_count(text, advice->n);
        field_real(text, advice->miss_cost_ns, ADVISE_DIGITS);
        field_count(text, i + 1);
        field_string(text, c->filter);
        field_string(text, c->params);
        field_axis(text, c->m > 0, c->m);
        field_axis(text, c->k > 0, c->k);
        field_real(text, c->bits_per_key, ADVISE_DIGITS);
        field_count(text, c->bytes);
        field_real(text, c->fpr, ADVISE_DIGITS);
        field_real(text, c->lookup_ns, ADVISE_DIGITS);
        field_real(text, c->cost_ns, ADVISE_DIGITS);
        row_end(text);
    }
}

static void advise_table(const struct advice_request *advice, const struct candidate *candidates,
                         size_t count)
{
    printf("n = %" PRIu64 " keys, a miss costs %g ns, at most %.4g bits of memory per key\n",
           advice->n, advice->miss_cost_ns, advice->bits / (double)advice->n);
    printf("%-4s %-18s %-24s %4s %8s %12s %12s %10s %12s\n", "", "filter", "params", "k",
           "bits/key", "bytes", "rate", "lookup ns", "cost ns");
    for (size_t i = 0; i < count && i < ADVISE_SHOWN; i++) {
        const struct candidate *c = &candidates[i];
        printf("%-4s %-18s %-24s %4u %8.4g %12" PRIu64 " %12.4g %10.4g %12.5g\n", i ? "" : "best",
               c->filter, c->params, c->k, isnan(c->bits_per_key) ? 0 : c->bits_per_key, c->bytes,
               c->fpr, c->lookup_ns, c->cost_ns);
    }
}

static enum status advise_none(const struct advice_request *advice, struct error *err)
{
    if (isinf(advice->fpr))
        return fail(err, E_IMPOSSIBLE, "no timed filter for %" PRIu64 " keys fits into %.0f bits",
                    advice->n, advice->bits);
    return fail(err, E_IMPOSSIBLE,
                "no filter of at most %.0f bits for %" PRIu64 " keys reaches a rate of %g",
                advice->bits, advice->n, advice->fpr);
}

/* One miss cost: all candidates. None given: the best for each power of ten. */
static enum status advise_one(struct text *csv, const struct request *request,
                              struct lookups *lookups, double miss_cost_ns, bool only_best,
                              struct error *err)
{
    struct advice_request advice = {request->n, miss_cost_ns, request_bits(request),
                                    isnan(request->fpr) ? INFINITY : request->fpr};
    struct candidate *candidates;
    size_t count;
    enum status status = advise(&candidates, &count, lookups, &advice, err);
    if (status)
        return status;
    if (count == 0)
        status = advise_none(&advice, err);
    else if (request->csv)
        advise_csv(&advice, candidates, only_best ? 1 : count, csv);
    else
        advise_table(&advice, candidates, only_best ? 1 : count);
    free(candidates);
    return status;
}

static enum status advise_print(const struct request *request, struct lookups *lookups,
                                struct error *err)
{
    struct text csv = {0};
    enum status status = OK;
    if (request->csv)
        text_add(&csv, advise_header, strlen(advise_header));
    if (!isnan(request->miss_cost_ns))
        status = advise_one(&csv, request, lookups, request->miss_cost_ns, false, err);
    for (double cost = 1; isnan(request->miss_cost_ns) && !status && cost < 2e7; cost *= 10)
        status = advise_one(&csv, request, lookups, cost, true, err);
    if (!status && csv.failed)
        status = fail(err, E_RUN, "no memory for the table");
    if (!status && request->csv)
        fwrite(csv.data, 1, csv.size, stdout);
    if (!status && !request->csv)
        printf("(times: %s of absent keys%s%s)\n", lookups->operation,
               *lookups->digests ? ", digests " : "", lookups->digests);
    text_release(&csv);
    return status ? status : output_finish(err);
}

static enum status advise_command(int argc, char **argv, struct error *err)
{
    struct request request = {.miss_cost_ns = NAN, .bits = NAN, .bits_per_key = NAN, .fpr = NAN};
    struct timings timings = {0};
    struct lookups lookups = {0};
    enum status status = take_options(&request, argc, argv, err);
    if (!status)
        status = request.timings ? timings_read(&timings, request.timings, err)
                                 : advise_measure(&timings, &request, err);
    if (!status && !command_interrupted)
        status = lookups_open(&lookups, &timings, err);
    if (!status && !command_interrupted)
        status = advise_print(&request, &lookups, err);
    lookups_release(&lookups);
    timings_release(&timings);
    return status;
}

const struct command command_advise = {
    .name = "advise",
    .summary = "the filter that costs least for a given cost of a miss",
    .help =
        "usage: bloomlab advise --n N [OPTION]...\n\n"
        "cost of a lookup = lookup_ns + rate * miss cost (Lang, Neumann, Kemper, Boncz, PVLDB "
        "12(5), 2019), over\n"
        "variants, k and sizes. Rates are those of the variants' own models; times come from a "
        "table, or from a\n"
        "short measurement now. The filter `null` (no filter at all) is among the candidates.\n\n"
        "  --n N             keys in the filter\n"
        "  --miss-cost NS    what a false positive costs, in ns; without it the best for 1, 10, "
        "... 10^7\n"
        "  --bits B          memory it may take, in bits\n"
        "  --bits-per-key C  the same for each key (default 32)\n"
        "  --fpr P           rate it must reach\n"
        "  --timings FILE    timings.csv of `bloomlab bench`\n"
        "  --csv             columns "
        "n,miss_cost_ns,rank,filter,params,m,k,bits_per_key,bytes,fpr_model,\n"
        "                    lookup_ns,cost_ns\n",
    .run = advise_command,
};
