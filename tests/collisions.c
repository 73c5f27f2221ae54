/* SPDX-License-Identifier: MIT
 *
 * collisions.c: keys that a hash cannot tell apart are called a failure of the hash, chance is not.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/schedule/schedule.h"
#include "harness/stats/stats.h"
#include "harness/table/tables.h"
#include "tests/experiment_text.h"

struct collisions_run {
    struct experiment *experiment;
    struct plan *plan;
    struct trial_result *results;
    struct cell_summary *summaries;
};

static void collisions_open(struct collisions_run *run, const char *yaml)
{
    struct plan_limits limits = {UINT64_MAX, 1, 1};
    struct schedule schedule = {.threads = 2, .memory_bytes = 1 << 30, .quiet = true};
    struct schedule_report report;
    struct error err;
    stats_init();
    cr_assert_eq(experiment_text_read(&run->experiment, yaml, strlen(yaml), NULL, &err), OK, "%s",
                 err.text);
    cr_assert_eq(plan_make(&run->plan, run->experiment, &limits, &err), OK, "%s", err.text);
    run->results = calloc(run->plan->result_count, sizeof *run->results);
    run->summaries = calloc(run->plan->cell_count, sizeof *run->summaries);
    cr_assert_eq(schedule_run(&report, &schedule, run->plan, run->results, NULL, &err), OK, "%s",
                 err.text);
    for (size_t c = 0; c < run->plan->cell_count; c++)
        cr_assert_eq(
            cell_summarise(&run->summaries[c], run->plan, &run->plan->cells[c], run->results, &err),
            OK);
}

static void collisions_close(struct collisions_run *run)
{
    for (size_t r = 0; r < run->plan->result_count; r++)
        trial_result_release(&run->results[r]);
    free(run->results);
    free(run->summaries);
    plan_free(run->plan);
    experiment_free(run->experiment);
}

static bool collisions_flagged(const struct collisions_run *run, size_t cell)
{
    return strstr(run->summaries[cell].flags, "hash_collision") != NULL;
}

static double collisions_found(const struct collisions_run *run, size_t cell, uint64_t trial)
{
    return trial_measure(&run->results[run->plan->cells[cell].first_result + trial],
                         "colliding_queries", 0);
}

/* The pair of CASES: equal under every seed of MurmurHash3_x86_32, at any k, in every variant, in
 * one trial as in ten; other hashes tell it apart. */
Test(collisions, known_pair_is_a_failure_of_the_hash)
{
    static const unsigned trials[] = {1, 10};
    for (int i = 0; i < 2; i++) {
        struct collisions_run run;
        char yaml[600];
        snprintf(yaml, sizeof yaml,
                 "name: x\nquestion: x\ntrials: %u\ngrid: {filter: [classic, double_hashing, "
                 "partitioned, blocked, split_block, counting], hash: [murmur3_x86_32, murmur2, "
                 "murmur3_x64_128], keys: [{members: {hex: [\"4141414142424242\"]}, queries: {hex: "
                 "[\"e99f204c4242f37d\"]}}], m: [4096], k: [1, 7]}\n",
                 trials[i]);
        collisions_open(&run, yaml);
        for (size_t c = 0; c < run.plan->cell_count; c++) {
            bool bad = strcmp(run.plan->cells[c].hash->hash->name, "murmur3_x86_32") == 0;
            cr_assert_eq(collisions_flagged(&run, c), bad);
            if (!bad)
                continue;
            cr_assert_eq(run.summaries[c].judgement.verdict, VERDICT_FAIL);
            cr_assert_eq(run.summaries[c].judgement.fpr, 1);
            cr_assert_eq(collisions_found(&run, c, 0), 1);
        }
        collisions_close(&run);
    }
}

/* The same pair hidden in 1000 queries of a filter that answers yes to a tenth of them: the four
 * tests see nothing, the flag does. */
