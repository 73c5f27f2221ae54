/* SPDX-License-Identifier: MIT
 *
 * counting_template.h: the loops of counting.c for one width of counters, as a template.
 *
 * Define before including, undefined again at the end:
 *   COUNTING_WIDTH  2, 3, 4 or 8; makes counting<WIDTH>_loops, which has insert, scatter, settle,
 *                   add, query, match, remove and test
 */
#define COUNTING_PASTE3(a, b, c) a##b##c
#define COUNTING_PASTE(a, b, c) COUNTING_PASTE3(a, b, c)
#define COUNTING_FUNCTION(suffix) COUNTING_PASTE(counting, COUNTING_WIDTH, suffix)

static inline bool COUNTING_FUNCTION(_test)(const unsigned char *memory, uint64_t position)
{
    return counters_get(COUNTING_WIDTH, memory, position) != 0;
}

static inline void COUNTING_FUNCTION(_set)(struct filter *f, uint64_t position)
{
    counting_increment(COUNTING_WIDTH, f, position);
}

static inline const void *COUNTING_FUNCTION(_address)(const unsigned char *memory,
                                                      uint64_t position)
{
    return memory + counters_address(COUNTING_WIDTH, position);
}

static inline bool COUNTING_FUNCTION(_add_one)(struct filter *f, uint64_t position)
{
    bool old = COUNTING_FUNCTION(_test)(f->memory, position);
    counting_increment(COUNTING_WIDTH, f, position);
    return old;
}

static uint64_t COUNTING_FUNCTION(_remove)(struct filter *f, uint8_t *removed,
                                           struct digests *batch, void *scratch)
{
    return counting_remove_as(COUNTING_WIDTH, f, removed, batch, scratch);
}

static bool COUNTING_FUNCTION(_test_one)(const struct filter *f, uint64_t position)
{
    return COUNTING_FUNCTION(_test)(f->memory, position);
}

#define LOOPS_NAME COUNTING_PASTE(counting, COUNTING_WIDTH, )
#define LOOPS_RANGE counting_range
#define LOOPS_LOG_WIDTH (COUNTING_WIDTH == 3 ? -1 : __builtin_ctz(COUNTING_WIDTH))
#define LOOPS_TEST COUNTING_FUNCTION(_test)
#define LOOPS_SET COUNTING_FUNCTION(_set)
#define LOOPS_ADDRESS COUNTING_FUNCTION(_address)
#include "filters/loops_template.h"

#define ADD_NAME COUNTING_PASTE(counting, COUNTING_WIDTH, )
#define ADD_RANGE counting_range
#define ADD_SET COUNTING_FUNCTION(_add_one)
#define ADD_ADDRESS COUNTING_FUNCTION(_address)
#include "filters/add_template.h"

static const struct filter_ops COUNTING_FUNCTION(_loops) = {
    .insert = COUNTING_FUNCTION(_insert),
    .scatter = COUNTING_FUNCTION(_scatter),
    .settle = COUNTING_FUNCTION(_settle),
    .add = COUNTING_FUNCTION(_add),
    .query = COUNTING_FUNCTION(_query),
    .match = COUNTING_FUNCTION(_match),
    .remove = COUNTING_FUNCTION(_remove),
    .test = COUNTING_FUNCTION(_test_one),
};

#undef COUNTING_WIDTH
#undef COUNTING_PASTE3
#undef COUNTING_PASTE
#undef COUNTING_FUNCTION
