/* SPDX-License-Identifier: MIT
 *
 * two_hash_exact.c: E[f] of double and enhanced double hashing, exactly.
 *
 *     E[f] = average over queries of sum over S within the query's cells of (-1)^|S| (c(S)/T)^n
 *
 * c(S) of the T keys avoid S: inclusion and exclusion. Which queries need be looked at:
 *
 *   double, odd step, m = 2^j   one: the affine maps x -> u x + v, u odd, move any query to any
 * other double, any step            one for each divisor g of m: units move b to gcd(b, m);
 * totient(m/g) steps share it. Divisors with the same groups are taken together enhanced every
 * step: the cubic term leaves no symmetry but translation
 */
#include "filters/theory/two_hash_exact.h"

#include <math.h>
#include <stdlib.h>

enum { AFFORDABLE_MEETINGS = 1 << 22, AFFORDABLE_SUBSETS = 1 << 26 };

/* For one class of queries the work is O(2^k + k^5) whatever m is; an enhanced scheme has as many
 * classes as steps, each with up to k^2 (k - 1)^2 / 2 meetings. */
bool theory_two_hash_affordable(const struct two_hash *scheme)
{
    uint64_t m = scheme->m, k = scheme->k;
    if (k > TWO_HASH_EXACT_K_MAX)
        return false;
    if (scheme->law == LAW_ENHANCED)
        return m <= 512 ||
               (m <= AFFORDABLE_MEETINGS && m * k * k * (k - 1) * (k - 1) <= AFFORDABLE_MEETINGS);
    if (m <= UINT64_C(1) << 16 || two_hash_steps(scheme) == STEPS_ODD)
        return true;
    size_t classes = 0;
    free(two_hash_divisors(&classes, m));
    return classes << k <= AFFORDABLE_SUBSETS;
}

static bool two_hash_tally_enhanced(struct two_hash_tally *tally, struct two_hash_finder *finder)
{
    struct two_hash_groups groups = {0};
    bool enough = true;
    for (uint64_t step = 0; step < finder->scheme->m && enough; step++)
        if (two_hash_step_allowed(finder->scheme, step))
            enough = two_hash_groups_find(&groups, finder, step) &&
                     two_hash_tally_add(tally, &groups, 1);
    free(groups.group);
    return enough;
}

/* Queries with the same groups, and how many. */
struct two_hash_class {
    struct two_hash_groups groups;
    uint64_t weight;
};

static bool two_hash_class_add(struct two_hash_class *classes, size_t *count,
                               struct two_hash_finder *finder, uint64_t step, uint64_t weight)
{
    struct two_hash_groups groups = {0};
    if (!two_hash_groups_find(&groups, finder, step)) {
        free(groups.group);
        return false;
    }
    two_hash_groups_merge(&groups);
    size_t i = 0;
    while (i < *count && !two_hash_groups_equal(&classes[i].groups, &groups))
        i++;
    if (i < *count)
        free(groups.group);
    else
        classes[(*count)++] = (struct two_hash_class){groups, 0};
    classes[i].weight += weight;
    return true;
}

static bool two_hash_tally_divisors(struct two_hash_tally *tally, struct two_hash_finder *finder)
{
    const struct two_hash *scheme = finder->scheme;
    size_t divisors, count = 0;
    uint64_t *divisor = two_hash_divisors(&divisors, scheme->m);
    struct two_hash_class *classes = divisor ? calloc(divisors, sizeof *classes) : NULL;
    uint64_t *totient = divisor ? malloc(divisors * sizeof *totient) : NULL;
    bool enough = classes && totient;
    if (enough)
        two_hash_totients(totient, divisor, divisors);
    for (size_t i = 0; enough && i < divisors; i++)
        if (two_hash_step_allowed(scheme, divisor[i] % scheme->m))
            enough = two_hash_class_add(classes, &count, finder, divisor[i] % scheme->m,
                                        totient[divisors - 1 - i]); /* of m/divisor[i] */
    for (size_t i = 0; enough && i < count; i++)
        enough = two_hash_tally_add(tally, &classes[i].groups, classes[i].weight);
    for (size_t i = 0; i < count; i++)
        free(classes[i].groups.group);
    free(classes);
    free(totient);
    free(divisor);
    return enough;
}

static bool two_hash_tally_odd(struct two_hash_tally *tally, struct two_hash_finder *finder)
{
    struct two_hash_groups groups = {0};
    bool enough = two_hash_groups_find(&groups, finder, 1) && two_hash_tally_add(tally, &groups, 1);
    free(groups.group);
    return enough;
}

double theory_two_hash_exact(const struct two_hash *scheme, uint64_t n)
{
    if (scheme->k == 0)
        return 1;
    if (n == 0)
        return 0;
    struct two_hash_finder finder;
    struct two_hash_tally tally;
    two_hash_finder_init(&finder, scheme);
    bool enough = two_hash_tally_init(&tally, scheme->k);
    if (enough && scheme->law == LAW_ENHANCED)
        enough = two_hash_tally_enhanced(&tally, &finder);
    else if (enough && two_hash_steps(scheme) == STEPS_ODD)
        enough = two_hash_tally_odd(&tally, &finder);
    else if (enough)
        enough = two_hash_tally_divisors(&tally, &finder);
    double rate = enough ? two_hash_tally_rate(&tally, scheme, n, 0) : NAN;
    two_hash_tally_release(&tally);
    two_hash_finder_release(&finder);
    return rate;
}
