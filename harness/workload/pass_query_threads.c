/* SPDX-License-Identifier: MIT
 *
 * pass_query_threads.c: one filter asked by several threads.
 *
 * Each has a source of the keys and scratch memory of its own and takes runs of batches as they
 * come; sums do not tell who took what. The digest of the keys needs them in order: one thread
 * makes all keys once more for it, before it asks.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/stages/stages.h"
#include "harness/workload/pass.h"

enum { RUN_BATCHES = 64 };

/* ---- sources --------------------------------------------------------------------------------- */

enum status pass_readers_open(struct pass_readers *readers, struct digest_source *keys,
                              unsigned threads, const struct layout *layout, struct error *err)
{
    size_t batch = layout->batch < FILTER_BATCH ? FILTER_BATCH : layout->batch;
    readers->count = 1;
    readers->reader[0] = keys;
    readers->twins = calloc(threads, sizeof *readers->twins);
    if (!readers->twins)
        return fail(err, E_RUN, "no memory for %u threads", threads);
    for (; readers->count < threads; readers->count++) {
        struct digest_source *twin = &readers->twins[readers->count];
        readers->reader[readers->count] = twin;
        enum status status =
            digest_source_init(twin, &keys->stream, keys->role, keys->hashed ? &keys->family : NULL,
                               keys->count, keys->columns, batch, 0, err);
        if (status) {
            digest_source_release(twin);
            return status;
        }
    }
    return OK;
}

void pass_readers_release(struct pass_readers *readers)
{
    for (unsigned i = 1; i < readers->count; i++)
        digest_source_release(&readers->twins[i]);
    free(readers->twins);
    *readers = (struct pass_readers){0};
}

/* ---- the pass -------------------------------------------------------------------------------- */

struct asking {
    const struct filter *filter;
    struct digest_source *keys; /* in the order of threads: the first digests the keys */
    struct key_digest *digest;
    uint64_t first, end;
    atomic_uint_least64_t *next;
    void *scratch;
    uint64_t found;
    pthread_t thread;
    bool started;
};

static void asking_digest(const struct asking *asking)
{
    const struct layout *layout = asking->filter->layout;
    for (uint64_t first = asking->first; first < asking->end; first += layout->batch) {
        pass_batch(asking->keys, layout, first, asking->end);
        key_digest_add(asking->digest, &asking->keys->keys);
    }
}

static void *asking_run(void *context)
{
    struct asking *asking = context;
    const uint64_t run = RUN_BATCHES * (uint64_t)asking->filter->layout->batch;
    enum stage before = stage_enter(STAGE_QUERY);
    if (asking->digest)
        asking_digest(asking);
    for (;;) {
        uint64_t first = atomic_fetch_add(asking->next, run), left = asking->end - first;
        if (first >= asking->end)
            break;
        asking->found +=
            pass_query(asking->filter, asking->keys, first, left < run ? asking->end : first + run,
                       NULL, NULL, asking->scratch);
    }
    stage_enter(before);
    return NULL;
}

enum status pass_query_threads(uint64_t *found, const struct filter *filter,
                               const struct pass_readers *readers, uint64_t first, uint64_t end,
                               struct key_digest *digest, struct error *err)
{
    struct asking asking[PASS_THREADS_MAX];
    atomic_uint_least64_t next;
    const size_t room = (filter->layout->scratch_bytes + 64) / 64 * 64;
    unsigned char *scratch = aligned_alloc(64, readers->count * room);
    if (!scratch)
        return fail(err, E_RUN, "no memory for %u threads", readers->count);
    atomic_init(&next, first);
    for (unsigned i = 0; i < readers->count; i++) {
        asking[i] = (struct asking){.filter = filter,
                                    .keys = readers->reader[i],
                                    .digest = i == 0 ? digest : NULL,
                                    .first = first,
                                    .end = end,
                                    .next = &next,
                                    .scratch = scratch + i * room};
        asking[i].started =
            i > 0 && pthread_create(&asking[i].thread, NULL, asking_run, &asking[i]) == 0;
    }
    asking_run(&asking[0]);
    *found = 0;
    for (unsigned i = 0; i < readers->count; i++) {
        if (asking[i].started)
            pthread_join(asking[i].thread, NULL);
        *found += asking[i].found;
    }
    free(scratch);
    return OK;
}
