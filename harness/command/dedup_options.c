/* SPDX-License-Identifier: MIT */
#include "harness/command/dedup_options.h"

#include <math.h>
#include <string.h>

#include "harness/command/command.h"
#include "harness/experiment/values.h"
#include "harness/stream/size.h"

const char dedup_help[] =
    "usage: bloomlab dedup SIZE [OPTION]... [FILE]...\n\n"
    "Reads messages and writes each whose id was not there before, unchanged, in order, at once. A "
    "summary goes\n"
    "to standard error. No FILE, or -: standard input. A Bloom filter remembers the ids: none is "
    "written twice,\n"
    "and a new one is lost now and then, at the rate asked for.\n\n"
    "  --repeats            write the others instead: each message whose id was there before, so "
    "from its second\n"
    "                       visit on; none is missing, and a new one passes now and then\n\n"
    "messages\n"
    "  (default)            lines; the id is the line without its end (LF or CRLF). An empty line "
    "is a message\n"
    "                       of the empty id; a last line needs no LF, and gets none\n"
    "  --null               messages end at NUL\n"
    "  --binary             a little-endian 32-bit length, then the id: any bytes\n"
    "  --jsonl              a JSON object a line; lines of blanks are passed over\n"
    "  --field PATH         where its id stands, a or a.b.c (default id): a string or a number; 1 "
    "is 1.0, not \"1\"\n"
    "  --skip-invalid       pass over lines that have no id, and count them (else: exit 2 at the "
    "first)\n"
    "  --generate KIND      instead of input: uuid4, url or decimal ids, made here\n"
    "  --count N            how many of these messages\n"
    "  --repeat SHARE       how many repeat an earlier id (default 0)\n\n"
    "size\n"
    "  --capacity N         different ids it is to take ...\n"
    "  --fpr P              ... before more than this share of new ones is lost. k is the best for "
    "the standard\n"
    "                       formula, the bits the least that keep the promise by the variant's own "
    "theory\n"
    "  --bits M             instead: so many bits (2^32, 1GiB: positions) ...\n"
    "  --hashes K           ... and probes\n"
    "  --window N           forget: an id is remembered for at least N messages after it last "
    "came; "
    "each of\n"
    "                       the filters that take turns gets its share of --fpr (--bits: each has "
    "so many)\n"
    "  --slices S           in turns of N/S messages (default 4): for less than N + N/S + S. "
    "Messages count, not\n"
    "                       time: for T seconds N is T times the messages a second, at the "
    "busiest\n\n"
    "filter\n"
    "  --filter NAME        default classic\n"
    "  --param NAME=VALUE   of its own parameters\n"
    "  --hash NAME          default murmur3_x64_128\n"
    "  --family NAME        seeded, salted, split or expanded (default: split for 128 bits, else "
    "seeded)\n"
    "  --digest-bits W      keep the low W bits of each digest\n"
    "  --seed S             of the hash: digest i has seed S + i, salted ones S; and of --generate "
    "(default: 0, and\n"
    "                       seeds of the hash that are far apart)\n\n"
    "  --verify             keep all ids too, and count the new ones that were lost, against "
    "theory: memory for\n"
    "                       every byte of them and 16 to 28 bytes an id\n"
    "  --discard            write no message\n"
    "  --quiet              no summary\n";

enum option {
    NULL_ENDED,
    BINARY,
    JSONL,
    FIELD,
    SKIP_INVALID,
    GENERATE,
    COUNT,
    REPEAT,
    CAPACITY,
    FPR,
    BITS,
    HASHES,
    WINDOW,
    SLICES,
    FILTER,
    PARAM,
    HASH,
    FAMILY,
    DIGEST_BITS,
    SEED,
    VERIFY,
    REPEATS,
    DISCARD,
    QUIET,
    OPTIONS
};

static const struct option_spec dedup_specs[OPTIONS] = {
    [NULL_ENDED] = {"null", false},
    [BINARY] = {"binary", false},
    [JSONL] = {"jsonl", false},
    [FIELD] = {"field", true},
    [SKIP_INVALID] = {"skip-invalid", false},
    [GENERATE] = {"generate", true},
    [COUNT] = {"count", true},
    [REPEAT] = {"repeat", true},
    [CAPACITY] = {"capacity", true},
    [FPR] = {"fpr", true},
    [BITS] = {"bits", true},
    [HASHES] = {"hashes", true},
    [WINDOW] = {"window", true},
    [SLICES] = {"slices", true},
    [FILTER] = {"filter", true},
    [PARAM] = {"param", true},
    [HASH] = {"hash", true},
    [FAMILY] = {"family", true},
    [DIGEST_BITS] = {"digest-bits", true},
    [SEED] = {"seed", true},
    [VERIFY] = {"verify", false},
    [REPEATS] = {"repeats", false},
    [DISCARD] = {"discard", false},
    [QUIET] = {"quiet", false},
};

