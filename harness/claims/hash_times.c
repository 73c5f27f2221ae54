/* SPDX-License-Identifier: MIT */
#include "harness/claims/hash_times.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

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
