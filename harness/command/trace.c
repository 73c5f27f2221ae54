/* SPDX-License-Identifier: MIT
 *
 * trace.c: `bloomlab trace`: a small filter, step by step.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/command/command.h"
#include "harness/command/trace_words.h"
#include "harness/experiment/values.h"
#include "harness/trace/story.h"

#define TRACE_NUMBERS_MAX UINT64_C(10000000)
enum { TRACE_PIPE_COLUMNS = 100 };

struct request {
    struct trace_spec spec;
    const char *pair, *hash, *family;
    struct strings params, words, queries, removals;
    uint64_t first, last;
    bool csv;
};

/* ---- options -----------------------------------------------------------------------------------
 */

enum {
    M,
    K,
    PAIR,
    HASH,
    FAMILY,
    FILTER,
    PARAM,
    REDUCTION,
    SEED,
    SIGNED,
    QUERY,
    REMOVE,
    COUNTING,
    MEASURE,
    CSV,
    OPTION_COUNT
};

static const struct option_spec trace_options[OPTION_COUNT] = {
    [M] = {"m", true},
    [K] = {"k", true},
    [PAIR] = {"pair", true},
    [HASH] = {"hash", true},
    [FAMILY] = {"family", true},
    [FILTER] = {"filter", true},
    [PARAM] = {"param", true},
    [REDUCTION] = {"reduction", true},
    [SEED] = {"seed", true},
    [SIGNED] = {"signed", false},
    [QUERY] = {"query", true},
    [REMOVE] = {"remove", true},
    [COUNTING] = {"counting", false},
    [MEASURE] = {"measure", true},
    [CSV] = {"csv", false},
};

static enum status take_range(struct request *request, const char *text, struct error *err)
{
    char from[64];
    const char *dots = strstr(text, "..");
    if (!dots || (size_t)(dots - text) >= sizeof from)
        return fail(err, E_INPUT, "--measure is '%.40s'; it must be a range such as 0..9999", text);
    snprintf(from, sizeof from, "%.*s", (int)(dots - text), text);
    enum status status = value_integer(&request->first, from, "--measure", 0, UINT64_MAX - 1, err);
    if (!status)
        status = value_integer(&request->last, dots + 2, "--measure", 0, UINT64_MAX - 1, err);
    if (status)
        return status;
    if (request->first > request->last)
        return fail(err, E_INPUT, "--measure %s runs backwards; the smaller end comes first", text);
    if (request->last - request->first >= TRACE_NUMBERS_MAX)
        return fail(err, E_INPUT, "--measure %s has more than %" PRIu64 " numbers", text,
                    TRACE_NUMBERS_MAX);
    return OK;
}

static enum status take_number(struct request *request, int option, const char *value,
                               struct error *err)
{
    uint64_t k = 0;
    enum status status = OK;
    if (option == M)
        return value_integer(&request->spec.params.m, value, "--m", 1, TRACE_M_MAX, err);
    if (option == SEED)
        return value_integer(&request->spec.family.hash_seed, value, "--seed", 0, UINT64_MAX, err);
    status = value_integer(&k, value, "--k", 1, FILTER_K_MAX, err);
    request->spec.params.k = (unsigned)k;
    return status;
}

static enum status take_option(struct request *request, int option, const char *value,
                               struct error *err)
{
    switch (option) {
    case M:
    case K:
    case SEED:
        return take_number(request, option, value, err);
    case PAIR:
        request->pair = value;
        return OK;
    case HASH:
        request->hash = value;
        return OK;
    case FAMILY:
        request->family = value;
        return OK;
    case FILTER:
        request->spec.ops = filter_find(value);
        if (!request->spec.ops)
            return fail(err, E_INPUT, "there is no filter %s; bloomlab list filters tells them",
                        value);
        return OK;
    case PARAM:
        return strings_add(&request->params, value, err);
    case REDUCTION:
        if (!reduction_find(value, &request->spec.params.reduction))
            return fail(err, E_INPUT,
                        "there is no reduction %s; there are mod, mask, multiply_shift", value);
        return OK;
    case SIGNED:
        request->spec.is_signed = true;
        return OK;
    case QUERY:
        return strings_add(&request->queries, value, err);
    case REMOVE:
        return strings_add(&request->removals, value, err);
    case COUNTING:
        request->spec.twin = true;
        return OK;
    case MEASURE:
        return take_range(request, value, err);
    case CSV:
        request->csv = true;
        return OK;
    default:
        return strings_add(&request->words, value, err);
    }
}