Test(collisions, hidden_among_ordinary_false_positives)
{
    struct collisions_run run;
    size_t room = 40000;
    char *yaml = malloc(room), *at = yaml;
    at += sprintf(at, "name: x\nquestion: x\ntrials: 5\ngrid: {filter: [classic], hash: "
                      "[murmur3_x86_32, murmur2], keys: [{members: {hex: [\"4141414142424242\"");
    for (int i = 0; i < 99; i++)
        at += sprintf(at, ", \"%016x\"", 1000000 + i);
    at += sprintf(at, "]}, queries: {hex: [\"e99f204c4242f37d\"");
    for (int i = 0; i < 999; i++)
        at += sprintf(at, ", \"%016x\"", 2000000 + i);
    sprintf(at, "]}}], m: [2000], k: [2]}\n");
    cr_assert_lt((size_t)(at - yaml), room - 100);
    collisions_open(&run, yaml);
    for (size_t c = 0; c < 2; c++) {
        bool bad = strcmp(run.plan->cells[c].hash->hash->name, "murmur3_x86_32") == 0;
        cr_assert_eq(collisions_flagged(&run, c), bad);
        cr_assert_eq(collisions_found(&run, c, 0), bad);
        cr_assert_eq(run.summaries[c].judgement.verdict == VERDICT_FAIL, bad);
        cr_assert_gt(run.summaries[c].judgement.probe.p, 1e-4);
    }
    collisions_close(&run);
    free(yaml);
}

/* 33 x + y of two bytes takes 8671 values: among 65536 keys djb2 confuses most, whatever the seed.
 */
Test(collisions, keys_that_a_hash_confuses_by_the_hundred)
{
    struct collisions_run run;
    collisions_open(&run,
                    "name: x\nquestion: x\ntrials: 3\nqueries: 3000\ngrid: {filter: [classic, "
                    "scalable_linear], hash: [djb2, fnv1a_32], keys: [{little_endian: "
                    "0..65535, bytes: 2}], m: [2^20], n: [1000], k: [7]}\n");
    for (size_t c = 0; c < run.plan->cell_count; c++) {
        const struct trial_result *result = &run.results[run.plan->cells[c].first_result];
        bool bad = strcmp(run.plan->cells[c].hash->hash->name, "djb2") == 0;
        cr_assert_eq(collisions_flagged(&run, c), bad);
        cr_assert_leq(collisions_found(&run, c, 0), (double)result->false_positives);
        if (bad)
            cr_assert_gt(collisions_found(&run, c, 0), 100);
    }
    collisions_close(&run);
}

/* Narrow digests collide by chance: 8 bits twice, 1000 members and 5000 queries make 75 collisions
 * a trial. That is the width's fault (hash_too_narrow), not the hash's. Counted one by one they are
 * as many as the floor says, within 6 standard deviations of a Poisson count (2e-9). */
Test(collisions, chance_is_no_fault_of_the_hash)
{
    struct collisions_run run;
    collisions_open(&run, "name: x\nquestion: x\ntrials: 6\nqueries: 5000\ngrid: {filter: "
                          "[double_hashing], hash: [xxh3_64], digest_bits: [8], keys: [random64], "
                          "m: [256], n: [1000], k: [2]}\n");
    cr_assert_not(collisions_flagged(&run, 0));
    cr_assert_not_null(strstr(run.summaries[0].flags, "hash_too_narrow"));
    cr_assert_eq(collisions_found(&run, 0, 4), 0, "later trials are not searched");
    collisions_close(&run);

    collisions_open(&run, "name: x\nquestion: x\ntrials: 4\nqueries: 4000\ngrid: {filter: "
                          "[double_hashing], hash: [xxh3_64], digest_bits: [10], keys: [random64], "
                          "m: [1024], n: [3000], k: [2]}\n");
    double found = 0, expected = 4 * 4000 * (1 - pow(1 - 1.0 / (1 << 20), 3000));
    for (uint64_t t = 0; t < 4; t++)
        found += collisions_found(&run, 0, t);
    cr_assert_not(collisions_flagged(&run, 0));
    cr_assert_lt(fabs(found - expected), 6 * sqrt(expected), "%g, not %g", found, expected);
    collisions_close(&run);
}