/* What must be known before it can be looked at. */
struct dedup_words {
    const char *filter, *hash, *family;
    const char *param[FILTER_PARAMS_MAX];
    unsigned params;
    uint64_t hashes, digest_bits, slices;
    bool formats; /* one was named */
    bool has_count, has_repeat, has_slices, has_field, has_seed;
    struct stream_size size;
};

static enum status words_format(struct dedup_options *options, struct dedup_words *words,
                                enum stream_format format, struct error *err)
{
    if (words->formats)
        return fail(err, E_INPUT, "--null, --binary and --jsonl go one at a time");
    words->formats = true;
    options->format = format;
    return OK;
}

static enum status words_param(struct dedup_words *words, const char *value, struct error *err)
{
    if (words->params == FILTER_PARAMS_MAX)
        return fail(err, E_INPUT, "more than %d parameters", FILTER_PARAMS_MAX);
    words->param[words->params++] = value;
    return OK;
}

static enum status words_generate(struct dedup_options *options, const char *value,
                                  struct error *err)
{
    options->generate = true;
    if (key_kind_find(value, &options->kind))
        return OK;
    return fail(err, E_INPUT, "--generate %s: ids can be uuid4, url or decimal", value);
}

static enum status words_number(struct dedup_options *options, struct dedup_words *words,
                                int option, const char *value, struct error *err)
{
    switch (option) {
    case COUNT:
        words->has_count = true;
        return value_integer(&options->count, value, "--count", 0, UINT64_C(1) << 62, err);
    case REPEAT:
        words->has_repeat = true;
        return value_real(&options->repeat, value, "--repeat", 0, 1, err);
    case CAPACITY:
        return value_integer(&words->size.capacity, value, "--capacity", 1, FILTER_N_MAX, err);
    case FPR:
        return value_real(&words->size.rate, value, "--fpr", -INFINITY, INFINITY, err);
    case BITS:
        return value_integer(&words->size.bits, value, "--bits", 1, FILTER_M_MAX, err);
    case HASHES:
        return value_integer(&words->hashes, value, "--hashes", 1, FILTER_K_MAX, err);
    case WINDOW:
        return value_integer(&options->settings.window, value, "--window", 1, FILTER_N_MAX, err);
    case SLICES:
        words->has_slices = true;
        return value_integer(&words->slices, value, "--slices", 1, WINDOW_SLICES_MAX, err);
    case DIGEST_BITS:
        return value_integer(&words->digest_bits, value, "--digest-bits", 8, 64, err);
    default:
        words->has_seed = true;
        return value_integer(&options->seed, value, "--seed", 0, UINT64_MAX, err);
    }
}

static enum status words_take(struct dedup_options *options, struct dedup_words *words, int option,
                              const char *value, struct error *err)
{
    switch (option) {
    case NULL_ENDED:
        return words_format(options, words, STREAM_NUL, err);
    case BINARY:
        return words_format(options, words, STREAM_RECORDS, err);
    case JSONL:
        return words_format(options, words, STREAM_JSON, err);
    case FIELD:
        words->has_field = true;
        options->field = value;
        return *value ? OK : fail(err, E_INPUT, "--field is empty; it must be a name such as id");
    case GENERATE:
        return words_generate(options, value, err);
    case FILTER:
        words->filter = value;
        return OK;
    case HASH:
        words->hash = value;
        return OK;
    case FAMILY:
        words->family = value;
        return OK;
    case PARAM:
        return words_param(words, value, err);
    case SKIP_INVALID:
        return options->skip_invalid = true, OK;
    case VERIFY:
        return options->settings.verify = true, OK;
    case REPEATS:
        return options->settings.repeats = true, OK;
    case DISCARD:
        return options->settings.discard = true, OK;
    case QUIET:
        return options->quiet = true, OK;
    default:
        return words_number(options, words, option, value, err);
    }
}

static enum status words_read(struct dedup_options *options, struct dedup_words *words, int argc,
                              char **argv, struct error *err)
{
    struct option_walk walk = {.argc = argc, .argv = argv};
    for (;;) {
        int option;
        const char *value;
        enum status status = option_next(&walk, dedup_specs, OPTIONS, &option, &value, err);
        if (status || option == OPTION_END)
            return status;
        if (option == OPTION_ARGUMENT)
            options->files[options->file_count++] = (char *)value;
        else
            status = words_take(options, words, option, value, err);
        if (status)
            return status;
    }
}

/* ---- what goes together ---------------------------------------------------------------------- */

