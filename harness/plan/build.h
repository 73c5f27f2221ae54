/* SPDX-License-Identifier: MIT
 *
 * build.h: how a plan grows: lists of cells, skipped cells and key sources, each thing once.
 * Private to the room.
 */
#ifndef BLOOMLAB_PLAN_BUILD_H
#define BLOOMLAB_PLAN_BUILD_H

#include "harness/plan/plan.h"

/* A set of 64-bit numbers, open addressing; 0 is kept apart. */
struct id_set {
    uint64_t *slots;
    size_t capacity, count;
    bool zero;
};

struct plan_build {
    struct plan *plan;
    const struct plan_limits *limits;
    size_t cell_room, skipped_room;
    struct id_set seen; /* ids of cells, and hashes of skipped ones */
};

enum status plan_build_start(struct plan_build *build, const struct experiment *experiment,
                             const struct plan_limits *limits, struct error *err);

/* Writes the id of a cell that is planned. */
void cell_identify(struct cell *cell, const struct experiment *experiment);

enum status plan_build_source(struct plan_build *build, const struct key_spec *spec,
                              const struct plan_source **source, struct error *err);
enum status plan_build_cell(struct plan_build *build, const struct cell *cell, struct error *err);
enum status plan_build_skipped(struct plan_build *build, const struct cell *cell,
                               const char *reason, struct error *err);

/* Groups, indices, digest. */
enum status plan_build_finish(struct plan_build *build, struct error *err);
void plan_build_abandon(struct plan_build *build);

#endif
