/* SPDX-License-Identifier: MIT
 *
 * pass_threads.c: one filter filled, or asked, by several threads, in rounds of two steps
 * (filters/regions.h).
 *
 * First every thread takes batches of keys, one after the other as they come, makes their digests
 * with a source of its own and scatters them to queues of its own, until its queues are full. Then
 * the threads take regions, as they come, and settle (or count) what waits there in the queues of
 * all. Each works with a copy of the filter whose counts start at 0; they are added up at the end.
 * Who takes what changes nothing.
 *
 * The digest of the keys needs them in order: in the second step of each round one thread makes the
 * keys of the round once more for it.
 *
 * Threads are started anew for each step: it lasts milliseconds, and where one cannot be started
 * the others do its work.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "filters/regions.h"
#include "harness/stages/stages.h"
#include "harness/workload/pass.h"

enum { HUGE_PAGE = 1 << 21, LINE = 64, PAYING_BYTES = 48 << 20 };

/* Entries that wait, of all threads together, for each line of the filter: the more, the fewer
 * times a line comes from memory. Measured at 256 MiB, split_block, one thread that counts: 6.1 ns
 * a key with one entry a line, 5.1 with two, 4.6 with four, which take half the filter's memory.
 * But at least so many a thread that a step lasts milliseconds. */
enum { ROOM_A_LINE = 4, ROOM_LEAST = 1 << 20 };

struct hand;
typedef void hand_work(struct hand *hand);

struct hand {
    struct team *team;
    struct digest_source *keys;
    struct filter filter; /* a copy */
    struct regions *queues;
    void *queue_memory, *scratch;
    uint64_t found;
};

struct team {
    struct hand *hands;
    const struct regions *queues[PASS_THREADS_MAX]; /* of the hands */
    unsigned count;
    hand_work *work; /* of the second step */
    enum stage stage;
    uint64_t end;      /* of the keys */
    uint64_t digested; /* keys that the digest has taken in */
    struct key_digest *digest;
    atomic_uint_least64_t next_key;
    atomic_uint_least64_t next_task; /* region, counted from 1; 0 is the digest of the keys */
};

static void hand_scatter(struct hand *hand)
{
    struct team *team = hand->team;
    const struct layout *layout = hand->filter.layout;
    while (regions_have_room(hand->queues, layout)) {
        uint64_t first = atomic_fetch_add(&team->next_key, FILTER_BATCH);
        if (first >= team->end)
            return;
        uint64_t left = team->end - first;
        struct digests *batch = digest_source_batch(
            hand->keys, first, left < FILTER_BATCH ? (size_t)left : FILTER_BATCH);
        hand->filter.ops->scatter(&hand->filter, hand->queues, batch, hand->scratch);
    }
}

static void hand_digest_keys(struct hand *hand)
{
    struct team *team = hand->team;
    uint64_t next = atomic_load(&team->next_key), end = next < team->end ? next : team->end;
    for (; team->digest && team->digested < end; team->digested += FILTER_BATCH) {
        uint64_t left = end - team->digested;
        digest_source_batch(hand->keys, team->digested,
                            left < FILTER_BATCH ? (size_t)left : FILTER_BATCH);
        key_digest_add(team->digest, &hand->keys->keys);
    }
}

/* The next region, in *region; false: there is none left. */
static bool hand_next_region(struct hand *hand, size_t *region)
{
    uint64_t task = atomic_fetch_add(&hand->team->next_task, 1);
    if (task == 0) {
        hand_digest_keys(hand);
        task = atomic_fetch_add(&hand->team->next_task, 1);
    }
    *region = (size_t)task - 1;
    return task <= hand->queues->count;
}

static void hand_settle(struct hand *hand)
{
    const struct team *team = hand->team;
    for (size_t region; hand_next_region(hand, &region);)
        regions_settle(team->queues, team->count, region, &hand->filter, hand->scratch);
}

static void hand_census(struct hand *hand)
{
    const struct team *team = hand->team;
    for (size_t region; hand_next_region(hand, &region);)
        hand->found +=
            regions_census(team->queues, team->count, region, &hand->filter, hand->scratch);
}

/* ---- a step ---------------------------------------------------------------------------------- */

struct step {
    struct hand *hand;
    hand_work *work;
    enum stage stage;
    pthread_t thread;
    bool started;
};

static void *step_run(void *context)
{
    struct step *step = context;
    enum stage before = stage_enter(step->stage);
    step->work(step->hand);
    stage_enter(before);
    return NULL;
}

