/* SPDX-License-Identifier: MIT
 *
 * collision.h: false positives that no filter could tell from a member: queries all of whose
 * digests are a member's.
 *
 * The first COLLISION_SUSPECTS_MAX false positives of a trial are suspects. One signature of each,
 * made of as many digests as 64 bits take, is looked for among those of the members; where one is
 * found all digests are compared. The search costs about 8 % of a trial (measured: classic, m =
 * 2^14 and 2^19, 10^5 queries), so that only the first few trials of a cell are searched, and no
 * cell of more than COLLISION_MEMBERS_MAX members.
 */
#ifndef BLOOMLAB_WORKLOAD_COLLISION_H
#define BLOOMLAB_WORKLOAD_COLLISION_H

#include "harness/trial/trial.h"

enum { COLLISION_SUSPECTS_MAX = 4096, COLLISION_MEMBERS_MAX = 1 << 16 };

struct suspects {
    const struct cell *cell;
    uint64_t *query, *signature; /* of each: number of the query; from malloc */
    size_t count, room;
    bool failed; /* no memory: nothing is found */
};

/* Is the trial to be searched? False: a later trial, a cell without hash, without query, too large.
 */
bool suspects_wanted(const struct cell *cell, uint64_t trial);

/* Notes the hits of a batch of queries, numbered from `first`; present as query() left it. */
void suspects_add(struct suspects *suspects, struct digests *batch, uint64_t first,
                  const uint8_t *present);

/* How many suspects collide with a member. Moves both sources to other batches. E_RUN: no memory.
 */
enum status suspects_collide(uint64_t *found, const struct suspects *suspects,
                             struct trial_keys *keys, struct error *err);
void suspects_release(struct suspects *suspects);

#endif
