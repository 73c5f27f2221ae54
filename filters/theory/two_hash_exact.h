/* SPDX-License-Identifier: MIT
 *
 * two_hash_exact.h: how the exact rate of double hashing is put together.
 *
 *   groups   two_hash_groups.c   which keys hit two or more cells of one query
 *   losses   two_hash_losses.c   for every subset S of its cells, how many keys hit S: a tally
 *   sum      two_hash_exact.c    the alternating sum over the tally, in MPFR
 *
 * Let B be the number of steps, T = m B the number of keys, r <= k the distinct cells of the query.
 * For nearly every step b the k r translates that put position i on cell j are different, so the
 * keys with that step that hit S number k |S|. The exceptions make the number of keys that hit S
 *
 *     k |S| B - D(S),   D(S) >= 0 the "overlap" of S
 *
 * and D comes from few steps, those with offset_i(b) - offset_i'(b) = cell_j - cell_j' for some i >
 * i': O(k^4) of them whatever m is. So the work does not depend on m.
 */
#ifndef BLOOMLAB_THEORY_TWO_HASH_EXACT_H
#define BLOOMLAB_THEORY_TWO_HASH_EXACT_H

#include "filters/theory/two_hash.h"

/* `count` keys more (or fewer) than in the generic case hit exactly these cells of the query. */
struct two_hash_group {
    uint32_t mask;
    int32_t count;
};

struct two_hash_groups {
    struct two_hash_group *group; /* in any order, a mask more than once */
    size_t count, room;
    unsigned cells; /* r: masks are below 2^r */
};

/* A step at which positions i and h of a key meet on cells j and l of the query: one key, of
 * translate cell_j - offset_i(step), hits both. i = h: unknown which, look at all. */
struct two_hash_meeting {
    uint64_t step;
    uint8_t i, h, j, l;
};

/* The work area for one scheme. */
struct two_hash_finder {
    const struct two_hash *scheme;
    struct two_hash_congruence congruence[TWO_HASH_EXACT_K_MAX]; /* of d = 1 .. k - 1 */
    struct two_hash_meeting *meeting;
    size_t count, room;
    uint64_t cell[TWO_HASH_EXACT_K_MAX]; /* of the query */
};

void two_hash_finder_init(struct two_hash_finder *finder, const struct two_hash *scheme);
void two_hash_finder_release(struct two_hash_finder *finder);

/* The groups of the query (0, step); k <= 20. False when memory ran out. */
bool two_hash_groups_find(struct two_hash_groups *groups, struct two_hash_finder *finder,
                          uint64_t step);

/* Sorts by mask and leaves one group a mask; what two_hash_groups_equal() compares. */
void two_hash_groups_merge(struct two_hash_groups *groups);
bool two_hash_groups_equal(const struct two_hash_groups *a, const struct two_hash_groups *b);

/* row[s][d] = how many (weighted) subsets S with |S| = s and D(S) = d there are. */
struct two_hash_tally {
    uint64_t *row[TWO_HASH_EXACT_K_MAX + 1];
    size_t length;    /* of each row */
    unsigned rows;    /* k + 1 */
    double queries;   /* total weight */
    int32_t *overlap; /* work area of 2^k numbers */
};

bool two_hash_tally_init(struct two_hash_tally *tally, unsigned k);
void two_hash_tally_release(struct two_hash_tally *tally);
void two_hash_tally_clear(struct two_hash_tally *tally);

/* Adds the subsets of a query with these groups, `weight` times. */
bool two_hash_tally_add(struct two_hash_tally *tally, const struct two_hash_groups *groups,
                        uint64_t weight);

/* E[f] over the tallied queries after n >= 1 keys. `bits`: precision beyond what 1e-15 needs, for
 * tests that see whether it changes anything. */
double two_hash_tally_rate(const struct two_hash_tally *tally, const struct two_hash *scheme,
                           uint64_t n, unsigned bits);

#endif