static void team_do(struct team *team, hand_work *work)
{
    struct step steps[PASS_THREADS_MAX];
    for (unsigned i = 0; i < team->count; i++) {
        steps[i] = (struct step){.hand = &team->hands[i], .work = work, .stage = team->stage};
        if (i > 0)
            steps[i].started = pthread_create(&steps[i].thread, NULL, step_run, &steps[i]) == 0;
    }
    step_run(&steps[0]);
    for (unsigned i = 1; i < team->count; i++)
        if (steps[i].started)
            pthread_join(steps[i].thread, NULL);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Entries the queues of one thread hold: no more than a share of the keys makes. */
static size_t room_of(const struct layout *layout, uint64_t keys, unsigned threads)
{
    const uint64_t batch = (uint64_t)FILTER_BATCH * (layout->k ? layout->k : 1);
    const uint64_t batches = keys / FILTER_BATCH / threads + 1;
    uint64_t room = layout->bytes / LINE * ROOM_A_LINE / threads;
    room = room < ROOM_LEAST ? ROOM_LEAST : room;
    room = room / batch < batches ? room : batches * batch;
    return (size_t)(room < batch ? batch : room);
}

static void *memory_of(size_t bytes)
{
    size_t unit = bytes >= HUGE_PAGE ? HUGE_PAGE : REGIONS_ALIGNMENT;
    void *memory = aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (memory && unit == HUGE_PAGE)
        madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

uint64_t pass_threads_bytes(const struct layout *layout, uint64_t keys, unsigned threads)
{
    size_t room = room_of(layout, keys, threads);
    return threads * (uint64_t)(sizeof(struct regions) + sizeof(struct hand) + HUGE_PAGE +
                                regions_bytes(room) + layout->scratch_bytes);
}

static bool hand_open(struct hand *hand, struct team *team, const struct filter *filter,
                      struct digest_source *keys, size_t room)
{
    const struct layout *layout = filter->layout;
    *hand = (struct hand){
        .team = team,
        .keys = keys,
        .filter = {.ops = filter->ops, .layout = layout, .memory = filter->memory},
        .queues = malloc(sizeof *hand->queues),
        .queue_memory = memory_of(regions_bytes(room)),
        .scratch = aligned_alloc(64, (layout->scratch_bytes + 64) / 64 * 64),
    };
    if (!hand->queues || !hand->queue_memory || !hand->scratch)
        return false;
    regions_init(hand->queues, hand->queue_memory, room, layout, REGIONS_MAX);
    return true;
}

static void hand_close(struct hand *hand)
{
    free(hand->queues);
    free(hand->queue_memory);
    free(hand->scratch);
}

static void team_work(struct team *team)
{
    while (atomic_load(&team->next_key) < team->end) {
        team_do(team, hand_scatter);
        atomic_store(&team->next_task, 0);
        team_do(team, team->work);
        for (unsigned i = 0; i < team->count; i++)
            regions_empty(team->hands[i].queues);
    }
}

/* One pass of a team whose kind of work is set; its hands stay, to be read and closed. */
static enum status team_pass(struct team *team, const struct filter *filter,
                             struct digest_source *const *keys, uint64_t first, struct error *err)
{
    const size_t room = room_of(filter->layout, team->end - first, team->count);
    bool open = true;
    atomic_init(&team->next_key, first);
    team->digested = first;
    for (unsigned i = 0; i < team->count; i++) {
        open &= hand_open(&team->hands[i], team, filter, keys[i], room);
        team->queues[i] = team->hands[i].queues;
    }
    if (!open)
        return fail(err, E_RUN, "no memory for %u threads at a %s filter of %llu bytes",
                    team->count, filter->ops->name, (unsigned long long)filter->layout->bytes);
    team_work(team);
    return OK;
}

enum status pass_insert_threads(struct filter *filter, struct digest_source *const *keys,
                                unsigned threads, uint64_t first, uint64_t end,
                                struct key_digest *digest, struct error *err)
{
    struct hand hands[PASS_THREADS_MAX];
    struct team team = {.hands = hands,
                        .count = threads,
                        .work = hand_settle,
                        .stage = STAGE_INSERT,
                        .end = end,
                        .digest = digest};
    enum status status = team_pass(&team, filter, keys, first, err);
    for (unsigned i = 0; i < threads; i++) {
        filter->inserted += hands[i].filter.inserted;
        filter->overflows += hands[i].filter.overflows;
        filter->degenerate += hands[i].filter.degenerate;
        hand_close(&hands[i]);
    }
    return status;
}

enum status pass_count_threads(uint64_t *found, const struct filter *filter,
                               struct digest_source *const *keys, unsigned threads, uint64_t first,
                               uint64_t end, struct key_digest *digest, struct error *err)
{
    struct hand hands[PASS_THREADS_MAX];
    struct team team = {.hands = hands,
                        .count = threads,
                        .work = hand_census,
                        .stage = STAGE_QUERY,
                        .end = end,
                        .digest = digest};
    enum status status = team_pass(&team, filter, keys, first, err);
    *found = 0;
    for (unsigned i = 0; i < threads; i++) {
        *found += hands[i].found;
        hand_close(&hands[i]);
    }
    return status;
}

bool pass_count_pays(const struct filter *filter, uint64_t keys)
{
    const uint64_t bytes = filter->layout->bytes;
    return filter->ops->census && bytes >= PAYING_BYTES && keys >= bytes / LINE;
}
