/* SPDX-License-Identifier: MIT */
#include "harness/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/keys/text.h"

/* ---- one key's digests, handed over from memory -----------------------------------------------
 */

struct lone_digests {
    struct digests base;
    const uint64_t *digest;
};

static const uint64_t *lone_column(struct digests *self, unsigned column, const uint32_t *which,
                                   size_t count, uint64_t *out)
{
    (void)which;
    if (count)
        out[0] = ((const struct lone_digests *)self)->digest[column];
    return out;
}

static struct lone_digests lone_key(const struct trace_filter *tf, const uint64_t *digest)
{
    return (struct lone_digests){
        .base = {.column = lone_column, .count = 1, .bits = tf->layout.params.digest_bits},
        .digest = digest,
    };
}

/* ---- a filter fed one key at a time ------------------------------------------------------------
 */

static enum status trace_filter_open(struct trace_filter *tf, const struct filter_ops *ops,
                                     const struct filter_params *params, struct error *err)
{
    enum status status = ops->plan(&tf->layout, params, err);
    if (status)
        return status;
    tf->probe = malloc(tf->layout.k * tf->layout.batch * sizeof *tf->probe);
    if (!tf->probe)
        return fail(err, E_RUN, "no memory for the positions of a key");
    return workspace_filter(&tf->space, &tf->filter, ops, &tf->layout, err);
}

static void trace_filter_release(struct trace_filter *tf)
{
    workspace_release(&tf->space);
    workspace_release(&tf->alone);
    free(tf->probe);
}

static bool trace_filter_has(struct trace_filter *tf, const uint64_t *digest)
{
    struct lone_digests key = lone_key(tf, digest);
    return tf->filter.ops->query(&tf->filter, NULL, &key.base, tf->space.scratch);
}

static enum status trace_filter_insert(struct trace_filter *tf, const uint64_t *digest,
                                       struct error *err)
{
    struct lone_digests key = lone_key(tf, digest);
    return tf->filter.ops->insert(&tf->filter, &key.base, tf->space.scratch, err);
}

static enum status trace_filter_clear(struct trace_filter *tf, const uint64_t *digest,
                                      struct error *err)
{
    struct filter alone;
    struct lone_digests key = lone_key(tf, digest);
    const struct filter_ops *ops = tf->filter.ops;
    enum status status = workspace_filter(&tf->alone, &alone, ops, &tf->layout, err);
    if (!status)
        status = ops->insert(&alone, &key.base, tf->alone.scratch, err);
    for (uint64_t i = 0; !status && i < tf->layout.bytes; i++)
        tf->filter.memory[i] &= (unsigned char)~alone.memory[i];
    return status;
}

static enum status trace_filter_remove(struct trace_filter *tf, const uint64_t *digest,
                                       struct error *err)
{
    struct lone_digests key = lone_key(tf, digest);
    if (!tf->filter.ops->remove)
        return trace_filter_clear(tf, digest, err);
    tf->filter.ops->remove(&tf->filter, NULL, &key.base, tf->space.scratch);
    return OK;
}

