/* SPDX-License-Identifier: MIT
 *
 * pipeline.c: a ring of units between two threads. Either waits until half of the ring is ready for
 * it, so that they are not woken for every unit.
 */
#include "harness/stream/pipeline.h"

#include <pthread.h>
#include <stdlib.h>

enum { PIPELINE_UNITS = 32, PIPELINE_HALF = PIPELINE_UNITS / 2 };

struct pipeline {
    struct stream_generator *generator;
    struct stream_unit *unit[PIPELINE_UNITS];
    uint64_t made, taken; /* units; guarded by the lock, as all that follows */
    bool done, stopped;   /* the maker has no more; the taker wants no more */
    enum status status;
    struct error error;
    pthread_mutex_t lock;
    pthread_cond_t more, less;
};

static void pipeline_close(struct pipeline *line)
{
    for (unsigned i = 0; i < PIPELINE_UNITS; i++)
        if (line->unit[i]) {
            unit_release(line->unit[i]);
            free(line->unit[i]);
        }
    pthread_mutex_destroy(&line->lock);
    pthread_cond_destroy(&line->more);
    pthread_cond_destroy(&line->less);
}

static enum status pipeline_open(struct pipeline *line, const struct dedup *dedup,
                                 struct stream_generator *generator, struct error *err)
{
    enum status status = OK;
    *line = (struct pipeline){.generator = generator};
    pthread_mutex_init(&line->lock, NULL);
    pthread_cond_init(&line->more, NULL);
    pthread_cond_init(&line->less, NULL);
    for (unsigned i = 0; !status && i < PIPELINE_UNITS; i++) {
        line->unit[i] = malloc(sizeof *line->unit[i]);
        if (!line->unit[i])
            return fail(err, E_RUN, "no memory for a stream");
        status =
            unit_open(line->unit[i], &dedup->settings.family, dedup->settings.layout.columns, err);
    }
    return status;
}

/* ---- the maker ------------------------------------------------------------------------------- */

/* A free unit; NULL: no more are wanted. */
static struct stream_unit *pipeline_free_unit(struct pipeline *line)
{
    pthread_mutex_lock(&line->lock);
    if (line->made - line->taken == PIPELINE_UNITS)
        while (line->made - line->taken > PIPELINE_HALF && !line->stopped)
            pthread_cond_wait(&line->less, &line->lock);
    struct stream_unit *unit = line->stopped ? NULL : line->unit[line->made % PIPELINE_UNITS];
    pthread_mutex_unlock(&line->lock);
    return unit;
}

static void pipeline_made(struct pipeline *line, bool last, enum status status)
{
    pthread_mutex_lock(&line->lock);
    line->status = status;
    line->done = last;
    line->made += !last;
    if (last || line->made - line->taken >= PIPELINE_HALF)
        pthread_cond_signal(&line->more);
    pthread_mutex_unlock(&line->lock);
}

static void *pipeline_make(void *argument)
{
    struct pipeline *line = argument;
    struct stream_unit *unit;
    bool last = false;
    while (!last && (unit = pipeline_free_unit(line))) {
        unit_empty(unit);
        enum status status = generator_fill(line->generator, unit, &line->error);
        last = status || unit->count == 0;
        if (!last)
            unit_digest(unit);
        pipeline_made(line, last, status);
    }
    return NULL;
}

/* ---- the taker ------------------------------------------------------------------------------- */

/* The next unit; NULL: there are no more. */
static struct stream_unit *pipeline_next(struct pipeline *line)
{
    pthread_mutex_lock(&line->lock);
    if (line->made == line->taken)
        while (line->made - line->taken < PIPELINE_HALF && !line->done)
            pthread_cond_wait(&line->more, &line->lock);
    struct stream_unit *unit =
        line->made > line->taken ? line->unit[line->taken % PIPELINE_UNITS] : NULL;
    pthread_mutex_unlock(&line->lock);
    return unit;
}

static void pipeline_taken(struct pipeline *line, bool stop)
{
    pthread_mutex_lock(&line->lock);
    line->taken += !stop;
    line->stopped = stop;
    if (stop || line->made - line->taken <= PIPELINE_HALF)
        pthread_cond_signal(&line->less);
    pthread_mutex_unlock(&line->lock);
}

enum status pipeline_run(struct dedup *dedup, struct stream_generator *generator,
                         const volatile sig_atomic_t *stop, struct error *err)
{
    struct pipeline line;
    struct stream_unit *unit;
    pthread_t maker;
    enum status status = pipeline_open(&line, dedup, generator, err);
    if (!status && pthread_create(&maker, NULL, pipeline_make, &line) != 0)
        status = fail(err, E_RUN, "no thread for making a stream");
    if (status) {
        pipeline_close(&line);
        return status;
    }
    while (!status && !(stop && *stop) && (unit = pipeline_next(&line))) {
        status = dedup_take(dedup, unit, err);
        pipeline_taken(&line, false);
    }
    pipeline_taken(&line, true);
    pthread_join(maker, NULL);
    if (!status && line.status)
        status = fail(err, line.status, "%s", line.error.text);
    pipeline_close(&line);
    return status;
}
