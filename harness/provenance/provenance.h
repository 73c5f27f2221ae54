/* SPDX-License-Identifier: MIT
 *
 * provenance.h: provenance.json: what ran, on what, from which commit.
 */
#ifndef BLOOMLAB_PROVENANCE_H
#define BLOOMLAB_PROVENANCE_H

#include "harness/plan/plan.h"
#include "harness/schedule/schedule.h"

/* A run that was merged into this one. */
struct provenance_part {
    const char *directory, *commit;
    const char *trials_sha256; /* of its trials.csv */
    unsigned shard, shards;
    uint64_t cells;
};

/* Something more about the run: a member of provenance.json whose value is text. */
struct provenance_fact {
    const char *key, *text;
};

struct provenance {
    const struct plan *plan;     /* NULL: of no one experiment; then these two tell what ran */
    const char *name, *question; /* NULL with a plan */
    const struct schedule *schedule;
    const struct schedule_report *report;
    const char *scale;
    unsigned shard, shards;
    int argc;
    char **argv;
    const char **tables; /* names of files in the directory, for their sums */
    unsigned table_count;
    const struct provenance_fact *facts;
    unsigned fact_count;
    /* Of a merged run; else none. missing: ids of cells that no part holds. */
    const struct provenance_part *parts;
    unsigned part_count;
    const char *const *missing;
    size_t missing_count;
};

/* The commit the working directory stands at, "+dirty" when files differ; "" outside a checkout. */
void provenance_commit(char *text, size_t size);

/* Writes DIR/provenance.json. */
enum status provenance_write(const char *directory, const struct provenance *provenance,
                             struct error *err);

#endif
