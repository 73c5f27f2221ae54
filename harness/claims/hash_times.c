/* SPDX-License-Identifier: MIT */
#include "harness/claims/hash_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/stream/add.h"
#include "harness/stream/generate.h"

enum { TIMES_KEYS = 4096, TIMES_ROUNDS = 61, TIMES_KEY_BYTES = 36, TIMES_HASHES = 2 };
static const char *const times_hash[TIMES_HASHES] = {"sha256", "murmur3_x86_32"};

struct times {
    unsigned char keys[TIMES_KEYS * TIMES_KEY_BYTES];
    uint64_t low[TIMES_KEYS], high[TIMES_KEYS], sum; /* the sum keeps the work from being dropped */
    double ns[TIMES_HASHES][TIMES_ROUNDS];
    double ratio[TIMES_ROUNDS];
};

static double times_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double times_round(struct times *times, const struct hash *hash, uint64_t seed)
{
    const struct key_batch keys = {
        .bytes = times->keys, .length = TIMES_KEY_BYTES, .count = TIMES_KEYS};
    double start = times_now();
    hash->batch(&keys, NULL, TIMES_KEYS, seed, times->low, times->high);
    double ns = (times_now() - start) / TIMES_KEYS;
    times->sum += times->low[seed % TIMES_KEYS];
    return ns;
}

static int times_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double times_median(double *value)
{
    qsort(value, TIMES_ROUNDS, sizeof *value, times_order);
    return value[TIMES_ROUNDS / 2];
}

/* Ranks of a 95 % interval of the median, by the sign test. */
static struct interval times_range(const double *sorted)
{
    int reach = (int)ceil(stats_normal_quantile(0.975) * sqrt(TIMES_ROUNDS) / 2);
    return (struct interval){sorted[TIMES_ROUNDS / 2 - reach], sorted[TIMES_ROUNDS / 2 + reach]};
}

enum status hash_times_cryptographic(struct finding *finding, const struct claim *claim,
                                     struct claim_lab *lab, struct error *err)
{
    (void)claim, (void)lab;
    struct times *times = malloc(sizeof *times);
    if (!times)
        return fail(err, E_RUN, "no memory for %d keys", TIMES_KEYS);
    times->sum = 0;
    for (size_t i = 0; i < sizeof times->keys; i++)
        times->keys[i] = (unsigned char)("0123456789abcdef"[(i * 2654435761u >> 13) & 15]);
    for (uint64_t r = 0; r < TIMES_ROUNDS; r++) {
        for (int h = 0; h < TIMES_HASHES; h++)
            times->ns[h][r] = times_round(times, hash_find(times_hash[h]), r);
        times->ratio[r] = times->ns[0][r] / times->ns[1][r];
    }
    double ratio = times_median(times->ratio);
    finding_measured(finding, "times as slow", NAN, ratio, times_range(times->ratio), NAN);
    finding_say(finding, "%.3g times as slow: %.3g ns a key of 36 bytes (%s), %.3g (%s)", ratio,
                times_median(times->ns[0]), times_hash[0], times_median(times->ns[1]),
                times_hash[1]);
    finding_holds(finding, times_range(times->ratio).lo > 1, CLAIM_REFUTED);
    finding_how(finding, "medians of %d rounds in turns, on this machine", TIMES_ROUNDS);
    free(times);
    return OK;
}

/* ---- more hash functions --------------------------------------------------------------------- */

/* A half full filter of 2^16 bits and k functions: murmur2 of a uuid with a salt behind it. */
struct times_filter {
    struct digest_family family;
    struct stream_generator generator;
    struct stream_unit unit;
    struct layout layout;
    struct workspace space;
    struct filter filter;
    double insert[TIMES_ROUNDS], absent[TIMES_ROUNDS];
};

enum { TIMES_FILTERS = 4, TIMES_FILTER_BITS = 1 << 16 };
static const unsigned times_probes[TIMES_FILTERS] = {1, 3, 7, 14};

static enum status times_batch(struct times_filter *times, struct digests **batch,
                               struct error *err)
{
    unit_empty(&times->unit);
    enum status status = generator_fill(&times->generator, &times->unit, err);
    *batch = unit_batch(&times->unit, 0, stream_batch(&times->layout));
    return status;
}