static enum status take_hash(const struct hash **hash, const char *name, struct error *err)
{
    *hash = hash_find(name);
    return *hash ? OK
                 : fail(err, E_INPUT, "there is no hash %.40s; bloomlab list hashes tells them",
                        name);
}

static enum status take_pair(struct digest_family *family, const char *pair, struct error *err)
{
    char first[64];
    const char *comma = strchr(pair, ',');
    if (!comma || strchr(comma + 1, ',') || (size_t)(comma - pair) >= sizeof first)
        return fail(err, E_INPUT, "--pair is '%.80s'; it must be two hashes with a comma between",
                    pair);
    snprintf(first, sizeof first, "%.*s", (int)(comma - pair), pair);
    family->family = FAMILY_PAIR;
    enum status status = take_hash(&family->hash, first, err);
    return status ? status : take_hash(&family->second, comma + 1, err);
}

/* A pair is for double hashing; a hash alone for classic. */
static enum status take_family(struct request *request, struct error *err)
{
    struct digest_family *family = &request->spec.family;
    enum status status;
    if (!request->pair == !request->hash)
        return fail(err, E_INPUT, "trace needs either --pair or --hash");
    if (request->pair && request->family)
        return fail(err, E_INPUT, "--family goes with --hash; a pair is a family of its own");
    status = request->pair ? take_pair(family, request->pair, err)
                           : take_hash(&family->hash, request->hash, err);
    if (status)
        return status;
    if (request->hash)
        family->family = family_default(family->hash);
    if (request->family &&
        (!family_find(request->family, &family->family) || family->family == FAMILY_PAIR))
        return fail(err, E_INPUT,
                    "there is no family %s of one hash; there are seeded, split, salted, expanded",
                    request->family);
    family->seed_fixed = true;
    family->digest_bits = family_width(family->family, family->hash, family->second);
    if (!request->spec.ops)
        request->spec.ops = filter_find(request->pair ? "double_hashing" : "classic");
    return OK;
}

static enum status take_params(struct request *request, struct error *err)
{
    struct trace_spec *spec = &request->spec;
    filter_params_defaults(&spec->params, spec->ops);
    enum status status = OK;
    for (size_t i = 0; !status && i < request->params.count; i++)
        status = option_param(&spec->params, spec->ops, request->params.item[i], err);
    return status;
}

static enum status take_options(struct request *request, int argc, char **argv, struct error *err)
{
    struct option_walk walk = {.argc = argc, .argv = argv};
    enum status status = OK;
    while (!status) {
        int option;
        const char *value;
        status = option_next(&walk, trace_options, OPTION_COUNT, &option, &value, err);
        if (!status && option == OPTION_END)
            break;
        if (!status)
            status = take_option(request, option, value, err);
    }
    if (!status)
        status = take_family(request, err);
    if (status)
        return status;
    unsigned axes = request->spec.ops->axes;
    if ((axes & AXIS_M) && !request->spec.params.m)
        return fail(err, E_INPUT, "trace needs --m");
    if ((axes & AXIS_K) && !request->spec.params.k)
        return fail(err, E_INPUT, "trace needs --k");
    return take_params(request, err);
}

/* ---- the run -----------------------------------------------------------------------------------
 */