static void trace_filter_probes(struct trace_filter *tf, uint64_t *position, const uint64_t *digest)
{
    struct lone_digests key = lone_key(tf, digest);
    tf->filter.ops->probes(&tf->filter, tf->probe, &key.base, tf->space.scratch);
    for (unsigned i = 0; i < tf->layout.k; i++)
        position[i] = tf->probe[i * tf->layout.batch];
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static enum status trace_check(const struct trace_spec *spec, struct error *err)
{
    const struct filter_ops *ops = spec->ops;
    const struct digest_family *family = &spec->family;
    bool plain = ops->capabilities & CAN_MERGE_INTERSECTION;
    if (!ops->probes || !ops->query || !(plain || ops->remove))
        return fail(err, E_INPUT,
                    "%s has no k positions in one array that could be shown; classic, counting and "
                    "others have",
                    ops->name);
    if (!family_suits(family->family, family->hash))
        return fail(err, E_INPUT, "family %s needs %s, and %s is none", family_name(family->family),
                    family_needs(family->family), family->hash->name);
    if (!spec->is_signed)
        return OK;
    if (family_width(family->family, family->hash, family->second) != 32 ||
        family->family == FAMILY_EXPANDED)
        return fail(err, E_INPUT, "signed positions need 32-bit hashes; %s has %u bits",
                    family->hash->name, family->hash->bits);
    if (spec->params.reduction != REDUCE_MOD)
        return fail(err, E_INPUT, "signed positions are taken mod m, not by %s",
                    reduction_name(spec->params.reduction));
    return OK;
}

/* The twin's digests are positions: below m, they are left as they are by mod m. */
static enum status trace_open_twin(struct trace *trace, struct error *err)
{
    const struct filter_ops *counting = filter_find("counting");
    struct filter_params params = {
        .m = trace->bits.layout.m,
        .n = trace->words.count,
        .k = trace->k,
        .digest_bits = 64,
        .digest_columns = trace->k,
    };
    filter_params_defaults(&params, counting);
    return trace_filter_open(&trace->counters, counting, &params, err);
}

static size_t trace_longest(const struct contents *words)
{
    size_t longest = 0;
    for (uint64_t i = 0; i < words->count; i++) {
        size_t length = (size_t)(words->offsets[i + 1] - words->offsets[i]);
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Room for a key as long as that. */
static enum status trace_room(struct trace *trace, size_t longest, struct error *err)
{
    if (trace->scratch && longest <= trace->scratch_longest)
        return OK;
    free(trace->scratch);
    trace->scratch = malloc(family_scratch_bytes(&trace->spec.family, 1, longest) + 8);
    trace->scratch_longest = longest;
    return trace->scratch ? OK : fail(err, E_RUN, "no memory for a key of %zu bytes", longest);
}

static enum status trace_allocate(struct trace *trace, struct error *err)
{
    uint64_t words = trace->words.count;
    trace->digests = calloc(words * trace->columns + 1, sizeof *trace->digests);
    trace->positions = calloc(words * trace->k + 1, sizeof *trace->positions);
    if (!trace->digests || !trace->positions)
        return fail(err, E_RUN, "no memory to trace %" PRIu64 " words", words);
    return trace_room(trace, trace_longest(&trace->words), err);
}

static enum status trace_open_bits(struct trace *trace, struct error *err)
{
    const struct trace_spec *spec = &trace->spec;
    struct filter_params params = spec->params;
    const struct digest_family *family = &spec->family;
    params.n = trace->words.count;
    params.digest_bits =
        spec->is_signed ? 64 : family_delivered_bits(family->family, family->digest_bits);
    params.digest_columns = family_columns(family->family);
    enum status status = trace_filter_open(&trace->bits, spec->ops, &params, err);
    if (status)
        return status;
    const struct layout *layout = &trace->bits.layout;
    if (spec->is_signed && layout->reducer.range != layout->m)
        return fail(err, E_INPUT,
                    "signed positions are taken mod m; %s takes its digests mod %" PRIu64,
                    spec->ops->name, layout->reducer.range);
    trace->columns = layout->columns;
    trace->k = layout->k;
    return OK;
}

enum status trace_open(struct trace *trace, const struct trace_spec *spec, struct contents *words,
                       struct error *err)
{
    *trace = (struct trace){.spec = *spec, .words = *words};
    *words = (struct contents){0};
    if (trace->words.count > TRACE_WORDS_MAX)
        return fail(err, E_INPUT, "%" PRIu64 " words are more than %" PRIu64, trace->words.count,
                    TRACE_WORDS_MAX);
    enum status status = trace_check(spec, err);
    if (!status)
        status = trace_open_bits(trace, err);
    if (!status && trace_counts(trace))
        trace->spec.twin = false;
    if (!status)
        status = trace_allocate(trace, err);
    return status || !trace->spec.twin ? status : trace_open_twin(trace, err);
}

void trace_release(struct trace *trace)
{
    trace_filter_release(&trace->bits);
    trace_filter_release(&trace->counters);
    contents_release(&trace->words);
    free(trace->digests);
    free(trace->positions);
    free(trace->scratch);
    *trace = (struct trace){0};
}

/* ---- keys -------------------------------------------------------------------------------------
 */

/* (int32 digest) mod m, as a language whose remainders are never negative has it. */
static uint64_t trace_signed(uint64_t digest, uint64_t m)
{
    int64_t range = (int64_t)m, value = (int32_t)(uint32_t)digest;
    int64_t rest = value % range;
    return (uint64_t)(rest < 0 ? rest + range : rest);
}

enum status trace_look(struct trace *trace, struct trace_key *key, const void *bytes, size_t length,
                       struct error *err)
{
    struct key_batch batch = {.bytes = bytes, .length = length, .count = 1};
    key->bytes = bytes;
    key->length = length;
    key->word = contents_find(&trace->words, bytes, length);
    const struct hash *refuses = family_refuses(&trace->spec.family, length);
    if (refuses)
        return fail(err, E_INPUT, "%s takes keys of %u bytes; \"%.*s\" has %zu", refuses->name,
                    refuses->key_bytes, (int)(length < 40 ? length : 40), (const char *)bytes,
                    length);
    enum status status = trace_room(trace, length, err);
    if (status)
        return status;
    for (unsigned column = 0; column < trace->columns; column++) {
        family_column(&trace->spec.family, &batch, column, NULL, 1, &key->hash[column],
                      trace->scratch);
        key->digest[column] = trace->spec.is_signed
                                  ? trace_signed(key->hash[column], trace->bits.layout.m)
                                  : key->hash[column];
    }
    trace_filter_probes(&trace->bits, key->position, key->digest);
    for (unsigned i = 0; i < trace->k; i++)
        key->set[i] = trace_test(trace, key->position[i]);
    key->present = trace_filter_has(&trace->bits, key->digest);
    return OK;
}

static const uint64_t *trace_digests(const struct trace *trace, bool counters, uint64_t word)
{
    return counters ? trace->positions + word * trace->k : trace->digests + word * trace->columns;
}

static struct trace_filter *trace_which(struct trace *trace, bool counters)
{
    return counters ? &trace->counters : &trace->bits;
}

enum status trace_insert(struct trace *trace, struct trace_key *key, uint64_t word,
                         struct error *err)
{
    size_t length;
    const unsigned char *bytes = trace_word(trace, word, &length);
    enum status status = trace_look(trace, key, bytes, length, err);
    if (status)
        return status;
    memcpy(trace->digests + word * trace->columns, key->digest, trace->columns * sizeof(uint64_t));
    memcpy(trace->positions + word * trace->k, key->position, trace->k * sizeof(uint64_t));
    status = trace_put_back(trace, false, word, err);
    return status || !trace->spec.twin ? status : trace_put_back(trace, true, word, err);
}

bool trace_has(struct trace *trace, bool counters, uint64_t word)
{
    return trace_filter_has(trace_which(trace, counters), trace_digests(trace, counters, word));
}

enum status trace_take_out(struct trace *trace, bool counters, uint64_t word, struct error *err)
{
    return trace_filter_remove(trace_which(trace, counters), trace_digests(trace, counters, word),
                               err);
}

enum status trace_put_back(struct trace *trace, bool counters, uint64_t word, struct error *err)
{
    return trace_filter_insert(trace_which(trace, counters), trace_digests(trace, counters, word),
                               err);
}

/* ---- losses and the rate ------------------------------------------------------------------------
 */

bool trace_losses_affordable(const struct trace *trace)
{
    return trace->words.count <= TRACE_LOSSES_WORDS_MAX &&
           trace->words.count * trace->bits.layout.bytes <= TRACE_LOSSES_BYTES_MAX;
}

enum status trace_losses(struct trace *trace, bool counters, uint64_t word, uint64_t *lost,
                         uint64_t *count, struct error *err)
{
    enum status status = trace_take_out(trace, counters, word, err);
    *count = 0;
    for (uint64_t i = 0; !status && i < trace->words.count; i++)
        if (i != word && !trace_has(trace, counters, i))
            lost[(*count)++] = i;
    return status ? status : trace_put_back(trace, counters, word, err);
}

enum status trace_measure(struct trace *trace, struct trace_rate *rate, uint64_t first,
                          uint64_t last, struct error *err)
{
    struct trace_key key;
    unsigned char text[64];
    enum status status = OK;
    *rate = (struct trace_rate){0};
    for (uint64_t number = first; !status; number++) {
        size_t length = text_decimal(text, number, 0);
        status = trace_look(trace, &key, text, length, err);
        rate->left_out += key.word != CONTENTS_NONE;
        rate->queries += key.word == CONTENTS_NONE;
        rate->hits += key.word == CONTENTS_NONE && key.present;
        if (number == last)
            break;
    }
    return status;
}