static enum status times_insert(struct times_filter *times, double *ns, struct error *err)
{
    struct digests *batch;
    enum status status = times_batch(times, &batch, err);
    double start = times_now();
    if (!status)
        status = times->filter.ops->insert(&times->filter, batch, times->space.scratch, err);
    *ns = (times_now() - start) / (double)batch->count;
    return status;
}

static enum status times_query(struct times_filter *times, double *ns, struct error *err)
{
    struct digests *batch;
    uint8_t present[FILTER_BATCH];
    enum status status = times_batch(times, &batch, err);
    double start = times_now();
    if (!status)
        times->filter.ops->query(&times->filter, present, batch, times->space.scratch);
    *ns = (times_now() - start) / (double)batch->count;
    return status;
}

static enum status times_open(struct times_filter *times, unsigned k, struct error *err)
{
    const struct filter_ops *ops = filter_find("classic");
    struct filter_params params = {.m = TIMES_FILTER_BITS,
                                   .n = TIMES_FILTER_BITS / k,
                                   .k = k,
                                   .digest_bits = 32,
                                   .digest_columns = FAMILY_UNLIMITED};
    times->family = (struct digest_family){
        .family = FAMILY_SALTED, .hash = hash_find("murmur2"), .digest_bits = 32};
    filter_params_defaults(&params, ops);
    enum status status = ops->plan(&times->layout, &params, err);
    if (!status)
        status = workspace_filter(&times->space, &times->filter, ops, &times->layout, err);
    if (!status)
        status = unit_open(&times->unit, &times->family, times->layout.columns, err);
    if (!status)
        status = generator_open(&times->generator, KEYS_UUID4, UINT64_MAX, 0, 1, err);
    double ns;
    while (!status && 2 * ops->count_bits(&times->filter) < TIMES_FILTER_BITS)
        status = times_insert(times, &ns, err);
    return status;
}

static void times_release(struct times_filter *times)
{
    generator_release(&times->generator);
    unit_release(&times->unit);
    workspace_release(&times->space);
}

/* Each probe costs an insertion a hash; a query of a new id may end at the first 0, but a batch
 * hashes all of its ids while one is undecided. */
static void times_tell(struct finding *finding, struct times_filter *times)
{
    bool slower = true;
    for (int i = 0; i < TIMES_FILTERS; i++) {
        char name[FINDING_NAME_MAX];
        double insert = times_median(times[i].insert), absent = times_median(times[i].absent);
        snprintf(name, sizeof name, "ns an insertion with %u", times_probes[i]);
        finding_measured(finding, name, NAN, insert, times_range(times[i].insert), NAN);
        finding_say(finding, "%s%u: %.3g and %.3g ns", i ? ", " : "", times_probes[i], insert,
                    absent);
        slower = slower && (i == 0 || insert > times[i - 1].insert[TIMES_ROUNDS / 2]);
    }
    finding_say(finding, " an id with as many hash functions: insertion, and query of a new id "
                         "in a half full filter, of whose hashes a batch computes most");
    finding_holds(finding, slower, CLAIM_REFUTED);
    finding_how(finding,
                "medians of %d rounds in turns, on this machine; classic, 2^16 bits, "
                "murmur2 salted, uuid4",
                TIMES_ROUNDS);
}

enum status hash_times_more(struct finding *finding, const struct claim *claim,
                            struct claim_lab *lab, struct error *err)
{
    enum status status = OK;
    struct times_filter *times = calloc(TIMES_FILTERS, sizeof *times);
    (void)claim, (void)lab;
    if (!times)
        return fail(err, E_RUN, "no memory for %d filters", TIMES_FILTERS);
    for (int i = 0; !status && i < TIMES_FILTERS; i++)
        status = times_open(&times[i], times_probes[i], err);
    for (int r = 0; r < TIMES_ROUNDS; r++)
        for (int i = 0; !status && i < TIMES_FILTERS; i++)
            status = times_query(&times[i], &times[i].absent[r], err);
    for (int r = 0; r < TIMES_ROUNDS; r++)
        for (int i = 0; !status && i < TIMES_FILTERS; i++)
            status = times_insert(&times[i], &times[i].insert[r], err);
    if (!status)
        times_tell(finding, times);
    for (int i = 0; i < TIMES_FILTERS; i++)
        times_release(&times[i]);
    free(times);
    return status;
}
