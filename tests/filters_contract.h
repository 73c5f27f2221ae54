/* SPDX-License-Identifier: MIT
 *
 * filters_contract.h: what every filter must keep to, as functions that say what was broken.
 *
 * A rule answers OK, or E_CHECK with a sentence. Rules that a variant's capabilities exclude answer
 * OK without looking. They work on any struct filter_ops, in the table or not: tests/broken holds
 * variants that must be refused.
 */
#ifndef BLOOMLAB_TESTS_FILTERS_CONTRACT_H
#define BLOOMLAB_TESTS_FILTERS_CONTRACT_H

#include "filters/filter.h"
#include "tests/digest_sources.h"

struct contract_case {
    const struct filter_ops *ops;
    struct filter_params params; /* n: the load at which rates are measured */
    struct source *source;
};

struct contract_rule {
    const char *name;
    enum status (*holds)(const struct contract_case *c, struct error *err);
};

extern const struct contract_rule contract_rules[];
extern const size_t contract_rule_count;

const struct contract_rule *contract_rule_find(const char *name);

/* All rules in order, up to the first that is broken; E_IMPOSSIBLE: there is no such filter. */
enum status contract_check(const struct contract_case *c, struct error *err);

/* ---- the stage: one filter whose surroundings are watched ------------------------------------ */

/* A block with bytes of a known pattern on both sides of it. */
struct guarded {
    unsigned char *whole, *inside;
    uint64_t bytes;
};

/* The filter's memory, arena and scratch are as long as the plan says, not a byte more; digests
 * pass through a spy that notes questions a filter must not ask. */
struct stage {
    const struct contract_case *c;
    struct layout layout;
    struct filter filter;
    struct arena arena;
    struct guarded memory, arena_block, scratch;
    struct digests spy;
    struct digests *asked; /* what the spy stands before */
    uint64_t *own;         /* digests that the spy answers without `out` */
    char trouble[160];     /* what the spy saw, or "" */
};

/* Plans for n keys (at least 1) and opens; E_IMPOSSIBLE and such from the plan, nothing is open
 * then. */
enum status stage_open(struct stage *stage, const struct contract_case *c, uint64_t n,
                       struct error *err);

/* E_CHECK: something was written outside, or asked that must not be. The first complaint wins: with
 * status not OK it is passed on and err left alone. */
enum status stage_close(struct stage *stage, enum status status, struct error *err);

/* Keys first .. first + count - 1 under a seed, in pieces of at most `piece` (0: the batch the
 * filter likes). insert: the filter's status. query, remove: how many; answer[i] of key i when not
 * NULL. */
enum status stage_insert(struct stage *stage, uint64_t seed, uint64_t first, uint64_t count,
                         uint64_t piece, struct error *err);
uint64_t stage_query(struct stage *stage, uint8_t *answer, uint64_t seed, uint64_t first,
                     uint64_t count, uint64_t piece);
uint64_t stage_remove(struct stage *stage, uint8_t *answer, uint64_t seed, uint64_t first,
                      uint64_t count, uint64_t piece);

/* Same bytes in memory and arena? */
bool stage_equal(const struct stage *a, const struct stage *b);

/* Numbers of keys that are never inserted. */
#define STAGE_STRANGERS (UINT64_C(1) << 40)

#endif