static struct show_style trace_style(void)
{
    struct winsize window;
    const char *terminal = getenv("TERM"), *plain = getenv("NO_COLOR");
    struct show_style style = {.columns = TRACE_PIPE_COLUMNS};
    if (!isatty(STDOUT_FILENO))
        return style;
    style.colour = !(plain && *plain) && terminal && strcmp(terminal, "dumb") != 0;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    style.columns = known ? window.ws_col : 80;
    return style;
}

static enum status trace_tell(const struct request *request, struct trace *trace,
                              const uint64_t *removals, struct error *err)
{
    struct text text = {0};
    struct story story = {
        .text = &text,
        .trace = trace,
        .style = trace_style(),
        .first = request->first,
        .last = request->last,
    };
    const struct story_plan plan = {
        .queries = request->queries.item,
        .query_count = request->queries.count,
        .removals = removals,
        .removal_count = request->removals.count,
        .measured = true,
    };
    enum status status = story_tell(&story, request->csv ? &teller_csv : &teller_text, &plan, err);
    if (!status && text.failed)
        status = fail(err, E_RUN, "no memory for what is to be told");
    if (!status)
        fwrite(text.data, 1, text.size, stdout);
    text_release(&text);
    return status;
}

static enum status trace_words(const struct request *request, struct error *err)
{
    struct trace trace = {0};
    struct contents words = {0};
    uint64_t *removals = NULL;
    enum status status = words_take(&words, &request->words, err);
    if (!status)
        status = removals_take(&removals, &request->removals, &words, err);
    if (!status)
        status = trace_open(&trace, &request->spec, &words, err);
    if (!status)
        status = trace_tell(request, &trace, removals, err);
    contents_release(&words);
    trace_release(&trace);
    free(removals);
    return status;
}

static enum status trace_run(int argc, char **argv, struct error *err)
{
    struct request request = {.last = 9999};
    enum status status = take_options(&request, argc, argv, err);
    if (!status)
        status = trace_words(&request, err);
    free(request.params.item);
    free(request.words.item);
    free(request.queries.item);
    free(request.removals.item);
    return status ? status : output_finish(err);
}

const struct command command_trace = {
    .name = "trace",
    .summary = "a small filter step by step: positions, bits, answers, who is lost",
    .help =
        "usage: bloomlab trace --m M --k K --pair A,B [OPTION]... WORD...\n"
        "       bloomlab trace --m M --k K --hash NAME [OPTION]... WORD...\n\n"
        "Inserts the words one by one and shows their digests, positions and the bits they set;\n"
        "then the filter's figures, its rate over the numbers 0 to 9999 as text, and for each "
        "word\n"
        "whom clearing its bits would lose. A word - reads words from standard input, one a "
        "line.\n\n"
        "  --pair A,B           double hashing from two hashes: h1 + i h2, h2 made odd where m is\n"
        "                       a power of two\n"
        "  --hash NAME          one hash for all positions\n"
        "  --family F           its digests: seeded (seed S + i), salted (key and i in decimal),\n"
        "                       split, expanded\n"
        "  --seed S             the seed of the hashes (default 0); a pair has it for both\n"
        "  --filter F           double_hashing (default of a pair), classic (default of a hash),\n"
        "                       enhanced_double, partitioned, blocked, counting, ...\n"
        "  --param NAME=VALUE   a parameter of the filter; may be repeated\n"
        "  --reduction R        mod (default), mask, multiply_shift\n"
        "  --signed             positions are (int32 hash) mod m, never negative\n"
        "  --query WORD         ask for a word, and say why; may be repeated\n"
        "  --remove WORD        take a word out, by clearing its bits; may be repeated\n"
        "  --counting           the same removals with a counter in place of each bit\n"
        "  --measure A..B       numbers to be asked for (default 0..9999)\n"
        "  --csv                a table: "
        "step,action,word,other,hashes,positions,changed,bits_set,\n"
        "                       answer,value,reason\n",
    .run = trace_run,
};
