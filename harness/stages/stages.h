/* SPDX-License-Identifier: MIT
 *
 * stages.h: where the time of a run goes: every thread is in one stage at a time, and says so once
 * a batch or less often, never once a key.
 *
 * Off (as it is unless somebody asks) a change of stage is one test of a flag. On, it is a look at
 * the clock and an addition to a sum that all threads share: some 50 ns a batch of 512 keys. Stages
 * nest: a filter that asks for digests while it inserts leaves `insert` for `digests` and comes
 * back.
 */
#ifndef BLOOMLAB_STAGES_H
#define BLOOMLAB_STAGES_H

#include <stdbool.h>

enum stage {
    STAGE_NONE, /* not counted */
    STAGE_KEYS,
    STAGE_DIGESTS,
    STAGE_INSERT,
    STAGE_QUERY,
    STAGE_LOOK,   /* at a filter: bits counted, its own rate computed */
    STAGE_THEORY, /* and the tests of a cell */
    STAGE_TABLES,
    STAGE_PLOTS,
    STAGE_OTHER, /* of a thread at work: memory, waiting for it, results kept */
};
enum { STAGE_COUNT = STAGE_OTHER + 1 };

extern bool stages_on; /* set before threads start */

enum stage stage_switch(enum stage stage);

/* Enters a stage and tells the one before, to be entered again at the end. */
static inline enum stage stage_enter(enum stage stage)
{
    return __builtin_expect(stages_on, false) ? stage_switch(stage) : stage;
}

/* Turns it on, with all sums 0; no thread may be in a stage. */
void stages_start(void);

/* Seconds that all threads together were in a stage, since stages_start. */
double stage_seconds(enum stage stage);
const char *stage_name(enum stage stage);

#endif
