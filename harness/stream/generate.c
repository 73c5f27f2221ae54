/* SPDX-License-Identifier: MIT */
#include "harness/stream/generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/reduce.h"
#include "harness/keys/permutation.h"
#include "hashes/mix.h"

enum status generator_open(struct stream_generator *generator, enum key_kind kind, uint64_t count,
                           double share, uint64_t seed, struct error *err)
{
    *generator = (struct stream_generator){.left = count, .share = share, .state = mix64(seed)};
    if (kind != KEYS_UUID4 && kind != KEYS_URL && kind != KEYS_DECIMAL)
        return fail(err, E_INPUT, "a stream is made of uuid4, url or decimal ids, not %s",
                    key_kind_info(kind)->name);
    struct key_spec *spec = key_spec_new(kind);
    if (!spec)
        return fail(err, E_RUN, "no memory for a stream");
    enum status status = key_source_open(&generator->source, spec, err);
    key_spec_free(spec);
    if (status)
        return status;
    key_stream_init(&generator->stream, generator->source, seed);
    generator->buffer = malloc(key_buffer_bytes(generator->source, FILTER_BATCH));
    generator->single = malloc(key_buffer_bytes(generator->source, 1));
    return generator->buffer && generator->single ? OK : fail(err, E_RUN, "no memory for a stream");
}

void generator_release(struct stream_generator *generator)
{
    key_source_free(generator->source);
    free(generator->buffer);
    free(generator->single);
    *generator = (struct stream_generator){.source = NULL};
}

/* Chooses the repeats of a unit: repeated[i], and in old[i] which id; how many ids are new. */
static size_t generator_choose(struct stream_generator *generator, struct stream_unit *unit,
                               size_t count, uint64_t *old)
{
    size_t fresh = 0;
    const double scale = 0x1p-53;
    memset(unit->repeated, 0, count);
    if (generator->share == 0)
        return count;
    for (size_t i = 0; i < count; i++) {
        uint64_t before = generator->distinct + fresh;
        double u = (double)(splitmix64(&generator->state) >> 11) * scale;
        unit->repeated[i] = before > 0 && u < generator->share;
        if (unit->repeated[i])
            old[i] = multiply_high(splitmix64(&generator->state), before);
        else
            fresh++;
    }
    return fresh;
}

/* New ids in one go, straight into the unit. */
static enum status generator_fill_new(struct stream_generator *generator, struct stream_unit *unit,
                                      size_t count, struct error *err)
{
    struct key_batch keys;
    enum status status = unit_reserve(unit, key_buffer_bytes(generator->source, count), err);
    if (status)
        return status;
    key_stream_fill(&generator->stream, KEY_MEMBER, generator->distinct, count, &keys, unit->bytes);
    return unit_close_keys(unit, &keys, err);
}

/* New ids and old ones, in the order that was chosen. */
static enum status generator_fill_mixed(struct stream_generator *generator,
                                        struct stream_unit *unit, size_t count, size_t fresh,
                                        const uint64_t *old, struct error *err)
{
    struct key_batch news, one;
    enum status status = OK;
    key_stream_fill(&generator->stream, KEY_MEMBER, generator->distinct, fresh, &news,
                    generator->buffer);
    for (size_t i = 0, next = 0; !status && i < count; i++) {
        const struct key_batch *from = unit->repeated[i] ? &one : &news;
        if (unit->repeated[i])
            key_stream_fill(&generator->stream, KEY_MEMBER, old[i], 1, &one, generator->single);
        size_t size;
        const unsigned char *id = key_at(from, unit->repeated[i] ? 0 : next++, &size);
        status = unit_append_id(unit, id, size, err);
    }
    return status ? status : unit_close(unit, err);
}

enum status generator_fill(struct stream_generator *generator, struct stream_unit *unit,
                           struct error *err)
{
    uint64_t old[FILTER_BATCH];
    size_t count = generator->left < FILTER_BATCH ? (size_t)generator->left : FILTER_BATCH;
    size_t fresh = generator_choose(generator, unit, count, old);
    unit->generated = true;
    if (count == 0)
        return OK;
    enum status status = fresh == count
                             ? generator_fill_new(generator, unit, count, err)
                             : generator_fill_mixed(generator, unit, count, fresh, old, err);
    generator->left -= count;
    generator->distinct += fresh;
    return status;
}
