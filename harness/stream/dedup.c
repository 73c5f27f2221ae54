/* SPDX-License-Identifier: MIT */
#include "harness/stream/dedup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* From so many ids in a filter on the rate changes so slowly that one serves this many messages. */
enum { DEDUP_STEADY = 1 << 16, DEDUP_STRIDE = 128 };

enum status dedup_open(struct dedup *dedup, const struct dedup_settings *settings,
                       struct stream_writer *writer, struct error *err)
{
    *dedup = (struct dedup){
        .settings = *settings, .writer = writer, .warn_next = settings->capacity + 1};
    const struct digest_family *family = &dedup->settings.family;
    dedup->curve.law =
        (struct stream_law){settings->ops, &dedup->settings.layout, settings->ops->axes & AXIS_HASH,
                            family->family, family->digest_bits};
    return window_open(&dedup->window, settings->ops, &dedup->settings.layout, settings->window,
                       settings->slices, settings->verify, err);
}

void dedup_release(struct dedup *dedup)
{
    window_release(&dedup->window);
}

/* ---- the truth ------------------------------------------------------------------------------- */

static enum status dedup_repeated(struct dedup *dedup, bool *repeated,
                                  const struct stream_unit *unit, size_t i, struct error *err)
{
    if (dedup->settings.verify) {
        size_t size;
        const unsigned char *id = key_at(&unit->keys, i, &size);
        return window_add_exact(&dedup->window, repeated, id, size, err);
    }
    *repeated = unit->repeated[i];
    dedup->window.ids[0] += !*repeated;
    return OK;
}

/* Counts what was lost among ids first .. first + count - 1, which window_add has answered. */
static enum status dedup_judge(struct dedup *dedup, const struct stream_unit *unit, size_t first,
                               size_t count, struct error *err)
{
    double rate = 0;
    for (size_t i = first; i < first + count; i++) {
        bool repeated;
        if (dedup->window.ids[dedup->window.newest] < DEDUP_STEADY ||
            (i - first) % DEDUP_STRIDE == 0)
            rate = window_rate(&dedup->window, &dedup->curve);
        enum status status = dedup_repeated(dedup, &repeated, unit, i, err);
        if (status)
            return status;
        if (repeated) {
            dedup->missed += !unit->present[i];
            continue;
        }
        dedup->fresh++;
        dedup->lost += unit->present[i];
        dedup->expected += rate;
        dedup->variance += rate * (1 - rate);
    }
    return OK;
}

double dedup_z(const struct dedup *dedup)
{
    if (!dedup->known || !(dedup->variance > 0))
        return NAN;
    return ((double)dedup->lost - dedup->expected) / sqrt(dedup->variance);
}

/* ---- messages -------------------------------------------------------------------------------- */

static enum status dedup_write_id(struct dedup *dedup, const struct stream_unit *unit, size_t i,
                                  struct error *err)
{
    size_t size;
    const unsigned char *id = key_at(&unit->keys, i, &size);
    enum status status = stream_writer_put(dedup->writer, id, size, err);
    return status ? status : stream_writer_put(dedup->writer, "\n", 1, err);
}

static enum status dedup_write(struct dedup *dedup, const struct stream_unit *unit, size_t i,
                               struct error *err)
{
    if (dedup->settings.discard)
        return OK;
    if (unit->generated)
        return dedup_write_id(dedup, unit, i, err);
    const struct stream_message *message = &unit->message[i];
    enum status status = OK;
    if (dedup->open)
        status = stream_writer_put(dedup->writer, &dedup->settings.end, 1, err);
    dedup->open = message->open;
    return status ? status : stream_writer_put(dedup->writer, message->bytes, message->size, err);
}

static enum status dedup_write_wanted(struct dedup *dedup, const struct stream_unit *unit,
                                      size_t first, size_t count, struct error *err)
{
    for (size_t i = first; i < first + count; i++) {
        dedup->taken += !unit->present[i];
        if (unit->present[i] != dedup->settings.repeats)
            continue;
        enum status status = dedup_write(dedup, unit, i, err);
        if (status)
            return status;
        dedup->written++;
    }
    return OK;
}

static void dedup_warn(struct dedup *dedup)
{
    char sentence[256];
    uint64_t capacity = dedup->settings.capacity;
    if (!capacity || dedup->settings.window || dedup->taken < dedup->warn_next)
        return;
    while (dedup->warn_next <= dedup->taken)
        dedup->warn_next *= 2;
    snprintf(sentence, sizeof sentence,
             "over capacity: %" PRIu64 " ids where there was to be room for %" PRIu64
             "; new ids are now lost at a rate of %.3g",
             dedup->taken, capacity, dedup_rate_bits(dedup));
    if (dedup->settings.warn)
        dedup->settings.warn(sentence);
}

enum status dedup_take(struct dedup *dedup, struct stream_unit *unit, struct error *err)
{
    enum status status = OK;
    dedup->known = dedup->settings.verify || (unit->generated && !dedup->settings.window);
    for (size_t first = 0, count; !status && first < unit->count; first += count) {
        count = window_room(&dedup->window, unit->count - first);
        if (count == 0) {
            status = window_turn(&dedup->window, err);
            continue;
        }
        status =
            window_add(&dedup->window, unit->present + first, unit_batch(unit, first, count), err);
        if (!status && dedup->known)
            status = dedup_judge(dedup, unit, first, count, err);
        if (!status)
            status = dedup_write_wanted(dedup, unit, first, count, err);
        dedup->messages += count;
    }
    dedup_warn(dedup);
    return status;
}

/* ---- rates ----------------------------------------------------------------------------------- */

double dedup_rate(struct dedup *dedup)
{
    return dedup->known ? window_rate(&dedup->window, &dedup->curve) : NAN;
}

double dedup_rate_bits(const struct dedup *dedup)
{
    double kept = 0;
    for (unsigned i = 0; i < dedup->window.count; i++) {
        if (!dedup->settings.ops->fpr_bits)
            return NAN;
        kept += log1p(-dedup->settings.ops->fpr_bits(&dedup->window.filter[i]));
    }
    return 0.0 - expm1(kept);
}