static enum status words_fit(const struct dedup_options *options, const struct dedup_words *words,
                             struct error *err)
{
    const struct stream_size *size = &words->size;
    bool json = options->format == STREAM_JSON;
    if ((words->has_field || options->skip_invalid) && !json)
        return fail(err, E_INPUT, "--field and --skip-invalid go with --jsonl");
    if (options->generate && (options->file_count || words->formats))
        return fail(err, E_INPUT, "--generate makes the stream: no file and no format go with it");
    if (options->generate != words->has_count)
        return fail(err, E_INPUT, "--generate and --count go together");
    if (words->has_repeat && !options->generate)
        return fail(err, E_INPUT, "--repeat goes with --generate");
    if (words->has_slices && !options->settings.window)
        return fail(err, E_INPUT, "--slices goes with --window");
    if (options->settings.window && size->capacity)
        return fail(err, E_INPUT, "--window says how many ids a filter takes: no --capacity");
    if (size->bits && !isnan(size->rate))
        return fail(err, E_INPUT, "--bits and --fpr: the one decides the other");
    if (!size->bits && (isnan(size->rate) || !(size->capacity || options->settings.window)))
        return fail(err, E_INPUT,
                    "a size is needed: --capacity and --fpr, --window and --fpr, or --bits");
    if (!isnan(size->rate) && !(size->rate > 0 && size->rate < 1))
        return fail(err, E_INPUT, "--fpr %g: a rate is greater than 0 and less than 1", size->rate);
    return OK;
}

/* ---- filter and hash ------------------------------------------------------------------------- */

static enum status words_filter(struct dedup_words *words, struct error *err)
{
    struct stream_size *size = &words->size;
    size->ops = filter_find(words->filter);
    if (!size->ops)
        return fail(err, E_INPUT, "there is no filter %s; bloomlab list filters tells them",
                    words->filter);
    filter_params_defaults(&size->own, size->ops);
    for (unsigned i = 0; i < words->params; i++) {
        char name[64];
        const char *value = strchr(words->param[i], '=');
        size_t length = value ? (size_t)(value - words->param[i]) : sizeof name;
        if (length >= sizeof name)
            return fail(err, E_INPUT, "--param %s: NAME=VALUE is meant", words->param[i]);
        memcpy(name, words->param[i], length);
        name[length] = '\0';
        enum status status = filter_params_set(&size->own, size->ops, name, value + 1, err);
        if (status)
            return status;
    }
    return OK;
}

static enum status words_hash(struct dedup_words *words, uint64_t seed, struct error *err)
{
    const struct hash *hash = hash_find(words->hash);
    struct digest_family *family = &words->size.family;
    if (!hash)
        return fail(err, E_INPUT, "there is no hash %s; bloomlab list hashes tells them",
                    words->hash);
    *family = (struct digest_family){.family = family_default(hash),
                                     .hash = hash,
                                     .seed_fixed = words->has_seed,
                                     .hash_seed = seed};
    if (words->family &&
        (!family_find(words->family, &family->family) || family->family == FAMILY_PAIR))
        return fail(err, E_INPUT, "--family %s: seeded, salted, split or expanded is meant",
                    words->family);
    if (!family_suits(family->family, hash))
        return fail(err, E_INPUT, "family %s needs %s, and %s is none", family_name(family->family),
                    family_needs(family->family), hash->name);
    unsigned width = family_width(family->family, hash, NULL);
    family->digest_bits = words->digest_bits ? (unsigned)words->digest_bits : width;
    if (family->digest_bits > width)
        return fail(err, E_INPUT, "--digest-bits %u is more than the %u that %s gives",
                    family->digest_bits, width, hash->name);
    return OK;
}

/* With a window each of the filters takes a turn's messages at its share of the rate. */
static enum status words_size(struct dedup_options *options, struct dedup_words *words,
                              struct error *err)
{
    struct dedup_settings *settings = &options->settings;
    struct stream_size *size = &words->size;
    settings->slices = (unsigned)words->slices;
    size->hashes = (unsigned)words->hashes;
    if (settings->window) {
        size->capacity = (settings->window - 1) / settings->slices + 1;
        size->rate = -expm1(log1p(-size->rate) / (settings->slices + 1));
    }
    settings->ops = size->ops;
    settings->family = size->family;
    settings->capacity = size->capacity;
    settings->end = options->format == STREAM_NUL ? '\0' : '\n';
    return stream_size(&settings->layout, size, err);
}

enum status dedup_options_read(struct dedup_options *options, int argc, char **argv,
                               struct error *err)
{
    struct dedup_words words = {
        .filter = "classic", .hash = "murmur3_x64_128", .slices = 4, .size = {.rate = NAN}};
    options->field = "id";
    enum status status = words_read(options, &words, argc, argv, err);
    if (!status)
        status = words_fit(options, &words, err);
    if (!status)
        status = words_filter(&words, err);
    if (!status)
        status = words_hash(&words, options->seed, err);
    return status ? status : words_size(options, &words, err);
}
