/* SPDX-License-Identifier: MIT
 *
 * record.h: what a run's provenance.json says, as far as commands act on it.
 */
#ifndef BLOOMLAB_COMMAND_RECORD_H
#define BLOOMLAB_COMMAND_RECORD_H

#include "harness/table/file.h"

enum { RECORD_SUMS_MAX = 32, RECORD_NAME_MAX = 64 };

struct record_sum {
    char name[RECORD_NAME_MAX]; /* of a file in the run's folder: never a path */
    char sha256[SHA256_TEXT_SIZE];
};

struct record {
    char *experiment, *commit, *scale, *yaml;
    char *missing; /* JSON list of the ids of cells a merged run lacks; "" else */
    uint64_t seed, memory_bytes;
    unsigned shard, shards;
    struct record_sum sums[RECORD_SUMS_MAX];
    unsigned sum_count;
};

/* Reads DIR/provenance.json. E_INPUT: it is not there, cut short, or lacks something. On failure
 * there is nothing to release. */
enum status record_read(struct record *record, const char *directory, struct error *err);
void record_release(struct record *record);

/* The sum of that file, or NULL. */
const char *record_sum(const struct record *record, const char *name);

#endif
